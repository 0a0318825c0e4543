//! A match between two players, without I/O: seats, turns, clocks, offers,
//! results and the events that record them.
//!
//! [`Match`] is the fold of its [`Event`]s and nothing else. [`Match::apply`] judges a [`Command`] and
//! returns events or a [`Refusal`]; [`Match::fold`] applies recorded events without judging them, so that a
//! later correction of a rule never makes a running match unloadable.
//!
//! The crate is pure: the time is handed in as [`Millis`], chance as [`Chance`].

mod append;
mod apply;
mod challenge;
mod chance;
mod clock;
mod command;
mod conditional;
mod create;
mod deadline;
mod event;
mod fold;
mod game;
mod id;
mod kind;
mod lag;
mod leaving;
mod rating;
mod refusal;
mod rematch;
mod seat;
mod seek;
mod state;
mod takeback;
mod talk;
mod term;
mod terms;

pub use challenge::{ChallengeSettings, ChallengesFrom, DeclineReason};
pub use chance::{Bytes32, Chance, NotBytes32, Seed, SeedError, Throw};
pub use clock::{Clock, ClockError, Pace};
pub use command::{Command, SeedBrought};
pub use conditional::{ConditionalTurns, LineFault};
pub use create::Creation;
pub use event::{
    AbortReason, Event, GameEnd, JOURNAL_VERSION, MatchEnd, Recorded, SeatSeed, TakenStep, Thought,
};
pub use fold::Corrupt;
pub use game::{Game, GameResult, ToPlay};
pub use id::{
    ApiTokenId, FlagId, InvalidId, MatchId, PasskeyId, PlayerId, PushSubscriptionId, RemarkId, ReportId,
    SanctionId, SeekId, SessionId, TournamentId,
};
pub use kind::{Level, NoSuchLevel, PlayerKind};
pub use leaving::{LEAVINGS_COUNT_FOR_MS, barred_until};
pub use rating::{Rated, RatedGames, RatedSeat, RatingResult, ShownRating, UnratedReason};
pub use refusal::Refusal;
pub use rematch::{Rematch, RematchOffer};
pub use seat::{BySeat, NoSuchSeat, Player, Seat};
pub use seek::{RatingRange, SeekError, SeekTerms, Seeker, partner};
pub use state::{Match, MatchStage, Phase, Sits};
pub use takeback::{TakebackOffer, taken_back};
pub use talk::{Phrase, ReportReason, TalkRoom};
pub use terms::{Admission, Colours, Length, Terms, TermsError};

/// Milliseconds: since the Unix epoch for a time, otherwise a duration.
pub type Millis = u64;
