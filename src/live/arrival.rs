//! Arrival times of messages, and the messages that are not decided yet.
//!
//! A command counts from the moment when its last byte was read, however long the server then takes to decide
//! it. A deadline waits for commands to its match that were read before it.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use lusoria_play::{MatchId, Millis};
use parking_lot::Mutex;
use tokio::{
    sync::Notify,
    time::{Instant, timeout},
};

use super::ServerTime;

/// The greatest time by which a command may be dated back to its arrival, in milliseconds. After a longer
/// delay it counts as read this long ago.
const COUNTS_FROM_MAX_MS: Millis = 10_000;

/// How long an undecided message holds up deadlines, in milliseconds from its arrival.
pub(super) const HOLDS_UP_FOR_MS: Millis = 2_000;

/// When a connection last read any bytes from the network. Clones share the same connection; the default has
/// no connection, and its time is always now.
#[derive(Debug, Clone, Default)]
pub struct LastRead(Option<Arc<Mutex<Instant>>>);

impl LastRead {
    /// A new connection.
    pub fn of_connection() -> Self {
        Self(Some(Arc::new(Mutex::new(Instant::now()))))
    }

    /// Notes that bytes have just been read.
    pub fn note(&self) {
        if let Some(at) = &self.0 {
            *at.lock() = Instant::now();
        }
    }

    /// When bytes were last read; now without a connection.
    pub fn at(&self) -> Instant {
        self.0.as_ref().map_or_else(Instant::now, |at| *at.lock())
    }
}

/// A message that has arrived and is not decided. While it lives, deadlines after it wait for it, for 2 s at
/// most. Clones share the same message.
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
    /// Whether it came over a socket: lag is measured only on sockets.
    is_of_socket: bool,
    /// Its entry in the list of undecided messages; none if it holds nothing up.
    entry: Option<Entry>,
}

impl Arrived {
    /// Its arrival, in milliseconds since the epoch, never in the future.
    pub fn at(&self) -> Millis {
        self.0.state.lock().at
    }

    /// Marks it as a message of a socket.
    #[must_use]
    pub fn over_socket(self) -> Self {
        self.0.state.lock().is_of_socket = true;
        self
    }

    /// Whether it came over a socket.
    pub fn is_of_socket(&self) -> bool {
        self.0.state.lock().is_of_socket
    }

    /// Marks it as a command to this match, so that only this match's deadlines wait.
    pub fn concerns(&self, id: MatchId) {
        let mut state = self.0.state.lock();
        if state.entry.is_some_and(|entry| entry.of != Some(id)) {
            self.0.arrivals.remove(state.entry.take());
            state.entry = Some(self.0.arrivals.add(Some(id), state.at));
        }
    }

    /// Moves its arrival to `read_at`, when the rest of it was read.
    pub fn read_on(&self, read_at: Instant) {
        let mut state = self.0.state.lock();
        state.at = stamp(&self.0.time, read_at);
        if let Some(entry) = state.entry.take() {
            self.0.arrivals.remove(Some(entry));
            state.entry = Some(self.0.arrivals.add(entry.of, state.at));
        }
    }

    /// Ends its hold on deadlines: it is no command, or is incomplete.
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

/// A time that is not in the future, and not too long ago.
fn stamp(time: &ServerTime, read_at: Instant) -> Millis {
    let now = time.now();
    time.at(read_at).clamp(now.saturating_sub(COUNTS_FROM_MAX_MS), now)
}

/// The undecided messages of all connections.
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

/// Sorted by match and time; messages that may concern any match come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    of: Option<MatchId>,
    at: Millis,
    number: u64,
}

impl Arrivals {
    /// Adds a message read at `read_at` by `time`: a command to match `of`, or to any match if that is not
    /// known yet.
    pub(super) fn note(self: &Arc<Self>, time: ServerTime, read_at: Instant, of: Option<MatchId>) -> Arrived {
        let at = stamp(&time, read_at);
        let state = State { at, is_of_socket: false, entry: Some(self.add(of, at)) };
        Arrived(Arc::new(Undecided { time, arrivals: Arc::clone(self), state: Mutex::new(state) }))
    }

    /// Until when, at the latest, a deadline of a match must wait for earlier undecided messages; none if
    /// there are none.
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

    /// Waits until no undecided message holds up a deadline of a match.
    pub(super) async fn before(&self, id: MatchId, deadline: Millis, time: &ServerTime) {
        loop {
            let decided = self.decided.notified();
            let now = time.now();
            let Some(until) = self.held_up_until(id, deadline, now) else { return };
            // The message that could wait longest may be decided before the last one is.
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
