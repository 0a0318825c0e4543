//! What waits for the computer: in the order in which it should be done, and how long each
//! may take so that all of it is.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use lusoria_play::{MatchId, Millis};
use parking_lot::Mutex;
use tokio::sync::Notify;

/// How many matches wait; what does not fit is looked for in the store when there is room.
pub(super) const QUEUE_MAX: usize = 4096;

/// The least that is spent on a turn, however late it is, in milliseconds.
const SHARE_MIN_MS: f64 = 1.0;

/// Matches that wait for the computer.
pub(super) struct Queue {
    /// How many are done at the same time.
    hands: usize,
    lines: Mutex<Lines>,
    arrived: Notify,
    put_off: Notify,
}

#[derive(Default)]
struct Lines {
    /// By when it should be done, the earliest first.
    waiting: BTreeSet<(Millis, MatchId)>,
    due: HashMap<MatchId, Millis>,
    /// In hand; true if something has happened in the match since.
    in_hand: HashMap<MatchId, bool>,
    /// Put off until then.
    later: BTreeSet<(Millis, MatchId)>,
    /// Whether something did not fit.
    is_short: bool,
}

/// Something to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Task {
    pub(super) id: MatchId,
    /// How long it may take, in milliseconds.
    pub(super) share_ms: f64,
}

/// What to do when something has been done.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Nothing.
    Nothing,
    /// Something happened in the match meanwhile: look at it again.
    LookAgain,
    /// There is room again: look into the store.
    LookForMore,
}

impl Queue {
    pub(super) fn new(hands: usize) -> Self {
        Self { hands, lines: Mutex::default(), arrived: Notify::new(), put_off: Notify::new() }
    }

    /// A match waits for something to be done by `due`.
    pub(super) fn push(&self, id: MatchId, due: Millis) {
        let mut lines = self.lines.lock();
        if let Some(happened) = lines.in_hand.get_mut(&id) {
            *happened = true;
            return;
        }
        if lines.due.len() >= QUEUE_MAX && !lines.due.contains_key(&id) {
            lines.is_short = true;
            return;
        }
        if let Some(before) = lines.due.insert(id, due) {
            lines.waiting.remove(&(before, id));
        }
        lines.waiting.insert((due, id));
        lines.tell();
        drop(lines);
        self.arrived.notify_one();
    }

    /// A match is to be looked at again then.
    pub(super) fn put_off(&self, id: MatchId, until: Millis) {
        let mut lines = self.lines.lock();
        if lines.later.len() < QUEUE_MAX {
            lines.later.insert((until, id));
        } else {
            lines.is_short = true;
        }
        drop(lines);
        self.put_off.notify_one();
    }

    /// Waits until something is put off.
    pub(super) async fn until_put_off(&self) {
        self.put_off.notified().await;
    }

    /// A match waits for nothing any more.
    pub(super) fn remove(&self, id: MatchId) {
        let mut lines = self.lines.lock();
        if let Some(due) = lines.due.remove(&id) {
            lines.waiting.remove(&(due, id));
            lines.tell();
        }
    }

    /// Takes what was put off until now, and says how long it is until the next one.
    pub(super) fn take_later(&self, now: Millis) -> (Vec<MatchId>, Option<Duration>) {
        let mut lines = self.lines.lock();
        let mut ready = Vec::new();
        while let Some(&(until, id)) = lines.later.first() {
            if until > now {
                return (ready, Some(Duration::from_millis(until - now)));
            }
            lines.later.pop_first();
            ready.push(id);
        }
        (ready, None)
    }

    /// Waits for the next thing to do and takes it in hand.
    pub(super) async fn next(&self, now: impl Fn() -> Millis) -> Task {
        loop {
            let arrived = self.arrived.notified();
            if let Some(task) = self.take(now()) {
                return task;
            }
            arrived.await;
        }
    }

    fn take(&self, now: Millis) -> Option<Task> {
        let mut lines = self.lines.lock();
        let share_ms = lines.share_ms(now, self.hands);
        let (_, id) = lines.waiting.pop_first()?;
        lines.due.remove(&id);
        lines.in_hand.insert(id, false);
        lines.tell();
        if !lines.waiting.is_empty() {
            self.arrived.notify_one();
        }
        Some(Task { id, share_ms })
    }

