//! Challenges, and whom players follow.

use lusoria_play::{Bytes32, DeclineReason, MatchId, Millis, Player, PlayerId, Terms};

/// How many challenges of a guest wait at most.
pub const CHALLENGES_BY_GUEST_MAX: u32 = 10;

/// How many challenges to a guest wait at most.
pub const CHALLENGES_TO_GUEST_MAX: u32 = 50;

/// How long a challenge is kept after it was answered or withdrawn: an hour.
pub const ENDED_CHALLENGE_KEPT_MS: Millis = 3_600_000;

/// How many people a guest can follow.
pub const FOLLOWS_PER_GUEST_MAX: u32 = 500;

/// A challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// Its id, and that of the match which comes of it.
    pub id: MatchId,
    /// Who made it. They take seat 1.
    pub challenger: PlayerId,
    /// Whom they would play with.
    pub challenged: PlayerId,
    /// What they would play.
    pub terms: Terms,
    /// The hash of the seed that the challenger brings.
    pub seed_hash: Option<Bytes32>,
    /// When it was made.
    pub created_at: Millis,
    /// When it ends by itself, or is forgotten if it has ended.
    pub expires_at: Millis,
    /// How it ended; none while it waits.
    pub end: Option<ChallengeEnd>,
}

impl Challenge {
    /// Whether it waits for an answer at `now`.
    pub const fn waits(&self, now: Millis) -> bool {
        self.end.is_none() && self.expires_at > now
    }
}

/// How a challenge ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeEnd {
    /// There is a match.
    Accepted,
    /// The challenged declined.
    Declined(Option<DeclineReason>),
    /// The challenger withdrew it.
    Withdrawn,
}

/// A challenge, with the names of now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedChallenge {
    /// The challenge.
    pub challenge: Challenge,
    /// Who made it.
    pub challenger: Player,
    /// Whom they would play with.
    pub challenged: Player,
    /// The handles of the two, where they have accounts: of the challenger, and of the challenged.
    pub handles: [Option<String>; 2],
}

/// What became of a challenge to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChallengeAdding {
    /// It waits. If the same one waited already, this is that one, which expires later now.
    Waits(Challenge),
    /// [`CHALLENGES_BY_GUEST_MAX`] of the challenger wait already.
    TooMany,
    /// [`CHALLENGES_TO_GUEST_MAX`] wait for the challenged already.
    TooManyForThem,
    /// The challenger is gone or blocked by the operator.
    GuestGone,
    /// There is no such guest to be challenged.
    NoSuchGuest,
    /// One of the two has blocked the other.
    NotWelcome,
    /// The challenged takes none from the challenger.
    NotTaken,
    /// The challenged does not play this game.
    OtherGames,
}

/// What became of a challenge to be declined or withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChallengeEnding {
    /// It has ended so.
    Ended(Challenge),
    /// It had ended before.
    EndedBefore(Challenge),
    /// There is no such challenge, or it is not for this guest to end it so.
    NoSuchChallenge,
}

/// What became of somebody to be followed by a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Following {
    /// They are followed now, or were before.
    Followed,
    /// The guest follows [`FOLLOWS_PER_GUEST_MAX`] already.
    TooMany,
    /// There is no such guest, or the one who asks is gone.
    NoSuchGuest,
}
