//! Whom players follow.

use lusoria_play::{Millis, PlayerId};

use super::{Store, guests};
use crate::{FOLLOWS_PER_GUEST_MAX, Following, Guest, StoreFuture, sql::args};

impl Store {
    /// Makes a guest follow another one.
    pub fn add_follow(&self, guest: PlayerId, followed: PlayerId, at: Millis) -> StoreFuture<'_, Following> {
        self.write(guest.0, (guest, followed, at), |tx, &(guest, followed, at)| {
            Box::pin(async move {
                let is_there = guests::lock(tx, guest).await?.is_some();
                if !is_there || !tx.exists("SELECT 1 FROM guests WHERE id = $1", args![followed]).await? {
                    return Ok(Following::NoSuchGuest);
                }
                let same = "SELECT 1 FROM follows WHERE guest = $1 AND followed = $2";
                if tx.exists(same, args![guest, followed]).await? {
                    return Ok(Following::Followed);
                }
                let count: u32 =
                    tx.one("SELECT count(*) FROM follows WHERE guest = $1", args![guest]).await?;
                if count >= FOLLOWS_PER_GUEST_MAX {
                    return Ok(Following::TooMany);
                }
                let insert = "INSERT INTO follows (guest, followed, created_at) VALUES ($1, $2, $3)";
                tx.queue(insert, args![guest, followed, at]).await?;
                Ok(Following::Followed)
            })
        })
    }

    /// Ends that a guest follows another; false if they did not.
    pub fn remove_follow(&self, guest: PlayerId, followed: PlayerId) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let delete = "DELETE FROM follows WHERE guest = $1 AND followed = $2";
            Ok(self.execute(guest.0, delete, args![guest, followed]).await? == 1)
        })
    }

    /// Lists the guests that a guest follows, the latest first.
    pub fn followed_by(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Guest>> {
        let select = "SELECT guests.id, name, kind, guests.created_at, blocked_at \
             FROM follows JOIN guests ON guests.id = followed WHERE guest = $1 \
             ORDER BY follows.created_at DESC, followed DESC";
        self.all(select, args![guest])
    }
}
