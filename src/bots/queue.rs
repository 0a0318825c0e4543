//! The queue of matches that wait for the computer: their order, and how long each turn may take so that all
//! are played in time. Matches of the computer against itself come last.

use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    mem,
    time::Duration,
};

use lusoria_play::{MatchId, Millis};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::duty::Duty;

/// The most waiting matches. More are read from the store when there is space.
pub(super) const QUEUE_MAX: usize = 4096;

/// The least time for a turn, however late it is, in milliseconds.
pub(super) const SHARE_MIN_MS: f64 = 1.0;

/// The most time for a turn against itself, because other turns that arrive meanwhile wait for it.
const SHARE_AGAINST_ITSELF_MAX_MS: f64 = 200.0;

/// The pause after a first failure, in milliseconds. It doubles after each further one.
const RETRY_MS: Millis = 1_000;

/// Matches that wait for the computer.
pub(super) struct Queue {
    /// How many matches are worked on at the same time.
    workers: usize,
    state: Mutex<QueueState>,
    arrived: Notify,
    deferred: Notify,
}

#[derive(Default)]
struct QueueState {
    /// In the order in which they should be done.
    waiting: BTreeSet<(Priority, Millis, MatchId)>,
    waits: HashMap<MatchId, Waiting>,
    /// Matches in progress; true if the match has new events since.
    in_progress: HashMap<MatchId, bool>,
    /// Deferred matches, with the time to try again.
    later: BTreeSet<(Millis, MatchId)>,
    until: HashMap<MatchId, Millis>,
    /// Failures of each match since its last success.
    failures: HashMap<MatchId, Failures>,
    /// Whether a match did not fit.
    is_short: bool,
}

/// Failures of a match.
#[derive(Debug, Default)]
struct Failures {
    times: u32,
    /// The duty that failed last; none if the match could not be read.
    duty: Option<Duty>,
}

/// The order of matches: those against other players before those against itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Priority {
    AgainstOthers,
    AgainstItself,
}

/// A waiting match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) priority: Priority,
    /// When it should be done.
    pub(super) due: Millis,
    /// Its duty; none if the match has not been read yet.
    pub(super) duty: Option<Duty>,
}

/// A match to work on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Task {
    pub(super) id: MatchId,
    /// How long it may take, in milliseconds.
    pub(super) share_ms: f64,
}

impl Queue {
    pub(super) fn new(workers: usize) -> Self {
        Self { workers, state: Mutex::default(), arrived: Notify::new(), deferred: Notify::new() }
    }

    /// Queues a match. With an unchanged duty it keeps its place.
    pub(super) fn push(&self, id: MatchId, mut waiting: Waiting) {
        let mut state = self.state.lock();
        if let Some(happened) = state.in_progress.get_mut(&id) {
            *happened = true;
            return;
        }
        if let Some(before) = state.waits.get(&id).copied() {
            let is_new = waiting.duty.is_some() && before.duty.is_some_and(|duty| Some(duty) != waiting.duty);
            if !is_new {
                waiting.due = waiting.due.min(before.due);
                waiting.duty = waiting.duty.or(before.duty);
            }
            state.waiting.remove(&(before.priority, before.due, id));
        } else if state.waits.len() >= QUEUE_MAX {
            state.is_short = true;
            return;
        } else if state.until.contains_key(&id) && state.is_no_news(id, waiting.duty) {
            // It is tried again at a known time.
            return;
        }
        state.waits.insert(id, waiting);
        state.waiting.insert((waiting.priority, waiting.due, id));
        state.tell();
        drop(state);
        self.arrived.notify_one();
    }

    /// Defers a match until `until`.
    pub(super) fn defer(&self, id: MatchId, until: Millis) {
        self.state.lock().defer(id, until);
        self.deferred.notify_one();
    }

    /// Defers a match that has failed, longer each time, but at most by `wait_max_ms`. Until then it is
    /// queued only for a duty other than the failed one (none if that is unknown). Returns the pause in
    /// milliseconds.
    pub(super) fn defer_failed(
        &self,
        id: MatchId,
        duty: Option<Duty>,
        now: Millis,
        wait_max_ms: Millis,
    ) -> Millis {
        let mut state = self.state.lock();
        let has_room = state.failures.len() < QUEUE_MAX;
        let failed = match state.failures.entry(id) {
            Entry::Occupied(failures) => Some(failures.into_mut()),
            Entry::Vacant(none) => has_room.then(|| none.insert(Failures::default())),
        };
        let doublings = failed.map_or(u32::MAX, |failed| {
            failed.duty = duty;
            let more = failed.times.saturating_add(1);
            mem::replace(&mut failed.times, more)
        });
        let wait_ms =
            1_u64.checked_shl(doublings).map_or(Millis::MAX, |times| RETRY_MS.saturating_mul(times));
        let wait_ms = wait_ms.min(wait_max_ms);
        state.defer(id, now.saturating_add(wait_ms));
        drop(state);
        self.deferred.notify_one();
        wait_ms
    }

