//! Converts between the domain and the wire: matches, turns and games as the API has them.
//!
//! Conversion to the wire cannot fail. A well-formed request can still name something that the game does not
//! have; those conversions return a problem.

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
