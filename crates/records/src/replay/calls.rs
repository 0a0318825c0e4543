//! Calls of a tafl game in older records.
//!
//! With the throne closed, older records count a line across it as a way to the edge
//! ([`lusoria_rules::tafl::Position::open_lines`]). The rule counts only what the king could do (tafl 7). A
//! call decides nothing, and no field says which version recorded an event, so a record may contain either
//! call. Any other call is a fault.

use lusoria_protocol::{Event, EventKind, Position};
use lusoria_rules::{Call, Game, Position as RulesPosition, Side, Variant};

use lusoria_wire as wire;

/// Replaces the expected calls with the recorded ones, where these are the calls of older records. Both lists
/// begin with the same event.
pub(crate) fn take_over_earlier(game: Game, expected: &mut [Event], found: &[Event]) {
    for index in 0..expected.len().min(found.len()) {
        let ends =
            expected.get(index + 1).is_some_and(|next| matches!(next.kind, EventKind::GameEnded { .. }));
        if let (
            EventKind::Turned { position: Some(position), call, .. },
            EventKind::Turned { call: found, .. },
        ) = (&mut expected[index].kind, &found[index].kind)
            && call != found
            // A turn that ends the game never has a call.
            && !ends
            && earlier(game, position) == *found
        {
            *call = *found;
        }
    }
}

/// The call in an older record after a defenders' move to this position. Where the throne is not closed it is
/// today's call.
fn earlier(game: Game, position: &Position) -> Option<Call> {
    let setup = wire::setup(game, position).ok()?;
    match RulesPosition::recorded(Variant::standard(game), &setup).ok()? {
        RulesPosition::Tafl(position) if position.to_move() == Side::Black => Call::of(position.open_lines()),
        RulesPosition::Tafl(_) | RulesPosition::Tables(_) => None,
    }
}
