//! Guests, and the codes with which they sign in on another device.

use lusoria_play::{Millis, PlayerId};

use super::{
    guest_rows::{GuestRow, forget_code, guest, may_ask},
    readers::Readers,
    sessions::NewSessionRow,
    sql::{execute, first},
    text::{column, hex, kind_column},
    writer::Writer,
};
use crate::{DeviceCode, Guest, NewSession, SecretHash, SessionId, SessionOrigin, StoreError};

/// Stores a new guest with their first session.
pub(super) async fn add(writer: &Writer, guest: Guest, session: NewSession) -> Result<(), StoreError> {
    let (id, created_at) = (guest.id.0.to_string(), column(guest.created_at));
    let session = NewSessionRow::new(session, SessionOrigin::Guest);
    let add = writer.write(move |connection| {
        let insert = "INSERT INTO guests (id, name, kind, created_at) VALUES (?1, ?2, ?3, ?4)";
        execute(connection, insert, (&id, &guest.name, kind_column(guest.kind), created_at))?;
        session.insert(connection, &id, created_at)
    });
    Ok(add.await?)
}

/// The guest with that id.
pub(super) async fn get(readers: &Readers, id: PlayerId) -> Result<Option<Guest>, StoreError> {
    let select = "SELECT id, name, kind, created_at, blocked_at FROM guests WHERE id = ?1";
    let found = readers.read(move |connection| first(connection, select, [id.0.to_string()])).await?;
    found.map(guest).transpose()
}

/// Renames a guest; false if there is none.
pub(super) async fn rename(writer: &Writer, id: PlayerId, name: String) -> Result<bool, StoreError> {
    let rename = writer.write(move |connection| {
        let renamed =
            execute(connection, "UPDATE guests SET name = ?1 WHERE id = ?2", (&name, id.0.to_string()))?;
        Ok(renamed == 1)
    });
    Ok(rename.await?)
}

/// Keeps a code in the place of an earlier one; false if the session that asks has ended, or
/// the guest is blocked.
pub(super) async fn add_device_code(
    writer: &Writer,
    code: DeviceCode,
    by: SessionId,
) -> Result<bool, StoreError> {
    let guest = code.guest.0.to_string();
    let add = writer.write(move |connection| {
        // A session that has been ended since it was looked up leaves nothing behind.
        if !may_ask(connection, &guest, &by.0.to_string())? {
            return Ok(false);
        }
        forget_code(connection, &guest)?;
        let insert = "INSERT INTO device_codes (guest_id, hash, expires_at) VALUES (?1, ?2, ?3)";
        execute(connection, insert, (&guest, hex(code.hash.0), column(code.expires_at)))?;
        Ok(true)
    });
    Ok(add.await?)
}

const BY_CODE: &str = "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at \
     FROM device_codes JOIN guests ON guests.id = device_codes.guest_id \
     WHERE device_codes.hash = ?1 AND device_codes.expires_at > ?2";

/// Spends a code for a new session; none if the code is not good.
pub(super) async fn spend_device_code(
    writer: &Writer,
    code: SecretHash,
    session: NewSession,
    now: Millis,
) -> Result<Option<Guest>, StoreError> {
    let session = NewSessionRow::new(session, SessionOrigin::DeviceCode);
    let (code, now) = (hex(code.0), column(now));
    let spend = writer.write(move |connection| {
        let found: Option<GuestRow> = first(connection, BY_CODE, (&code, now))?;
        if let Some((id, .., None)) = &found {
            forget_code(connection, id)?;
            session.add(connection, id, now)?;
        }
        Ok(found)
    });
    spend.await?.map(guest).transpose()
}
