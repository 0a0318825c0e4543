//! Between the domain and the wire: the only place that knows both.
//!
//! Towards the wire nothing can fail. From the wire, a request that has the right form
//! can still name what the game does not have: those functions answer with a problem.

mod card;
mod cause;
mod event;
mod name;
mod position;
mod record;
mod render;
mod snapshot;
mod terms;
mod value;

#[cfg(test)]
mod tests;

pub use card::{card, cursor, to_cursor};
pub use cause::{Cause, causes, creation, play_seat, turn_told};
pub use event::{call, event, notation, rematch_made};
pub use name::{
    bytes32, die, game, hash, level, match_id, play_match_id, player_kind, reach, seat, seed, side, step,
    steps, to_die, wire_game,
};
pub use position::{outcome, position, setup};
pub use record::record;
pub use render::Lines;
pub use snapshot::snapshot;
pub use terms::{options, terms, variant};
pub use value::{chances, gained, lost, rounded, worth};
