//! The match that the user plays or watches.

use lusoria_client::MatchView;
use lusoria_protocol::{CatalogueEntry, MatchState, Seat, SideName, Snapshot, TakebackOffer, ToPlay};

use super::board::BoardSide;

/// The match that the user plays or watches, with its display settings.
pub(super) struct CurrentMatch {
    /// The game, as the catalogue describes it.
    pub(super) entry: CatalogueEntry,
    /// Its present state.
    pub(super) now: MatchView,
    /// Whether the board is rotated by half a turn.
    pub(super) turned: bool,
}

impl CurrentMatch {
    pub(super) fn new(entry: CatalogueEntry, now: Snapshot) -> Self {
        Self { entry, now: now.into(), turned: false }
    }

    /// The user's own seats; none if they only watch.
    pub(super) fn mine(&self) -> &[Seat] {
        self.now.your_seats.as_deref().unwrap_or_default()
    }

    /// Whether it has ended.
    pub(super) fn is_over(&self) -> bool {
        self.now.state == MatchState::Ended
    }

    /// The opponent's offer to take their turn back.
    pub(super) fn takeback_offered(&self) -> Option<TakebackOffer> {
        self.now.takeback_offer.filter(|offer| !self.mine().contains(&offer.seat))
    }

    /// Whether the opponent offers a draw or a takeback.
    pub(super) fn has_offer(&self) -> bool {
        let draw = self.now.draw_offered_by.is_some_and(|by| !self.mine().contains(&by));
        !self.mine().is_empty() && (draw || self.takeback_offered().is_some())
    }

    /// The present turn, if it is the user's.
    pub(super) fn my_turn(&self) -> Option<&ToPlay> {
        self.now.to_play.as_ref().filter(|to_play| self.mine().contains(&to_play.seat))
    }

    /// Whether the user plays both sides.
    pub(super) fn both_mine(&self) -> bool {
        self.mine().len() > 1
    }

    /// The user's seat; if they hold both, the one to move.
    pub(super) fn my_seat(&self) -> Option<Seat> {
        let to_play = self.my_turn().map(|to_play| to_play.seat);
        to_play.or_else(|| self.mine().first().copied())
    }

    pub(super) fn side(&self, seat: Seat) -> Option<SideName> {
        self.now.sides.map(|sides| *sides.get(seat))
    }

    /// The name of a side.
    pub(super) fn side_name(&self, side: SideName) -> &str {
        let entry = self.entry.sides.iter().find(|entry| entry.id == side);
        entry.map_or("?", |entry| entry.name.as_str())
    }

    /// The side at the bottom: the user's own; for a watcher, the first side.
    pub(super) fn viewer(&self) -> BoardSide {
        let seat = if self.both_mine() { None } else { self.my_seat() };
        seat.and_then(|seat| self.side(seat)).map_or(BoardSide::First, BoardSide::of)
    }

    /// The pip count of a seat, in a dice game.
    pub(super) fn pips(&self, seat: Seat) -> Option<u32> {
        self.now.pips.as_ref().map(|pips| *pips.get(seat))
    }
}
