//! Faults by which an outside engine forfeits its game.

use std::{process::ExitStatus, time::Duration};

use lusoria_rules::{Illegal, Incomplete, NotationError};

/// A fault of an engine, in words for its author. Parts of it may be the engine's own text.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It was not ready in time.
    #[error("it was not ready within {within_ms} ms")]
    ReadyLate {
        /// Its time limit.
        within_ms: u64,
    },
    /// It did not answer in time.
    #[error("it did not answer within {within_ms} ms")]
    Late {
        /// Its time limit.
        within_ms: u64,
    },
    /// It does not read its input.
    #[error("it does not read its standard input")]
    Deaf,
    /// It has ended.
    #[error("it ended with {status}{said}")]
    Ended {
        /// Its exit status.
        status: ExitStatus,
        /// The end of its standard error.
        said: StderrTail,
    },
    /// It has closed its output.
    #[error("it closed its standard output{said}")]
    Mute {
        /// The end of its standard error.
        said: StderrTail,
    },
    /// It is not running, although it should be.
    #[error("it does not run")]
    Gone,
    /// Its line is too long.
    #[error("its answer is longer than {bytes_max} bytes")]
    LineTooLong {
        /// The greatest length.
        bytes_max: usize,
    },
    /// It wrote something before a request.
    #[error("it said more than it was asked for: {line}")]
    Unasked {
        /// The beginning of it.
        line: String,
    },
    /// Its line is not the expected reply.
    #[error("its answer cannot be read: {why}: {line}")]
    Unreadable {
        /// The fault in words.
        why: String,
        /// The beginning of it.
        line: String,
    },
    /// It says that it cannot play this game.
    #[error("it is not ready{}", if why.is_empty() { String::new() } else { format!(": {why}") })]
    NotReady {
        /// Its reason; may be empty.
        why: String,
    },
    /// Its notation is not a legal turn.
    #[error("its turn \"{notation}\" cannot be played: {why}")]
    BadNotation {
        /// The text.
        notation: String,
        /// The fault.
        why: Box<NotationError>,
    },
    /// A step that is not legal.
    #[error("its step {number} is not legal: {why}")]
    IllegalStep {
        /// The number of the step, from 1.
        number: usize,
        /// The reason.
        why: Box<Illegal>,
    },
    /// It stopped in the middle of the turn.
    #[error("its turn is not complete: {0}")]
    Incomplete(Incomplete),
}

/// The last lines that a program wrote to standard error; may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StderrTail(pub(super) Vec<String>);

impl Fault {
    /// Whether it exited normally.
    pub(super) fn is_farewell(&self) -> bool {
        matches!(self, Self::Ended { status, .. } if status.success())
    }

    /// A stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ReadyLate { .. } => "ready_late",
            Self::Late { .. } => "late",
            Self::Deaf => "deaf",
            Self::Ended { .. } => "ended",
            Self::Mute { .. } => "mute",
            Self::Gone => "gone",
            Self::LineTooLong { .. } => "line_too_long",
            Self::Unasked { .. } => "unasked",
            Self::Unreadable { .. } => "unreadable",
            Self::NotReady { .. } => "not_ready",
            Self::BadNotation { .. } => "bad_notation",
            Self::IllegalStep { .. } => "illegal_step",
            Self::Incomplete(_) => "incomplete_turn",
        }
    }
}

impl std::fmt::Display for StderrTail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "; its last words: {}", self.0.join(" | ")) }
    }
}

/// Whole milliseconds.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
