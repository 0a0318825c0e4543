//! Idempotency keys.

use lusoria_play::PlayerId;
use rusqlite::Connection;

use super::{
    readers::Readers,
    sql::{execute, exists, first},
    text::{bytes, column, hex, match_id, seq},
};
use crate::{KeyUse, StoreError, UsedKey};

/// What a key was used for.
pub(super) async fn used(
    readers: &Readers,
    guest: PlayerId,
    key: String,
) -> Result<Option<UsedKey>, StoreError> {
    let select = "SELECT digest, id, first_seq FROM used_keys JOIN matches ON matches.number = used_keys.match \
         WHERE guest_id = ?1 AND key = ?2";
    let found: Option<(String, [u8; 16], i64)> =
        readers.read(move |connection| first(connection, select, (guest.0.to_string(), key))).await?;
    let Some((digest, id, first)) = found else { return Ok(None) };
    Ok(Some(UsedKey { digest: bytes(digest)?, id: match_id(id), first: seq(first)? }))
}

/// A key with what it is used for, converted to columns.
pub(super) struct Key {
    guest: String,
    name: String,
    digest: String,
    first: i64,
    at: i64,
}

impl Key {
    pub(super) fn of(key: &KeyUse, first: u32) -> Self {
        Self {
            guest: key.guest.0.to_string(),
            name: key.key.clone(),
            digest: hex(key.digest),
            first: i64::from(first),
            at: column(key.at),
        }
    }

    pub(super) fn is_used(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let used = "SELECT 1 FROM used_keys WHERE guest_id = ?1 AND key = ?2";
        exists(connection, used, (&self.guest, &self.name))
    }

    /// Uses it up for what was done in a match.
    pub(super) fn insert(&self, connection: &Connection, number: i64) -> rusqlite::Result<()> {
        let Self { guest, name, digest, first, at } = self;
        let insert = "INSERT INTO used_keys (guest_id, key, digest, match, first_seq, at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        execute(connection, insert, (guest, name, digest, number, first, at)).map(drop)
    }
}
