//! Errors of the computer in a match, and when it tries again.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use lusoria_play::{MatchId, Millis, Refusal};

use super::{Bots, duty::Duty};
use crate::live::CommandError;
use lusoria_store::StoreError;

/// The longest pause after a failure that may be temporary, in milliseconds.
const SOON_MS: Millis = 8_000;

/// The same for a failure that is probably permanent.
const LATE_MS: Millis = 10 * 60_000;

/// The reason that the computer did not act.
#[derive(Debug, thiserror::Error)]
pub(super) enum ComputerError {
    /// The match could not be read, or did not carry out the command.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The match refuses its command.
    #[error("the match refuses the command although it has not changed: {0}")]
    Refused(Refusal),
    /// No turn could be chosen.
    #[error("no turn could be chosen")]
    Thoughtless,
    /// Something panicked.
    #[error("the computer's task panicked")]
    Panicked,
}

impl From<StoreError> for ComputerError {
    fn from(error: StoreError) -> Self {
        Self::Command(error.into())
    }
}

/// Works on a match. A panic becomes an error of this match alone.
pub(super) async fn caught<T>(
    what: impl Future<Output = Result<T, ComputerError>>,
) -> Result<T, ComputerError> {
    AssertUnwindSafe(what).catch_unwind().await.unwrap_or(Err(ComputerError::Panicked))
}

impl Bots {
    /// Schedules another attempt, after a longer pause each time, unless the match has moved on. `duty` is
    /// the failed one; none if it is unknown.
    pub(super) fn try_later(&self, id: MatchId, duty: Option<Duty>, error: &ComputerError) {
        let now = self.live.now();
        match error {
            ComputerError::Command(
                CommandError::NoSuchMatch | CommandError::Stopping | CommandError::Store(StoreError::Closed),
            ) => {
                tracing::debug!(id = %id.0, %error, "the match is gone or the server is stopping");
            }
            ComputerError::Command(
                CommandError::QueueFull
                | CommandError::Store(StoreError::Busy(_) | StoreError::Full(_) | StoreError::Unknown(_)),
            ) => {
                let wait_ms = self.queue.defer_failed(id, duty, now, SOON_MS);
                tracing::warn!(id = %id.0, %error, wait_ms, "the computer could not act; retrying");
            }
            ComputerError::Command(
                CommandError::Store(StoreError::Corrupt(_) | StoreError::Failed(_))
                | CommandError::Refused(_)
                | CommandError::Terms(_)
                | CommandError::KeyUsed
                | CommandError::GuestGone(_)
                | CommandError::InvitationGone
                | CommandError::SeekGone
                | CommandError::ChallengeGone,
            )
            | ComputerError::Refused(_)
            | ComputerError::Thoughtless
            | ComputerError::Panicked => {
                let wait_ms = self.queue.defer_failed(id, duty, now, LATE_MS);
                tracing::error!(id = %id.0, %error, wait_ms, "the computer keeps failing in a match; retrying");
            }
        }
    }
}
