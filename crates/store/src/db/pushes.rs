//! Push subscriptions. A session or an API token that ends takes its subscriptions with it: their rows refer to it, and
//! are deleted with its own.

use lusoria_play::{ApiTokenId, Millis, PlayerId, PushSubscriptionId, SessionId};
use sqlx::Error;

use super::{Store, guests};
use crate::{
    PUSH_SUBSCRIPTIONS_PER_GUEST_MAX, PushBearer, PushSubscription, PushTarget, StoreFuture,
    sql::{
        Tx, args,
        value::{AnyRow, Row, undecodable},
    },
};

macro_rules! subscriptions {
    ($condition:literal) => {
        concat!(
            "SELECT id, guest, session, api_token, endpoint, key, auth, language, created_at \
             FROM push_subscriptions WHERE ",
            $condition
        )
    };
}

impl Row for PushSubscription {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: row.get(0)?,
            guest: row.get(1)?,
            bearer: match (row.get(2)?, row.get(3)?) {
                (Some(id), None) => PushBearer::Session(id),
                (None, Some(id)) => PushBearer::ApiToken(id),
                _ => return Err(undecodable("a push subscription is not of one token")),
            },
            target: PushTarget { endpoint: row.get(4)?, key: row.get(5)?, auth: row.get(6)? },
            language: row.get(7)?,
            created_at: row.get(8)?,
        })
    }
}

/// The columns `session` and `api_token`, one of which is null.
const fn bearer_columns(bearer: PushBearer) -> (Option<SessionId>, Option<ApiTokenId>) {
    match bearer {
        PushBearer::Session(id) => (Some(id), None),
        PushBearer::ApiToken(id) => (None, Some(id)),
    }
}

/// Locks the guest. Tells whether what makes the subscription has not ended, and they are not blocked.
async fn may_subscribe(tx: &mut Tx, new: &PushSubscription) -> Result<bool, Error> {
    let id = match new.bearer {
        PushBearer::Session(id) => return guests::may_ask(tx, new.guest, id).await,
        PushBearer::ApiToken(id) => id,
    };
    if guests::lock(tx, new.guest).await?.is_none_or(|guest| guest.blocked_at.is_some()) {
        return Ok(false);
    }
    let token = "SELECT 1 FROM api_tokens WHERE guest = $1 AND id = $2 AND expires_at > $3";
    tx.exists(token, args![new.guest, id, new.created_at]).await
}

impl Store {
    /// Stores a subscription in the place of one with the same endpoint, whose id it takes if that was the same
    /// guest's. Beyond [`PUSH_SUBSCRIPTIONS_PER_GUEST_MAX`](crate::PUSH_SUBSCRIPTIONS_PER_GUEST_MAX) the oldest of the
    /// guest is deleted. Returns it as it is stored; none, and nothing changes, if what makes it has ended or the guest
    /// is blocked.
    pub fn put_push_subscription(&self, new: PushSubscription) -> StoreFuture<'_, Option<PushSubscription>> {
        self.write(new.guest.0, new, |tx, new| {
            Box::pin(async move {
                if !may_subscribe(tx, new).await? {
                    return Ok(None);
                }
                let upsert = "INSERT INTO push_subscriptions AS known (id, guest, session, api_token, endpoint, key, \
                     auth, language, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
                     ON CONFLICT (endpoint) DO UPDATE SET \
                     id = CASE WHEN known.guest = excluded.guest THEN known.id ELSE excluded.id END, \
                     guest = excluded.guest, session = excluded.session, api_token = excluded.api_token, \
                     key = excluded.key, auth = excluded.auth, language = excluded.language, \
                     created_at = excluded.created_at RETURNING id";
                let PushSubscription { id, guest, bearer, ref target, ref language, created_at } = *new;
                let PushTarget { endpoint, key, auth } = target;
                let (session, api_token) = bearer_columns(bearer);
                let language = language.as_deref();
                let row = args![id, guest, session, api_token, endpoint, *key, *auth, language, created_at];
                let id = tx.one(upsert, row).await?;
                let delete = "DELETE FROM push_subscriptions WHERE guest = $1 AND id NOT IN (SELECT id \
                     FROM push_subscriptions WHERE guest = $1 ORDER BY created_at DESC, id DESC LIMIT $2)";
                tx.queue(delete, args![guest, PUSH_SUBSCRIPTIONS_PER_GUEST_MAX]).await?;
                Ok(Some(PushSubscription { id, ..new.clone() }))
            })
        })
    }

    /// Lists the subscriptions of a guest, the newest first.
    pub fn push_subscriptions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<PushSubscription>> {
        self.all(subscriptions!("guest = $1 ORDER BY created_at DESC, id DESC"), args![guest])
    }

    /// Lists those of them to which messages may be sent at `now`, in any order: none if the guest is blocked, and none
    /// whose API token has expired.
    pub fn push_targets(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<PushSubscription>> {
        let select = subscriptions!(
            "guest = $1 AND EXISTS (SELECT 1 FROM guests WHERE guests.id = $1 AND blocked_at IS NULL) \
             AND (api_token IS NULL OR EXISTS (SELECT 1 FROM api_tokens WHERE api_tokens.id = api_token \
             AND expires_at > $2))"
        );
        self.all(select, args![guest, now])
    }

    /// Deletes a subscription of a guest. False if they have none with that id.
    pub fn remove_push_subscription(&self, guest: PlayerId, id: PushSubscriptionId) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let delete = "DELETE FROM push_subscriptions WHERE guest = $1 AND id = $2";
            Ok(self.execute(guest.0, delete, args![guest, id]).await? == 1)
        })
    }
}
