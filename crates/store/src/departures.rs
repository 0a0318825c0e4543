//! The part of the store for guests who leave: erased, or adopted by a guest with an account, who gets their matches.
//!
//! What begins it is one transaction, after which it is inevitable. What is left to do then is to rewrite their
//! matches, one after the other: any node does that, again and again until nothing is left.

use lusoria_play::{Millis, PlayerId};

use crate::{Proof, SessionId};

/// At most how many departures are read at once.
pub const DEPARTURES_MAX: u32 = 100;

/// A guest who leaves. They are blocked for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Departure {
    /// Who.
    pub guest: PlayerId,
    /// Who gets their matches; none if they are erased.
    pub adopter: Option<PlayerId>,
    /// Since when.
    pub since: Millis,
}

/// A guest to be adopted, with the two sessions that prove that both are one person's.
#[derive(Debug, Clone, Copy)]
pub struct NewAdoption {
    /// Who gets the matches.
    pub adopter: PlayerId,
    /// Their session, which asks.
    pub by: SessionId,
    /// Who is adopted.
    pub guest: PlayerId,
    /// A session of theirs.
    pub session: SessionId,
    /// When.
    pub at: Millis,
}

/// What became of an adoption that is to begin. Where several reasons against it hold, it is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdoptionBeginning {
    /// It has begun.
    Begun,
    /// The session that asks has ended, or its guest is blocked.
    SessionEnded,
    /// The adopter has no account.
    NoAccount,
    /// Nobody adopts themselves.
    Yourself,
    /// The session of the guest has ended.
    GuestSessionEnded,
    /// The guest is blocked, or leaves already.
    GuestBlocked,
    /// The guest has an account of their own.
    GuestHasAccount,
    /// One of the two is a person, the other a bot.
    OtherKind,
    /// A match has both in its seats.
    PlayedEachOther,
}

/// Who wants a guest to be erased.
#[derive(Debug, Clone)]
pub enum ErasureBy {
    /// The operator.
    Operator,
    /// The guest, who has no account, with one of their sessions.
    Session(SessionId),
    /// The guest, who has an account.
    Account(Proof),
}

/// What became of an erasure that is to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErasureBeginning {
    /// It has begun.
    Begun,
    /// The guest has an account, so that a session alone is not enough.
    HasAccount,
    /// The session has ended, or the proof no longer holds.
    NotProven,
}

/// What became of a match that is to be handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandingOver {
    /// It is the adopter's.
    HandedOver,
    /// Its head or edition is another.
    MovedOn,
    /// The guest is no longer being adopted by that adopter.
    Ended,
}
