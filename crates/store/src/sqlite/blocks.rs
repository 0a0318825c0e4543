//! Whom players do not want to meet.

use lusoria_play::{Millis, PlayerId};

use super::{
    guest_rows::{GuestRow, guest},
    readers::Readers,
    sql::{execute, exists, one, rows},
    text::{column, player_id},
    writer::Writer,
};
use crate::{BLOCKS_PER_GUEST_MAX, Blocking, Guest, StoreError};

/// Has a guest block another one.
pub(super) async fn add(
    writer: &Writer,
    guest: PlayerId,
    blocked: PlayerId,
    at: Millis,
) -> Result<Blocking, StoreError> {
    let (guest, blocked) = (guest.0.to_string(), blocked.0.to_string());
    let add = writer.write(move |connection| {
        for id in [&guest, &blocked] {
            if !exists(connection, "SELECT 1 FROM guests WHERE id = ?1", [id])? {
                return Ok(Blocking::NoSuchGuest);
            }
        }
        let has = "SELECT 1 FROM blocks WHERE guest_id = ?1 AND blocked_id = ?2";
        if exists(connection, has, (&guest, &blocked))? {
            return Ok(Blocking::Blocked);
        }
        let count = "SELECT COUNT(*) FROM blocks WHERE guest_id = ?1";
        let (count,): (u32,) = one(connection, count, [&guest])?;
        if count >= BLOCKS_PER_GUEST_MAX {
            return Ok(Blocking::TooMany);
        }
        let insert = "INSERT INTO blocks (guest_id, blocked_id, created_at) VALUES (?1, ?2, ?3)";
        execute(connection, insert, (&guest, &blocked, column(at)))?;
        Ok(Blocking::Blocked)
    });
    Ok(add.await?)
}

/// Has a guest block another one no longer; false if they did not.
pub(super) async fn remove(writer: &Writer, guest: PlayerId, blocked: PlayerId) -> Result<bool, StoreError> {
    let of = (guest.0.to_string(), blocked.0.to_string());
    let remove = writer.write(move |connection| {
        execute(connection, "DELETE FROM blocks WHERE guest_id = ?1 AND blocked_id = ?2", (&of.0, &of.1))
    });
    Ok(remove.await? == 1)
}

/// Those whom a guest has blocked, the latest first.
pub(super) async fn by(readers: &Readers, of: PlayerId) -> Result<Vec<Guest>, StoreError> {
    let select = "SELECT guests.id, name, kind, guests.created_at, blocked_at \
         FROM blocks JOIN guests ON guests.id = blocked_id WHERE guest_id = ?1 \
         ORDER BY blocks.created_at DESC, blocked_id DESC";
    let of = of.0.to_string();
    let found: Vec<GuestRow> = readers.read(move |connection| rows(connection, select, [of])).await?;
    found.into_iter().map(guest).collect()
}

/// Those whom a guest has blocked, and those who have blocked them.
pub(super) async fn around(readers: &Readers, guest: PlayerId) -> Result<Vec<PlayerId>, StoreError> {
    let select = "SELECT blocked_id FROM blocks WHERE guest_id = ?1 \
         UNION SELECT guest_id FROM blocks WHERE blocked_id = ?1";
    let guest = guest.0.to_string();
    let found: Vec<(String,)> = readers.read(move |connection| rows(connection, select, [guest])).await?;
    found.iter().map(|(id,)| player_id(id)).collect()
}
