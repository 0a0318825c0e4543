//! Who is connected to which match, on this node or, as far as is known, on others. Not stored: after a
//! restart everybody counts as connected until the start.
//!
//! A claim asks all nodes. If a node does not answer, the player counts as connected to it.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU64, Ordering},
};

use lusoria_play::{BySeat, MatchId, Millis, Seat};
use lusoria_store::NodeId;
use parking_lot::Mutex;

/// Whether a player is connected (api.md, "Gone").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// They watch the match over a socket or a stream.
    Connected,
    /// They do not; they were last seen at this time.
    Gone {
        /// Milliseconds since the epoch.
        since: Millis,
    },
}

/// Entries of players gone for longer than this are dropped, and read as gone since the server started: far
/// longer than any claim needs.
const KEPT_MS: Millis = 24 * 3_600_000;

/// How long answers of other nodes about matches that nobody follows here are cached, in milliseconds.
const GLIMPSE_MS: Millis = 2_000;

pub(super) struct PresenceBook {
    started_at: AtomicU64,
    seen: Mutex<HashMap<(MatchId, Seat), Seen>>,
    /// Answers about matches that nobody follows here.
    glimpses: Mutex<HashMap<MatchId, Glimpse>>,
}

/// Other nodes' answers about a match.
struct Glimpse {
    at: Millis,
    elsewhere: BySeat<Presence>,
}

#[derive(Debug, Clone)]
struct Seen {
    connections: u32,
    /// When they were last seen here.
    last: Millis,
    /// The other nodes to which they are connected, as far as is known, and when they were last seen there.
    elsewhere: Vec<NodeId>,
    last_elsewhere: Millis,
}

impl Seen {
    const fn at(last: Millis) -> Self {
        Self { connections: 0, last, elsewhere: Vec::new(), last_elsewhere: 0 }
    }

    fn is_connected(&self) -> bool {
        self.connections > 0 || !self.elsewhere.is_empty()
    }
}

impl PresenceBook {
    pub(super) fn new(started_at: Millis) -> Self {
        Self { started_at: AtomicU64::new(started_at), seen: Mutex::default(), glimpses: Mutex::default() }
    }

    /// Sets the time of the server's start.
    pub(super) fn begin(&self, now: Millis) {
        self.started_at.store(now, Ordering::Relaxed);
    }

    /// Adds a connection of that seat. Returns what has changed.
    pub(super) fn came(&self, id: MatchId, seat: Seat, now: Millis) -> Change {
        let mut seen = self.seen.lock();
        let entry = seen.entry((id, seat)).or_insert_with(|| Seen::at(now));
        let was_connected = entry.is_connected();
        entry.connections += 1;
        entry.last = now;
        Change { here: entry.connections == 1, anywhere: !was_connected }
    }

    /// Removes a connection of that seat. Returns what has changed.
    pub(super) fn left(&self, id: MatchId, seat: Seat, now: Millis) -> Change {
        let mut seen = self.seen.lock();
        let Some(entry) = seen.get_mut(&(id, seat)) else { return Change::default() };
        entry.connections = entry.connections.saturating_sub(1);
        entry.last = now;
        Change { here: entry.connections == 0, anywhere: !entry.is_connected() }
    }

    /// Notes a request of the seat's player over plain HTTP.
    pub(super) fn saw(&self, id: MatchId, seat: Seat, now: Millis) {
        self.seen.lock().entry((id, seat)).or_insert_with(|| Seen::at(now)).last = now;
    }

