//! What belongs to a match beside its journal: its invitation, keys, analysis, lease.

use lusoria_play::{MatchId, Millis, PlayerId};
use sqlx::Error;

use super::Store;
use crate::{
    Call, Invitation, KeptAnalysis, NodeId, SecretHash, StoreFuture, UsedKey,
    sql::{
        Tx, args,
        value::{AnyRow, Row},
    },
};

/// Locks a match; false if there is none.
async fn lock(tx: &mut Tx, id: MatchId) -> Result<bool, Error> {
    let found: Option<MatchId> = tx.lock_first("SELECT id FROM matches WHERE id = $1", args![id]).await?;
    Ok(found.is_some())
}

/// Reads the clock of the database, which all nodes share; `own` is that of the only node.
pub(super) async fn clock(tx: &mut Tx, own: Millis) -> Result<Millis, Error> {
    match tx {
        Tx::Sqlite(file) => Ok(file.clock.as_ref().map_or(own, |clock| clock())),
        Tx::Postgres(_) => {
            tx.one("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)", args![]).await
        }
    }
}

/// `digest`, `match`, `first`.
impl Row for UsedKey {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { digest: row.get(0)?, id: row.get(1)?, first: row.get(2)? })
    }
}

/// `engine`, `body`.
impl Row for KeptAnalysis {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { engine: row.get(0)?, body: row.get(1)? })
    }
}

impl Store {
    /// Finds the match of an invitation that was neither spent nor withdrawn and has not expired by
    /// `now`.
    pub fn invited_to(&self, code: SecretHash, now: Millis) -> StoreFuture<'_, Option<MatchId>> {
        let select = "SELECT match FROM invitations WHERE hash = $1 AND expires_at > $2";
        self.first(select, args![code, now])
    }

    /// Replaces the invitation of a match; `None` withdraws it. False if there is no such match.
    pub fn set_invitation(&self, id: MatchId, invitation: Option<Invitation>) -> StoreFuture<'_, bool> {
        self.write(id.0, (id, invitation), |tx, (id, invitation)| {
            Box::pin(async move {
                if !lock(tx, *id).await? {
                    return Ok(false);
                }
                tx.queue("DELETE FROM invitations WHERE match = $1", args![*id]).await?;
                if let Some(new) = invitation {
                    let insert = "INSERT INTO invitations (match, hash, expires_at) VALUES ($1, $2, $3)";
                    tx.queue(insert, args![*id, new.hash, new.expires_at]).await?;
                }
                Ok(true)
            })
        })
    }

    /// Looks up what a key was used for. A key is kept until a sweep deletes it, [`KEYS_KEPT_MS`](crate::KEYS_KEPT_MS)
    /// after its use at the earliest.
    pub fn used_key(&self, guest: PlayerId, key: String) -> StoreFuture<'_, Option<UsedKey>> {
        let select = "SELECT digest, match, first FROM used_keys WHERE guest = $1 AND key = $2";
        self.first(select, args![guest, key])
    }

    /// Stores the computer's analysis of a match, and replaces an earlier one. False if there is
    /// no such match.
    pub fn keep_analysis(&self, id: MatchId, analysis: KeptAnalysis) -> StoreFuture<'_, bool> {
        self.write(id.0, (id, analysis), |tx, (id, analysis)| {
            Box::pin(async move {
                if !lock(tx, *id).await? {
                    return Ok(false);
                }
                let upsert = "INSERT INTO analyses (match, engine, body) VALUES ($1, $2, $3) \
                     ON CONFLICT (match) DO UPDATE SET engine = excluded.engine, body = excluded.body";
                tx.queue(upsert, args![*id, &analysis.engine, &analysis.body]).await?;
                Ok(true)
            })
        })
    }

    /// Reads the analysis of a match; none if none is stored.
    pub fn analysis(&self, id: MatchId) -> StoreFuture<'_, Option<KeptAnalysis>> {
        let select = "SELECT engine, body FROM analyses WHERE match = $1";
        self.read_as(Call::Analysis, move |tx| Box::pin(tx.first(select, args![id])))
    }

    /// Leases to a node, for `for_ms` milliseconds, what event `seq` of a match asks of the server; false if another
    /// node holds the lease. Its holder may renew it. A store that is not shared always grants it.
    pub fn lease(&self, id: MatchId, seq: u32, node: NodeId, for_ms: Millis) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            if !self.is_shared() {
                return Ok(true);
            }
            self.write(id.0, (id, seq, node, for_ms), |tx, &(id, seq, node, for_ms)| {
                Box::pin(async move {
                    let now = clock(tx, 0).await?;
                    let until = now + for_ms.min(u64::from(u32::MAX));
                    let lease = "INSERT INTO leases (match, seq, node, until) VALUES ($1, $2, $3, $4) \
                     ON CONFLICT (match) DO UPDATE \
                     SET seq = excluded.seq, node = excluded.node, until = excluded.until \
                     WHERE leases.seq <> excluded.seq OR leases.node = excluded.node OR leases.until <= $5";
                    Ok(tx.execute(lease, args![id, seq, node, until, now]).await? == 1)
                })
            })
            .await
        })
    }
}
