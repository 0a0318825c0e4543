//! What both databases write of a match: an append to its journal, and the row of a new one.

use lusoria_play::{MatchId, Millis, PlayerId, Seat};

use crate::{
    Card, Era, MatchState, Version,
    append_row::AppendRow,
    error::Refused,
    sql::{Check, Statement, args},
};

/// An append that depends on its match alone, its events serialised in the caller's task.
pub(crate) struct PlainAppend {
    pub(crate) id: MatchId,
    pub(crate) of: Version,
    pub(crate) era: Era,
    pub(crate) events: AppendRow,
    pub(crate) shown: Shown,
}

impl PlainAppend {
    /// Locks the match, and asks whether it is as the writer knew it.
    pub(crate) fn checks(&self) -> Vec<Check<'_>> {
        let era = Statement::holding("SELECT era FROM cluster", args![]);
        let lock = "SELECT head, edition FROM match_rows WHERE id = $1";
        vec![
            Check::of(era, |found| {
                let is_present = found.all::<u64>()? == [self.era.0];
                Ok((!is_present).then_some(Refused::Outdated))
            }),
            Check::of(Statement::locking(lock, args![self.id]), |found| {
                let has_version = found.all::<(u32, u32)>()? == [(self.of.head, self.of.edition)];
                Ok((!has_version).then_some(Refused::Conflict))
            }),
        ]
    }
}

/// A new match, its events serialised in the caller's task.
pub(crate) struct NewRow {
    pub(crate) id: MatchId,
    pub(crate) events: AppendRow,
    pub(crate) shown: Shown,
    pub(crate) made_by: Option<PlayerId>,
}

/// What an append changes of its match beside the journal.
pub(crate) struct Shown {
    pub(crate) state: MatchState,
    pub(crate) listed: bool,
    pub(crate) seat1: Option<PlayerId>,
    pub(crate) seat2: Option<PlayerId>,
    pub(crate) deadline: Option<Millis>,
    pub(crate) card: Card,
}

impl Shown {
    pub(crate) fn of(card: Card, deadline: Option<Millis>) -> Self {
        let player = |seat| card.player(seat);
        let (state, listed, seat1, seat2) =
            (card.state(), card.is_listed(), player(Seat::One), player(Seat::Two));
        Self { state, listed, seat1, seat2, deadline, card }
    }
}
