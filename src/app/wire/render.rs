//! Events and notices as the wire has them.

use bytes::Bytes;
use lusoria_play::{Match, Recorded};
use lusoria_protocol::ToJson;
use lusoria_store::MatchRow;
use serde::de::IgnoredAny;

use lusoria_wire::{event, position};

use super::{card::card, challenge::challenge, seek::seek, tournament::tournament_call};
use crate::live::{self, Render};

/// Writes events and notices as lines of JSON, as the API describes them.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonRender;

impl Render for JsonRender {
    fn event(&self, of: &Match, recorded: &Recorded) -> Bytes {
        event(of, recorded).to_json().into()
    }

    fn without_position(&self, turn: &Bytes) -> Bytes {
        cut_position(turn).map_or_else(|| turn.clone(), Bytes::from)
    }

    fn notice(&self, notice: &live::Notice) -> Bytes {
        wire_notice(notice).to_json().into()
    }
}

/// The line of a turn without its position; all other bytes stay. None if it has no position.
fn cut_position(turn: &[u8]) -> Option<Vec<u8>> {
    // In JSON these bytes cannot occur inside a string, and no field before the position has a field of that
    // name.
    const FIELD: &[u8] = br#","position":"#;
    let from = turn.windows(FIELD.len()).position(|bytes| bytes == FIELD)?;
    let rest = &turn[from + FIELD.len()..];
    let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    Some([&turn[..from], &rest[values.byte_offset()..]].concat())
}

fn wire_notice(notice: &live::Notice) -> lusoria_protocol::Notice {
    use lusoria_protocol::Notice;
    let shown = |row: &MatchRow, viewer| Box::new(card(row, viewer, None));
    match notice {
        live::Notice::Presence { id, seat, connected } => {
            Notice::Presence { id: *id, seat: *seat, connected: *connected }
        }
        live::Notice::Spectators { id, count } => Notice::Spectators { id: *id, count: *count },
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
        live::Notice::Seek(of) => Notice::Seek { seek: Box::new(seek(of)) },
        live::Notice::Challenge(of) => Notice::Challenge { challenge: Box::new(challenge(of)) },
        live::Notice::TournamentChanged { id, head } => {
            Notice::TournamentChanged { tournament: *id, head: *head }
        }
        live::Notice::TournamentCall(of) => tournament_call(of),
        live::Notice::TournamentEnded { id, name } => {
            Notice::TournamentEnded { tournament: *id, name: name.clone() }
        }
        live::Notice::Opened { row } => Notice::Opened { card: shown(row, None) },
        live::Notice::Closed { id } => Notice::Closed { id: *id },
    }
}
