//! What can go wrong with the store.

/// A read or a plain write failed. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database is busy, locked or its queue is full: try again.
    #[error("the database is busy: {0}")]
    Busy(String),
    /// The disk is full.
    #[error("the disk is full: {0}")]
    Full(String),
    /// What was read cannot be understood.
    #[error("the database holds something unreadable: {0}")]
    Corrupt(String),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// Anything else.
    #[error("the database failed: {0}")]
    Failed(String),
}

/// An append was not made.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The head is not what the append expected: somebody else appended.
    #[error("the match has moved on")]
    Conflict,
    /// The idempotency key has been used in the meantime.
    #[error("the idempotency key has been used")]
    KeyUsed,
    /// The invitation to be spent is gone.
    #[error("the invitation has been spent or withdrawn")]
    InvitationGone,
    /// Whether it was committed is not known: read the journal.
    #[error("the outcome of the commit is unknown: {0}")]
    Unknown(String),
    /// It was surely not made.
    #[error(transparent)]
    Store(#[from] StoreError),
}
