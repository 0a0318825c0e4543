//! What lists show of a match, kept in its row so that no list has to fold a journal.

use lusoria_play::{
    Admission, BySeat, Match, MatchEnd, MatchId, MatchStage, Millis, Phase, Player, PlayerId, Seat, Terms,
    TournamentId,
};
use lusoria_rules::Game;
use serde::{Deserialize, Serialize};

/// A match in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchRow {
    /// Its id.
    pub id: MatchId,
    /// The number of its last event.
    pub head: u32,
    /// What lists show of it.
    pub card: Card,
}

impl MatchRow {
    /// The row of a match.
    pub fn of(state: &Match) -> Self {
        Self { id: state.id(), head: state.head(), card: Card::of(state) }
    }
}

/// What lists show of a match. As JSON it is a column of the match's row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// What is played.
    pub terms: Terms,
    /// The tournament that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentId>,
    /// Who plays; seat 2 is empty while the match is open.
    pub players: BySeat<Option<Player>>,
    /// The score of the match.
    pub score: BySeat<u16>,
    /// The seat that plays White in the present or last game.
    pub white: Option<Seat>,
    /// The seat whose action the match waits for.
    pub waits_for: Option<Seat>,
    /// Turns played in all its games, without those that were taken back.
    pub turns: u32,
    /// Turns that were taken back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub takebacks: u32,
    /// When it was made.
    pub created_at: Millis,
    /// When it last changed.
    pub updated_at: Millis,
    /// How it ended.
    pub result: CardResult,
    /// The seat that has an offer of a draw standing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_offer: Option<Seat>,
    /// The seat that has an offer standing to take its last turn back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takeback_offer: Option<Seat>,
    /// The seat that has an offer of a rematch standing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_offer: Option<Seat>,
}

/// Whether and how a match has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardResult {
    /// Nobody has joined yet.
    Open,
    /// It is being played.
    Live,
    /// It has ended.
    Ended(MatchEnd),
}

impl Card {
    /// As a column of the match's row.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a card is plain data")
    }

    /// What lists show of this state.
    pub fn of(state: &Match) -> Self {
        Self {
            terms: *state.terms(),
            tournament: state.tournament(),
            players: BySeat(state.player(Seat::One).cloned(), state.player(Seat::Two).cloned()),
            score: state.score(),
            white: state.game().map(|game| game.white),
            waits_for: state.waits_for(),
            turns: state.turns(),
            takebacks: state.takebacks(),
            created_at: state.created_at(),
            updated_at: state.last_at(),
            result: match state.phase() {
                Phase::Open => CardResult::Open,
                Phase::AwaitingSeeds(_) | Phase::Playing => CardResult::Live,
                Phase::Ended(end) => CardResult::Ended(end),
            },
            draw_offer: state.draw_offer(),
            takeback_offer: state.takeback_offer().map(|offer| offer.seat),
            rematch_offer: state.rematch().offer_standing().map(|offer| offer.seat),
        }
    }

    /// Which game is played.
    pub fn game(&self) -> Game {
        self.terms.variant.game()
    }

    /// Whether the match is open, live or finished.
    pub const fn state(&self) -> MatchStage {
        match self.result {
            CardResult::Open => MatchStage::Open,
            CardResult::Live => MatchStage::Live,
            CardResult::Ended(_) => MatchStage::Finished,
        }
    }

    /// Whether it appears in public lists.
    pub fn is_listed(&self) -> bool {
        self.terms.admission == Admission::Open
    }

    /// The player in a seat.
    pub fn player(&self, seat: Seat) -> Option<PlayerId> {
        self.players.get(seat).as_ref().map(|player| player.id)
    }

    /// The player whose action the match waits for.
    pub fn waits_for(&self) -> Option<PlayerId> {
        self.waits_for.and_then(|seat| self.player(seat))
    }

    /// Whether a player has a seat.
    pub fn seats(&self, player: PlayerId) -> bool {
        Seat::BOTH.into_iter().any(|seat| self.player(seat) == Some(player))
    }

    /// Whether an offer stands that this player can answer.
    pub fn has_offer_to(&self, player: PlayerId) -> bool {
        let offers = match self.result {
            CardResult::Open => [None, None],
            CardResult::Live => [self.draw_offer, self.takeback_offer],
            CardResult::Ended(_) => [self.rematch_offer, None],
        };
        offers.into_iter().flatten().any(|seat| self.player(seat.other()) == Some(player))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
pub(crate) const fn is_zero(number: &u32) -> bool {
    *number == 0
}