    /// Waits until a match is deferred.
    pub(super) async fn until_deferred(&self) {
        self.deferred.notified().await;
    }

    /// Removes a match that no longer waits.
    pub(super) fn remove(&self, id: MatchId) {
        let mut state = self.state.lock();
        if let Some(Waiting { priority, due, .. }) = state.waits.remove(&id) {
            state.waiting.remove(&(priority, due, id));
            state.tell();
        }
        state.failures.remove(&id);
    }

    /// Takes the deferred matches that are due. Returns them, and the time until the next one.
    pub(super) fn take_later(&self, now: Millis) -> (Vec<MatchId>, Option<Duration>) {
        let mut state = self.state.lock();
        let mut ready = Vec::new();
        while let Some(&(until, id)) = state.later.first() {
            if until > now {
                return (ready, Some(Duration::from_millis(until - now)));
            }
            state.later.pop_first();
            state.until.remove(&id);
            ready.push(id);
        }
        (ready, None)
    }

    /// Waits for the next match.
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
        let mut state = self.state.lock();
        let share_ms = state.share_ms(now, self.workers);
        let (_, _, id) = state.waiting.pop_first()?;
        state.waits.remove(&id);
        state.in_progress.insert(id, false);
        state.tell();
        if !state.waiting.is_empty() {
            self.arrived.notify_one();
        }
        Some(Task { id, share_ms })
    }

    /// Ends the work on a match. Returns whether it has new events.
    pub(super) fn done(&self, id: MatchId) -> bool {
        self.state.lock().in_progress.remove(&id).unwrap_or(false)
    }

    /// Clears the failures of a match after a success.
    pub(super) fn forgive(&self, id: MatchId) {
        self.state.lock().failures.remove(&id);
    }

    /// Whether a match did not fit and there is space again, so that the store should be searched.
    pub(super) fn has_room_again(&self) -> bool {
        let mut state = self.state.lock();
        state.waits.len() < QUEUE_MAX / 2 && mem::take(&mut state.is_short)
    }

    /// Whether a match did not fit and the store has not been searched since.
    pub(super) fn is_short(&self) -> bool {
        mem::take(&mut self.state.lock().is_short)
    }
}

impl QueueState {
    /// Whether nothing has changed in a deferred match, as far as is known: its duty has not been read, or is
    /// the one that failed.
    fn is_no_news(&self, id: MatchId, duty: Option<Duty>) -> bool {
        let has_failed = |duty| self.failures.get(&id).is_some_and(|failed| failed.duty == Some(duty));
        duty.is_none_or(has_failed)
    }

    fn defer(&mut self, id: MatchId, until: Millis) {
        if let Some(before) = self.until.remove(&id) {
            self.later.remove(&(before, id));
        }
        if self.until.len() < QUEUE_MAX {
            self.until.insert(id, until);
            self.later.insert((until, id));
        } else {
            self.is_short = true;
        }
    }

    /// How long each match may take so that all matches of the first waiting priority are done in time: the
    /// n-th waits for all before it, divided among the workers.
    fn share_ms(&self, now: Millis, workers: usize) -> f64 {
        let Some(&(first, ..)) = self.waiting.first() else { return SHARE_MIN_MS };
        let priority = self.waiting.iter().take_while(|(priority, ..)| *priority == first);
        let shares = priority.zip(1..).map(|((_, due, _), before)| {
            let rounds = count_f64(before).max(count_f64(workers)) / count_f64(workers);
            millis_f64(due.saturating_sub(now)) / rounds
        });
        let share_max_ms = match first {
            Priority::AgainstOthers => f64::INFINITY,
            Priority::AgainstItself => SHARE_AGAINST_ITSELF_MAX_MS,
        };
        shares.fold(share_max_ms, f64::min).max(SHARE_MIN_MS)
    }

    fn tell(&self) {
        metrics::gauge!("lusoria_computer_waiting").set(count_f64(self.waiting.len()));
    }
}

#[expect(clippy::cast_precision_loss, reason = "there are at most a few thousand")]
fn count_f64(count: usize) -> f64 {
    count as f64
}

/// Milliseconds as a float.
#[expect(clippy::cast_precision_loss, reason = "a day has fewer than 2^53 milliseconds")]
pub(super) fn millis_f64(millis: Millis) -> f64 {
    millis as f64
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are chosen so that nothing is rounded")]
mod tests;