    /// Takes another node's report whether a player is connected to it. Returns whether they are connected to
    /// any, if that has changed.
    pub(super) fn note_elsewhere(
        &self,
        id: MatchId,
        seat: Seat,
        node: NodeId,
        presence: Presence,
    ) -> Option<bool> {
        let started_at = self.started_at.load(Ordering::Relaxed);
        // The match is followed now.
        self.glimpses.lock().remove(&id);
        let mut seen = self.seen.lock();
        let entry = seen.entry((id, seat)).or_insert_with(|| Seen::at(started_at));
        let was_connected = entry.is_connected();
        entry.elsewhere.retain(|other| *other != node);
        match presence {
            Presence::Connected => entry.elsewhere.push(node),
            Presence::Gone { since } => entry.last_elsewhere = entry.last_elsewhere.max(since),
        }
        let is_connected = entry.is_connected();
        (is_connected != was_connected).then_some(is_connected)
    }

    /// Removes nodes that stopped: players connected to them are gone since `now`. Returns the seats that are
    /// connected to no node now.
    pub(super) fn lose(&self, nodes: &[NodeId], now: Millis) -> Vec<(MatchId, Seat)> {
        let mut gone = Vec::new();
        for (of, seen) in self.seen.lock().iter_mut() {
            let before = seen.elsewhere.len();
            seen.elsewhere.retain(|node| !nodes.contains(node));
            if seen.elsewhere.len() < before {
                seen.last_elsewhere = now;
                gone.extend((!seen.is_connected()).then_some(*of));
            }
        }
        gone.sort_unstable_by_key(|(id, seat)| (*id, seat.number()));
        gone
    }

    /// Forgets what other nodes reported about a match that nobody follows here any more.
    pub(super) fn forget_elsewhere(&self, id: MatchId) {
        let mut seen = self.seen.lock();
        for seat in Seat::BOTH {
            if let Some(entry) = seen.get_mut(&(id, seat)) {
                entry.elsewhere = Vec::new();
            }
        }
    }

    /// Whether other nodes have answered lately about this match.
    pub(super) fn has_glimpse(&self, id: MatchId, now: Millis) -> bool {
        self.glimpses.lock().get(&id).is_some_and(|glimpse| glimpse.is_fresh(now))
    }

    /// Takes the answers of other nodes.
    pub(super) fn take_glimpse(&self, id: MatchId, told: &[BySeat<Presence>], now: Millis) {
        let of =
            |seat| told.iter().map(|told| *told.get(seat)).fold(Presence::Gone { since: 0 }, Presence::or);
        let elsewhere = BySeat(of(Seat::One), of(Seat::Two));
        self.glimpses.lock().insert(id, Glimpse { at: now, elsewhere });
    }

    /// Whether a player is connected to any node, as far as this one knows.
    pub(super) fn of(&self, id: MatchId, seat: Seat, now: Millis) -> Presence {
        let known = match self.seen.lock().get(&(id, seat)) {
            Some(seen) if seen.is_connected() => Presence::Connected,
            Some(seen) => Presence::Gone { since: seen.last.max(seen.last_elsewhere) },
            None => Presence::Gone { since: self.started_at.load(Ordering::Relaxed) },
        };
        match self.glimpses.lock().get(&id) {
            Some(glimpse) if glimpse.is_fresh(now) => known.or(*glimpse.elsewhere.get(seat)),
            Some(_) | None => known,
        }
    }

    /// Whether a player is connected to this node.
    pub(super) fn here(&self, id: MatchId, seat: Seat) -> Presence {
        match self.seen.lock().get(&(id, seat)) {
            Some(seen) if seen.connections > 0 => Presence::Connected,
            Some(seen) => Presence::Gone { since: seen.last },
            None => Presence::Gone { since: self.started_at.load(Ordering::Relaxed) },
        }
    }

    /// Removes players who have been gone for long.
    pub(super) fn sweep(&self, now: Millis) {
        self.seen.lock().retain(|_, seen| seen.is_connected() || seen.last + KEPT_MS > now);
        self.glimpses.lock().retain(|_, glimpse| glimpse.is_fresh(now));
    }
}

impl Presence {
    /// Combines the presence on two nodes.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Gone { since: one }, Self::Gone { since: two }) => Self::Gone { since: one.max(two) },
            (Self::Connected, _) | (_, Self::Connected) => Self::Connected,
        }
    }
}

