//! What the operator asks for, and deleting what has expired.

use lusoria_play::{LEAVINGS_COUNT_FOR_MS, MatchId, Millis};
use sqlx::Error;
use uuid::Uuid;

use super::{Backend, Store, journal, matters::clock, packing};
use crate::{
    CLOSED_REPORTS_KEPT_MS, KEYS_KEPT_MS, KeyPurpose, MatchesOfGame, PAST_SANCTIONS_KEPT_MS, REMARKS_KEPT_MS,
    Recent, SecretKey, Statistics, StoreError, StoreFuture, TURN_LOSSES_KEPT_MS,
    model::EXPIRED_KEPT_MS,
    sql::{
        args,
        value::{AnyRow, Row},
    },
    text::first_id_of,
};

const GUESTS: &str = "SELECT count(*) FILTER (WHERE kind = 'person'), count(*) FILTER (WHERE kind = 'bot'), \
     count(blocked_at) FROM guests";
const BY_GAME: &str =
    "SELECT game, state, count(*), CAST(sum(head) AS bigint) FROM match_rows GROUP BY game, state";
const RECENT: &str = "SELECT (SELECT count(*) FROM guests WHERE created_at >= $1 AND kind <> 'computer'), \
     (SELECT count(*) FROM matches WHERE id >= $2), (SELECT count(*) FROM match_rows WHERE updated_at >= $1)";

/// `game`, `state`, how many matches, how many events.
impl Row for MatchesOfGame {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { game: row.get(0)?, state: row.get(1)?, matches: row.get(2)?, events: row.get(3)? })
    }
}

/// How many rows one write forgets at most, so that turns need not wait long for it.
const SWEEP_MAX: u32 = 500;

/// Nodes that have not been noted for so long, in milliseconds, have not stopped for a moment.
const NODES_KEPT_MS: Millis = 24 * 60 * 60 * 1_000;

/// How long a tournament may still owe credit for an outage after its last event, or before its start, in milliseconds.
const OWED_FOR_MS: Millis = 60 * 60 * 1_000;

/// At most `$2` rows of a table, with this key, in which something was over at `$1`.
macro_rules! forget {
    ($table:literal, $key:literal, $over:literal) => {
        concat!(
            "DELETE FROM ",
            $table,
            " WHERE (",
            $key,
            ") IN (SELECT ",
            $key,
            " FROM ",
            $table,
            " WHERE ",
            $over,
            " LIMIT $2)"
        )
    };
}

const KEYS: &str = forget!("used_keys", "guest, key", "at < $1 ORDER BY at");
const DEVICE_CODES: &str = forget!("device_codes", "guest", "expires_at <= $1 ORDER BY expires_at");
const SIGN_UP_CODES: &str = forget!("sign_up_codes", "hash", "expires_at <= $1");
const INVITATIONS: &str = forget!("invitations", "match", "expires_at <= $1 ORDER BY expires_at");
const SEEKS: &str = forget!("seeks", "id", "expires_at <= $1 ORDER BY expires_at");
const CHALLENGES: &str = forget!("challenges", "id", "expires_at <= $1 ORDER BY expires_at");
const API_TOKENS: &str = forget!("api_tokens", "hash", "expires_at <= $1 ORDER BY expires_at");
const SPENT_CHALLENGES: &str = forget!("spent_challenges", "hash", "expires_at <= $1 ORDER BY expires_at");
const OUTAGES: &str = forget!("outages", "ended_at, began_at", "ended_at <= $1 ORDER BY ended_at");
/// Those of matches that have ended, whenever that was: `$1` is there because all of these statements take it.
const CONDITIONAL_TURNS: &str = forget!(
    "conditional_turns",
    "match, guest",
    "$1 >= 0 AND EXISTS (SELECT 1 FROM matches WHERE id = conditional_turns.match AND state = 'finished')"
);
const REMARKS: &str = forget!("remarks", "id", "said_at <= $1 ORDER BY said_at");
const REPORTS: &str = forget!("reports", "id", "closed_at <= $1 ORDER BY closed_at");
const SANCTIONS: &str = forget!("sanctions", "id", "until <= $1 OR read_at <= $1");
const LEAVINGS: &str = forget!("leavings", "match", "left_at <= $1 ORDER BY left_at");
const TURN_LOSSES: &str = forget!("turn_losses", "match, seat", "ended_at <= $1 ORDER BY ended_at");
const LEASES: &str = forget!("leases", "match", "until <= $1");
const NODES: &str = forget!("nodes", "id", "seen_at < $1");

