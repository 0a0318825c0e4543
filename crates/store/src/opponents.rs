//! The part of the store for finding an opponent.

use lusoria_play::{ChallengeSettings, MatchId, Millis, PlayerId, SeekId};

use crate::{
    Blocking, Challenge, ChallengeAdding, ChallengeEnd, ChallengeEnding, Following, Guest, NamedChallenge,
    Seek, SeekAdding, SeekWithdrawal, StoreFuture, WaitingSeek,
};

/// Seeks, challenges, whom players follow, and whom they do not want to meet. The promises of [`Store`](crate::Store) hold.
pub trait Opponents: Send + Sync + 'static {
    /// Adds a seek that waits.
    fn add_seek(&self, seek: Seek) -> StoreFuture<'_, SeekAdding>;

    /// Lists the seeks of a guest that wait or were answered, the newest first.
    fn seeks_of(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<Seek>>;

    /// Lists the seeks that wait, the oldest first. Those of guests whom the operator has blocked are left out.
    fn waiting_seeks(&self, now: Millis) -> StoreFuture<'_, Vec<WaitingSeek>>;

    /// Lists the seeks that were answered at or after `since`, in any order.
    fn answered_seeks(&self, since: Millis) -> StoreFuture<'_, Vec<Seek>>;

    /// Has the waiting seeks of some guests that are not by days expire at `until`, if that is later.
    fn prolong_seeks(&self, guests: Vec<PlayerId>, now: Millis, until: Millis) -> StoreFuture<'_, ()>;

    /// Withdraws a seek of a guest.
    fn withdraw_seek(&self, guest: PlayerId, id: SeekId, now: Millis) -> StoreFuture<'_, SeekWithdrawal>;

    /// Has a guest block another one.
    fn add_block(&self, guest: PlayerId, blocked: PlayerId, at: Millis) -> StoreFuture<'_, Blocking>;

    /// Has a guest block another one no longer. False if they did not.
    fn remove_block(&self, guest: PlayerId, blocked: PlayerId) -> StoreFuture<'_, bool>;

    /// Lists those whom a guest has blocked, the latest first.
    fn blocked_by(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Guest>>;

    /// Lists those whom a guest has blocked, and those who have blocked them, in any order.
    fn blocks_around(&self, guest: PlayerId) -> StoreFuture<'_, Vec<PlayerId>>;

    /// Adds a challenge that waits.
    fn add_challenge(&self, challenge: Challenge) -> StoreFuture<'_, ChallengeAdding>;

    /// Lists the challenges that a guest made or got, the newest first: those that wait, and those that have ended.
    fn challenges_of(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<NamedChallenge>>;

    /// Reads a challenge that waits or has ended.
    fn challenge(&self, id: MatchId, now: Millis) -> StoreFuture<'_, Option<NamedChallenge>>;

    /// Lists the challenges that ended at or after `since`, in any order.
    fn ended_challenges(&self, since: Millis) -> StoreFuture<'_, Vec<NamedChallenge>>;

    /// Lists those who made challenges that wait and are not by days, each once, in any order.
    fn live_challengers(&self, now: Millis) -> StoreFuture<'_, Vec<PlayerId>>;

    /// Has the waiting challenges of some challengers that are not by days expire at `until`, if that is later.
    fn prolong_challenges(
        &self,
        challengers: Vec<PlayerId>,
        now: Millis,
        until: Millis,
    ) -> StoreFuture<'_, ()>;

    /// Declines a challenge to a guest, or withdraws one of theirs.
    fn end_challenge(
        &self,
        id: MatchId,
        by: PlayerId,
        end: ChallengeEnd,
        now: Millis,
    ) -> StoreFuture<'_, ChallengeEnding>;

    /// Reads which challenges a guest takes.
    fn challenge_settings(&self, guest: PlayerId) -> StoreFuture<'_, ChallengeSettings>;

    /// Sets which challenges a guest takes. False if there is no such guest.
    fn set_challenge_settings(&self, guest: PlayerId, settings: ChallengeSettings) -> StoreFuture<'_, bool>;

    /// Has a guest follow another one.
    fn add_follow(&self, guest: PlayerId, followed: PlayerId, at: Millis) -> StoreFuture<'_, Following>;

    /// Has a guest follow another one no longer. False if they did not.
    fn remove_follow(&self, guest: PlayerId, followed: PlayerId) -> StoreFuture<'_, bool>;

    /// Lists those whom a guest follows, the latest first.
    fn followed_by(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Guest>>;
}
