//! Push subscriptions.

use std::cmp::Reverse;

use lusoria_play::{Millis, PlayerId, PushSubscriptionId};

use super::{
    MemoryStore,
    tables::{Tables, failed},
};
use crate::{
    PUSH_SUBSCRIPTIONS_PER_GUEST_MAX, PushBearer, PushSubscription, Pushes, StoreError, StoreFuture,
};

impl Pushes for MemoryStore {
    fn put_push_subscription(&self, new: PushSubscription) -> StoreFuture<'_, Option<PushSubscription>> {
        self.at_once(move |tables| tables.put_push_subscription(new))
    }

    fn push_subscriptions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<PushSubscription>> {
        self.at_once(move |tables| Ok(tables.push_subscriptions_of(guest)))
    }

    fn push_targets(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<PushSubscription>> {
        self.at_once(move |tables| {
            let mut theirs = tables.push_subscriptions_of(guest);
            theirs.retain(|one| tables.may_push(one, now));
            Ok(theirs)
        })
    }

    fn remove_push_subscription(&self, guest: PlayerId, id: PushSubscriptionId) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            let is_theirs = tables.push_subscriptions.get(&id).is_some_and(|one| one.guest == guest);
            Ok(is_theirs && tables.push_subscriptions.remove(&id).is_some())
        })
    }
}

impl Tables {
    /// Deletes the subscriptions whose session or API token has ended, as a database does in the same transaction.
    pub(super) fn end_push_subscriptions(&mut self) {
        let Self { push_subscriptions, tokens, api_tokens, .. } = self;
        push_subscriptions.retain(|_, one| match one.bearer {
            PushBearer::Session(id) => {
                tokens.values().any(|token| token.guest == one.guest && token.session.id == id)
            }
            PushBearer::ApiToken(id) => {
                api_tokens.values().any(|(guest, token)| *guest == one.guest && token.id == id)
            }
        });
    }

    fn push_subscriptions_of(&self, guest: PlayerId) -> Vec<PushSubscription> {
        let mut theirs: Vec<_> =
            self.push_subscriptions.values().filter(|one| one.guest == guest).cloned().collect();
        theirs.sort_unstable_by_key(|one| Reverse((one.created_at, one.id)));
        theirs
    }

    fn may_push(&self, to: &PushSubscription, now: Millis) -> bool {
        let is_good = match to.bearer {
            PushBearer::Session(id) => {
                self.tokens.values().any(|token| token.guest == to.guest && token.session.id == id)
            }
            PushBearer::ApiToken(id) => self
                .api_tokens
                .values()
                .any(|(guest, token)| *guest == to.guest && token.id == id && token.expires_at > now),
        };
        is_good && self.guests.get(&to.guest).is_some_and(|guest| guest.blocked_at.is_none())
    }

    fn put_push_subscription(
        &mut self,
        new: PushSubscription,
    ) -> Result<Option<PushSubscription>, StoreError> {
        if !self.may_push(&new, new.created_at) {
            return Ok(None);
        }
        let same = self.push_subscriptions.values().find(|one| one.target.endpoint == new.target.endpoint);
        let same = same.map(|one| (one.id, one.guest));
        let id = same.filter(|(_, guest)| *guest == new.guest).map_or(new.id, |(id, _)| id);
        let same = same.map(|(same, _)| same);
        if same != Some(id) && self.push_subscriptions.contains_key(&id) {
            return failed("the subscription is there already");
        }
        if let Some(same) = same {
            self.push_subscriptions.remove(&same);
        }
        let stored = PushSubscription { id, ..new };
        self.push_subscriptions.insert(id, stored.clone());
        for one in
            self.push_subscriptions_of(stored.guest).iter().skip(PUSH_SUBSCRIPTIONS_PER_GUEST_MAX as usize)
        {
            self.push_subscriptions.remove(&one.id);
        }
        Ok(Some(stored))
    }
}
