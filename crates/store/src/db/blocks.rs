//! Whom players do not want to meet.

use lusoria_play::{Millis, PlayerId};

use super::{Store, guests};
use crate::{
    BLOCKS_PER_GUEST_MAX, Blocking, Guest, StoreFuture,
    sql::{args, value::Ids},
};

impl Store {
    /// Blocks a guest for another one.
    pub fn add_block(&self, guest: PlayerId, blocked: PlayerId, at: Millis) -> StoreFuture<'_, Blocking> {
        self.write(guest.0, (guest, blocked, at), |tx, &(guest, blocked, at)| {
            Box::pin(async move {
                // A match that answers seeks of both waits for the lock, or has come before.
                let is_there = guests::lock(tx, guest).await?.is_some();
                if !is_there || !tx.exists("SELECT 1 FROM guests WHERE id = $1", args![blocked]).await? {
                    return Ok(Blocking::NoSuchGuest);
                }
                let same = "SELECT 1 FROM blocks WHERE guest = $1 AND blocked = $2";
                if tx.exists(same, args![guest, blocked]).await? {
                    return Ok(Blocking::Blocked);
                }
                let count: u32 = tx.one("SELECT count(*) FROM blocks WHERE guest = $1", args![guest]).await?;
                if count >= BLOCKS_PER_GUEST_MAX {
                    return Ok(Blocking::TooMany);
                }
                let insert = "INSERT INTO blocks (guest, blocked, created_at) VALUES ($1, $2, $3)";
                tx.queue(insert, args![guest, blocked, at]).await?;
                Ok(Blocking::Blocked)
            })
        })
    }

    /// Removes a block; false if none existed.
    pub fn remove_block(&self, guest: PlayerId, blocked: PlayerId) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let delete = "DELETE FROM blocks WHERE guest = $1 AND blocked = $2";
            Ok(self.execute(guest.0, delete, args![guest, blocked]).await? == 1)
        })
    }

    /// Lists the guests that a guest blocks, the latest first.
    pub fn blocked_by(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Guest>> {
        let select = "SELECT guests.id, name, kind, guests.created_at, blocked_at \
             FROM blocks JOIN guests ON guests.id = blocked WHERE guest = $1 \
             ORDER BY blocks.created_at DESC, blocked DESC";
        self.all(select, args![guest])
    }

    /// Lists the blocks of some guests: who blocks whom, in any order.
    pub fn blocks_by(&self, guests: Vec<PlayerId>) -> StoreFuture<'_, Vec<(PlayerId, PlayerId)>> {
        let select =
            "SELECT guest, blocked FROM blocks WHERE guest IN (SELECT unhex(value) FROM json_each($1))";
        self.all(select, args![Ids::of(guests.into_iter().map(|id| id.0))])
    }

    /// Lists the guests that a guest blocks, and those that block them, in any order.
    pub fn blocks_around(&self, guest: PlayerId) -> StoreFuture<'_, Vec<PlayerId>> {
        let select =
            "SELECT blocked FROM blocks WHERE guest = $1 UNION SELECT guest FROM blocks WHERE blocked = $1";
        self.all(select, args![guest])
    }
}
