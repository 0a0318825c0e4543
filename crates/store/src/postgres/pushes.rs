//! Push subscriptions: where guests are told of what waits for them. A session or an API token that ends takes its
//! subscriptions with it: their rows refer to it, and are deleted with its own.

use std::sync::Arc;

use lusoria_play::{ApiTokenId, Millis, PlayerId, PushSubscriptionId, SessionId};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{
    PostgresStore,
    guests::{lock, may_ask},
    readers::Readers,
    writer::Writer,
};
use crate::{
    PUSH_SUBSCRIPTIONS_PER_GUEST_MAX, PushBearer, PushSubscription, PushTarget, Pushes, StoreError,
    StoreFuture,
    text::{column, corrupt, millis},
};

impl Pushes for PostgresStore {
    fn put_push_subscription(&self, new: PushSubscription) -> StoreFuture<'_, Option<PushSubscription>> {
        Box::pin(put(&self.writer, new))
    }

    fn push_subscriptions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<PushSubscription>> {
        Box::pin(of_guest(&self.readers, guest))
    }

    fn push_targets(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<PushSubscription>> {
        Box::pin(targets(&self.readers, guest, now))
    }

    fn remove_push_subscription(&self, guest: PlayerId, id: PushSubscriptionId) -> StoreFuture<'_, bool> {
        Box::pin(remove(&self.writer, guest, id))
    }
}

const UPSERT: &str = "INSERT INTO push_subscriptions AS known (id, guest, session, api_token, endpoint, key, auth, \
     language, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (endpoint) DO UPDATE SET \
     id = CASE WHEN known.guest = excluded.guest THEN known.id ELSE excluded.id END, guest = excluded.guest, \
     session = excluded.session, api_token = excluded.api_token, key = excluded.key, auth = excluded.auth, \
     language = excluded.language, created_at = excluded.created_at RETURNING id";
const FORGET_OLDEST: &str = "DELETE FROM push_subscriptions WHERE id IN (SELECT id FROM push_subscriptions \
     WHERE guest = $1 ORDER BY created_at DESC, id DESC OFFSET $2)";

async fn put(writer: &Writer, new: PushSubscription) -> Result<Option<PushSubscription>, StoreError> {
    let (guest, new) = (new.guest, Arc::new(new));
    let stored = Arc::clone(&new);
    let put = writer.write(guest.0, move |connection| {
        let new = Arc::clone(&stored);
        Box::pin(async move {
            if !is_good(connection, &new).await? {
                return Ok(None);
            }
            let PushTarget { endpoint, key, auth } = &new.target;
            let (session, api_token) = bearer_columns(new.bearer);
            let upsert = query_scalar::<Postgres, Uuid>(UPSERT)
                .bind(new.id.0)
                .bind(new.guest.0)
                .bind(session)
                .bind(api_token)
                .bind(endpoint)
                .bind(&key[..])
                .bind(&auth[..])
                .bind(&new.language)
                .bind(column(new.created_at));
            let id = upsert.fetch_one(&mut *connection).await?;
            let forget = query::<Postgres>(FORGET_OLDEST).bind(new.guest.0);
            forget.bind(i64::from(PUSH_SUBSCRIPTIONS_PER_GUEST_MAX)).execute(connection).await?;
            Ok(Some(id))
        })
    });
    let id = put.await?.map(PushSubscriptionId);
    Ok(id.map(|id| PushSubscription { id, ..PushSubscription::clone(&new) }))
}

/// Locks the guest. Tells whether what makes the subscription has not ended, and they are not blocked.
async fn is_good(connection: &mut PgConnection, new: &PushSubscription) -> Result<bool, Error> {
    let id = match new.bearer {
        PushBearer::Session(id) => return may_ask(connection, new.guest, id).await,
        PushBearer::ApiToken(id) => id,
    };
    if !matches!(lock(connection, new.guest).await?, Some((.., None))) {
        return Ok(false);
    }
    let is = "SELECT EXISTS (SELECT FROM api_tokens WHERE guest = $1 AND id = $2 AND expires_at > $3)";
    let is = query_scalar::<Postgres, bool>(is).bind(new.guest.0).bind(id.0).bind(column(new.created_at));
    is.fetch_one(connection).await
}

/// The columns `session` and `api_token`, one of which is null.
const fn bearer_columns(bearer: PushBearer) -> (Option<Uuid>, Option<Uuid>) {
    match bearer {
        PushBearer::Session(SessionId(id)) => (Some(id), None),
        PushBearer::ApiToken(ApiTokenId(id)) => (None, Some(id)),
    }
}

/// A row of `push_subscriptions`.
type SubscriptionRow =
    (Uuid, Uuid, Option<Uuid>, Option<Uuid>, String, Vec<u8>, Vec<u8>, Option<String>, i64);

fn subscription(row: SubscriptionRow) -> Result<PushSubscription, StoreError> {
    let (id, guest, session, api_token, endpoint, key, auth, language, created_at) = row;
    let length = |_| corrupt("a key of a push subscription has another length");
    Ok(PushSubscription {
        id: PushSubscriptionId(id),
        guest: PlayerId(guest),
        bearer: match (session, api_token) {
            (Some(id), None) => PushBearer::Session(SessionId(id)),
            (None, Some(id)) => PushBearer::ApiToken(ApiTokenId(id)),
            _ => return Err(corrupt("a push subscription is not of one token")),
        },
        target: PushTarget {
            endpoint,
            key: key.try_into().map_err(length)?,
            auth: auth.try_into().map_err(length)?,
        },
        language,
        created_at: millis(created_at)?,
    })
}

macro_rules! subscriptions_where {
    ($condition:literal) => {
        concat!(
            "SELECT id, guest, session, api_token, endpoint, key, auth, language, created_at \
             FROM push_subscriptions WHERE ",
            $condition
        )
    };
}

const OF_GUEST: &str = subscriptions_where!("guest = $1 ORDER BY created_at DESC, id DESC");
const TARGETS: &str = subscriptions_where!(
    "guest = $1 AND EXISTS (SELECT FROM guests WHERE guests.id = $1 AND blocked_at IS NULL) \
     AND (api_token IS NULL OR EXISTS (SELECT FROM api_tokens WHERE api_tokens.id = api_token \
     AND expires_at > $2))"
);

async fn of_guest(readers: &Readers, guest: PlayerId) -> Result<Vec<PushSubscription>, StoreError> {
    let found: Vec<SubscriptionRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(OF_GUEST).bind(guest.0).fetch_all(connection)))
        .await?;
    found.into_iter().map(subscription).collect()
}

async fn targets(
    readers: &Readers,
    guest: PlayerId,
    now: Millis,
) -> Result<Vec<PushSubscription>, StoreError> {
    let found: Vec<SubscriptionRow> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(TARGETS).bind(guest.0).bind(column(now));
            Box::pin(select.fetch_all(connection))
        })
        .await?;
    found.into_iter().map(subscription).collect()
}

async fn remove(writer: &Writer, guest: PlayerId, id: PushSubscriptionId) -> Result<bool, StoreError> {
    let remove = writer.write(guest.0, move |connection| {
        let remove = query::<Postgres>("DELETE FROM push_subscriptions WHERE guest = $1 AND id = $2");
        let remove = remove.bind(guest.0).bind(id.0);
        Box::pin(async move { Ok(remove.execute(connection).await?.rows_affected() == 1) })
    });
    Ok(remove.await?)
}