    /// It has been done, or given up.
    pub(super) fn done(&self, id: MatchId) -> Next {
        let mut lines = self.lines.lock();
        let happened = lines.in_hand.remove(&id).unwrap_or(false);
        let has_room = lines.due.len() < QUEUE_MAX / 2 && lines.later.len() < QUEUE_MAX / 2;
        if has_room && std::mem::take(&mut lines.is_short) {
            return Next::LookForMore;
        }
        if happened { Next::LookAgain } else { Next::Nothing }
    }
}

impl Lines {
    /// The longest that everything may take which waits now, so that each is done by when it
    /// should: of the first n the last one waits for all of them, divided among the hands.
    fn share_ms(&self, now: Millis, hands: usize) -> f64 {
        let shares = self.waiting.iter().zip(1..).map(|((due, _), before)| {
            let rounds = count_f64(before).max(count_f64(hands)) / count_f64(hands);
            millis_f64(due.saturating_sub(now)) / rounds
        });
        shares.fold(f64::INFINITY, f64::min).max(SHARE_MIN_MS)
    }

    fn tell(&self) {
        metrics::gauge!("lusoria_computer_waiting").set(count_f64(self.waiting.len()));
    }
}

#[expect(clippy::cast_precision_loss, reason = "there are at most a few thousand")]
fn count_f64(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "a day has fewer than 2^53 milliseconds")]
fn millis_f64(millis: Millis) -> f64 {
    millis as f64
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are chosen so that nothing is rounded")]
mod tests {
    use super::*;

    fn id(n: usize) -> MatchId {
        MatchId(uuid::Uuid::from_u128(n as u128))
    }

    fn queue(hands: usize, due: impl IntoIterator<Item = Millis>) -> Queue {
        let queue = Queue::new(hands);
        for (n, due) in due.into_iter().enumerate() {
            queue.push(id(n), due);
        }
        queue
    }

    fn shares(queue: &Queue, now: Millis) -> Vec<f64> {
        std::iter::from_fn(|| queue.take(now)).map(|task| task.share_ms).collect()
    }

    #[test]
    fn what_should_be_done_first_is() {
        let queue = queue(1, [300, 100, 200]);
        queue.push(id(0), 50);
        queue.remove(id(2));
        let order: Vec<_> = std::iter::from_fn(|| queue.take(0)).map(|task| task.id).collect();
        assert_eq!(order, [id(0), id(1)]);
    }

    #[test]
    fn many_share_the_time_that_one_has_alone() {
        assert_eq!(shares(&queue(1, [800]), 0), [800.0]);
        assert_eq!(queue(1, vec![800; 100]).take(0).unwrap().share_ms, 8.0);
        assert_eq!(queue(2, vec![800; 100]).take(0).unwrap().share_ms, 16.0);
        assert_eq!(queue(4, vec![800; 2]).take(0).unwrap().share_ms, 800.0, "a hand for each");
    }

    #[test]
    fn one_in_haste_hastens_those_before_it_and_nothing_is_done_in_no_time() {
        assert_eq!(shares(&queue(1, [10, 800]), 0), [10.0, 800.0]);
        assert_eq!(shares(&queue(1, [100, 101, 102]), 0), [34.0, 51.0, 102.0]);
        assert_eq!(shares(&queue(1, [5, 5]), 1_000), [1.0, 1.0], "both are late");
    }

    #[test]
    fn what_happens_while_it_is_in_hand_is_looked_at_afterwards() {
        let queue = queue(1, [5]);
        queue.take(0).unwrap();
        queue.push(id(0), 9);
        assert_eq!(queue.take(0), None, "it is not done twice at the same time");
        assert_eq!(queue.done(id(0)), Next::LookAgain);
        assert_eq!(queue.done(id(0)), Next::Nothing);
    }

    #[test]
    fn what_does_not_fit_is_looked_for_when_there_is_room() {
        let queue = queue(1, vec![5; QUEUE_MAX + 1]);
        let mut done = 0;
        let next = loop {
            let Some(task) = queue.take(0) else { panic!("nobody looks for the last one") };
            done += 1;
            match queue.done(task.id) {
                Next::Nothing => {}
                next => break next,
            }
        };
        assert_eq!((next, done), (Next::LookForMore, QUEUE_MAX / 2 + 1));
    }

    #[test]
    fn what_is_put_off_comes_when_it_is_time() {
        let queue = Queue::new(1);
        queue.put_off(id(1), 30);
        queue.put_off(id(2), 10);
        assert_eq!(queue.take_later(5), (vec![], Some(Duration::from_millis(5))));
        assert_eq!(queue.take_later(30), (vec![id(2), id(1)], None));
    }
}
