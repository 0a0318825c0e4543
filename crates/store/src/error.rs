//! What can go wrong with the store.

use lusoria_play::PlayerId;

/// A read or a plain write failed. Nothing has changed, except perhaps with
/// [`StoreError::Unknown`].
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database is busy or locked, or its queue is full: try again.
    #[error("the database is busy: {0}")]
    Busy(String),
    /// The disk is full.
    #[error("the disk is full: {0}")]
    Full(String),
    /// What was read cannot be decoded.
    #[error("the database holds a value that cannot be read: {0}")]
    Corrupt(String),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// A plain write may or may not have been committed.
    #[error("the outcome of the commit is unknown: {0}")]
    Unknown(String),
    /// Anything else: a guest, token or code that is there already or is missing, a
    /// journal with a gap, a fault of the database.
    #[error("the database failed: {0}")]
    Failed(String),
}

/// A node cannot join.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// A node of that name is running.
    #[error("a node named \"{0}\" is running already")]
    NameTaken(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An append failed. Where several reasons hold, it is the first of
/// [`AppendError::Outdated`], [`AppendError::KeyUsed`], [`AppendError::GuestGone`],
/// [`AppendError::InvitationGone`], [`AppendError::SeekGone`],
/// [`AppendError::ChallengeGone`], [`AppendError::Conflict`].
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The era is not the one that the writer knows: an outage or another history has begun.
    #[error("the node does not know the present era")]
    Outdated,
    /// The head or the edition is not what the append expected, because of another write. Or there is
    /// no such match, or, for a new one, there is one with that id already.
    #[error("the match has moved on")]
    Conflict,
    /// The idempotency key has been used in the meantime.
    #[error("the idempotency key has been used")]
    KeyUsed,
    /// A player who joins or makes the match is no longer a guest, or is blocked.
    #[error("guest {} is blocked or gone", .0.0)]
    GuestGone(PlayerId),
    /// The invitation does not exist, had expired when the events happened, or is for another
    /// match.
    #[error("the invitation has been spent or withdrawn")]
    InvitationGone,
    /// One of the seeks that the match answers no longer waits, or one of those who made them has blocked the
    /// other.
    #[error("a seek no longer waits")]
    SeekGone,
    /// The challenge that the match answers no longer waits, or one of the two has blocked the other.
    #[error("the challenge no longer waits")]
    ChallengeGone,
    /// It may or may not have been committed: read the journal.
    #[error("the outcome of the commit is unknown: {0}")]
    Unknown(String),
    /// It was certainly not committed (never [`StoreError::Unknown`]).
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for AppendError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unknown(why) => Self::Unknown(why),
            not_committed => Self::Store(not_committed),
        }
    }
}

/// Why an append was refused, with nothing changed: those of [`AppendError`] that are
/// no fault of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    Outdated,
    KeyUsed,
    GuestGone(PlayerId),
    InvitationGone,
    SeekGone,
    ChallengeGone,
    Conflict,
}

impl Refused {
    /// Its place in the order of reasons.
    pub(super) const fn rank(&self) -> u8 {
        match self {
            Self::Outdated => 0,
            Self::KeyUsed => 1,
            Self::GuestGone(_) => 2,
            Self::InvitationGone => 3,
            Self::SeekGone => 4,
            Self::ChallengeGone => 5,
            Self::Conflict => 6,
        }
    }
}

impl From<Refused> for AppendError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Outdated => Self::Outdated,
            Refused::KeyUsed => Self::KeyUsed,
            Refused::GuestGone(guest) => Self::GuestGone(guest),
            Refused::InvitationGone => Self::InvitationGone,
            Refused::SeekGone => Self::SeekGone,
            Refused::ChallengeGone => Self::ChallengeGone,
            Refused::Conflict => Self::Conflict,
        }
    }
}
