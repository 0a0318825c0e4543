//! What lists show of a match, kept in its row so that no list has to fold a journal.

use lusoria_play::{BySeat, Match, MatchEnd, Millis, Phase, Player, PlayerId, Seat, Terms};
use serde::{Deserialize, Serialize};

use lusoria_store::{MatchState, Summary};

/// A match at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// What is played.
    pub terms: Terms,
    /// Who plays; seat 2 is empty while the match is open.
    pub players: BySeat<Option<Player>>,
    /// The score of the match.
    pub score: BySeat<u16>,
    /// The seat that plays White in the present or last game.
    pub white: Option<Seat>,
    /// The seat whose action the match waits for.
    pub waits_for: Option<Seat>,
    /// Turns played in all its games.
    pub turns: u32,
    /// When it was made.
    pub created_at: Millis,
    /// When it last changed.
    pub updated_at: Millis,
    /// How it ended.
    pub result: CardResult,
    /// The seat that has an offer of a draw standing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_offer: Option<Seat>,
    /// The seat that has an offer to play again standing.
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
    /// The match at a glance.
    pub fn of(state: &Match) -> Self {
        Self {
            terms: *state.terms(),
            players: BySeat(state.player(Seat::One).cloned(), state.player(Seat::Two).cloned()),
            score: state.score(),
            white: state.game().map(|game| game.white),
            waits_for: state.waits_for(),
            turns: state.turns(),
            created_at: state.created_at(),
            updated_at: state.last_at(),
            result: match state.phase() {
                Phase::Open => CardResult::Open,
                Phase::AwaitingSeeds(_) | Phase::Playing => CardResult::Live,
                Phase::Ended(end) => CardResult::Ended(end),
            },
            draw_offer: state.draw_offer(),
            rematch_offer: state.rematch().offer_standing().map(|offer| offer.seat),
        }
    }

    /// Whether an offer stands that this player can answer.
    pub fn has_offer_to(&self, player: PlayerId) -> bool {
        let offer = match self.result {
            CardResult::Open => None,
            CardResult::Live => self.draw_offer,
            CardResult::Ended(_) => self.rematch_offer,
        };
        offer.is_some_and(|seat| self.player(seat.other()) == Some(player))
    }

    /// The player in a seat.
    pub fn player(&self, seat: Seat) -> Option<PlayerId> {
        self.players.get(seat).as_ref().map(|player| player.id)
    }
}

/// The row of a match in lists.
pub(super) fn summary(state: &Match) -> Summary {
    let card = Card::of(state);
    Summary {
        game: card.terms.variant.game(),
        state: match card.result {
            CardResult::Open => MatchState::Open,
            CardResult::Live => MatchState::Live,
            CardResult::Ended(_) => MatchState::Finished,
        },
        listed: card.terms.admission == lusoria_play::Admission::Open,
        seat1: card.player(Seat::One).expect("a match has a creator"),
        seat2: card.player(Seat::Two),
        waits_for: card.waits_for.and_then(|seat| card.player(seat)),
        card: serde_json::to_string(&card).expect("a card is plain data"),
    }
}
