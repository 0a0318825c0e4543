//! What lists show of a match, as columns.
//!
//! `matches.card` is a [`Card`]. A turn leaves it as it is: what a turn changes, the [`Standing`], is
//! written beside its events in the journal.

use lusoria_play::{BySeat, Seat};
use serde::{Deserialize, Serialize};

use super::{
    packed::card_json,
    text::{column, corrupt, millis, state_column},
};
use crate::{Card, CardResult, StoreError, card::is_zero};

/// What a turn may change of a [`Card`].
#[derive(Serialize, Deserialize)]
struct Standing {
    score: BySeat<u16>,
    white: Option<Seat>,
    waits_for: Option<Seat>,
    turns: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    takebacks: u32,
    result: CardResult,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    draw_offer: Option<Seat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rematch_offer: Option<Seat>,
}

/// The columns of a match's row that change, converted in the caller's task.
pub(super) struct MatchColumns {
    pub(super) at: i64,
    pub(super) deadline: Option<i64>,
    pub(super) state: &'static str,
    pub(super) listed: bool,
    pub(super) seat2: Option<[u8; 16]>,
    /// Written only if one of state, listed and seat 2 changes, so not by turns.
    pub(super) card: Card,
    /// What turns write in its place.
    pub(super) standing: String,
}

impl MatchColumns {
    /// After events at that time.
    pub(super) fn of(at: i64, deadline: Option<u64>, card: Card) -> Self {
        let Card { score, white, waits_for, turns, takebacks, result, draw_offer, rematch_offer, .. } = card;
        let standing =
            Standing { score, white, waits_for, turns, takebacks, result, draw_offer, rematch_offer };
        Self {
            at,
            deadline: deadline.map(column),
            state: state_column(card.state()),
            listed: card.is_listed(),
            seat2: card.player(Seat::Two).map(|player| player.0.into_bytes()),
            standing: serde_json::to_string(&standing).expect("plain data"),
            card,
        }
    }
}

pub(super) fn card_column(card: &Card) -> String {
    serde_json::to_string(card).expect("a card is plain data")
}

/// What lists show, from the columns `card`, `standing` and `updated_at`.
pub(crate) fn card(column: &[u8], standing: Option<&str>, updated_at: i64) -> Result<Card, StoreError> {
    let mut card: Card = serde_json::from_slice(&card_json(column)?).map_err(corrupt)?;
    card.updated_at = millis(updated_at)?;
    if let Some(standing) = standing {
        let Standing { score, white, waits_for, turns, takebacks, result, draw_offer, rematch_offer } =
            serde_json::from_str(standing).map_err(corrupt)?;
        card = Card { score, white, waits_for, turns, takebacks, result, draw_offer, rematch_offer, ..card };
    }
    Ok(card)
}
