//! The games of the tables family: races with dice.
//!
//! One engine plays them all. Each game is composed of small parts in its own file under `games`: how the
//! paths lie, how pieces enter, what a landing does, where hit pieces wait, how the end is judged. A new game
//! of the family needs one such file and its tests. `rules` names the source of each part.
//!
//! - [`Position`]: all pieces between two turns.
//! - [`Turn`]: a roll being played, step by step. The legal next steps depend on the steps so far and on what
//!   the rest could still play.
//! - [`Turn::ends`]: all the positions that a turn can lead to, for search;
//!   [`Turn::ends_guided`] the promising ones, [`Turn::way_to`] the steps to one.
//! - [`Turn::reach`] and [`Turn::forced`]: what a page shows of a turn.
//! - [`Turn::write`] and [`Turn::parse`]: turns as text, in both directions.

mod compulsion;
mod dice;
mod drawing;
mod ends;
mod forced;
pub(crate) mod games;
mod guided;
mod hash;
mod illegal;
mod men;
mod notation;
mod pieces;
mod position;
mod reach;
mod road;
mod rules;
mod setup;
mod turn;

pub use ends::Ends;
pub use illegal::Illegal;
pub use notation::NotationError;
pub(crate) use pieces::PIECES;
pub use position::Position;
pub use rules::Rules;
pub use turn::{End, Turn};
