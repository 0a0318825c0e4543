//! How the live side's events and notices look on the wire.

use bytes::Bytes;
use lusoria_play::{Match, Recorded};
use lusoria_protocol::ToJson;
use lusoria_store::MatchRow;

use lusoria_wire::{event, position};

use super::card::card;
use crate::live::{self, Render};

/// Writes events and notices as lines of JSON, as the API describes them.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonRender;

impl Render for JsonRender {
    fn event(&self, of: &Match, recorded: &Recorded) -> Bytes {
        event(of, recorded).to_json().into()
    }

    fn notice(&self, notice: &live::Notice) -> Bytes {
        wire_notice(notice).to_json().into()
    }
}

fn wire_notice(notice: &live::Notice) -> lusoria_protocol::Notice {
    use lusoria_protocol::Notice;
    let shown = |row: &MatchRow, viewer| Box::new(card(row, viewer));
    match notice {
        live::Notice::Presence { id, seat, connected } => {
            Notice::Presence { id: *id, seat: *seat, connected: *connected }
        }
        live::Notice::Building { id, seat, answers, steps, position: now } => Notice::Building {
            id: *id,
            seat: *seat,
            answers: *answers,
            steps: steps.clone(),
            position: position(&now.setup(), now.variant().game()),
        },
        live::Notice::YourTurn { player, row } => Notice::YourTurn { card: shown(row, Some(*player)) },
        live::Notice::MatchChanged { player, row } => {
            Notice::MatchChanged { card: shown(row, Some(*player)) }
        }
        live::Notice::Opened { row } => Notice::Opened { card: shown(row, None) },
        live::Notice::Closed { id } => Notice::Closed { id: *id },
    }
}
