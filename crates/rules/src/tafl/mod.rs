//! Tafl games: one engine on bitboards, which a game describes in one file.
//!
//! [`Position`] is a valid position, [`Turn`] the one move of a turn. What a
//! position alone cannot know, repetition and drought, is judged where the
//! history is: in [`crate::Turn::end`].

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
