//! What lists show of a match, as columns.
//!
//! `matches.card` is a [`Card`]. A turn leaves it as it is: what a turn changes, the [`Standing`], is
//! written beside its events in the journal.

use lusoria_play::{BySeat, Seat};
use serde::{Deserialize, Serialize};

use super::packed::card_json;
use crate::{
    Card, CardResult, StoreError,
    card::is_zero,
    text::{corrupt, millis},
};

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
    takeback_offer: Option<Seat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rematch_offer: Option<Seat>,
}

/// What a turn writes beside its events.
pub(super) fn standing(card: &Card) -> String {
    let Card {
        score,
        white,
        waits_for,
        turns,
        takebacks,
        result,
        draw_offer,
        takeback_offer,
        rematch_offer,
        ..
    } = *card;
    let standing = Standing {
        score,
        white,
        waits_for,
        turns,
        takebacks,
        result,
        draw_offer,
        takeback_offer,
        rematch_offer,
    };
    serde_json::to_string(&standing).expect("plain data")
}

/// What lists show, from the columns `card`, `standing` and `updated_at`.
pub(crate) fn card(column: &[u8], standing: Option<&str>, updated_at: i64) -> Result<Card, StoreError> {
    let mut card: Card = serde_json::from_slice(&card_json(column)?).map_err(corrupt)?;
    card.updated_at = millis(updated_at)?;
    if let Some(standing) = standing {
        let Standing {
            score,
            white,
            waits_for,
            turns,
            takebacks,
            result,
            draw_offer,
            takeback_offer,
            rematch_offer,
        } = serde_json::from_str(standing).map_err(corrupt)?;
        card = Card {
            score,
            white,
            waits_for,
            turns,
            takebacks,
            result,
            draw_offer,
            takeback_offer,
            rematch_offer,
            ..card
        };
    }
    Ok(card)
}
