//! Rows of `guests`, as several modules read and check them.

use lusoria_play::PlayerId;
use rusqlite::Connection;

use super::{
    sql::{execute, exists},
    text::{millis, player_id, player_kind},
};
use crate::{Guest, StoreError};

/// A row of `guests`.
pub(super) type GuestRow = (String, String, String, i64, Option<i64>);

/// The guest of a row.
pub(super) fn guest((id, name, kind, created_at, blocked_at): GuestRow) -> Result<Guest, StoreError> {
    let id = player_id(&id)?;
    let (kind, created_at) = (player_kind(id, &kind)?, millis(created_at)?);
    Ok(Guest { id, name, kind, created_at, blocked_at: blocked_at.map(millis).transpose()? })
}

/// Finds the first of them that is not a guest, or is blocked.
pub(super) fn first_gone(connection: &Connection, ids: &[PlayerId]) -> rusqlite::Result<Option<PlayerId>> {
    for id in ids {
        let is_there = "SELECT 1 FROM guests WHERE id = ?1 AND blocked_at IS NULL";
        if !exists(connection, is_there, [id.0.to_string()])? {
            return Ok(Some(*id));
        }
    }
    Ok(None)
}

/// Whether a session of a guest has not ended, and they are not blocked.
pub(super) fn may_ask(connection: &Connection, guest: &str, by: &str) -> rusqlite::Result<bool> {
    let may = "SELECT 1 FROM tokens JOIN guests ON guests.id = tokens.guest_id \
         WHERE tokens.guest_id = ?1 AND tokens.id = ?2 AND guests.blocked_at IS NULL";
    exists(connection, may, (guest, by))
}

/// Deletes the device code of a guest, if they have one.
pub(super) fn forget_code(connection: &Connection, guest: &str) -> rusqlite::Result<()> {
    execute(connection, "DELETE FROM device_codes WHERE guest_id = ?1", [guest]).map(drop)
}
