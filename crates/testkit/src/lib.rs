//! Shared code of tests in several crates. Only tests and the fuzz laws depend on it.
//!
//! Everything depends only on seeds: [`seeded_bytes`] replaces the operating system's random bytes,
//! [`SeededDice`] makes the dice of a match. It does not depend on the server, so the server's own unit tests
//! can use it too.

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
