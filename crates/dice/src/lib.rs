//! Verifiable dice: the scheme `lusoria-dice-v1`.
//!
//! The server draws a [`Secret`] `s[1024]` for a match, derives the [`Chain`]
//! `s[g-1] = SHA-256(s[g])` and publishes `s[0]` before anything is thrown. Game
//! *g* is thrown with `s[g]` and the seeds of both players, and `s[g]` is
//! published when the game has ended; [`verify`] recomputes everything then.
//!
//! The crate knows no game: seats are 1 and 2, dice are numbers from 1 to 6.

pub mod verify;

mod chain;
mod throw;

pub use chain::{Chain, GAMES_MAX, Secret, seed_hash};
pub use throw::{Game, lot, throw};