impl Store {
    /// Counts guests, matches and events, and those newer than each of `since`.
    pub fn statistics(&self, since: Vec<Millis>) -> StoreFuture<'_, Statistics> {
        self.read(move |tx| {
            let since = since.clone();
            Box::pin(async move {
                let (people, bots, blocked) = tx.one(GUESTS, args![]).await?;
                let mut matches: Vec<MatchesOfGame> = tx.all(BY_GAME, args![]).await?;
                matches.sort_by_key(|of| (of.game.id(), of.state));
                let mut recent = Vec::with_capacity(since.len());
                for since in since {
                    let (guests, made, touched) = tx.one(RECENT, args![since, first_id_of(since)]).await?;
                    recent.push(Recent { since, guests, made, touched });
                }
                let bytes = tx.either(
                    "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
                    "SELECT pg_database_size(current_database())",
                );
                let bytes = tx.one(bytes, args![]).await?;
                Ok(Statistics { people, bots, blocked, matches, bytes, recent })
            })
        })
    }

    /// Deletes a match that has ended and whose head is `head`, with everything that belongs to
    /// it. False if there is no such match.
    pub fn forget_match(&self, id: MatchId, head: u32) -> StoreFuture<'_, bool> {
        self.write(id.0, (id, head), |tx, &(id, head)| {
            Box::pin(async move {
                let ended = "SELECT id FROM match_rows WHERE id = $1 AND head = $2 AND state = 'finished'";
                if tx.lock_first::<MatchId>(ended, args![id, head]).await?.is_none() {
                    return Ok(false);
                }
                journal::delete(tx, id).await?;
                for delete in [
                    "DELETE FROM deadlines WHERE match = $1",
                    "DELETE FROM used_keys WHERE match = $1",
                    "DELETE FROM invitations WHERE match = $1",
                    "DELETE FROM analyses WHERE match = $1",
                    "DELETE FROM leases WHERE match = $1",
                    "DELETE FROM secrets WHERE match = $1",
                    "DELETE FROM matches WHERE id = $1",
                ] {
                    tx.queue(delete, args![id]).await?;
                }
                Ok(true)
            })
        })
    }

    /// Deletes what has expired by `now`, of each table at most as long as it is kept; idempotency keys are kept for
    /// [`KEYS_KEPT_MS`], outages until every unfinished match and tournament has an event after them. Then packs finished matches of
    /// a file that have not changed for a while.
    pub fn sweep(&self, now: Millis) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            // It may be a little old: matches only move on, and later ones need no earlier outage.
            let oldest = "SELECT min(updated_at) FROM match_rows WHERE state <> 'finished'";
            let oldest: Option<Millis> = self.one(oldest, args![]).await?;
            // Its last event may be a match's, which gives no credit; what it owes is decided soon after. Before
            // check-in an outage costs nobody anything.
            let tournament = "SELECT min(last_at) FROM tournaments \
                 WHERE stage = 'running' OR stage = 'announced' AND at <= $1";
            let tournament: Option<Millis> = self.one(tournament, args![now + OWED_FOR_MS]).await?;
            let oldest = [oldest, tournament.map(|last_at| last_at.saturating_sub(OWED_FOR_MS))];
            let credited = oldest.into_iter().flatten().min().unwrap_or(now);
            let time = self.read(move |tx| Box::pin(clock(tx, now))).await?;
            for (sql, until) in [
                (KEYS, now.saturating_sub(KEYS_KEPT_MS)),
                (DEVICE_CODES, now),
                (SIGN_UP_CODES, now),
                (INVITATIONS, now),
                (SEEKS, now),
                (CHALLENGES, now),
                (API_TOKENS, now.saturating_sub(EXPIRED_KEPT_MS)),
                (SPENT_CHALLENGES, now),
                (OUTAGES, credited),
                (CONDITIONAL_TURNS, 0),
                (REMARKS, now.saturating_sub(REMARKS_KEPT_MS)),
                (REPORTS, now.saturating_sub(CLOSED_REPORTS_KEPT_MS)),
                (SANCTIONS, now.saturating_sub(PAST_SANCTIONS_KEPT_MS)),
                (LEAVINGS, now.saturating_sub(LEAVINGS_COUNT_FOR_MS)),
                (TURN_LOSSES, now.saturating_sub(TURN_LOSSES_KEPT_MS)),
                (LEASES, time),
                (NODES, time.saturating_sub(NODES_KEPT_MS)),
            ] {
                // As long as there may be more.
                while self.forget_some(sql, until).await? >= u64::from(SWEEP_MAX) {}
            }
            match &self.backend {
                Backend::File(file) => packing::pack_settled(self, now, file.pack_after).await,
                Backend::Server(_) | Backend::Memory(_) => Ok(()),
            }
        })
    }

    /// Runs one of the statements above. Returns how many rows it deleted.
    async fn forget_some(&self, sql: &'static str, until: Millis) -> Result<u64, StoreError> {
        self.write_unacknowledged(Uuid::nil(), (sql, until), |tx, &(sql, until)| {
            Box::pin(async move {
                // One node sweeps at a time; to the others there is nothing to do.
                let sweeps = tx.either("SELECT true", "SELECT pg_try_advisory_xact_lock(7265746)");
                if !tx.one::<bool>(sweeps, args![]).await? {
                    return Ok(0);
                }
                Ok(tx.execute(sql, args![until, SWEEP_MAX]).await?)
            })
        })
        .await
    }

    /// Reads the server's key for a purpose. If there is none, `made` becomes it; of several nodes that make one, one
    /// wins.
    pub fn server_key(&self, purpose: KeyPurpose, made: SecretKey) -> StoreFuture<'_, SecretKey> {
        self.write(Uuid::nil(), (purpose, made), |tx, (purpose, made)| {
            Box::pin(async move {
                // Of two nodes that make one, the second waits here for the first.
                let insert =
                    "INSERT INTO server_keys (purpose, key) VALUES ($1, $2) ON CONFLICT (purpose) DO NOTHING";
                tx.queue(insert, args![purpose.name(), &made.0[..]]).await?;
                let select = "SELECT key FROM server_keys WHERE purpose = $1";
                Ok(SecretKey(tx.one(select, args![purpose.name()]).await?))
            })
        })
    }
}
