//! A client for the terminal: `lusoria play`.
//!
//! It is a client of the public API as anybody could write one. It knows no rules: it
//! asks the server what is legal, and why something is not, and draws the board from the geometry
//! in the server's catalogue. All text from outside is made printable before it is printed.
//!
//! A visit (`session`) reads what is typed (`input`) and what the server says, over a connection
//! that comes back by itself (`client::Link`). It is at a match (`table`), or in the hall, where
//! matches are made and joined.

mod board;
mod clean;
mod command;
mod editor;
mod input;
mod keep;
mod moves;
mod output;
mod place;
mod plate;
mod session;
mod table;
mod telling;
mod terms;

#[cfg(test)]
mod tests;

pub use board::Look;
pub use editor::{Edited, edited};
pub use input::{Input, Typed};
pub use keep::{Keep, KeepError};
pub use output::{Output, Plain};
pub use place::{BadPlace, Door, Place, Way};
pub use session::{Ending, Errand, Failure, Visit, visit};
pub use terms::{BadTerms, Terms, game};