impl Glimpse {
    const fn is_fresh(&self, now: Millis) -> bool {
        now < self.at + GLIMPSE_MS
    }
}

/// The change that the beginning or end of a connection makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Change {
    /// Whether it is the first to this node, or was the last.
    pub(super) here: bool,
    /// Whether it is the first to any node, or was the last.
    pub(super) anywhere: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_gone_when_the_last_connection_ends() {
        let book = PresenceBook::new(100);
        let id = MatchId(uuid::Uuid::from_u128(1));
        assert_eq!(book.of(id, Seat::One, 600), Presence::Gone { since: 100 });
        let (changed, unchanged) = (Change { here: true, anywhere: true }, Change::default());
        assert_eq!(book.came(id, Seat::One, 200), changed);
        assert_eq!(book.came(id, Seat::One, 210), unchanged);
        assert_eq!(book.left(id, Seat::One, 300), unchanged);
        assert_eq!(book.of(id, Seat::One, 600), Presence::Connected);
        assert_eq!(book.left(id, Seat::One, 400), changed);
        assert_eq!(book.of(id, Seat::One, 600), Presence::Gone { since: 400 });
        book.saw(id, Seat::One, 500);
        assert_eq!(book.of(id, Seat::One, 600), Presence::Gone { since: 500 });
        book.sweep(500 + KEPT_MS);
        assert_eq!(book.of(id, Seat::One, 600), Presence::Gone { since: 100 });
    }

    #[test]
    fn a_player_is_gone_when_they_are_connected_to_no_node() {
        let book = PresenceBook::new(100);
        let id = MatchId(uuid::Uuid::from_u128(1));
        let [a, b] = [1, 2].map(|n| NodeId(uuid::Uuid::from_u128(n)));
        let elsewhere = |node, presence| book.note_elsewhere(id, Seat::Two, node, presence);
        assert_eq!(elsewhere(a, Presence::Connected), Some(true));
        assert_eq!(elsewhere(b, Presence::Connected), None);
        assert_eq!(book.came(id, Seat::Two, 200), Change { here: true, anywhere: false });
        assert_eq!(book.left(id, Seat::Two, 300), Change { here: true, anywhere: false });
        assert_eq!(book.of(id, Seat::Two, 600), Presence::Connected);
        assert_eq!(book.here(id, Seat::Two), Presence::Gone { since: 300 });
        assert_eq!(elsewhere(a, Presence::Gone { since: 400 }), None);
        assert_eq!(book.lose(&[a, b], 500), [(id, Seat::Two)]);
        assert_eq!(book.of(id, Seat::Two, 600), Presence::Gone { since: 500 });
        assert_eq!(elsewhere(b, Presence::Connected), Some(true));
        book.forget_elsewhere(id);
        assert_eq!(book.of(id, Seat::Two, 600), Presence::Gone { since: 500 });
    }

    #[test]
    fn answers_of_other_nodes_are_cached_for_a_while() {
        let book = PresenceBook::new(100);
        let id = MatchId(uuid::Uuid::from_u128(1));
        let (there, gone) = (Presence::Connected, |since| Presence::Gone { since });
        assert!(!book.has_glimpse(id, 200));
        book.take_glimpse(id, &[BySeat(gone(150), gone(50)), BySeat(there, gone(60))], 200);
        let last = 200 + GLIMPSE_MS - 1;
        assert!(book.has_glimpse(id, last));
        assert_eq!(book.of(id, Seat::One, last), there);
        assert_eq!(book.of(id, Seat::Two, last), gone(100), "since the start, at the earliest");
        assert_eq!(book.of(id, Seat::One, last + 1), gone(100));
        let node = NodeId(uuid::Uuid::from_u128(1));
        assert_eq!(book.note_elsewhere(id, Seat::One, node, gone(300)), None);
        assert_eq!(book.of(id, Seat::One, last), gone(300), "an unasked report is newer");
    }
}
