//! What belongs to a match beside its journal: its invitation, keys, analysis, lease.

use std::sync::Arc;

use lusoria_play::{MatchId, Millis, PlayerId};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{readers::Readers, writer::Writer};
use crate::{
    Invitation, KeptAnalysis, NodeId, SecretHash, StoreError, UsedKey,
    text::{column, corrupt, seq},
};

/// Locks a match; false if there is none.
async fn lock(connection: &mut PgConnection, id: MatchId) -> Result<bool, Error> {
    let lock = query::<Postgres>("SELECT FROM matches WHERE id = $1 FOR NO KEY UPDATE").bind(id.0);
    Ok(lock.fetch_optional(connection).await?.is_some())
}

/// The match of an invitation that is still good.
pub(super) async fn invited_to(
    readers: &Readers,
    code: SecretHash,
    now: Millis,
) -> Result<Option<MatchId>, StoreError> {
    let good = "SELECT match FROM invitations WHERE hash = $1 AND expires_at > $2";
    let found: Option<Uuid> = readers
        .read(|connection| {
            let good = query_scalar::<Postgres, _>(good).bind(code.0.to_vec()).bind(column(now));
            Box::pin(good.fetch_optional(connection))
        })
        .await?;
    Ok(found.map(MatchId))
}

/// Replaces or withdraws the invitation of a match; false if there is no such match.
pub(super) async fn set_invitation(
    writer: &Writer,
    id: MatchId,
    invitation: Option<Invitation>,
) -> Result<bool, StoreError> {
    const INSERT: &str = "INSERT INTO invitations (match, hash, expires_at) VALUES ($1, $2, $3)";
    let set = writer.write(id.0, move |connection| {
        let invitation = invitation.clone();
        Box::pin(async move {
            if !lock(connection, id).await? {
                return Ok(false);
            }
            let withdraw = query::<Postgres>("DELETE FROM invitations WHERE match = $1").bind(id.0);
            withdraw.execute(&mut *connection).await?;
            if let Some(new) = &invitation {
                let insert =
                    query::<Postgres>(INSERT).bind(id.0).bind(&new.hash.0[..]).bind(column(new.expires_at));
                insert.execute(connection).await?;
            }
            Ok(true)
        })
    });
    Ok(set.await?)
}

/// What a key was used for.
pub(super) async fn used_key(
    readers: &Readers,
    guest: PlayerId,
    key: String,
) -> Result<Option<UsedKey>, StoreError> {
    let select = "SELECT digest, match, first FROM used_keys WHERE guest = $1 AND key = $2";
    let found: Option<(Vec<u8>, Uuid, i64)> = readers
        .read(|connection| {
            Box::pin(
                query_as::<Postgres, _>(select).bind(guest.0).bind(key.clone()).fetch_optional(connection),
            )
        })
        .await?;
    let Some((digest, id, first)) = found else { return Ok(None) };
    let digest = digest.try_into().map_err(|_| corrupt("a digest of another length"))?;
    Ok(Some(UsedKey { digest, id: MatchId(id), first: seq(first)? }))
}

/// The analysis of a match.
pub(super) async fn analysis(readers: &Readers, id: MatchId) -> Result<Option<KeptAnalysis>, StoreError> {
    let select = "SELECT engine, body FROM analyses WHERE match = $1";
    let found: Option<(String, String)> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(select).bind(id.0).fetch_optional(connection)))
        .await?;
    Ok(found.map(|(engine, body)| KeptAnalysis { engine, body }))
}

/// Keeps an analysis in place of an earlier one; false if there is no such match.
pub(super) async fn keep_analysis(
    writer: &Writer,
    id: MatchId,
    analysis: KeptAnalysis,
) -> Result<bool, StoreError> {
    const UPSERT: &str = "INSERT INTO analyses (match, engine, body) VALUES ($1, $2, $3) \
         ON CONFLICT (match) DO UPDATE SET engine = excluded.engine, body = excluded.body";
    let analysis = Arc::new(analysis);
    let keep = writer.write(id.0, move |connection| {
        let analysis = Arc::clone(&analysis);
        Box::pin(async move {
            if !lock(connection, id).await? {
                return Ok(false);
            }
            let upsert = query::<Postgres>(UPSERT).bind(id.0).bind(&analysis.engine).bind(&analysis.body);
            upsert.execute(connection).await?;
            Ok(true)
        })
    });
    Ok(keep.await?)
}

/// By the clock of the database.
const LEASE: &str = "
    WITH present AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)
    INSERT INTO leases (match, seq, node, until) SELECT $1, $2, $3, now + $4 FROM present
    ON CONFLICT (match) DO UPDATE SET seq = excluded.seq, node = excluded.node, until = excluded.until
    WHERE leases.seq <> excluded.seq OR leases.node = excluded.node
        OR leases.until <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// Has a node do what an event asks of the server, if no other has it.
pub(super) async fn lease(
    writer: &Writer,
    id: MatchId,
    seq: u32,
    node: NodeId,
    for_ms: Millis,
) -> Result<bool, StoreError> {
    let lease = writer.write(id.0, move |connection| {
        let lease = query::<Postgres>(LEASE).bind(id.0).bind(i64::from(seq)).bind(node.0);
        let lease = lease.bind(column(for_ms.min(u64::from(u32::MAX))));
        Box::pin(async move { Ok(lease.execute(connection).await?.rows_affected() == 1) })
    });
    Ok(lease.await?)
}
