//! API tokens: what lets programs act for an account.

use std::{collections::BTreeMap, sync::Arc};

use lusoria_play::{Millis, PlayerId};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{
    accounts::holds,
    guests::{GuestRow, NOTED_AT_ONCE_MAX, guest_of, lock},
    readers::Readers,
    session::Undo,
    writer::Writer,
};
use crate::{
    API_TOKENS_PER_GUEST_MAX, ApiBearer, ApiToken, ApiTokenAddition, ApiTokenId, NewApiToken, Proof,
    SecretHash, StoreError,
    text::{ban, column, millis},
};

/// Stores a token of an account, in the place of those that have expired.
pub(super) async fn add(
    writer: &Writer,
    proof: Proof,
    new: NewApiToken,
) -> Result<ApiTokenAddition, StoreError> {
    let (guest, new) = (proof.guest, Arc::new((proof, new)));
    let add = writer.write(guest.0, move |connection| {
        let new = Arc::clone(&new);
        Box::pin(async move {
            let (proof, NewApiToken { id, hash, name, scopes, created_at, expires_at }) = &*new;
            if !holds(connection, proof).await? {
                return Ok(ApiTokenAddition::NotProven);
            }
            let good = "SELECT count(*) FROM api_tokens WHERE guest = $1 AND expires_at > $2";
            let good = query_scalar::<Postgres, i64>(good).bind(guest.0).bind(column(*created_at));
            if good.fetch_one(&mut *connection).await? >= i64::from(API_TOKENS_PER_GUEST_MAX) {
                return Ok(ApiTokenAddition::TooMany);
            }
            let expired = "DELETE FROM api_tokens WHERE guest = $1 AND expires_at <= $2";
            let expired = query::<Postgres>(expired).bind(guest.0).bind(column(*created_at));
            expired.execute(&mut *connection).await?;
            let insert = "INSERT INTO api_tokens (hash, id, guest, name, scopes, created_at, expires_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)";
            query::<Postgres>(insert)
                .bind(&hash.0[..])
                .bind(id.0)
                .bind(guest.0)
                .bind(name)
                .bind(scopes)
                .bind(column(*created_at))
                .bind(column(*expires_at))
                .execute(connection)
                .await?;
            Ok(ApiTokenAddition::Added)
        })
    });
    Ok(add.await?)
}

/// A row of `api_tokens`, without its hash and its guest.
type TokenRow = (Uuid, String, String, i64, i64, Option<i64>);

fn token((id, name, scopes, created_at, expires_at, used_at): TokenRow) -> Result<ApiToken, StoreError> {
    Ok(ApiToken {
        id: ApiTokenId(id),
        name,
        scopes,
        created_at: millis(created_at)?,
        expires_at: millis(expires_at)?,
        used_at: used_at.map(millis).transpose()?,
    })
}

const OF_GUEST: &str = "SELECT id, name, scopes, created_at, expires_at, used_at FROM api_tokens \
     WHERE guest = $1 ORDER BY created_at DESC, id DESC";

/// The tokens of a guest, the newest first.
pub(super) async fn of_guest(readers: &Readers, guest: PlayerId) -> Result<Vec<ApiToken>, StoreError> {
    let found: Vec<TokenRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(OF_GUEST).bind(guest.0).fetch_all(connection)))
        .await?;
    found.into_iter().map(token).collect()
}

const BY_HASH: &str = "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at, \
     api_tokens.id, api_tokens.name, scopes, api_tokens.created_at, expires_at, used_at, \
     bans.imposed_at, bans.until, bans.words FROM api_tokens JOIN guests ON guests.id = api_tokens.guest \
     LEFT JOIN sanctions AS bans ON bans.guest = guests.id AND bans.kind = 'ban' WHERE api_tokens.hash = $1";

/// A row of `guests` with one of `api_tokens`, and their ban.
type BearerRow = (
    Uuid,
    String,
    String,
    i64,
    Option<i64>,
    Uuid,
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
    let found: Option<BearerRow> = readers
        .read(|connection| {
            Box::pin(query_as::<Postgres, _>(BY_HASH).bind(hash.0.to_vec()).fetch_optional(connection))
        })
        .await?;
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
        Ok(ApiBearer { guest: guest_of(whose)?, ban: ban((banned_at, until, words))?, token })
    };
    found.map(of).transpose()
}

/// Revokes a token of a guest; false if there is none with that id.
pub(super) async fn revoke(writer: &Writer, guest: PlayerId, id: ApiTokenId) -> Result<bool, StoreError> {
    let revoke = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            lock(connection, guest).await?;
            let one = query::<Postgres>("DELETE FROM api_tokens WHERE guest = $1 AND id = $2");
            Ok(one.bind(guest.0).bind(id.0).execute(connection).await?.rows_affected() > 0)
        })
    });
    Ok(revoke.await?)
}

/// Revokes all tokens of a guest.
pub(super) async fn revoke_all(connection: &mut PgConnection, guest: PlayerId) -> Result<(), Error> {
    let all = query::<Postgres>("DELETE FROM api_tokens WHERE guest = $1").bind(guest.0);
    all.execute(connection).await.map(drop)
}

/// Locked in their order: another node may note the same tokens.
const NOTE_USED: &str = "WITH used AS MATERIALIZED (\
         SELECT api_tokens.id, used.at FROM unnest($1::uuid[], $2::bigint[]) AS used(id, at) \
         JOIN api_tokens ON api_tokens.id = used.id ORDER BY api_tokens.id FOR NO KEY UPDATE OF api_tokens\
     ) UPDATE api_tokens SET used_at = used.at FROM used \
     WHERE api_tokens.id = used.id AND COALESCE(api_tokens.used_at, -1) < used.at";

/// Notes when tokens were used.
pub(super) async fn note_used(writer: &Writer, used: Vec<(ApiTokenId, Millis)>) -> Result<(), StoreError> {
    let mut latest = BTreeMap::new();
    for (id, at) in used {
        let noted: &mut i64 = latest.entry(id.0).or_default();
        *noted = column(at).max(*noted);
    }
    let latest: Vec<(Uuid, i64)> = latest.into_iter().collect();
    for portion in latest.chunks(NOTED_AT_ONCE_MAX) {
        let (ids, times): (Vec<Uuid>, Vec<i64>) = portion.iter().copied().unzip();
        let note = writer.write(ids[0], move |connection| {
            let note = query::<Postgres>(NOTE_USED).bind(ids.clone()).bind(times.clone());
            Box::pin(async move { note.execute(connection).await.map(drop).map_err(Undo::Error) })
        });
        note.await?;
    }
    Ok(())
}
