//! What the operator asks for, and deleting what has expired.

use std::time::{Duration, Instant};

use lusoria_play::{LEAVINGS_COUNT_FOR_MS, MatchId, Millis};
use sqlx_core::{
    connection::Connection, error::Error, executor::Executor, query::query, query_as::query_as,
    query_scalar::query_scalar,
};
use sqlx_postgres::Postgres;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::{failure::Failure, open::Target, readers::Readers, writer::Writer};
use crate::{
    CLOSED_REPORTS_KEPT_MS, KEYS_KEPT_MS, KeyPurpose, MatchesOfGame, PAST_SANCTIONS_KEPT_MS, REMARKS_KEPT_MS,
    Recent, SecretKey, Statistics, StoreError, TURN_LOSSES_KEPT_MS,
    model::EXPIRED_KEPT_MS,
    text::{column, corrupt, first_id_of, state},
};

const GUESTS: &str = "SELECT count(*) FILTER (WHERE kind = 'person'), count(*) FILTER (WHERE kind = 'bot'), \
     count(blocked_at) FROM guests";
const BY_GAME: &str = "SELECT game, state, count(*), sum(head)::bigint FROM matches GROUP BY game, state";
const RECENT: &str = "SELECT (SELECT count(*) FROM guests WHERE created_at >= $1 AND kind <> 'computer'), \
     (SELECT count(*) FROM matches WHERE id >= $2), (SELECT count(*) FROM matches WHERE updated_at >= $1)";
const BYTES: &str = "SELECT pg_database_size(current_database())";

/// How much there is of everything. It reads every row of `matches` and `guests`.
pub(super) async fn statistics(readers: &Readers, since: Vec<Millis>) -> Result<Statistics, StoreError> {
    let counts = readers.read(|connection| {
        let since = since.clone();
        Box::pin(async move {
            let guests: (i64, i64, i64) = query_as::<Postgres, _>(GUESTS).fetch_one(&mut *connection).await?;
            let matches: Vec<(String, String, i64, i64)> =
                query_as::<Postgres, _>(BY_GAME).fetch_all(&mut *connection).await?;
            let mut recent: Vec<(Millis, (i64, i64, i64))> = Vec::with_capacity(since.len());
            for since in since {
                let newer = query_as::<Postgres, _>(RECENT).bind(column(since)).bind(first_id_of(since));
                recent.push((since, newer.fetch_one(&mut *connection).await?));
            }
            let bytes: i64 = query_scalar::<Postgres, _>(BYTES).fetch_one(&mut *connection).await?;
            Ok((guests, matches, recent, bytes))
        })
    });
    let ((people, bots, blocked), matches, recent, bytes) = counts.await?;
    let count = |count: i64| u64::try_from(count).map_err(corrupt);
    let of_game = |(game, name, matches, events): (String, String, i64, i64)| {
        let game = game.parse().map_err(|error: lusoria_rules::UnknownGame| corrupt(error))?;
        Ok(MatchesOfGame { game, state: state(&name)?, matches: count(matches)?, events: count(events)? })
    };
    let mut matches = matches.into_iter().map(of_game).collect::<Result<Vec<_>, StoreError>>()?;
    matches.sort_by_key(|of| (of.game.id(), of.state));
    let of_time = |(since, (guests, made, touched))| {
        Ok(Recent { since, guests: count(guests)?, made: count(made)?, touched: count(touched)? })
    };
    let recent = recent.into_iter().map(of_time).collect::<Result<_, StoreError>>()?;
    let (people, bots, blocked, bytes) = (count(people)?, count(bots)?, count(blocked)?, count(bytes)?);
    Ok(Statistics { people, bots, blocked, matches, bytes, recent })
}

/// Forgets a match that has ended, with all that belongs to it; false if there is none.
pub(super) async fn forget_match(writer: &Writer, id: MatchId, head: u32) -> Result<bool, StoreError> {
    const LOCK: &str =
        "SELECT EXISTS (SELECT FROM matches WHERE id = $1 AND head = $2 AND state = 'finished' FOR UPDATE)";
    let forget = writer.write(id.0, move |connection| {
        Box::pin(async move {
            let lock = query_scalar::<Postgres, bool>(LOCK).bind(id.0).bind(i64::from(head));
            if !lock.fetch_one(&mut *connection).await? {
                return Ok(false);
            }
            for sql in [
                "DELETE FROM journal WHERE match = $1",
                "DELETE FROM deadlines WHERE match = $1",
                "DELETE FROM used_keys WHERE match = $1",
                "DELETE FROM invitations WHERE match = $1",
                "DELETE FROM analyses WHERE match = $1",
                "DELETE FROM leases WHERE match = $1",
                "DELETE FROM secrets WHERE match = $1",
                "DELETE FROM matches WHERE id = $1",
            ] {
                query::<Postgres>(sql).bind(id.0).execute(&mut *connection).await?;
            }
            Ok(true)
        })
    });
    Ok(forget.await?)
}

