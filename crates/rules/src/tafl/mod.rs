//! Tafl games: one bitboard engine; each game is described in one file.
//!
//! [`Position`] is a valid position, [`Turn`] the one move of a turn. Repetition and drought, which a
//! position alone does not show, are judged with the history: in [`crate::Turn::end`].

mod board;
mod games;
mod illegal;
mod moves;
mod notation;
mod position;
mod turn;

pub use board::{Board, Cells, Direction};
pub use games::Kind;
pub use illegal::Illegal;
pub use moves::Move;
pub use notation::NotationError;
pub use position::Position;
pub use turn::{Ended, Turn};
