//! What tests of several crates need. Only tests and the fuzz laws depend on it.
//!
//! Everything follows from seeds: [`seeded_bytes`] stands for the operating system's random bytes,
//! [`SeededDice`] for the dice of a match. It knows nothing of the server, so that the server's
//! own unit tests can use it too.

mod bytes;
mod dice;
mod flags;
mod table;
mod turns;

pub use bytes::seeded_bytes;
pub use dice::SeededDice;
pub use flags::parsed;
pub use table::{Table, finished, match_id, player, seed, terms};
pub use turns::first_turn;
