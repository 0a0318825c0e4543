//! Seeks, and whom players do not want to meet.

use lusoria_play::{Bytes32, MatchId, Millis, Player, PlayerId, SeekId, SeekTerms};

/// How many seeks of a guest wait at most.
pub const SEEKS_PER_GUEST_MAX: u32 = 5;

/// How long a seek is kept after it was answered: an hour.
pub const ANSWERED_SEEK_KEPT_MS: Millis = 3_600_000;

/// How many people a guest can block.
pub const BLOCKS_PER_GUEST_MAX: u32 = 500;

/// A seek.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seek {
    /// Its id.
    pub id: SeekId,
    /// Whose it is.
    pub guest: PlayerId,
    /// What they would play.
    pub terms: SeekTerms,
    /// The hash of the seed that they bring.
    pub seed_hash: Option<Bytes32>,
    /// When it was made.
    pub created_at: Millis,
    /// When it ends by itself, or is forgotten if it was answered.
    pub expires_at: Millis,
    /// The match that came of it.
    pub answered: Option<MatchId>,
}

/// A seek that waits, with who made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingSeek {
    /// The seek.
    pub seek: Seek,
    /// Who made it, with their name of now.
    pub player: Player,
}

/// What became of a seek to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeekAdding {
    /// It waits. If the guest had the same one waiting already, this is that one, which expires later now.
    Waits(Seek),
    /// The guest has [`SEEKS_PER_GUEST_MAX`] already.
    TooMany,
    /// The guest is gone or blocked.
    GuestGone,
}

/// What became of a seek to be withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeekWithdrawal {
    /// It waits no longer.
    Withdrawn,
    /// It was answered before.
    Answered(MatchId),
    /// The guest has no such seek.
    NoSuchSeek,
}

/// What became of somebody to be blocked by a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocking {
    /// They are blocked now, or were before.
    Blocked,
    /// The guest has blocked [`BLOCKS_PER_GUEST_MAX`] already.
    TooMany,
    /// There is no such guest, or the one who asks is gone.
    NoSuchGuest,
}
