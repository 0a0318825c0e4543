//! The columns of a match's row that change.

use lusoria_play::{Recorded, Seat};

use super::text::{column, state_column};
use crate::Card;

/// The columns of a match's row that change.
pub(super) struct MatchColumns {
    pub(super) head: i64,
    pub(super) updated_at: i64,
    pub(super) deadline: Option<i64>,
    pub(super) state: &'static str,
    pub(super) listed: i64,
    pub(super) seat2: Option<String>,
    pub(super) waits_for: Option<String>,
    pub(super) card: String,
}

impl MatchColumns {
    pub(super) fn of(head: u32, events: &[Recorded], deadline: Option<u64>, card: &Card) -> Self {
        Self {
            head: i64::from(head),
            updated_at: events.last().map_or(0, |last| column(last.at)),
            deadline: deadline.map(column),
            state: state_column(card.state()),
            listed: i64::from(card.is_listed()),
            seat2: card.player(Seat::Two).map(|player| player.0.to_string()),
            waits_for: card.waits_for().map(|player| player.0.to_string()),
            card: card_column(card),
        }
    }
}

pub(super) fn card_column(card: &Card) -> String {
    serde_json::to_string(card).expect("a card is plain data")
}
