//! Who is connected to which match. It need not last: after a restart everybody is
//! taken to have been here until the server started.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU64, Ordering},
};

use lusoria_play::{MatchId, Millis, Seat};
use parking_lot::Mutex;

/// Whether a player is connected (api.md, "Gone").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// They watch the match over a socket or a stream.
    Connected,
    /// They do not; they were last seen then.
    Gone {
        /// Milliseconds since the epoch.
        since: Millis,
    },
}

/// Entries of players gone for longer than this are forgotten, and read as gone since
/// the server started: far longer than any claim needs.
const KEPT_MS: Millis = 24 * 3_600_000;

pub(super) struct PresenceBook {
    started_at: AtomicU64,
    seen: Mutex<HashMap<(MatchId, Seat), Seen>>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    connections: u32,
    last: Millis,
}

impl PresenceBook {
    pub(super) fn new(started_at: Millis) -> Self {
        Self { started_at: AtomicU64::new(started_at), seen: Mutex::default() }
    }

    /// The server has started at `now`.
    pub(super) fn begin(&self, now: Millis) {
        self.started_at.store(now, Ordering::Relaxed);
    }

    /// A connection of that seat begins. True if it is the first one.
    pub(super) fn came(&self, id: MatchId, seat: Seat, now: Millis) -> bool {
        let mut seen = self.seen.lock();
        let entry = seen.entry((id, seat)).or_insert(Seen { connections: 0, last: now });
        entry.connections += 1;
        entry.last = now;
        entry.connections == 1
    }

    /// A connection of that seat ends. True if it was the last one.
    pub(super) fn left(&self, id: MatchId, seat: Seat, now: Millis) -> bool {
        let mut seen = self.seen.lock();
        let Some(entry) = seen.get_mut(&(id, seat)) else { return false };
        entry.connections = entry.connections.saturating_sub(1);
        entry.last = now;
        entry.connections == 0
    }

    /// The holder of a seat asked for something over plain HTTP.
    pub(super) fn saw(&self, id: MatchId, seat: Seat, now: Millis) {
        self.seen.lock().entry((id, seat)).or_insert(Seen { connections: 0, last: now }).last = now;
    }

    pub(super) fn of(&self, id: MatchId, seat: Seat) -> Presence {
        match self.seen.lock().get(&(id, seat)) {
            Some(seen) if seen.connections > 0 => Presence::Connected,
            Some(seen) => Presence::Gone { since: seen.last },
            None => Presence::Gone { since: self.started_at.load(Ordering::Relaxed) },
        }
    }

    /// Forgets players who have been gone for long.
    pub(super) fn sweep(&self, now: Millis) {
        self.seen.lock().retain(|_, seen| seen.connections > 0 || seen.last + KEPT_MS > now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_gone_when_the_last_connection_ends() {
        let book = PresenceBook::new(100);
        let id = MatchId(uuid::Uuid::from_u128(1));
        assert_eq!(book.of(id, Seat::One), Presence::Gone { since: 100 });
        assert!(book.came(id, Seat::One, 200));
        assert!(!book.came(id, Seat::One, 210));
        assert!(!book.left(id, Seat::One, 300));
        assert_eq!(book.of(id, Seat::One), Presence::Connected);
        assert!(book.left(id, Seat::One, 400));
        assert_eq!(book.of(id, Seat::One), Presence::Gone { since: 400 });
        book.saw(id, Seat::One, 500);
        assert_eq!(book.of(id, Seat::One), Presence::Gone { since: 500 });
        book.sweep(500 + KEPT_MS);
        assert_eq!(book.of(id, Seat::One), Presence::Gone { since: 100 });
    }
}
