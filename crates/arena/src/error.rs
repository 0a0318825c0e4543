//! Why a contest, or a turn of it, cannot go on.

use std::io;

use super::{Fault, Program};

/// Why there is no result at all.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A program cannot be started.
    #[error("cmd:{program}: {why}")]
    Start {
        /// Which.
        program: Program,
        /// What the system says.
        why: io::Error,
    },
}

/// Why nothing was chosen.
pub(super) enum TurnError {
    /// The player forfeits.
    Fault(Fault),
    /// The arena cannot go on.
    Arena(ArenaError),
    /// The contest is to stop.
    Stopped,
}

impl From<Fault> for TurnError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
