//! How the live side's events and notices look on the wire.

use bytes::Bytes;
use lusoria_play::{Match, MatchId, Recorded};
use serde::Serialize;

use lusoria_wire::{event, match_id, position, seat, step};

use super::card::card;
use crate::live::{self, Render};

/// Writes events and notices as lines of JSON, as the API describes them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lines;

impl Render for Lines {
    fn event(&self, of: &Match, recorded: &Recorded) -> Bytes {
        line(&event(of, recorded))
    }

    fn notice(&self, notice: &live::Notice) -> Bytes {
        line(&wire_notice(notice))
    }
}

fn wire_notice(notice: &live::Notice) -> lusoria_protocol::Notice {
    use lusoria_protocol::Notice;
    let shown =
        |id: MatchId, head, of: &live::Card, viewer| Box::new(card(id, head, of.updated_at, of, viewer));
    match notice {
        live::Notice::Presence { id, seat: whose, connected } => {
            Notice::Presence { id: match_id(*id), seat: seat(*whose), connected: *connected }
        }
        live::Notice::Building { id, seat: whose, answers, steps, position: now } => Notice::Building {
            id: match_id(*id),
            seat: seat(*whose),
            answers: *answers,
            steps: steps.iter().map(step).collect(),
            position: position(&now.setup(), now.variant().game()),
        },
        live::Notice::YourTurn { player, id, card, head } => {
            Notice::YourTurn { card: shown(*id, *head, card, Some(*player)) }
        }
        live::Notice::MatchChanged { player, id, card, head } => {
            Notice::MatchChanged { card: shown(*id, *head, card, Some(*player)) }
        }
        live::Notice::Opened { id, card } => Notice::Opened { card: shown(*id, 1, card, None) },
        live::Notice::Closed { id } => Notice::Closed { id: match_id(*id) },
    }
}

fn line(value: &impl Serialize) -> Bytes {
    serde_json::to_vec(value).expect("wire types are plain data").into()
}
