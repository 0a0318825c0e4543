//! The rules of ancient board games: positions, turns built step by step, results, notation and perft.
//!
//! The crate is pure: it knows no clock, no random source and no I/O. Dice are handed in. There are two
//! engines: [`tables`] for the dice games and [`tafl`] for the hunts; [`Position`] and [`Turn`] give both the
//! same interface.
//!
//! ```
//! use lusoria_rules::{Game, History, Position, Step, Variant};
//!
//! let position = Position::start(Variant::standard(Game::Tablut));
//! let history = History::start(&position);
//! let mut turn = position.turn(&[])?;
//! let refused = turn.play(&Step { die: None, from: "e8".into(), to: "e6".into() });
//! assert_eq!(refused.unwrap_err().to_string(), "e7 is in the way: a piece stands there");
//! turn.play(&Step { die: None, from: "e8".into(), to: "g8".into() })?;
//! assert_eq!(turn.write(), "e8-g8");
//! let end = turn.end(&history)?;
//! assert_eq!(end.outcome, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod tables;
pub mod tafl;
pub mod vectors;

mod game;
mod history;
mod illegal;
mod options;
mod outcome;
mod position;
mod setup;
mod step;
mod turn;

pub use game::{Family, Game, NoSuchOption, UnknownGame, Variant};
pub use history::History;
pub use illegal::{Illegal, NotationError};
pub use options::{Mother, Options, Shift, Throne};
pub use outcome::{Call, Outcome, Reason};
pub use position::Position;
pub use setup::{BySide, CellName, DiceSide, Setup, SetupError, Side};
pub use step::{Die, NotADie, Played, Step};
pub use turn::{DiceError, End, Ends, Incomplete, Turn};
