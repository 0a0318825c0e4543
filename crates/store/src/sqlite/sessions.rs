//! Sessions: the tokens of guests, one for each device.

use futures_util::future::BoxFuture;
use lusoria_play::{Millis, PlayerId};
use sqlx::{SqliteConnection, SqlitePool};

use super::{
    failure,
    guest_rows::{forget_code, guest},
    text::{column, hex, millis, origin, origin_column, session_id},
    write::Write,
    writer::Writer,
};
use crate::{
    Bearer, NewSession, SecretHash, Session, SessionId, SessionOrigin, StoreError, TOKENS_PER_GUEST_MAX,
};

/// How many sessions one write notes at most, so that turns need not wait long for it.
const NOTED_AT_ONCE_MAX: usize = 100;

/// A row of `guests` with the id of a session and when that was seen.
type BearerRow = (String, String, String, i64, Option<i64>, String, i64);

/// Who bears a token.
pub(super) async fn bearer(readers: &SqlitePool, token: SecretHash) -> Result<Option<Bearer>, StoreError> {
    let found: Option<BearerRow> = sqlx::query_as(
        "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at, tokens.id, tokens.seen_at \
         FROM tokens JOIN guests ON guests.id = tokens.guest_id WHERE tokens.hash = $1",
    )
    .bind(hex(token.0))
    .fetch_optional(readers)
    .await
    .map_err(failure::of_read)?;
    let Some((id, name, kind, created_at, blocked_at, session, seen_at)) = found else { return Ok(None) };
    Ok(Some(Bearer {
        guest: guest((id, name, kind, created_at, blocked_at))?,
        session: session_id(&session)?,
        seen_at: millis(seen_at)?,
    }))
}

/// A row of `tokens`, without its hash.
type SessionRow = (String, i64, String, Option<String>, i64);

fn session((id, created_at, of, device, seen_at): SessionRow) -> Result<Session, StoreError> {
    Ok(Session {
        id: session_id(&id)?,
        created_at: millis(created_at)?,
        origin: origin(&of)?,
        device,
        seen_at: millis(seen_at)?,
    })
}

/// The sessions of a guest, the newest first.
pub(super) async fn of_guest(readers: &SqlitePool, guest: PlayerId) -> Result<Vec<Session>, StoreError> {
    let rows: Vec<SessionRow> = sqlx::query_as(
        "SELECT id, created_at, origin, device, seen_at FROM tokens WHERE guest_id = $1 \
         ORDER BY created_at DESC, hash DESC LIMIT $2",
    )
    .bind(guest.0.to_string())
    .bind(i64::from(TOKENS_PER_GUEST_MAX))
    .fetch_all(readers)
    .await
    .map_err(failure::of_read)?;
    rows.into_iter().map(session).collect()
}

/// Ends one session of a guest, as another or itself asks; false if there is none with that id.
pub(super) async fn revoke(
    writer: &Writer,
    guest: PlayerId,
    id: SessionId,
    by: SessionId,
) -> Result<bool, StoreError> {
    let which = if id == by { Which::Itself } else { Which::This };
    let revoke = Revoke { guest: guest.0.to_string(), id: id.0.to_string(), which };
    Ok(writer.write(revoke).await? > 0)
}

/// Ends all other sessions of a guest; how many there were.
pub(super) async fn revoke_others(
    writer: &Writer,
    guest: PlayerId,
    kept: SessionId,
) -> Result<u64, StoreError> {
    let revoke = Revoke { guest: guest.0.to_string(), id: kept.0.to_string(), which: Which::Others };
    Ok(writer.write(revoke).await?)
}

/// Notes when sessions were used.
pub(super) async fn note_seen(writer: &Writer, seen: Vec<(SessionId, Millis)>) -> Result<(), StoreError> {
    for portion in seen.chunks(NOTED_AT_ONCE_MAX) {
        let seen = portion.iter().map(|(id, at)| (id.0.to_string(), column(*at))).collect();
        writer.write(Seen { seen }).await?;
    }
    Ok(())
}

/// A new session, converted to columns.
pub(super) struct NewSessionRow {
    id: String,
    token: String,
    device: Option<String>,
    origin: &'static str,
}

impl NewSessionRow {
    pub(super) fn new(new: NewSession, origin: SessionOrigin) -> Self {
        Self {
            id: new.id.0.to_string(),
            token: hex(new.token.0),
            device: new.device,
            origin: origin_column(origin),
        }
    }

    /// Stores it for a guest.
    pub(super) async fn insert(
        &self,
        connection: &mut SqliteConnection,
        guest: &str,
        now: i64,
    ) -> sqlx::Result<()> {
        sqlx::query(
            "INSERT INTO tokens (hash, guest_id, created_at, id, origin, device, seen_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $3)",
        )
        .bind(&self.token)
        .bind(guest)
        .bind(now)
        .bind(&self.id)
        .bind(self.origin)
        .bind(&self.device)
        .execute(connection)
        .await?;
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Which {
    /// The one that asks.
    Itself,
    /// One that another asks to end.
    This,
    /// All but the one that asks.
    Others,
}

struct Revoke {
    guest: String,
    id: String,
    which: Which,
}

impl Write for Revoke {
    /// How many sessions ended.
    type Outcome = u64;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<u64>> {
        let sql = match self.which {
            Which::Itself | Which::This => "DELETE FROM tokens WHERE guest_id = $1 AND id = $2",
            Which::Others => "DELETE FROM tokens WHERE guest_id = $1 AND id <> $2",
        };
        Box::pin(async move {
            let revoked = sqlx::query(sql).bind(&self.guest).bind(&self.id).execute(&mut *connection).await?;
            match self.which {
                // A code is as good as a session, and one that ends may have made it.
                Which::This if revoked.rows_affected() > 0 => forget_code(connection, &self.guest).await?,
                Which::Others => forget_code(connection, &self.guest).await?,
                Which::Itself | Which::This => {}
            }
            Ok(revoked.rows_affected())
        })
    }
}

struct Seen {
    seen: Vec<(String, i64)>,
}

impl Write for Seen {
    type Outcome = ();
    const IS_ACKNOWLEDGED: bool = false;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>> {
        Box::pin(async {
            for (id, at) in &self.seen {
                sqlx::query("UPDATE tokens SET seen_at = $1 WHERE id = $2 AND seen_at < $1")
                    .bind(at)
                    .bind(id)
                    .execute(&mut *connection)
                    .await?;
            }
            Ok(())
        })
    }
}
