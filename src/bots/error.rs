//! What keeps the computer from doing what a match waits for, and when it tries again.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use lusoria_play::{MatchId, Millis, Refusal};

use super::Bots;
use crate::live::CommandError;
use lusoria_store::StoreError;

/// The longest until something is tried again that may come right by itself, in milliseconds.
const SOON_MS: Millis = 8_000;

/// The same of what will hardly come right.
const LATE_MS: Millis = 10 * 60_000;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// The match could not be read, or did not carry out what it was asked.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// It refuses what it was waiting for.
    #[error("the match refuses the command although it has not changed: {0}")]
    Refused(Refusal),
    /// There was no turn to be had.
    #[error("no turn could be chosen")]
    Thoughtless,
    /// Something panicked.
    #[error("the computer's task panicked")]
    Panicked,
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Command(error.into())
    }
}

/// Does it; a panic is trouble with this match, and with no other.
pub(super) async fn caught(what: impl Future<Output = Result<(), Trouble>>) -> Result<(), Trouble> {
    AssertUnwindSafe(what).catch_unwind().await.unwrap_or(Err(Trouble::Panicked))
}

impl Bots {
    /// What could not be done is tried again, later each time, unless the match has moved on.
    pub(super) fn try_later(&self, id: MatchId, trouble: &Trouble) {
        let now = self.live.now();
        match trouble {
            Trouble::Command(
                CommandError::NoSuchMatch | CommandError::Stopping | CommandError::Store(StoreError::Closed),
            ) => {
                tracing::debug!(id = %id.0, %trouble, "the match is gone or the server is stopping");
            }
            Trouble::Command(
                CommandError::QueueFull
                | CommandError::Store(StoreError::Busy(_) | StoreError::Full(_) | StoreError::Unknown(_)),
            ) => {
                let wait_ms = self.queue.put_off_failed(id, now, SOON_MS);
                tracing::warn!(id = %id.0, %trouble, wait_ms, "the computer could not act; retrying");
            }
            Trouble::Command(
                CommandError::Store(StoreError::Corrupt(_) | StoreError::Failed(_))
                | CommandError::Refused(_)
                | CommandError::Terms(_)
                | CommandError::KeyUsed
                | CommandError::GuestGone(_)
                | CommandError::InvitationGone,
            )
            | Trouble::Refused(_)
            | Trouble::Thoughtless
            | Trouble::Panicked => {
                let wait_ms = self.queue.put_off_failed(id, now, LATE_MS);
                tracing::error!(id = %id.0, %trouble, wait_ms, "the computer keeps failing in a match; retrying");
            }
        }
    }
}
