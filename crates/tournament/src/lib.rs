//! Tournaments without I/O: entries, check-in, rounds, pairings, forfeits, standings and the events that
//! record them. docs/tournaments.md says the rules and where they come from.
//!
//! [`Tournament`] is the fold of its [`Event`]s and nothing else. [`Tournament::decide`] judges a
//! [`Command`]; [`Tournament::due`] says what is to happen by now. Both return events. [`Tournament::fold`]
//! applies recorded events without judging them.
//!
//! The crate is pure: the time is handed in as [`lusoria_play::Millis`], chance as [`Chance`].

mod command;
mod decide;
mod due;
mod event;
mod fold;
mod pair;
mod refusal;
mod settings;
mod standings;
mod state;

pub use command::{Candidate, Command};
pub use event::{
    Bracket, Bye, ByeWhy, EndedWhy, Entrant, Event, ExcludedBy, JOURNAL_VERSION, Paired, PairingEnd,
    PairingNo, Place, Recorded,
};
pub use fold::Corrupt;
pub use refusal::Refusal;
pub use settings::{Conditions, Format, Seeding, Settings, Who};
pub use standings::{BracketSlot, Brackets, CrossCell, CrossRow, Standing};
pub use state::{
    Chance, Ended, EntrantState, EntrantStatus, How, MatchStage, Outcome, Pairing, Phase, Round, ToMake,
    Tournament,
};
