//! API tokens: what lets programs act for an account.

use lusoria_play::{Millis, PlayerId};
use rusqlite::Connection;

use super::{
    accounts::holds,
    guest_rows::{GuestRow, guest},
    readers::Readers,
    sessions::NOTED_AT_ONCE_MAX,
    sql::{execute, first, one, rows},
    text::{api_token_id, ban, column, hex, millis},
    writer::Writer,
};
use crate::{
    API_TOKENS_PER_GUEST_MAX, ApiBearer, ApiToken, ApiTokenAddition, ApiTokenId, NewApiToken, Proof,
    SecretHash, StoreError,
};

/// Stores a token of an account, in the place of those that have expired.
pub(super) async fn add(
    writer: &Writer,
    proof: Proof,
    new: NewApiToken,
) -> Result<ApiTokenAddition, StoreError> {
    let guest = proof.guest.0.to_string();
    let NewApiToken { id, hash, name, scopes, created_at, expires_at } = new;
    let (id, hash) = (id.0.to_string(), hex(hash.0));
    let (created_at, expires_at) = (column(created_at), column(expires_at));
    let add = writer.write(move |connection| {
        if !holds(connection, &proof)? {
            return Ok(ApiTokenAddition::NotProven);
        }
        let good = "SELECT COUNT(*) FROM api_tokens WHERE guest_id = ?1 AND expires_at > ?2";
        let (good,): (u32,) = one(connection, good, (&guest, created_at))?;
        if good >= API_TOKENS_PER_GUEST_MAX {
            return Ok(ApiTokenAddition::TooMany);
        }
        let expired = "DELETE FROM api_tokens WHERE guest_id = ?1 AND expires_at <= ?2";
        execute(connection, expired, (&guest, created_at))?;
        let insert = "INSERT INTO api_tokens (hash, id, guest_id, name, scopes, created_at, expires_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        execute(connection, insert, (&hash, &id, &guest, &name, &scopes, created_at, expires_at))?;
        Ok(ApiTokenAddition::Added)
    });
    Ok(add.await?)
}

/// A row of `api_tokens`, without its hash and its guest.
type TokenRow = (String, String, String, i64, i64, Option<i64>);

fn token((id, name, scopes, created_at, expires_at, used_at): TokenRow) -> Result<ApiToken, StoreError> {
    Ok(ApiToken {
        id: api_token_id(&id)?,
        name,
        scopes,
        created_at: millis(created_at)?,
        expires_at: millis(expires_at)?,
        used_at: used_at.map(millis).transpose()?,
    })
}

const OF_GUEST: &str = "SELECT id, name, scopes, created_at, expires_at, used_at FROM api_tokens \
     WHERE guest_id = ?1 ORDER BY created_at DESC, id DESC";

/// The tokens of a guest, the newest first.
pub(super) async fn of_guest(readers: &Readers, guest: PlayerId) -> Result<Vec<ApiToken>, StoreError> {
    let found =
        readers.read(move |connection| rows::<TokenRow>(connection, OF_GUEST, (guest.0.to_string(),)));
    found.await?.into_iter().map(token).collect()
}

const BY_HASH: &str = "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at, \
     api_tokens.id, api_tokens.name, scopes, api_tokens.created_at, expires_at, used_at, \
     bans.imposed_at, bans.until, bans.words FROM api_tokens JOIN guests ON guests.id = api_tokens.guest_id \
     LEFT JOIN sanctions AS bans ON bans.guest_id = guests.id AND bans.kind = 'ban' WHERE api_tokens.hash = ?1";

/// A row of `guests` with one of `api_tokens`, and their ban.
type BearerRow = (
    String,
    String,
    String,
    i64,
    Option<i64>,
    String,
    String,
    String,
    i64,
    i64,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<String>,
);

/// Who bears a token.
pub(super) async fn bearer(readers: &Readers, hash: SecretHash) -> Result<Option<ApiBearer>, StoreError> {
    let found: Option<BearerRow> =
        readers.read(move |connection| first(connection, BY_HASH, [hex(hash.0)])).await?;
    let of = |row: BearerRow| {
        let (
            id,
            name,
            kind,
            created_at,
            blocked_at,
            of,
            called,
            scopes,
            made_at,
            expires_at,
            used_at,
            banned_at,
            until,
            words,
        ) = row;
        let whose: GuestRow = (id, name, kind, created_at, blocked_at);
        let token = token((of, called, scopes, made_at, expires_at, used_at))?;
        Ok(ApiBearer { guest: guest(whose)?, ban: ban((banned_at, until, words))?, token })
    };
    found.map(of).transpose()
}

/// Revokes a token of a guest; false if there is none with that id.
pub(super) async fn revoke(writer: &Writer, guest: PlayerId, id: ApiTokenId) -> Result<bool, StoreError> {
    let revoke = writer.write(move |connection| {
        let one = "DELETE FROM api_tokens WHERE guest_id = ?1 AND id = ?2";
        Ok(execute(connection, one, (guest.0.to_string(), id.0.to_string()))? > 0)
    });
    Ok(revoke.await?)
}

/// Revokes all tokens of a guest.
pub(super) fn revoke_all(connection: &Connection, guest: &str) -> rusqlite::Result<()> {
    execute(connection, "DELETE FROM api_tokens WHERE guest_id = ?1", [guest]).map(drop)
}

/// Notes when tokens were used.
pub(super) async fn note_used(writer: &Writer, used: Vec<(ApiTokenId, Millis)>) -> Result<(), StoreError> {
    for portion in used.chunks(NOTED_AT_ONCE_MAX) {
        let portion = portion.to_vec();
        let note = writer.write_unacknowledged(move |connection| {
            for (id, at) in &portion {
                let later = "UPDATE api_tokens SET used_at = ?1 WHERE id = ?2 AND COALESCE(used_at, -1) < ?1";
                execute(connection, later, (column(*at), id.0.to_string()))?;
            }
            Ok(())
        });
        note.await?;
    }
    Ok(())
}
