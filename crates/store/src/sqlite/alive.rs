//! The heartbeat, outages, and deleting what has expired.

use futures_util::future::BoxFuture;
use lusoria_play::Millis;
use sqlx::{SqliteConnection, SqlitePool};

use super::{
    failure,
    text::{column, millis},
    write::Write,
    writer::Writer,
};
use crate::{KEYS_KEPT_MS, Outage, StoreError};

/// When the server was last noted alive.
pub(super) async fn last(readers: &SqlitePool) -> Result<Option<Millis>, StoreError> {
    let at: Option<i64> =
        sqlx::query_scalar("SELECT at FROM alive").fetch_optional(readers).await.map_err(failure::of_read)?;
    at.map(millis).transpose()
}

/// Notes that the server is alive.
pub(super) async fn note(writer: &Writer, now: Millis) -> Result<(), StoreError> {
    Ok(writer.write(Note { now: column(now) }).await?)
}

/// Notes the same at the start, and the outage before it.
pub(super) async fn begin(writer: &Writer, now: Millis) -> Result<(), StoreError> {
    Ok(writer.write(Begin { now: column(now) }).await?)
}

/// The outages that ended after `since`.
pub(super) async fn outages(readers: &SqlitePool, since: Millis) -> Result<Vec<Outage>, StoreError> {
    let rows: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT began_at, ended_at FROM outages WHERE ended_at > $1 ORDER BY ended_at, began_at",
    )
    .bind(column(since))
    .fetch_all(readers)
    .await
    .map_err(failure::of_read)?;
    rows.into_iter().map(|(from, until)| Ok(Outage { from: millis(from)?, until: millis(until)? })).collect()
}

/// How many rows one write forgets at most, so that turns need not wait long for it.
const SWEEP_MAX: i64 = 500;

const SWEEP_KEYS: &str = "DELETE FROM used_keys WHERE (guest_id, key) IN \
     (SELECT guest_id, key FROM used_keys WHERE at < $1 ORDER BY at LIMIT $2)";
const SWEEP_CODES: &str = "DELETE FROM device_codes WHERE guest_id IN \
     (SELECT guest_id FROM device_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const SWEEP_INVITATIONS: &str = "DELETE FROM invitations WHERE match_id IN \
     (SELECT match_id FROM invitations WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const SWEEP_OUTAGES: &str = "DELETE FROM outages WHERE (ended_at, began_at) IN \
     (SELECT ended_at, began_at FROM outages WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2)";

/// Forgets what has expired.
pub(super) async fn sweep(writer: &Writer, readers: &SqlitePool, now: Millis) -> Result<(), StoreError> {
    // Read without the writer, because it looks at every unfinished match. That it may be
    // a little old does no harm: matches only move on, and later ones need no earlier outage.
    let oldest: Option<i64> =
        sqlx::query_scalar("SELECT MIN(updated_at) FROM matches WHERE state <> 'finished'")
            .fetch_one(readers)
            .await
            .map_err(failure::of_read)?;
    let sweeps = [
        (SWEEP_KEYS, column(now.saturating_sub(KEYS_KEPT_MS))),
        (SWEEP_CODES, column(now)),
        (SWEEP_INVITATIONS, column(now)),
        (SWEEP_OUTAGES, oldest.unwrap_or(column(now))),
    ];
    for (sql, until) in sweeps {
        while writer.write(Sweep { sql, until }).await? == Swept::Full {}
    }
    Ok(())
}

struct Note {
    now: i64,
}

impl Write for Note {
    type Outcome = ();
    const IS_ACKNOWLEDGED: bool = false;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>> {
        Box::pin(set_alive(connection, self.now))
    }
}

async fn set_alive(connection: &mut SqliteConnection, now: i64) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO alive (one, at) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET at = excluded.at",
    )
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

struct Begin {
    now: i64,
}

impl Write for Begin {
    type Outcome = ();
    const IS_ACKNOWLEDGED: bool = false;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>> {
        Box::pin(async {
            sqlx::query(
                "INSERT INTO outages (began_at, ended_at) SELECT at, $1 FROM alive WHERE at < $1 \
                 ON CONFLICT (ended_at, began_at) DO NOTHING",
            )
            .bind(self.now)
            .execute(&mut *connection)
            .await?;
            set_alive(connection, self.now).await
        })
    }
}

/// Whether a sweep may have left some.
#[derive(Debug, PartialEq, Eq)]
enum Swept {
    /// It removed as many as it may.
    Full,
    /// There was nothing more.
    All,
}

struct Sweep {
    sql: &'static str,
    until: i64,
}

impl Write for Sweep {
    type Outcome = Swept;
    const IS_ACKNOWLEDGED: bool = false;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<Swept>> {
        Box::pin(async {
            let removed = sqlx::query(self.sql)
                .bind(self.until)
                .bind(SWEEP_MAX)
                .execute(connection)
                .await?
                .rows_affected();
            Ok(if removed < SWEEP_MAX.unsigned_abs() { Swept::All } else { Swept::Full })
        })
    }
}
