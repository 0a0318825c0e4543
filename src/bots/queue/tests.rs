use lusoria_play::{Level, Seat};

use super::*;
use crate::bots::duty::DutyKind;

const SECONDS: Millis = 1_000;

fn id(n: usize) -> MatchId {
    MatchId(uuid::Uuid::from_u128(n as u128))
}

fn due(due: Millis) -> Waiting {
    Waiting { priority: Priority::AgainstOthers, due, duty: None }
}

fn against_itself(due: Millis) -> Waiting {
    Waiting { priority: Priority::AgainstItself, due, duty: None }
}

fn to_answer(answers: u32, due: Millis) -> Waiting {
    let duty = Duty { seat: Seat::One, level: Level::ALL[0], kind: DutyKind::Turn, answers };
    Waiting { priority: Priority::AgainstOthers, due, duty: Some(duty) }
}

fn queue(workers: usize, waiting: impl IntoIterator<Item = Waiting>) -> Queue {
    let queue = Queue::new(workers);
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
fn the_earliest_deadline_comes_first() {
    let queue = queue(1, [due(300), due(100), due(200)]);
    queue.push(id(0), due(50));
    queue.remove(id(2));
    assert_eq!(order(&queue), [id(0), id(1)]);
}

#[test]
fn a_waiting_match_keeps_its_place_until_its_duty_changes() {
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
fn waiting_matches_share_the_time_of_one() {
    assert_eq!(shares(&queue(1, [due(800)]), 0), [800.0]);
    assert_eq!(queue(1, vec![due(800); 100]).take(0).unwrap().share_ms, 8.0);
    assert_eq!(queue(2, vec![due(800); 100]).take(0).unwrap().share_ms, 16.0);
    assert_eq!(queue(4, vec![due(800); 2]).take(0).unwrap().share_ms, 800.0, "a hand for each");
}

#[test]
fn an_urgent_match_shortens_those_before_it_and_each_gets_a_minimum() {
    assert_eq!(shares(&queue(1, [due(10), due(800)]), 0), [10.0, 800.0]);
    assert_eq!(shares(&queue(1, [due(100), due(101), due(102)]), 0), [34.0, 51.0, 102.0]);
    assert_eq!(shares(&queue(1, [due(5), due(5)]), 1_000), [1.0, 1.0], "both are late");
}

#[test]
fn matches_against_itself_wait_for_all_others_and_take_none_of_their_time() {
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
fn an_event_during_the_work_on_a_match_is_looked_at_afterwards() {
    let queue = queue(1, [due(5)]);
    queue.take(0).unwrap();
    queue.push(id(0), due(9));
    assert_eq!(queue.take(0), None, "it is not done twice at the same time");
    assert!(queue.done(id(0)));
    assert!(!queue.done(id(0)));
}

#[test]
fn matches_that_do_not_fit_are_looked_up_when_there_is_room() {
    let queue = queue(1, vec![due(5); QUEUE_MAX + 1]);
    // However many are deferred.
    for n in 0..QUEUE_MAX {
        queue.defer(id(2 * QUEUE_MAX + n), 1);
    }
    let mut done = 0;
    while !queue.has_room_again() {
        let Some(task) = queue.take(0) else { panic!("nobody looks for the last one") };
        done += 1;
        queue.done(task.id);
    }
    assert_eq!(done, QUEUE_MAX / 2 + 1);
    assert!(!queue.has_room_again() && !queue.is_short(), "it is looked for once");
    queue.defer(id(4 * QUEUE_MAX), 1);
    assert!(queue.is_short());
}

#[test]
fn a_deferred_match_comes_back_at_its_time() {
    let queue = Queue::new(1);
    queue.defer(id(1), 30);
    queue.defer(id(2), 50);
    queue.defer(id(2), 10);
    queue.push(id(1), due(5));
    assert_eq!(queue.take(0), None, "a push without a duty does not bring it forward");
    assert_eq!(queue.take_later(5), (vec![], Some(Duration::from_millis(5))));
    assert_eq!(queue.take_later(60), (vec![id(2), id(1)], None));
}

#[test]
fn a_match_that_keeps_failing_is_retried_after_longer_pauses() {
    let queue = Queue::new(1);
    let mut waits = Vec::new();
    for _ in 0..100 {
        waits.push(queue.defer_failed(id(1), None, 0, 10 * SECONDS));
    }
    assert_eq!(waits[..6], [1, 2, 4, 8, 10, 10].map(|seconds| seconds * SECONDS));
    assert_eq!(waits[99], 10 * SECONDS);
    assert_eq!(queue.defer_failed(id(2), None, 0, 10 * SECONDS), SECONDS, "each by itself");
    queue.forgive(id(1));
    assert_eq!(queue.defer_failed(id(1), None, 0, 10 * SECONDS), SECONDS);
}

#[test]
fn a_failed_match_waits_for_its_pause_unless_it_waits_for_something_else() {
    let failed = || {
        let queue = queue(1, [due(5)]);
        queue.take(0).unwrap();
        // Meanwhile it was read, and found in the store.
        queue.push(id(0), to_answer(7, 9));
        queue.push(id(0), due(9));
        queue.defer_failed(id(0), to_answer(7, 9).duty, 0, 10 * SECONDS);
        assert!(queue.done(id(0)));
        queue
    };
    for known in [due(9), to_answer(7, 9)] {
        let queue = failed();
        queue.push(id(0), known);
        assert_eq!(queue.take(0), None, "{known:?}");
        assert_eq!(queue.take_later(SECONDS).0, [id(0)]);
        queue.push(id(0), known);
        assert_eq!(order(&queue), [id(0)], "its pause is over");
    }
    let queue = failed();
    queue.push(id(0), to_answer(9, 9));
    assert_eq!(order(&queue), [id(0)], "it has moved on");
}
