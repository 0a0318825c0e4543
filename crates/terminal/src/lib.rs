//! A client for the terminal: `lusoria play`.
//!
//! It uses only the public API, as any client could. It knows no rules: it asks the server which steps are
//! legal, and why a step is not, and draws the board from the geometry in the server's catalogue. All
//! untrusted text is made printable before it is printed.
//!
//! A session (`session`) handles the user's input (`input`) and the server's messages, over a connection that
//! reconnects by itself (`client::Link`). The user is at a match (`current_match`), or in the lobby, where
//! matches are created and joined. Accounts are handled outside of sessions (`account`).

mod account;
mod address;
mod answers;
mod board;
mod command;
mod current_match;
mod editor;
mod event_text;
mod input;
mod match_lines;
mod moves;
mod output;
mod profile;
mod sanitize;
mod session;
mod terms;

#[cfg(test)]
mod tests;

pub use account::{AccountAction, AccountError, AccountOptions, run_account};
pub use address::{BadAddress, Destination, MatchReference, PageAddress};
pub use answers::Answers;
pub use board::Style;
pub use editor::{EditedOutput, edited};
pub use input::{Input, Typed};
pub use output::{Output, Plain};
pub use profile::{Profile, ProfileError};
pub use session::{Ending, Goal, SessionError, SessionOptions, run_session};
pub use terms::{BadTerms, Terms, game};
