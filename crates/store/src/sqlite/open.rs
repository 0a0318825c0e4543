//! Opening the file: its lock, its settings, its version.

use std::{fs::File, path::Path, time::Duration};

use sqlx::{
    ConnectOptions, Connection, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use uuid::Uuid;

use super::{
    files::{RESTORING, beside, lock, make_private},
    inspect::{inspect, reading, up_to_date},
    migrations::migrate,
    open_error::{OpenError, of_sqlite},
    options::SqliteOptions,
    recovery::{Loss, number, recover},
    text::column,
};

/// How much memory a connection may use for pages, in KiB.
const READER_CACHE_KIB: u32 = 8 * 1024;
const WRITER_CACHE_KIB: u32 = 64 * 1024;
/// A WAL that had to grow longer is cut to so many bytes when it restarts.
const WAL_BYTES_KEPT: u32 = 128 << 20;
/// How long a read waits for a free connection.
const READER_WITHIN: Duration = Duration::from_secs(5);
/// Before this version of SQLite two connections that copied the WAL and wrote it at the
/// same time could damage the database (sqlite.org/wal.html, "the WAL-reset bug").
const SQLITE_VERSION_MIN: [u32; 3] = [3, 51, 3];
/// `PRAGMA synchronous` calls FULL 2.
const SYNCHRONOUS_FULL: i64 = 2;

/// An open database.
pub(super) struct Opened {
    pub(super) lock: File,
    pub(super) writer: SqliteConnection,
    /// How to connect another writer.
    pub(super) writer_options: SqliteConnectOptions,
    pub(super) checkpointer: SqliteConnection,
    pub(super) readers: SqlitePool,
    /// Which history the journals tell.
    pub(super) history: Uuid,
    /// The number of the last commit.
    pub(super) commits: u64,
    /// The acknowledged commits that were missing.
    pub(super) loss: Option<Loss>,
}

/// Locks the file, creates it if there is none, checks it and migrates it.
pub(super) async fn open(path: &Path, options: &SqliteOptions) -> Result<Opened, OpenError> {
    let lock = lock(path)?;
    if beside(path, RESTORING).exists() {
        return Err(OpenError::RestoreInterrupted(path.to_owned()));
    }
    let loss = recover(path, options.on_lost_commits, options.busy_timeout).await?;
    // An empty file was left by a server that was stopped while creating it.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() || found.len() > 0) {
        inspect(path, options.busy_timeout).await?;
    }
    make_private(path)?;
    let of_sqlite = |error| of_sqlite(path, error);
    let common = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(options.busy_timeout)
        .disable_statement_logging();
    let mut writer_options = common
        .clone()
        .pragma("cache_size", format!("-{WRITER_CACHE_KIB}"))
        // The statement journal of a statement over many rows need not be a file.
        .pragma("temp_store", "memory")
        // Overwrites what is deleted or replaced, so that nothing of an erased person is left.
        .pragma("secure_delete", "on")
        // The checkpointer decides when.
        .pragma("wal_autocheckpoint", "0")
        .pragma("journal_size_limit", WAL_BYTES_KEPT.to_string());
    if let Some(pages) = options.pages_max {
        writer_options = writer_options.pragma("max_page_count", pages.to_string());
    }
    let mut writer = writer_options.connect().await.map_err(of_sqlite)?;
    check_durable(path, &mut writer).await?;
    migrate(path, &mut writer).await?;
    if let Some(loss) = loss {
        begin_new_history(&mut writer, loss).await.map_err(of_sqlite)?;
    }
    let history = history(&mut writer).await.map_err(of_sqlite)?;
    let commits = number(&mut writer).await.map_err(of_sqlite)?;
    if let Some(loss) = loss {
        loss.log(path, history);
    }
    let checkpointer = writer_options.connect().await.map_err(of_sqlite)?;
    let readers = SqlitePoolOptions::new()
        .max_connections(options.readers)
        .acquire_timeout(READER_WITHIN)
        .test_before_acquire(false)
        .connect_with(common.pragma("query_only", "on").pragma("cache_size", format!("-{READER_CACHE_KIB}")))
        .await
        .map_err(of_sqlite)?;
    Ok(Opened { lock, writer, writer_options, checkpointer, readers, history, commits, loss })
}

/// Opens the file for reading, whether or not a server uses it. Creates, locks and migrates
/// nothing.
pub(super) async fn open_to_read(path: &Path) -> Result<(SqlitePool, Uuid), OpenError> {
    if beside(path, RESTORING).exists() {
        return Err(OpenError::RestoreInterrupted(path.to_owned()));
    }
    let busy_timeout = SqliteOptions::default().busy_timeout;
    up_to_date(path, busy_timeout).await?;
    let readers = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(READER_WITHIN)
        .connect_with(reading(path, busy_timeout))
        .await
        .map_err(|error| of_sqlite(path, error))?;
    let id: String = sqlx::query_scalar("SELECT id FROM history")
        .fetch_one(&readers)
        .await
        .map_err(|error| of_sqlite(path, error))?;
    let unreadable = |error: uuid::Error| of_sqlite(path, sqlx::Error::Decode(error.into()));
    Ok((readers, Uuid::try_parse(&id).map_err(unreadable)?))
}

/// Reads the settings back: SQLite falls back silently where it cannot comply.
async fn check_durable(path: &Path, connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let of_sqlite = |error| of_sqlite(path, error);
    let not_durable = |setting, found| OpenError::NotDurable { path: path.to_owned(), setting, found };
    let version: String =
        sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&mut *connection).await.map_err(of_sqlite)?;
    let numbers: Vec<u32> = version.split('.').filter_map(|number| number.parse().ok()).collect();
    if numbers[..] < SQLITE_VERSION_MIN[..] {
        return Err(not_durable("sqlite_version", version));
    }
    let mode: String =
        sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut *connection).await.map_err(of_sqlite)?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(not_durable("journal_mode", mode));
    }
    let synchronous: i64 =
        sqlx::query_scalar("PRAGMA synchronous").fetch_one(connection).await.map_err(of_sqlite)?;
    if synchronous != SYNCHRONOUS_FULL {
        return Err(not_durable("synchronous", synchronous.to_string()));
    }
    Ok(())
}

/// Begins another history, because clients may know events that are lost. Its commits get
/// numbers beyond all that were noted.
async fn begin_new_history(connection: &mut SqliteConnection, loss: Loss) -> sqlx::Result<()> {
    let mut transaction = connection.begin().await?;
    sqlx::query("DELETE FROM history").execute(&mut *transaction).await?;
    sqlx::query("UPDATE commits SET number = $1")
        .bind(column(loss.noted + 1))
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await
}

/// The id of the history; a new database begins one.
async fn history(connection: &mut SqliteConnection) -> sqlx::Result<Uuid> {
    sqlx::query("INSERT INTO history (one, id) VALUES (1, $1) ON CONFLICT (one) DO NOTHING")
        .bind(Uuid::new_v4().to_string())
        .execute(&mut *connection)
        .await?;
    let id: String = sqlx::query_scalar("SELECT id FROM history").fetch_one(connection).await?;
    Uuid::try_parse(&id).map_err(|error| sqlx::Error::Decode(error.into()))
}
