//! Idempotency keys.

use lusoria_play::{MatchId, PlayerId};
use sqlx::{SqliteConnection, SqlitePool};

use super::{
    failure,
    text::{bytes, column, hex, match_id, seq},
};
use crate::{KeyUse, StoreError, UsedKey};

/// What a key was used for.
pub(super) async fn used(
    readers: &SqlitePool,
    guest: PlayerId,
    key: String,
) -> Result<Option<UsedKey>, StoreError> {
    let found: Option<(String, String, i64)> =
        sqlx::query_as("SELECT digest, match_id, first_seq FROM used_keys WHERE guest_id = $1 AND key = $2")
            .bind(guest.0.to_string())
            .bind(key)
            .fetch_optional(readers)
            .await
            .map_err(failure::of_read)?;
    let Some((digest, id, first)) = found else { return Ok(None) };
    Ok(Some(UsedKey { digest: bytes(digest)?, id: match_id(&id)?, first: seq(first)? }))
}

/// A key with what it is used for, converted to columns.
pub(super) struct Key {
    guest: String,
    name: String,
    digest: String,
    match_id: String,
    first: i64,
    at: i64,
}

impl Key {
    pub(super) fn of(key: &KeyUse, id: MatchId, first: u32) -> Self {
        Self {
            guest: key.guest.0.to_string(),
            name: key.key.clone(),
            digest: hex(key.digest),
            match_id: id.0.to_string(),
            first: i64::from(first),
            at: column(key.at),
        }
    }

    pub(super) async fn is_used(&self, connection: &mut SqliteConnection) -> sqlx::Result<bool> {
        let found: Option<i64> =
            sqlx::query_scalar("SELECT first_seq FROM used_keys WHERE guest_id = $1 AND key = $2")
                .bind(&self.guest)
                .bind(&self.name)
                .fetch_optional(connection)
                .await?;
        Ok(found.is_some())
    }

    pub(super) async fn insert(&self, connection: &mut SqliteConnection) -> sqlx::Result<()> {
        sqlx::query(
            "INSERT INTO used_keys (guest_id, key, digest, match_id, first_seq, at) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(&self.guest)
        .bind(&self.name)
        .bind(&self.digest)
        .bind(&self.match_id)
        .bind(self.first)
        .bind(self.at)
        .execute(connection)
        .await?;
        Ok(())
    }
}
