//! API tokens: what lets programs act for an account.

use lusoria_play::{ApiTokenId, Millis, PlayerId};
use sqlx::Error;

use super::{Store, accounts::holds, guests::lock};
use crate::{
    API_TOKENS_PER_GUEST_MAX, ApiBearer, ApiToken, ApiTokenAddition, Ban, Guest, NewApiToken, Proof,
    SecretHash, StoreFuture,
    sql::{
        Tx, args,
        value::{AnyRow, Row},
    },
};

/// How many tokens one write notes at most.
const NOTED_AT_ONCE_MAX: usize = 100;

/// Reads the columns `id`, `name`, `scopes`, `created_at`, `expires_at` and `used_at` of a token from `index` on.
fn token(row: &AnyRow<'_>, index: usize) -> Result<ApiToken, Error> {
    Ok(ApiToken {
        id: row.get(index)?,
        name: row.get(index + 1)?,
        scopes: row.get(index + 2)?,
        created_at: row.get(index + 3)?,
        expires_at: row.get(index + 4)?,
        used_at: row.get(index + 5)?,
    })
}

impl Row for ApiToken {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        token(row, 0)
    }
}

/// A guest, their token, and `imposed_at`, `until` and `words` of their ban.
impl Row for ApiBearer {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        let ban = match row.get::<Option<Millis>>(11)? {
            Some(_) => Some(Ban { until: row.get(12)?, words: row.get(13)? }),
            None => None,
        };
        Ok(Self { guest: Guest::read(row)?, ban, token: token(row, 5)? })
    }
}

/// Revokes all tokens of a guest.
pub(super) async fn revoke_all(tx: &mut Tx, guest: PlayerId) -> Result<(), Error> {
    tx.queue("DELETE FROM api_tokens WHERE guest = $1", args![guest]).await
}

impl Store {
    /// Stores a new token of an account, if it has fewer than [`API_TOKENS_PER_GUEST_MAX`] that have not expired.
    /// Deletes those that have.
    pub fn add_api_token(&self, proof: Proof, new: NewApiToken) -> StoreFuture<'_, ApiTokenAddition> {
        self.write(proof.guest.0, (proof, new), |tx, (proof, new)| {
            Box::pin(async move {
                let guest = proof.guest;
                if !holds(tx, proof).await? {
                    return Ok(ApiTokenAddition::NotProven);
                }
                let count = "SELECT count(*) FROM api_tokens WHERE guest = $1 AND expires_at > $2";
                if tx.one::<u32>(count, args![guest, new.created_at]).await? >= API_TOKENS_PER_GUEST_MAX {
                    return Ok(ApiTokenAddition::TooMany);
                }
                let delete = "DELETE FROM api_tokens WHERE guest = $1 AND expires_at <= $2";
                tx.queue(delete, args![guest, new.created_at]).await?;
                let insert = "INSERT INTO api_tokens (hash, id, guest, name, scopes, created_at, expires_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)";
                let token =
                    args![new.hash, new.id, guest, &new.name, &new.scopes, new.created_at, new.expires_at];
                tx.queue(insert, token).await?;
                Ok(ApiTokenAddition::Added)
            })
        })
    }

    /// Lists the API tokens of a guest, the newest first; those that have expired, too.
    pub fn api_tokens(&self, guest: PlayerId) -> StoreFuture<'_, Vec<ApiToken>> {
        let select = "SELECT id, name, scopes, created_at, expires_at, used_at FROM api_tokens \
             WHERE guest = $1 ORDER BY created_at DESC, id DESC";
        self.all(select, args![guest])
    }

    /// Finds an API token and its guest. It may have expired.
    pub fn api_bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<ApiBearer>> {
        let select = "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at, \
             api_tokens.id, api_tokens.name, scopes, api_tokens.created_at, expires_at, used_at, \
             bans.imposed_at, bans.until, bans.words \
             FROM api_tokens JOIN guests ON guests.id = api_tokens.guest \
             LEFT JOIN sanctions AS bans ON bans.guest = guests.id AND bans.kind = 'ban' WHERE api_tokens.hash = $1";
        self.first(select, args![token])
    }

    /// Revokes an API token of a guest. False if they have none with that id.
    pub fn revoke_api_token(&self, guest: PlayerId, id: ApiTokenId) -> StoreFuture<'_, bool> {
        self.write(guest.0, (guest, id), |tx, &(guest, id)| {
            Box::pin(async move {
                lock(tx, guest).await?;
                let delete = "DELETE FROM api_tokens WHERE guest = $1 AND id = $2";
                Ok(tx.execute(delete, args![guest, id]).await? > 0)
            })
        })
    }

    /// Stores when API tokens were last used, if that is later than what is stored. Skips those that are gone.
    pub fn note_used(&self, mut used: Vec<(ApiTokenId, Millis)>) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            // In one order: another node may note the same tokens.
            used.sort_unstable();
            for portion in used.chunks(NOTED_AT_ONCE_MAX) {
                self.write_unacknowledged(portion[0].0.0, portion.to_vec(), |tx, used| {
                Box::pin(async move {
                    for &(id, at) in used {
                        let update =
                            "UPDATE api_tokens SET used_at = $2 WHERE id = $1 AND COALESCE(used_at, -1) < $2";
                        tx.queue(update, args![id, at]).await?;
                    }
                    Ok(())
                })
            })
            .await?;
            }
            Ok(())
        })
    }
}
