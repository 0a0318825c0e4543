//! Whom players follow.

use lusoria_play::{Millis, PlayerId};
use sqlx_core::{query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::Postgres;

use super::{
    guests::{GuestRow, guest_of, lock},
    readers::Readers,
    writer::Writer,
};
use crate::{FOLLOWS_PER_GUEST_MAX, Following, Guest, StoreError, text::column};

/// Has a guest follow another one.
pub(super) async fn add(
    writer: &Writer,
    guest: PlayerId,
    followed: PlayerId,
    at: Millis,
) -> Result<Following, StoreError> {
    let add = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            let is_there = "SELECT EXISTS (SELECT FROM guests WHERE id = $1)";
            let is_there = query_scalar::<Postgres, bool>(is_there).bind(followed.0);
            if lock(connection, guest).await?.is_none() || !is_there.fetch_one(&mut *connection).await? {
                return Ok(Following::NoSuchGuest);
            }
            let has = "SELECT EXISTS (SELECT FROM follows WHERE guest = $1 AND followed = $2)";
            let has = query_scalar::<Postgres, bool>(has).bind(guest.0).bind(followed.0);
            if has.fetch_one(&mut *connection).await? {
                return Ok(Following::Followed);
            }
            let count = query_scalar::<Postgres, i64>("SELECT count(*) FROM follows WHERE guest = $1");
            if count.bind(guest.0).fetch_one(&mut *connection).await? >= i64::from(FOLLOWS_PER_GUEST_MAX) {
                return Ok(Following::TooMany);
            }
            let insert = "INSERT INTO follows (guest, followed, created_at) VALUES ($1, $2, $3)";
            let insert = query::<Postgres>(insert).bind(guest.0).bind(followed.0).bind(column(at));
            insert.execute(connection).await?;
            Ok(Following::Followed)
        })
    });
    Ok(add.await?)
}

/// Has a guest follow another one no longer; false if they did not.
pub(super) async fn remove(writer: &Writer, guest: PlayerId, followed: PlayerId) -> Result<bool, StoreError> {
    let remove = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            let remove = "DELETE FROM follows WHERE guest = $1 AND followed = $2";
            let remove = query::<Postgres>(remove).bind(guest.0).bind(followed.0);
            Ok(remove.execute(connection).await?.rows_affected() == 1)
        })
    });
    Ok(remove.await?)
}

/// Those whom a guest follows, the latest first.
pub(super) async fn by(readers: &Readers, of: PlayerId) -> Result<Vec<Guest>, StoreError> {
    let select = "SELECT guests.id, name, kind, guests.created_at, blocked_at \
         FROM follows JOIN guests ON guests.id = followed WHERE guest = $1 \
         ORDER BY follows.created_at DESC, followed DESC";
    let found: Vec<GuestRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(select).bind(of.0).fetch_all(connection)))
        .await?;
    found.into_iter().map(guest_of).collect()
}
