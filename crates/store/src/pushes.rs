//! The part of the store for push subscriptions.

use lusoria_play::{Millis, PlayerId, PushSubscriptionId};

use crate::{PushSubscription, StoreFuture};

/// Push subscriptions. The promises of [`Store`](crate::Store) hold. A subscription ends in the
/// transaction that ends the session or revokes the API token that made it.
pub trait Pushes: Send + Sync + 'static {
    /// Stores a subscription in the place of one with the same endpoint, whose id it takes if that was the same
    /// guest's. Beyond [`PUSH_SUBSCRIPTIONS_PER_GUEST_MAX`](crate::PUSH_SUBSCRIPTIONS_PER_GUEST_MAX) the oldest of the
    /// guest is deleted. Returns it as it is stored; none, and nothing changes, if what makes it has ended or the guest
    /// is blocked.
    fn put_push_subscription(&self, new: PushSubscription) -> StoreFuture<'_, Option<PushSubscription>>;

    /// Lists the subscriptions of a guest, the newest first.
    fn push_subscriptions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<PushSubscription>>;

    /// Lists those of them to which messages may be sent at `now`, in any order: none if the guest is blocked, and none
    /// whose API token has expired.
    fn push_targets(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<PushSubscription>>;

    /// Deletes a subscription of a guest. False if they have none with that id.
    fn remove_push_subscription(&self, guest: PlayerId, id: PushSubscriptionId) -> StoreFuture<'_, bool>;
}
