use lusoria_play::{Level, Seat};

use super::*;
use crate::bots::duty::What;

const SECONDS: Millis = 1_000;

fn id(n: usize) -> MatchId {
    MatchId(uuid::Uuid::from_u128(n as u128))
}

fn due(due: Millis) -> Waiting {
    Waiting { line: Line::AgainstOthers, due, duty: None }
}

fn against_itself(due: Millis) -> Waiting {
    Waiting { line: Line::AgainstItself, due, duty: None }
}

fn queue(hands: usize, waiting: impl IntoIterator<Item = Waiting>) -> Queue {
    let queue = Queue::new(hands);
    for (n, waiting) in waiting.into_iter().enumerate() {
        queue.push(id(n), waiting);
    }
    queue
}

fn shares(queue: &Queue, now: Millis) -> Vec<f64> {
    std::iter::from_fn(|| queue.take(now)).map(|task| task.share_ms).collect()
}

fn order(queue: &Queue) -> Vec<MatchId> {
    std::iter::from_fn(|| queue.take(0)).map(|task| task.id).collect()
}

#[test]
fn what_should_be_done_first_is() {
    let queue = queue(1, [due(300), due(100), due(200)]);
    queue.push(id(0), due(50));
    queue.remove(id(2));
    assert_eq!(order(&queue), [id(0), id(1)]);
}

#[test]
fn what_waits_keeps_its_place_until_something_else_is_to_be_done() {
    let duty = |answers| Duty { seat: Seat::One, level: Level::ALL[0], what: What::Turn, answers };
    let to_answer = |answers, due| Waiting { line: Line::AgainstOthers, due, duty: Some(duty(answers)) };
    let queue = queue(1, [due(100), to_answer(7, 200)]);
    queue.push(id(1), to_answer(7, 900));
    queue.push(id(1), due(800));
    queue.push(id(2), due(300));
    queue.push(id(0), due(400));
    queue.push(id(0), to_answer(3, 500));
    assert_eq!(order(&queue), [id(0), id(1), id(2)]);
    queue.push(id(3), to_answer(7, 200));
    queue.push(id(3), to_answer(9, 900));
    queue.push(id(4), due(300));
    assert_eq!(order(&queue), [id(4), id(3)], "it is another turn");
}

#[test]
fn many_share_the_time_that_one_has_alone() {
    assert_eq!(shares(&queue(1, [due(800)]), 0), [800.0]);
    assert_eq!(queue(1, vec![due(800); 100]).take(0).unwrap().share_ms, 8.0);
    assert_eq!(queue(2, vec![due(800); 100]).take(0).unwrap().share_ms, 16.0);
    assert_eq!(queue(4, vec![due(800); 2]).take(0).unwrap().share_ms, 800.0, "a hand for each");
}

#[test]
fn one_in_haste_hastens_those_before_it_and_nothing_is_done_in_no_time() {
    assert_eq!(shares(&queue(1, [due(10), due(800)]), 0), [10.0, 800.0]);
    assert_eq!(shares(&queue(1, [due(100), due(101), due(102)]), 0), [34.0, 51.0, 102.0]);
    assert_eq!(shares(&queue(1, [due(5), due(5)]), 1_000), [1.0, 1.0], "both are late");
}

#[test]
fn against_itself_it_plays_when_nobody_else_waits_and_takes_nothing_of_their_time() {
    let mut waiting = vec![against_itself(10); 500];
    waiting.extend([due(800), due(800)]);
    let queue = queue(1, waiting);
    assert_eq!(queue.take(0), Some(Task { id: id(500), share_ms: 400.0 }));
    assert_eq!(queue.take(0), Some(Task { id: id(501), share_ms: 800.0 }));
    assert_eq!(queue.take(0), Some(Task { id: id(0), share_ms: 1.0 }));
    let alone = self::queue(1, [against_itself(800)]);
    assert_eq!(alone.take(0).unwrap().share_ms, SHARE_AGAINST_ITSELF_MAX_MS);
}

#[test]
fn what_happens_while_it_is_in_hand_is_looked_at_afterwards() {
    let queue = queue(1, [due(5)]);
    queue.take(0).unwrap();
    queue.push(id(0), due(9));
    assert_eq!(queue.take(0), None, "it is not done twice at the same time");
    assert!(queue.done(id(0)));
    assert!(!queue.done(id(0)));
}

#[test]
fn what_does_not_fit_is_looked_for_when_there_is_room() {
    let queue = queue(1, vec![due(5); QUEUE_MAX + 1]);
    // However much is put off.
    for n in 0..QUEUE_MAX {
        queue.put_off(id(2 * QUEUE_MAX + n), 1);
    }
    let mut done = 0;
    while !queue.has_room_again() {
        let Some(task) = queue.take(0) else { panic!("nobody looks for the last one") };
        done += 1;
        queue.done(task.id);
    }
    assert_eq!(done, QUEUE_MAX / 2 + 1);
    assert!(!queue.has_room_again() && !queue.is_short(), "it is looked for once");
    queue.put_off(id(4 * QUEUE_MAX), 1);
    assert!(queue.is_short());
}

#[test]
fn what_is_put_off_comes_when_it_is_time() {
    let queue = Queue::new(1);
    queue.put_off(id(1), 30);
    queue.put_off(id(2), 50);
    queue.put_off(id(2), 10);
    queue.push(id(1), due(5));
    assert_eq!(queue.take(0), None, "nobody who has not looked at it knows better");
    assert_eq!(queue.take_later(5), (vec![], Some(Duration::from_millis(5))));
    assert_eq!(queue.take_later(60), (vec![id(2), id(1)], None));
}

#[test]
fn what_fails_again_and_again_is_tried_ever_later() {
    let queue = Queue::new(1);
    let mut waits = Vec::new();
    for _ in 0..100 {
        waits.push(queue.put_off_failed(id(1), 0, 10 * SECONDS));
    }
    assert_eq!(waits[..6], [1, 2, 4, 8, 10, 10].map(|seconds| seconds * SECONDS));
    assert_eq!(waits[99], 10 * SECONDS);
    assert_eq!(queue.put_off_failed(id(2), 0, 10 * SECONDS), SECONDS, "each by itself");
    queue.forgive(id(1));
    assert_eq!(queue.put_off_failed(id(1), 0, 10 * SECONDS), SECONDS);
}
