//! The rules of five board games of antiquity: positions, turns built step by
//! step, results, notation and perft.
//!
//! The crate is pure: it knows no clock, no random source and no I/O. Dice are
//! handed in. Two engines do the work: [`tables`] for the four dice games and
//! [`tafl`] for Tablut; [`Position`] and [`Turn`] put one face on both.

pub mod tables;
pub mod tafl;
pub mod vectors;

mod game;
mod history;
mod illegal;
mod outcome;
mod position;
mod setup;
mod step;
mod turn;

pub use game::{Game, Mother, Shift, Throne, UnknownGame, Variant};
pub use history::History;
pub use illegal::{Illegal, NotationError};
pub use outcome::{Call, Outcome, Reason};
pub use position::Position;
pub use setup::{BySide, DiceSide, Setup, SetupError, Side};
pub use step::{Die, NotADie, Played, Step};
pub use turn::{DiceError, End, Ends, Incomplete, Turn};
