//! Guests, and the codes with which they sign in on another device.

use futures_util::future::BoxFuture;
use lusoria_play::{Millis, PlayerId};
use sqlx::{SqliteConnection, SqlitePool};

use super::{
    failure,
    guest_rows::{GuestRow, forget_code, guest},
    sessions::NewSessionRow,
    text::{column, hex, kind_column},
    write::Write,
    writer::Writer,
};
use crate::{
    DeviceCode, Guest, NewSession, SecretHash, SessionId, SessionOrigin, StoreError, TOKENS_PER_GUEST_MAX,
};

/// Stores a new guest with their first session.
pub(super) async fn add(writer: &Writer, guest: Guest, session: NewSession) -> Result<(), StoreError> {
    let add = Add {
        id: guest.id.0.to_string(),
        name: guest.name,
        kind: kind_column(guest.kind),
        created_at: column(guest.created_at),
        session: NewSessionRow::new(session, SessionOrigin::Guest),
    };
    Ok(writer.write(add).await?)
}

/// The guest with that id.
pub(super) async fn get(readers: &SqlitePool, id: PlayerId) -> Result<Option<Guest>, StoreError> {
    let found: Option<GuestRow> =
        sqlx::query_as("SELECT id, name, kind, created_at, blocked_at FROM guests WHERE id = $1")
            .bind(id.0.to_string())
            .fetch_optional(readers)
            .await
            .map_err(failure::of_read)?;
    found.map(guest).transpose()
}

/// Renames a guest; false if there is none.
pub(super) async fn rename(writer: &Writer, id: PlayerId, name: String) -> Result<bool, StoreError> {
    Ok(writer.write(Rename { id: id.0.to_string(), name }).await?)
}

/// Keeps a code in the place of an earlier one; false if the session that asks has ended, or
/// the guest is blocked.
pub(super) async fn add_device_code(
    writer: &Writer,
    code: DeviceCode,
    by: SessionId,
) -> Result<bool, StoreError> {
    let add = AddCode {
        guest: code.guest.0.to_string(),
        by: by.0.to_string(),
        hash: hex(code.hash.0),
        expires_at: column(code.expires_at),
    };
    Ok(writer.write(add).await?)
}

/// Spends a code for a new session; none if the code is not good.
pub(super) async fn spend_device_code(
    writer: &Writer,
    code: SecretHash,
    session: NewSession,
    now: Millis,
) -> Result<Option<Guest>, StoreError> {
    let session = NewSessionRow::new(session, SessionOrigin::DeviceCode);
    let spend = SpendCode { code: hex(code.0), session, now: column(now) };
    let found = writer.write(spend).await?;
    found.map(guest).transpose()
}

struct Add {
    id: String,
    name: String,
    kind: &'static str,
    created_at: i64,
    session: NewSessionRow,
}

impl Write for Add {
    type Outcome = ();

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>> {
        Box::pin(async {
            sqlx::query("INSERT INTO guests (id, name, kind, created_at) VALUES ($1, $2, $3, $4)")
                .bind(&self.id)
                .bind(&self.name)
                .bind(self.kind)
                .bind(self.created_at)
                .execute(&mut *connection)
                .await?;
            self.session.insert(connection, &self.id, self.created_at).await
        })
    }
}

struct Rename {
    id: String,
    name: String,
}

impl Write for Rename {
    type Outcome = bool;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<bool>> {
        Box::pin(async {
            let renamed = sqlx::query("UPDATE guests SET name = $1 WHERE id = $2")
                .bind(&self.name)
                .bind(&self.id)
                .execute(connection)
                .await?;
            Ok(renamed.rows_affected() == 1)
        })
    }
}

struct AddCode {
    guest: String,
    by: String,
    hash: String,
    expires_at: i64,
}

impl Write for AddCode {
    type Outcome = bool;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<bool>> {
        Box::pin(async {
            // A session that has been ended since it was looked up leaves nothing behind.
            let may: Option<i64> = sqlx::query_scalar(
                "SELECT 1 FROM tokens JOIN guests ON guests.id = tokens.guest_id \
                 WHERE tokens.guest_id = $1 AND tokens.id = $2 AND guests.blocked_at IS NULL",
            )
            .bind(&self.guest)
            .bind(&self.by)
            .fetch_optional(&mut *connection)
            .await?;
            if may.is_none() {
                return Ok(false);
            }
            forget_code(&mut *connection, &self.guest).await?;
            sqlx::query("INSERT INTO device_codes (guest_id, hash, expires_at) VALUES ($1, $2, $3)")
                .bind(&self.guest)
                .bind(&self.hash)
                .bind(self.expires_at)
                .execute(connection)
                .await?;
            Ok(true)
        })
    }
}

struct SpendCode {
    code: String,
    session: NewSessionRow,
    now: i64,
}

impl Write for SpendCode {
    type Outcome = Option<GuestRow>;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<Self::Outcome>> {
        Box::pin(async {
            let found: Option<GuestRow> = sqlx::query_as(
                "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at FROM device_codes \
                 JOIN guests ON guests.id = device_codes.guest_id \
                 WHERE device_codes.hash = $1 AND device_codes.expires_at > $2",
            )
            .bind(&self.code)
            .bind(self.now)
            .fetch_optional(&mut *connection)
            .await?;
            let Some(guest) = found else { return Ok(None) };
            if guest.4.is_some() {
                return Ok(Some(guest));
            }
            forget_code(&mut *connection, &guest.0).await?;
            sqlx::query(
                "DELETE FROM tokens WHERE guest_id = $1 AND hash NOT IN (SELECT hash FROM tokens \
                 WHERE guest_id = $1 ORDER BY created_at DESC, hash DESC LIMIT $2)",
            )
            .bind(&guest.0)
            .bind(i64::from(TOKENS_PER_GUEST_MAX) - 1)
            .execute(&mut *connection)
            .await?;
            self.session.insert(connection, &guest.0, self.now).await?;
            Ok(Some(guest))
        })
    }
}
