//! Push subscriptions: where guests are told of what waits for them. A session or an API token that ends takes its
//! subscriptions with it: their rows refer to it, and are deleted with its own.

use lusoria_play::{ApiTokenId, Millis, PlayerId, PushSubscriptionId, SessionId};
use rusqlite::Connection;

use super::{
    SqliteStore,
    guest_rows::may_ask,
    readers::Readers,
    sql::{execute, exists, one, rows},
    text::{api_token_id, column, corrupt, millis, player_id, push_subscription_id, session_id},
    writer::Writer,
};
use crate::{
    PUSH_SUBSCRIPTIONS_PER_GUEST_MAX, PushBearer, PushSubscription, PushTarget, Pushes, StoreError,
    StoreFuture,
};

impl Pushes for SqliteStore {
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

const UPSERT: &str = "INSERT INTO push_subscriptions (id, guest_id, session_id, api_token_id, endpoint, key, auth, \
     language, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (endpoint) DO UPDATE SET \
     id = iif(guest_id = excluded.guest_id, id, excluded.id), guest_id = excluded.guest_id, \
     session_id = excluded.session_id, api_token_id = excluded.api_token_id, key = excluded.key, \
     auth = excluded.auth, language = excluded.language, created_at = excluded.created_at RETURNING id";
const FORGET_OLDEST: &str = "DELETE FROM push_subscriptions WHERE id IN (SELECT id FROM push_subscriptions \
     WHERE guest_id = ?1 ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?2)";

async fn put(writer: &Writer, new: PushSubscription) -> Result<Option<PushSubscription>, StoreError> {
    let (id, guest, now) = (new.id.0.to_string(), new.guest.0.to_string(), column(new.created_at));
    let bearer = BearerColumns::of(new.bearer);
    let row = new.clone();
    let put = writer.write(move |connection| {
        if !bearer.may_ask(connection, &guest, now)? {
            return Ok(None);
        }
        let (PushTarget { endpoint, key, auth }, BearerColumns { session, api_token }) =
            (&row.target, &bearer);
        let columns = (&id, &guest, session, api_token, endpoint, &key[..], &auth[..], &row.language, now);
        let (kept,): (String,) = one(connection, UPSERT, columns)?;
        execute(connection, FORGET_OLDEST, (&guest, PUSH_SUBSCRIPTIONS_PER_GUEST_MAX))?;
        Ok(Some(kept))
    });
    let kept = put.await?.map(|kept| push_subscription_id(&kept)).transpose()?;
    Ok(kept.map(|id| PushSubscription { id, ..new }))
}

/// The columns `session_id` and `api_token_id`, one of which is null.
struct BearerColumns {
    session: Option<String>,
    api_token: Option<String>,
}

impl BearerColumns {
    fn of(bearer: PushBearer) -> Self {
        match bearer {
            PushBearer::Session(SessionId(id)) => Self { session: Some(id.to_string()), api_token: None },
            PushBearer::ApiToken(ApiTokenId(id)) => Self { session: None, api_token: Some(id.to_string()) },
        }
    }

    /// Whether it has not ended, and the guest is not blocked.
    fn may_ask(&self, connection: &Connection, guest: &str, now: i64) -> rusqlite::Result<bool> {
        if let Some(session) = &self.session {
            return may_ask(connection, guest, session);
        }
        let may = "SELECT 1 FROM api_tokens JOIN guests ON guests.id = api_tokens.guest_id \
             WHERE api_tokens.guest_id = ?1 AND api_tokens.id = ?2 AND expires_at > ?3 AND blocked_at IS NULL";
        exists(connection, may, (guest, &self.api_token, now))
    }

    fn read(self) -> Result<PushBearer, StoreError> {
        match self {
            Self { session: Some(id), api_token: None } => Ok(PushBearer::Session(session_id(&id)?)),
            Self { session: None, api_token: Some(id) } => Ok(PushBearer::ApiToken(api_token_id(&id)?)),
            _ => Err(corrupt("a push subscription is not of one token")),
        }
    }
}

/// A row of `push_subscriptions`.
type SubscriptionRow =
    (String, String, Option<String>, Option<String>, String, [u8; 65], [u8; 16], Option<String>, i64);

fn subscription(row: SubscriptionRow) -> Result<PushSubscription, StoreError> {
    let (id, guest, session, api_token, endpoint, key, auth, language, created_at) = row;
    Ok(PushSubscription {
        id: push_subscription_id(&id)?,
        guest: player_id(&guest)?,
        bearer: BearerColumns { session, api_token }.read()?,
        target: PushTarget { endpoint, key, auth },
        language,
        created_at: millis(created_at)?,
    })
}

macro_rules! subscriptions_where {
    ($condition:literal) => {
        concat!(
            "SELECT id, guest_id, session_id, api_token_id, endpoint, key, auth, language, created_at \
             FROM push_subscriptions WHERE ",
            $condition
        )
    };
}

const OF_GUEST: &str = subscriptions_where!("guest_id = ?1 ORDER BY created_at DESC, id DESC");
const TARGETS: &str = subscriptions_where!(
    "guest_id = ?1 AND EXISTS (SELECT 1 FROM guests WHERE guests.id = guest_id AND blocked_at IS NULL) \
     AND (api_token_id IS NULL OR EXISTS (SELECT 1 FROM api_tokens WHERE api_tokens.id = api_token_id \
     AND expires_at > ?2))"
);

async fn of_guest(readers: &Readers, guest: PlayerId) -> Result<Vec<PushSubscription>, StoreError> {
    let found =
        readers.read(move |connection| rows::<SubscriptionRow>(connection, OF_GUEST, [guest.0.to_string()]));
    found.await?.into_iter().map(subscription).collect()
}

async fn targets(
    readers: &Readers,
    guest: PlayerId,
    now: Millis,
) -> Result<Vec<PushSubscription>, StoreError> {
    let by = (guest.0.to_string(), column(now));
    let found = readers.read(move |connection| rows::<SubscriptionRow>(connection, TARGETS, by));
    found.await?.into_iter().map(subscription).collect()
}

async fn remove(writer: &Writer, guest: PlayerId, id: PushSubscriptionId) -> Result<bool, StoreError> {
    let of = (guest.0.to_string(), id.0.to_string());
    let remove = writer.write(move |connection| {
        let remove = "DELETE FROM push_subscriptions WHERE guest_id = ?1 AND id = ?2";
        Ok(execute(connection, remove, (&of.0, &of.1))? == 1)
    });
    Ok(remove.await?)
}
