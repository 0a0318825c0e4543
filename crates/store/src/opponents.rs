//! The part of the store for finding an opponent.

use lusoria_play::{Millis, PlayerId, SeekId};

use crate::{Blocking, Guest, Seek, SeekAdding, SeekWithdrawal, StoreFuture, WaitingSeek};

/// Seeks, and whom players do not want to meet. The promises of [`Store`](crate::Store) hold.
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
}
