//! Errors of the live layer.

use lusoria_play::{PlayerId, Refusal, TermsError};

use lusoria_store::StoreError;

/// The reason that a command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// There is no such match.
    #[error("there is no such match")]
    NoSuchMatch,
    /// The match refuses.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The terms of a new match are out of range.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// Too many commands wait for the match: from the same guest, or in total.
    #[error("too many commands are waiting for this match")]
    QueueFull,
    /// The idempotency key has been used meanwhile; look up its request.
    #[error("the idempotency key has been used")]
    KeyUsed,
    /// The invitation has been spent or withdrawn meanwhile.
    #[error("the invitation has been used or withdrawn")]
    InvitationGone,
    /// A seek that the match would pair no longer waits.
    #[error("a seek no longer waits")]
    SeekGone,
    /// The challenge that the match would accept no longer waits.
    #[error("the challenge no longer waits")]
    ChallengeGone,
    /// A guest who should take a seat, or creates the match, has been blocked or erased.
    #[error("guest {} is blocked or erased", .0.0)]
    GuestGone(PlayerId),
    /// The store cannot be written: nothing has changed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The server is stopping: nothing has changed.
    #[error("the server is stopping")]
    Stopping,
}

impl CommandError {
    /// Deciding it ended unexpectedly; the journal shows the outcome of the request.
    pub(super) fn lost() -> Self {
        Self::Store(StoreError::Unknown("deciding the request ended unexpectedly".to_owned()))
    }
}
