//! The match that one plays or watches.

use lusoria_client::{MatchView, of_seat};
use lusoria_protocol::{CatalogueEntry, Seat, SideName, Snapshot, ToPlay};

use super::board::Of;

/// The match that one plays or watches, and how one sees it.
pub(super) struct Table {
    /// What game it is.
    pub(super) entry: CatalogueEntry,
    /// How it stands.
    pub(super) now: MatchView,
    /// Whether the board is turned by a half.
    pub(super) turned: bool,
}

impl Table {
    pub(super) fn new(entry: CatalogueEntry, now: Snapshot) -> Self {
        Self { entry, now: now.into(), turned: false }
    }

    /// One's own seats; none for who only watches.
    pub(super) fn mine(&self) -> &[Seat] {
        self.now.your_seats.as_deref().unwrap_or_default()
    }

    /// Whose turn it is, if it is one's own.
    pub(super) fn my_turn(&self) -> Option<&ToPlay> {
        self.now.to_play.as_ref().filter(|to_play| self.mine().contains(&to_play.seat))
    }

    /// Whether one plays both sides.
    pub(super) fn both_mine(&self) -> bool {
        self.mine().len() > 1
    }

    /// The seat that one speaks for.
    pub(super) fn my_seat(&self) -> Option<Seat> {
        let to_play = self.my_turn().map(|to_play| to_play.seat);
        to_play.or_else(|| self.mine().first().copied())
    }

    pub(super) fn side(&self, seat: Seat) -> Option<SideName> {
        self.now.sides.map(|sides| *of_seat(&sides, seat))
    }

    /// What a side is called.
    pub(super) fn side_name(&self, side: SideName) -> &str {
        let entry = self.entry.sides.iter().find(|entry| entry.id == side);
        entry.map_or("?", |entry| entry.name.as_str())
    }

    /// The side below on the board: one's own; who watches sees it as the first side does.
    pub(super) fn viewer(&self) -> Of {
        let seat = if self.both_mine() { None } else { self.my_seat() };
        seat.and_then(|seat| self.side(seat)).map_or(Of::First, Of::side)
    }

    /// What the dice of a seat must still add up to, in a game of dice.
    pub(super) fn pips(&self, seat: Seat) -> Option<u32> {
        self.now.pips.as_ref().map(|pips| *of_seat(pips, seat))
    }
}
