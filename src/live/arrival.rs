//! When something arrived, and what has arrived and is not decided yet.
//!
//! A command counts from the moment when its last byte was read, however long the server then
//! takes to get to it. A deadline waits for the commands of its match that were read before it.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use lusoria_play::{MatchId, Millis};
use parking_lot::Mutex;
use tokio::{
    sync::Notify,
    time::{Instant, timeout},
};

use super::ServerTime;

/// How long after it was read a command counts from then, in milliseconds; later it counts as if
/// it had been read so long ago.
const COUNTS_FROM_MAX_MS: Millis = 10_000;

/// For how long something that has arrived holds deadlines up, in milliseconds from when it was
/// read.
pub(super) const HOLDS_UP_FOR_MS: Millis = 2_000;

/// When a connection last read any bytes from the network. Clones are of the same connection; the
/// default is of none, and has always just read.
#[derive(Debug, Clone, Default)]
pub struct LastRead(Option<Arc<Mutex<Instant>>>);

impl LastRead {
    /// Of a new connection.
    pub fn of_connection() -> Self {
        Self(Some(Arc::new(Mutex::new(Instant::now()))))
    }

    /// Notes that bytes have just been read.
    pub fn note(&self) {
        if let Some(at) = &self.0 {
            *at.lock() = Instant::now();
        }
    }

    /// When bytes were last read.
    pub fn at(&self) -> Instant {
        self.0.as_ref().map_or_else(Instant::now, |at| *at.lock())
    }
}

/// Something that has arrived and is not decided. As long as it lives, deadlines after it wait for
/// it, but 2 s at most. Clones are of the same thing.
#[derive(Debug, Clone)]
pub struct Arrived(Arc<Undecided>);

#[derive(Debug)]
struct Undecided {
    time: ServerTime,
    arrivals: Arc<Arrivals>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    at: Millis,
    /// Whether it is a message of a socket: only of those the line is measured.
    is_of_socket: bool,
    /// The entry in the book; none if it holds nothing up.
    entry: Option<Entry>,
}

impl Arrived {
    /// When it arrived, in milliseconds since the epoch: never later than now.
    pub fn at(&self) -> Millis {
        self.0.state.lock().at
    }

    /// It is a message of a socket.
    #[must_use]
    pub fn over_socket(self) -> Self {
        self.0.state.lock().is_of_socket = true;
        self
    }

    /// Whether it is a message of a socket.
    pub fn is_of_socket(&self) -> bool {
        self.0.state.lock().is_of_socket
    }

    /// It has turned out to be a command to this match: only the deadlines of this match wait.
    pub fn concerns(&self, id: MatchId) {
        let mut state = self.0.state.lock();
        if state.entry.is_some_and(|entry| entry.of != Some(id)) {
            self.0.arrivals.remove(state.entry.take());
            state.entry = Some(self.0.arrivals.add(Some(id), state.at));
        }
    }

    /// The rest of it was read at `read_at`: it counts from then.
    pub fn read_on(&self, read_at: Instant) {
        let mut state = self.0.state.lock();
        state.at = stamp(&self.0.time, read_at);
        if let Some(entry) = state.entry.take() {
            self.0.arrivals.remove(Some(entry));
            state.entry = Some(self.0.arrivals.add(entry.of, state.at));
        }
    }

    /// No deadline waits for it any more: it is no command, or not all of it is there.
    pub fn holds_nothing_up(&self) {
        let entry = self.0.state.lock().entry.take();
        self.0.arrivals.remove(entry);
    }
}

impl Drop for Undecided {
    fn drop(&mut self) {
        self.arrivals.remove(self.state.get_mut().entry.take());
    }
}

/// The time of a stamp: not in the future, and not long ago.
fn stamp(time: &ServerTime, read_at: Instant) -> Millis {
    let now = time.now();
    time.at(read_at).clamp(now.saturating_sub(COUNTS_FROM_MAX_MS), now)
}

/// What has arrived and is not decided, of all connections.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    undecided: Mutex<Book>,
    decided: Notify,
}

#[derive(Debug, Default)]
struct Book {
    next_number: u64,
    entries: BTreeSet<Entry>,
}

/// Sorted by match and time; what may concern any match comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    of: Option<MatchId>,
    at: Millis,
    number: u64,
}

impl Arrivals {
    /// Notes what was read at `read_at` by `time`: a command to match `of`, or to any if that is
    /// not known yet.
    pub(super) fn note(self: &Arc<Self>, time: ServerTime, read_at: Instant, of: Option<MatchId>) -> Arrived {
        let at = stamp(&time, read_at);
        let state = State { at, is_of_socket: false, entry: Some(self.add(of, at)) };
        Arrived(Arc::new(Undecided { time, arrivals: Arc::clone(self), state: Mutex::new(state) }))
    }

    /// Until when, at the latest, a deadline of a match has to wait because something that came
    /// before it is not decided; none if nothing is in its way.
    pub(super) fn held_up_until(&self, id: MatchId, deadline: Millis, now: Millis) -> Option<Millis> {
        let book = self.undecided.lock();
        let from = (now + 1).saturating_sub(HOLDS_UP_FOR_MS);
        if from >= deadline {
            return None;
        }
        let entry = |of, at| Entry { of, at, number: 0 };
        let last = |of| book.entries.range(entry(of, from)..entry(of, deadline)).next_back();
        let last_at = [None, Some(id)].into_iter().filter_map(last).map(|entry| entry.at).max()?;
        Some(last_at + HOLDS_UP_FOR_MS)
    }

    /// Waits as long as something holds a deadline of a match up.
    pub(super) async fn before(&self, id: MatchId, deadline: Millis, time: &ServerTime) {
        loop {
            let decided = self.decided.notified();
            let now = time.now();
            let Some(until) = self.held_up_until(id, deadline, now) else { return };
            // What waits longest may be over with earlier than the last one.
            let _ = timeout(Duration::from_millis(until.saturating_sub(now)), decided).await;
        }
    }

    fn add(&self, of: Option<MatchId>, at: Millis) -> Entry {
        let mut book = self.undecided.lock();
        let entry = Entry { of, at, number: book.next_number };
        book.next_number += 1;
        book.entries.insert(entry);
        entry
    }

    fn remove(&self, entry: Option<Entry>) {
        if let Some(entry) = entry {
            self.undecided.lock().entries.remove(&entry);
            self.decided.notify_waiters();
        }
    }
}
