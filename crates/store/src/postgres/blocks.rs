//! Whom players do not want to meet.

use lusoria_play::{Millis, PlayerId};
use sqlx_core::{query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::Postgres;
use uuid::Uuid;

use super::{
    guests::{GuestRow, guest_of, lock},
    readers::Readers,
    writer::Writer,
};
use crate::{BLOCKS_PER_GUEST_MAX, Blocking, Guest, StoreError, text::column};

/// Has a guest block another one. Locks them: a match that answers seeks of both waits, or was before.
pub(super) async fn add(
    writer: &Writer,
    guest: PlayerId,
    blocked: PlayerId,
    at: Millis,
) -> Result<Blocking, StoreError> {
    let add = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            let is_there = "SELECT EXISTS (SELECT FROM guests WHERE id = $1)";
            let is_there = query_scalar::<Postgres, bool>(is_there).bind(blocked.0);
            if lock(connection, guest).await?.is_none() || !is_there.fetch_one(&mut *connection).await? {
                return Ok(Blocking::NoSuchGuest);
            }
            let has = "SELECT EXISTS (SELECT FROM blocks WHERE guest = $1 AND blocked = $2)";
            let has = query_scalar::<Postgres, bool>(has).bind(guest.0).bind(blocked.0);
            if has.fetch_one(&mut *connection).await? {
                return Ok(Blocking::Blocked);
            }
            let count = query_scalar::<Postgres, i64>("SELECT count(*) FROM blocks WHERE guest = $1");
            if count.bind(guest.0).fetch_one(&mut *connection).await? >= i64::from(BLOCKS_PER_GUEST_MAX) {
                return Ok(Blocking::TooMany);
            }
            let insert = "INSERT INTO blocks (guest, blocked, created_at) VALUES ($1, $2, $3)";
            let insert = query::<Postgres>(insert).bind(guest.0).bind(blocked.0).bind(column(at));
            insert.execute(connection).await?;
            Ok(Blocking::Blocked)
        })
    });
    Ok(add.await?)
}

/// Has a guest block another one no longer; false if they did not.
pub(super) async fn remove(writer: &Writer, guest: PlayerId, blocked: PlayerId) -> Result<bool, StoreError> {
    let remove = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            let remove = "DELETE FROM blocks WHERE guest = $1 AND blocked = $2";
            let remove = query::<Postgres>(remove).bind(guest.0).bind(blocked.0);
            Ok(remove.execute(connection).await?.rows_affected() == 1)
        })
    });
    Ok(remove.await?)
}

/// Those whom a guest has blocked, the latest first.
pub(super) async fn by(readers: &Readers, of: PlayerId) -> Result<Vec<Guest>, StoreError> {
    let select = "SELECT guests.id, name, kind, guests.created_at, blocked_at \
         FROM blocks JOIN guests ON guests.id = blocked WHERE guest = $1 \
         ORDER BY blocks.created_at DESC, blocked DESC";
    let found: Vec<GuestRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(select).bind(of.0).fetch_all(connection)))
        .await?;
    found.into_iter().map(guest_of).collect()
}

/// Those whom a guest has blocked, and those who have blocked them.
pub(super) async fn around(readers: &Readers, guest: PlayerId) -> Result<Vec<PlayerId>, StoreError> {
    let select =
        "SELECT blocked FROM blocks WHERE guest = $1 UNION SELECT guest FROM blocks WHERE blocked = $1";
    let found: Vec<Uuid> = readers
        .read(|connection| Box::pin(query_scalar::<Postgres, _>(select).bind(guest.0).fetch_all(connection)))
        .await?;
    Ok(found.into_iter().map(PlayerId).collect())
}
