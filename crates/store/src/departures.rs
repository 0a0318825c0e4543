//! The part of the store for guests who leave: erased, or adopted by a guest with an account, who gets their matches.
//!
//! What begins it is one transaction, after which it is inevitable. What is left to do then is to rewrite their
//! matches, one after the other: any node does that, again and again until nothing is left.

use lusoria_play::{MatchId, Millis, PlayerId, Recorded};

use crate::{Card, Proof, SessionId, StoreFuture, Version};

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

/// Guests who leave. The promises of [`Store`](crate::Store) hold.
///
/// Who leaves is blocked, which [`Store::set_blocked`](crate::Store::set_blocked) does not change, and has no session, device code, seek or
/// challenge that waits. Where they were to get matches of others who leave, who gets theirs gets these, too.
pub trait Departures: Send + Sync + 'static {
    /// Begins the adoption of a guest. The adopter gets their idempotency keys, their follows and blocks, and those of
    /// others that concern them: each once, as many as there may be, and none between the two. Their open matches have
    /// another edition, so that who is about to join looks again. Nobody who is adopting a
    /// guest is seated in a match of theirs afterwards, even by an earlier request.
    fn begin_adoption(&self, new: NewAdoption) -> StoreFuture<'_, AdoptionBeginning>;

    /// Begins the erasure of a guest, of whom there may be nothing but matches. An adoption of theirs that has begun
    /// becomes one.
    fn begin_erasure(&self, guest: PlayerId, by: ErasureBy, at: Millis) -> StoreFuture<'_, ErasureBeginning>;

    /// Lists those who leave, the earliest first; at most [`DEPARTURES_MAX`].
    fn departures(&self) -> StoreFuture<'_, Vec<Departure>>;

    /// Replaces events of a match by others with the same numbers, and its card, in which the adopter stands in the
    /// place of the guest: another edition. Who has made the match is replaced, too, and the adopter gets the
    /// conditional turns that the guest has laid down for it, unless they have some there.
    fn hand_over(
        &self,
        id: MatchId,
        of: Version,
        adoption: Departure,
        events: Vec<Recorded>,
        card: Card,
    ) -> StoreFuture<'_, HandingOver>;

    /// Notes that nothing of a guest is left to do. False, and nothing changes, if their departure is another by now.
    fn end_departure(&self, departure: Departure) -> StoreFuture<'_, bool>;
}
