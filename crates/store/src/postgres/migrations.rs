//! Bringing the tables up to date, beside nodes of the neighbouring releases.
//!
//! A migration only adds, so that a program that does not know it can go on. What it says in the table
//! `releases` tells later starts of older programs whether they can: each row has the oldest migration that
//! a program must know to use the database after it.

use std::borrow::Cow;

use sqlx::{
    Error, Executor, PgConnection, Postgres, SqlSafeStr,
    migrate::{Migrate, Migration, MigrationType, Migrator},
    query_as,
};

use super::open_error::OpenError;
use crate::{OUTAGE_AFTER_MS, text::column};

/// A migration that this release knows.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) version: i64,
    description: &'static str,
    /// The oldest migration that a program must know to go on after this one. Its row in `releases` says
    /// the same.
    pub(crate) needs: i64,
    sql: &'static str,
}

const fn step(version: i64, description: &'static str, needs: i64, sql: &'static str) -> Step {
    Step { version, description, needs, sql }
}

/// All of them, in order. At most the last two releases may be needed by any.
pub(crate) const STEPS: [Step; 1] = [step(
    1,
    "first",
    1,
    concat!(
        include_str!("../../../../migrations/0001_first/postgres.sql"),
        include_str!("../../../../migrations/0001_first/tables.sql"),
        include_str!("../../../../migrations/0001_first/postgres_rows.sql"),
    ),
)];

/// The last migration that this release knows.
pub(crate) const KNOWN: i64 = STEPS[STEPS.len() - 1].version;

const TABLES: &str =
    "SELECT to_regclass('_sqlx_migrations') IS NOT NULL, to_regclass('releases') IS NOT NULL";
const APPLIED: &str = "SELECT version FROM _sqlx_migrations ORDER BY version";
const RELEASES: &str = "SELECT migration, needs, release FROM releases";
/// By the clock of the database, as beats are noted.
const RUNNING: &str = "SELECT name, release FROM nodes WHERE migration < $1 \
     AND seen_at >= (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $2 ORDER BY name";

/// Applies what is missing, one program at a time.
///
/// # Errors
/// If a newer release has changed what this one needs, or a node runs that could not go on afterwards.
/// Nothing is changed then.
pub(crate) async fn migrate(
    connection: &mut PgConnection,
    place: &str,
    steps: &[Step],
) -> Result<(), OpenError> {
    let failed = |error: Error| OpenError::of(place, &error);
    connection.execute("SET statement_timeout = 0").await.map_err(failed)?;
    // A connection that ends lets go of it.
    connection.lock().await.map_err(|error| OpenError::of_migration(place, &error))?;
    let (has_migrations, has_releases): (bool, bool) =
        query_as::<Postgres, _>(TABLES).fetch_one(&mut *connection).await.map_err(failed)?;
    if has_migrations {
        let applied: Vec<(i64,)> =
            query_as::<Postgres, _>(APPLIED).fetch_all(&mut *connection).await.map_err(failed)?;
        let applied: Vec<i64> = applied.into_iter().map(|(version,)| version).collect();
        check_newer(connection, place, steps, &applied, has_releases).await?;
        if has_releases {
            check_older_nodes(connection, place, steps, &applied).await?;
        }
    }
    let migrator = Migrator {
        migrations: Cow::Owned(steps.iter().map(Step::migration).collect()),
        ignore_missing: true,
        locking: false,
        ..Migrator::DEFAULT
    };
    migrator
        .run_direct(None, connection, false)
        .await
        .map_err(|error| OpenError::of_migration(place, &error))?;
    connection.unlock().await.map_err(|error| OpenError::of_migration(place, &error))?;
    connection.execute("RESET statement_timeout").await.map(drop).map_err(failed)
}

/// Refuses migrations of newer releases after which this one cannot go on.
async fn check_newer(
    connection: &mut PgConnection,
    place: &str,
    steps: &[Step],
    applied: &[i64],
    has_releases: bool,
) -> Result<(), OpenError> {
    let is_unknown = |version: &i64| steps.iter().all(|step| step.version != *version);
    let Some(newest) = applied.iter().copied().filter(is_unknown).max() else { return Ok(()) };
    let releases: Vec<(i64, i64, String)> = if has_releases {
        let read = query_as::<Postgres, _>(RELEASES).fetch_all(connection).await;
        read.map_err(|error| OpenError::of(place, &error))?
    } else {
        Vec::new()
    };
    let known = steps.iter().map(|step| step.version).max().unwrap_or(0);
    let newer = |release: &str| OpenError::Newer { place: place.to_owned(), release: release.to_owned() };
    for version in applied.iter().filter(|version| is_unknown(version)) {
        match releases.iter().find(|(migration, ..)| migration == version) {
            Some((_, needs, _)) if *needs <= known => {}
            Some((_, _, release)) => return Err(newer(release)),
            None => return Err(newer(&format!("with migration {version}"))),
        }
    }
    let release = releases.iter().find(|(migration, ..)| *migration == newest).map(|(_, _, name)| name);
    tracing::info!(release, "a newer release has migrated the database; this one can use it, too");
    Ok(())
}

/// Refuses to migrate under nodes that could not go on afterwards.
async fn check_older_nodes(
    connection: &mut PgConnection,
    place: &str,
    steps: &[Step],
    applied: &[i64],
) -> Result<(), OpenError> {
    let missing = steps.iter().filter(|step| !applied.contains(&step.version));
    let Some(needs) = missing.map(|step| step.needs).max() else { return Ok(()) };
    let running = query_as::<Postgres, (String, String)>(RUNNING).bind(needs).bind(column(OUTAGE_AFTER_MS));
    let running = running.fetch_all(connection).await.map_err(|error| OpenError::of(place, &error))?;
    if running.is_empty() {
        return Ok(());
    }
    let nodes: Vec<String> =
        running.into_iter().map(|(name, release)| format!("{name} (release {release})")).collect();
    Err(OpenError::OlderNodes { place: place.to_owned(), nodes: nodes.join(", ") })
}

impl Step {
    fn migration(&self) -> Migration {
        let (description, sql) = (Cow::Borrowed(self.description), self.sql.into_sql_str());
        Migration::new(self.version, description, MigrationType::Simple, sql, false)
    }
}

#[cfg(test)]
mod tests;
