//! What waits for the computer: in the order in which it should be done, and how long each
//! may take so that all of it is. What the computer plays against itself comes when nobody
//! else waits.

use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    mem,
    time::Duration,
};

use lusoria_play::{MatchId, Millis};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::duty::Duty;

/// How many matches wait; what does not fit is looked for in the store when there is room.
pub(super) const QUEUE_MAX: usize = 4096;

/// The least that is spent on a turn, however late it is, in milliseconds.
pub(super) const SHARE_MIN_MS: f64 = 1.0;

/// The most that is spent on a turn against itself: turns that come meanwhile wait for it.
const SHARE_AGAINST_ITSELF_MAX_MS: f64 = 200.0;

/// How soon something is tried again that failed once, in milliseconds; after each further
/// time it takes twice as long.
const RETRY_MS: Millis = 1_000;

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
    /// What is to be done next comes first.
    waiting: BTreeSet<(Line, Millis, MatchId)>,
    waits: HashMap<MatchId, Waiting>,
    /// In hand; true if something has happened in the match since.
    in_hand: HashMap<MatchId, bool>,
    /// Put off until then.
    later: BTreeSet<(Millis, MatchId)>,
    until: HashMap<MatchId, Millis>,
    /// How often something has failed since it was last done.
    failures: HashMap<MatchId, u32>,
    /// Whether something did not fit.
    is_short: bool,
}

/// Against whom the computer plays: what waits in the first line is done first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Line {
    AgainstOthers,
    AgainstItself,
}

/// What is known of a match that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) line: Line,
    /// By when it should be done.
    pub(super) due: Millis,
    /// What is to be done; none if nobody has looked at it yet.
    pub(super) duty: Option<Duty>,
}

/// Something to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Task {
    pub(super) id: MatchId,
    /// How long it may take, in milliseconds.
    pub(super) share_ms: f64,
}

impl Queue {
    pub(super) fn new(hands: usize) -> Self {
        Self { hands, lines: Mutex::default(), arrived: Notify::new(), put_off: Notify::new() }
    }

    /// A match waits. If it has been waiting for the same already, it keeps its place.
    pub(super) fn push(&self, id: MatchId, mut waiting: Waiting) {
        let mut lines = self.lines.lock();
        if let Some(happened) = lines.in_hand.get_mut(&id) {
            *happened = true;
            return;
        }
        if let Some(before) = lines.waits.get(&id).copied() {
            let is_new = waiting.duty.is_some() && before.duty.is_some_and(|duty| Some(duty) != waiting.duty);
            if !is_new {
                waiting.due = waiting.due.min(before.due);
                waiting.duty = waiting.duty.or(before.duty);
            }
            lines.waiting.remove(&(before.line, before.due, id));
        } else if lines.waits.len() >= QUEUE_MAX {
            lines.is_short = true;
            return;
        } else if waiting.duty.is_none() && lines.until.contains_key(&id) {
            // It has been looked at, and it is known when to do so again.
            return;
        }
        lines.waits.insert(id, waiting);
        lines.waiting.insert((waiting.line, waiting.due, id));
        lines.tell();
        drop(lines);
        self.arrived.notify_one();
    }

    /// A match is to be looked at again then.
    pub(super) fn put_off(&self, id: MatchId, until: Millis) {
        self.lines.lock().put_off(id, until);
        self.put_off.notify_one();
    }

    /// Something has failed that is to be tried again: later each time, but at the most so
    /// many milliseconds later. Answers how many.
    pub(super) fn put_off_failed(&self, id: MatchId, now: Millis, wait_max_ms: Millis) -> Millis {
        let mut lines = self.lines.lock();
        let has_room = lines.failures.len() < QUEUE_MAX;
        let failed = match lines.failures.entry(id) {
            Entry::Occupied(failures) => Some(failures.into_mut()),
            Entry::Vacant(none) => has_room.then(|| none.insert(0)),
        };
        let doublings = failed.map_or(u32::MAX, |failed| mem::replace(failed, failed.saturating_add(1)));
        let wait_ms =
            1_u64.checked_shl(doublings).map_or(Millis::MAX, |times| RETRY_MS.saturating_mul(times));
        let wait_ms = wait_ms.min(wait_max_ms);
        lines.put_off(id, now.saturating_add(wait_ms));
        drop(lines);
        self.put_off.notify_one();
        wait_ms
    }

    /// Waits until something is put off.
    pub(super) async fn until_put_off(&self) {
        self.put_off.notified().await;
    }

    /// A match waits for nothing any more.
    pub(super) fn remove(&self, id: MatchId) {
        let mut lines = self.lines.lock();
        if let Some(Waiting { line, due, .. }) = lines.waits.remove(&id) {
            lines.waiting.remove(&(line, due, id));
            lines.tell();
        }
        lines.failures.remove(&id);
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
            lines.until.remove(&id);
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
        let (_, _, id) = lines.waiting.pop_first()?;
        lines.waits.remove(&id);
        lines.in_hand.insert(id, false);
        lines.tell();
        if !lines.waiting.is_empty() {
            self.arrived.notify_one();
        }
        Some(Task { id, share_ms })
    }

    /// It is no longer in hand. Answers whether something has happened in the match
    /// meanwhile.
    pub(super) fn done(&self, id: MatchId) -> bool {
        self.lines.lock().in_hand.remove(&id).unwrap_or(false)
    }

    /// What failed before has been done.
    pub(super) fn forgive(&self, id: MatchId) {
        self.lines.lock().failures.remove(&id);
    }

    /// Whether something did not fit, and much has been done since: then it is to be looked
    /// for in the store.
    pub(super) fn has_room_again(&self) -> bool {
        let mut lines = self.lines.lock();
        lines.waits.len() < QUEUE_MAX / 2 && mem::take(&mut lines.is_short)
    }

    /// Whether something did not fit that nobody has gone to look for yet.
    pub(super) fn is_short(&self) -> bool {
        mem::take(&mut self.lines.lock().is_short)
    }
}

impl Lines {
    fn put_off(&mut self, id: MatchId, until: Millis) {
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

    /// The longest that everything may take which waits now in the first line where anything
    /// does, so that each is done by when it should: of the first n the last one waits for all
    /// of them, divided among the hands.
    fn share_ms(&self, now: Millis, hands: usize) -> f64 {
        let Some(&(first, ..)) = self.waiting.first() else { return SHARE_MIN_MS };
        let line = self.waiting.iter().take_while(|(line, ..)| *line == first);
        let shares = line.zip(1..).map(|((_, due, _), before)| {
            let rounds = count_f64(before).max(count_f64(hands)) / count_f64(hands);
            millis_f64(due.saturating_sub(now)) / rounds
        });
        let share_max_ms = match first {
            Line::AgainstOthers => f64::INFINITY,
            Line::AgainstItself => SHARE_AGAINST_ITSELF_MAX_MS,
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

/// Milliseconds that may be shared.
#[expect(clippy::cast_precision_loss, reason = "a day has fewer than 2^53 milliseconds")]
pub(super) fn millis_f64(millis: Millis) -> f64 {
    millis as f64
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are chosen so that nothing is rounded")]
mod tests;
