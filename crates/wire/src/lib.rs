//! Between the domain and the wire: what a match, a turn, a game looks like in the API.
//!
//! Towards the wire nothing can fail. From the wire, a request that has the right form
//! can still name what the game does not have: those functions answer with a problem.

pub mod catalogue;

mod cause;
mod event;
mod name;
mod position;
mod rating;
mod record;
mod snapshot;
mod terms;

#[cfg(test)]
mod tests;

pub use cause::{Cause, causes, creation, takeback, turn_told};
pub use event::{event, in_runs, notation, rematch_made, result};
pub use name::{by_seat, check_steps, player, player_kind, reach, side};
pub use position::{outcome, position, setup};
pub use rating::{play_rated_seat, rating};
pub use record::record;
pub use snapshot::snapshot;
pub use terms::{games, length, out_of_range, play_as, terms, variant};
