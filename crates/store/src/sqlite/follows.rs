//! Whom players follow.

use lusoria_play::{Millis, PlayerId};

use super::{
    guest_rows::{GuestRow, guest},
    readers::Readers,
    sql::{execute, exists, one, rows},
    text::column,
    writer::Writer,
};
use crate::{FOLLOWS_PER_GUEST_MAX, Following, Guest, StoreError};

/// Has a guest follow another one.
pub(super) async fn add(
    writer: &Writer,
    guest: PlayerId,
    followed: PlayerId,
    at: Millis,
) -> Result<Following, StoreError> {
    let (guest, followed) = (guest.0.to_string(), followed.0.to_string());
    let add = writer.write(move |connection| {
        for id in [&guest, &followed] {
            if !exists(connection, "SELECT 1 FROM guests WHERE id = ?1", [id])? {
                return Ok(Following::NoSuchGuest);
            }
        }
        let has = "SELECT 1 FROM follows WHERE guest_id = ?1 AND followed_id = ?2";
        if exists(connection, has, (&guest, &followed))? {
            return Ok(Following::Followed);
        }
        let count = "SELECT COUNT(*) FROM follows WHERE guest_id = ?1";
        let (count,): (u32,) = one(connection, count, [&guest])?;
        if count >= FOLLOWS_PER_GUEST_MAX {
            return Ok(Following::TooMany);
        }
        let insert = "INSERT INTO follows (guest_id, followed_id, created_at) VALUES (?1, ?2, ?3)";
        execute(connection, insert, (&guest, &followed, column(at)))?;
        Ok(Following::Followed)
    });
    Ok(add.await?)
}

/// Has a guest follow another one no longer; false if they did not.
pub(super) async fn remove(writer: &Writer, guest: PlayerId, followed: PlayerId) -> Result<bool, StoreError> {
    let of = (guest.0.to_string(), followed.0.to_string());
    let remove = writer.write(move |connection| {
        execute(connection, "DELETE FROM follows WHERE guest_id = ?1 AND followed_id = ?2", (&of.0, &of.1))
    });
    Ok(remove.await? == 1)
}

/// Those whom a guest follows, the latest first.
pub(super) async fn by(readers: &Readers, of: PlayerId) -> Result<Vec<Guest>, StoreError> {
    let select = "SELECT guests.id, name, kind, guests.created_at, blocked_at \
         FROM follows JOIN guests ON guests.id = followed_id WHERE guest_id = ?1 \
         ORDER BY follows.created_at DESC, followed_id DESC";
    let of = of.0.to_string();
    let found: Vec<GuestRow> = readers.read(move |connection| rows(connection, select, [of])).await?;
    found.into_iter().map(guest).collect()
}
