//! Errors of a contest or a turn.

use std::io;

use super::{Fault, Program};

/// The reason that there is no result at all.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A program cannot be started.
    #[error("cmd:{program}: {why}")]
    Start {
        /// The program.
        program: Program,
        /// The system's error.
        why: io::Error,
    },
}

/// The reason that no turn was chosen.
pub(super) enum TurnError {
    /// The player forfeits.
    Fault(Fault),
    /// The arena cannot continue.
    Arena(ArenaError),
    /// The contest must stop.
    Stopped,
}

impl From<Fault> for TurnError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