/// How many rows one write forgets at most, so that turns need not wait long for it.
const SWEEP_MAX: i64 = 500;

/// One node sweeps at a time; to the others there is nothing to do.
const SWEEPS: &str = "SELECT pg_try_advisory_xact_lock(7265746)";
const SWEEP_KEYS: &str = "DELETE FROM used_keys WHERE (guest, key) IN \
     (SELECT guest, key FROM used_keys WHERE at < $1 ORDER BY at LIMIT $2)";
const SWEEP_CODES: &str = "DELETE FROM device_codes WHERE guest IN \
     (SELECT guest FROM device_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const SWEEP_SIGN_UP_CODES: &str = "DELETE FROM sign_up_codes WHERE hash IN \
     (SELECT hash FROM sign_up_codes WHERE expires_at <= $1 LIMIT $2)";
const SWEEP_INVITATIONS: &str = "DELETE FROM invitations WHERE match IN \
     (SELECT match FROM invitations WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const SWEEP_SEEKS: &str = "DELETE FROM seeks WHERE id IN \
     (SELECT id FROM seeks WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const SWEEP_CHALLENGES: &str = "DELETE FROM challenges WHERE id IN \
     (SELECT id FROM challenges WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const SWEEP_API_TOKENS: &str = "DELETE FROM api_tokens WHERE hash IN \
     (SELECT hash FROM api_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const SWEEP_SPENT_CHALLENGES: &str = "DELETE FROM spent_challenges WHERE hash IN \
     (SELECT hash FROM spent_challenges WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const SWEEP_OUTAGES: &str = "DELETE FROM outages WHERE (ended_at, began_at) IN \
     (SELECT ended_at, began_at FROM outages WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2)";
const SWEEP_REMARKS: &str = "DELETE FROM remarks WHERE id IN \
     (SELECT id FROM remarks WHERE said_at <= $1 ORDER BY said_at LIMIT $2)";
const SWEEP_REPORTS: &str = "DELETE FROM reports WHERE id IN \
     (SELECT id FROM reports WHERE closed_at <= $1 ORDER BY closed_at LIMIT $2)";
const SWEEP_SANCTIONS: &str = "DELETE FROM sanctions WHERE id IN \
     (SELECT id FROM sanctions WHERE until <= $1 OR read_at <= $1 LIMIT $2)";
const SWEEP_LEAVINGS: &str = "DELETE FROM leavings WHERE match IN \
     (SELECT match FROM leavings WHERE left_at <= $1 ORDER BY left_at LIMIT $2)";
const SWEEP_TURN_LOSSES: &str = "DELETE FROM turn_losses WHERE (match, seat) IN \
     (SELECT match, seat FROM turn_losses WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2)";
/// Those of matches that have ended, whenever that was. All sweeps take two numbers, and PostgreSQL takes no statement
/// that does not use both: so this one, and that of nodes, compare theirs with 0.
const SWEEP_CONDITIONAL_TURNS: &str = "DELETE FROM conditional_turns WHERE (match, guest) IN \
     (SELECT match, guest FROM conditional_turns JOIN matches ON matches.id = match \
     WHERE state = 'finished' AND $1 >= 0 LIMIT $2)";
/// By the clock of the database.
const SWEEP_LEASES: &str = "DELETE FROM leases WHERE match IN (SELECT match FROM leases \
     WHERE until <= least($1, extract(epoch FROM clock_timestamp())::bigint * 1000) LIMIT $2)";
/// Those that have not been noted for a day have not stopped for a moment.
const SWEEP_NODES: &str = "DELETE FROM nodes WHERE id IN (SELECT id FROM nodes \
     WHERE seen_at < (extract(epoch FROM clock_timestamp())::bigint - 86400) * 1000 AND $1 >= 0 LIMIT $2)";

/// Forgets what has expired.
pub(super) async fn sweep(writer: &Writer, readers: &Readers, now: Millis) -> Result<(), StoreError> {
    // It may be a little old: matches only move on, and later ones need no earlier outage.
    let oldest = "SELECT min(updated_at) FROM matches WHERE state <> 'finished'";
    let oldest: Option<i64> = readers
        .read(|connection| Box::pin(query_scalar::<Postgres, _>(oldest).fetch_one(connection)))
        .await?;
    let sweeps = [
        (SWEEP_KEYS, column(now.saturating_sub(KEYS_KEPT_MS))),
        (SWEEP_CODES, column(now)),
        (SWEEP_SIGN_UP_CODES, column(now)),
        (SWEEP_INVITATIONS, column(now)),
        (SWEEP_SEEKS, column(now)),
        (SWEEP_CHALLENGES, column(now)),
        (SWEEP_API_TOKENS, column(now.saturating_sub(EXPIRED_KEPT_MS))),
        (SWEEP_SPENT_CHALLENGES, column(now)),
        (SWEEP_OUTAGES, oldest.unwrap_or(column(now))),
        (SWEEP_CONDITIONAL_TURNS, 0),
        (SWEEP_REMARKS, column(now.saturating_sub(REMARKS_KEPT_MS))),
        (SWEEP_REPORTS, column(now.saturating_sub(CLOSED_REPORTS_KEPT_MS))),
        (SWEEP_SANCTIONS, column(now.saturating_sub(PAST_SANCTIONS_KEPT_MS))),
        (SWEEP_LEAVINGS, column(now.saturating_sub(LEAVINGS_COUNT_FOR_MS))),
        (SWEEP_TURN_LOSSES, column(now.saturating_sub(TURN_LOSSES_KEPT_MS))),
        (SWEEP_LEASES, i64::MAX),
        (SWEEP_NODES, 0),
    ];
    for (sql, until) in sweeps {
        // As long as there may be more.
        loop {
            let swept = writer.write(Uuid::nil(), move |connection| {
                Box::pin(async move {
                    if !query_scalar::<Postgres, bool>(SWEEPS).fetch_one(&mut *connection).await? {
                        return Ok(0);
                    }
                    let sweep = query::<Postgres>(sql).bind(until).bind(SWEEP_MAX);
                    Ok(sweep.execute(connection).await?.rows_affected())
                })
            });
            if swept.await? < SWEEP_MAX.unsigned_abs() {
                break;
            }
        }
    }
    Ok(())
}

/// The servers' key for a purpose: `made` if there was none.
pub(super) async fn server_key(
    writer: &Writer,
    purpose: KeyPurpose,
    made: SecretKey,
) -> Result<SecretKey, StoreError> {
    let key = writer.write(Uuid::nil(), move |connection| {
        let made = made.clone();
        Box::pin(async move {
            // Of two nodes that make one, the second waits here for the first.
            let insert =
                "INSERT INTO server_keys (purpose, key) VALUES ($1, $2) ON CONFLICT (purpose) DO NOTHING";
            query::<Postgres>(insert).bind(purpose.name()).bind(made.0).execute(&mut *connection).await?;
            let select = "SELECT key FROM server_keys WHERE purpose = $1";
            let select = query_scalar::<Postgres, Vec<u8>>(select).bind(purpose.name());
            Ok(select.fetch_one(connection).await?)
        })
    });
    Ok(SecretKey(key.await?))
}

/// How long to wait for transactions that may still read the old rows.
const READERS_PATIENCE: Duration = Duration::from_secs(2);
/// How long to clean all tables.
const VACUUM_TIMEOUT: Duration = Duration::from_mins(30);

/// Cleans every table in which something of a person may stand.
const VACUUM: &str = "VACUUM matches, journal, guests, tokens, device_codes, accounts, recovery_codes, seeks, blocks, \
     challenges, challenge_settings, follows, api_tokens, passkeys, preferences, \
     conditional_turns, remarks, talk_settings, reports, sanctions, leavings, turn_losses, engine_flags, \
     push_subscriptions, used_keys, invitations, secrets, analyses";

/// Whether a connection may read rows that were deleted before a transaction.
const ARE_NEEDED: &str = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() \
     AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND age(backend_xmin) > age($1::text::xid))";

/// Has PostgreSQL take rows that were replaced or deleted out of its pages, so that no query finds them.
/// False if a transaction may still need them. Their bytes may remain in the free space of a page until
/// it is filled, and in the WAL and its archives.
pub(super) async fn erase_remains(target: &Target) -> Result<bool, StoreError> {
    let failed = |error: Error| StoreError::from(Failure::before_commit(&error));
    let mut connection = target.connect().await.map_err(failed)?;
    let erase = async {
        connection.execute("SET statement_timeout = 0").await?;
        let now: String = query_scalar::<Postgres, _>("SELECT pg_current_xact_id()::xid::text")
            .fetch_one(&mut connection)
            .await?;
        let until = Instant::now() + READERS_PATIENCE;
        let mut are_needed = true;
        while are_needed && Instant::now() < until {
            are_needed =
                query_scalar::<Postgres, bool>(ARE_NEEDED).bind(&now).fetch_one(&mut connection).await?;
            if are_needed {
                sleep(Duration::from_millis(50)).await;
            }
        }
        connection.execute(VACUUM).await?;
        Ok(!are_needed)
    };
    let erased = timeout(VACUUM_TIMEOUT, erase).await;
    let erased = erased
        .map_err(|_| StoreError::Busy("cleaning the tables takes too long".to_owned()))?
        .map_err(failed);
    // The server notices its end in any case.
    let _ = timeout(target.connect_timeout, connection.close()).await;
    erased
}
