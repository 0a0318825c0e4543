//! Opening the file: its lock, its settings, its version.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::Duration,
};

use sqlx::{
    ConnectOptions, SqlSafeStr, SqliteConnection, SqlitePool,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::writer::OnFatal;

/// The files in `migrations/`, in order: number, name, text. `sqlx::migrate!` would list them
/// by itself, but would have SQLite compiled twice, and not see when a file is added.
const MIGRATIONS: [(i64, &str, &str); 3] = [
    (1, "first", include_str!("../../../migrations/0001_first.sql")),
    (2, "computer", include_str!("../../../migrations/0002_computer.sql")),
    (3, "analyses", include_str!("../../../migrations/0003_analyses.sql")),
];

static MIGRATOR: LazyLock<Migrator> = LazyLock::new(|| {
    let migration = |(number, name, text): (i64, &'static str, &'static str)| {
        Migration::new(number, name.into(), MigrationType::Simple, text.into_sql_str(), false)
    };
    Migrator::with_migrations(MIGRATIONS.map(migration).to_vec())
});

/// How much memory a connection may use for pages, in KiB.
const READER_CACHE_KIB: u32 = 8 * 1024;
const WRITER_CACHE_KIB: u32 = 64 * 1024;
/// The log is cut down to so many bytes when it had to grow longer.
const LOG_BYTES_KEPT: u32 = 128 << 20;
/// How long a read waits for a free connection.
const READER_WITHIN: Duration = Duration::from_secs(5);
/// Before this version of SQLite two connections that copied the log and wrote it at the
/// same time could damage the database (sqlite.org/wal.html, "the WAL-reset bug").
const SQLITE_VERSION_MIN: [u32; 3] = [3, 51, 3];
/// `PRAGMA synchronous` calls FULL 2.
const SYNCHRONOUS_FULL: i64 = 2;

/// How to keep the file.
#[derive(Clone)]
pub struct SqliteOptions {
    /// How many connections read.
    pub readers: u32,
    /// How many writes may wait; more are refused as busy.
    pub queue_max: usize,
    /// How long to wait for a lock that another program holds.
    pub busy_timeout: Duration,
    /// The most pages (4 KiB each) the file may have; beyond them it counts as full.
    pub pages_max: Option<u32>,
    /// Called when a sync of the file has failed, with the error. What has been
    /// promised to be durable may then be lost, so it should end the process.
    pub on_fatal: OnFatal,
}

impl Default for SqliteOptions {
    /// Four readers, 4096 waiting writes, 5 seconds, no limit, [`std::process::abort`].
    fn default() -> Self {
        Self {
            readers: 4,
            queue_max: 4096,
            busy_timeout: Duration::from_secs(5),
            pages_max: None,
            on_fatal: std::sync::Arc::new(|why| {
                tracing::error!(why, "the database file could not be synced: stopping");
                std::process::abort();
            }),
        }
    }
}

/// The file could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another server has it.
    #[error("another server is using {0} (its lock file is held)")]
    InUse(PathBuf),
    /// A later version of the server has written it.
    #[error(
        "the database is of version {found}, and this server knows versions up to {known}: \
         it was written by a newer server, use that one"
    )]
    Newer {
        /// The database's version.
        found: i64,
        /// The latest version known.
        known: i64,
    },
    /// A migration that was applied is not the one that this server knows by its number.
    #[error("the database was not made by a release of this server: its migration {0} is a different one")]
    Foreign(i64),
    /// The file system or the library does not give what durability needs.
    #[error("the database cannot be made durable: {setting} is {found}")]
    NotDurable {
        /// Which setting.
        setting: &'static str,
        /// What it is.
        found: String,
    },
    /// The file or its lock file could not be made.
    #[error("{path} cannot be opened: {error}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Anything else.
    #[error("the database cannot be opened: {0}")]
    Database(#[from] sqlx::Error),
}

/// What opening gives.
pub(super) struct Opened {
    pub(super) lock: File,
    pub(super) writer: SqliteConnection,
    /// How to connect another writer.
    pub(super) writer_options: SqliteConnectOptions,
    pub(super) checkpointer: SqliteConnection,
    pub(super) readers: SqlitePool,
}

/// Locks the file, makes it if there is none, checks it and brings it up to date.
pub(super) async fn open(path: &Path, options: &SqliteOptions) -> Result<Opened, OpenError> {
    let lock = lock(path)?;
    make_private(path)?;
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
        // What a statement over many rows would undo need not go through a file.
        .pragma("temp_store", "memory")
        // `checkpoint` decides when.
        .pragma("wal_autocheckpoint", "0")
        .pragma("journal_size_limit", LOG_BYTES_KEPT.to_string());
    if let Some(pages) = options.pages_max {
        writer_options = writer_options.pragma("max_page_count", pages.to_string());
    }
    let mut writer = writer_options.connect().await?;
    check_durable(&mut writer).await?;
    migrate(&mut writer).await?;
    let checkpointer = writer_options.connect().await?;
    let readers = SqlitePoolOptions::new()
        .max_connections(options.readers)
        .acquire_timeout(READER_WITHIN)
        .test_before_acquire(false)
        .connect_with(common.pragma("query_only", "on").pragma("cache_size", format!("-{READER_CACHE_KIB}")))
        .await?;
    Ok(Opened { lock, writer, writer_options, checkpointer, readers })
}

/// Takes the lock of the file. The system gives it back when the process ends,
/// however it ends. SQLite's own locks would not do: they let two servers take turns.
fn lock(path: &Path) -> Result<File, OpenError> {
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let name = PathBuf::from(name);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&name);
    let file = file.map_err(|error| OpenError::File { path: name.clone(), error })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(OpenError::File { path: name, error }),
    }
}

/// Makes the file if there is none, to be read by its owner alone: it holds the secrets.
/// SQLite gives its log the same rights.
fn make_private(path: &Path) -> Result<(), OpenError> {
    let mut open = OpenOptions::new();
    open.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    open.open(path).map(drop).map_err(|error| OpenError::File { path: path.to_owned(), error })
}

/// Reads back what was asked for: SQLite falls back silently where it cannot comply.
async fn check_durable(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&mut *connection).await?;
    let numbers: Vec<u32> = version.split('.').filter_map(|number| number.parse().ok()).collect();
    if numbers[..] < SQLITE_VERSION_MIN[..] {
        return Err(OpenError::NotDurable { setting: "sqlite_version", found: version });
    }
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut *connection).await?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(OpenError::NotDurable { setting: "journal_mode", found: mode });
    }
    let synchronous: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(connection).await?;
    if synchronous != SYNCHRONOUS_FULL {
        return Err(OpenError::NotDurable { setting: "synchronous", found: synchronous.to_string() });
    }
    Ok(())
}

async fn migrate(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let known = MIGRATIONS.last().map_or(0, |&(number, ..)| number);
    MIGRATOR.run(connection).await.map_err(|error| match error {
        MigrateError::VersionMissing(found) if found > known => OpenError::Newer { found, known },
        MigrateError::VersionMissing(version) | MigrateError::VersionMismatch(version) => {
            OpenError::Foreign(version)
        }
        other => OpenError::Database(other.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_migration_in_its_place() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut files: Vec<_> = files.map(|name| name.into_string().unwrap()).collect();
        files.sort();
        let known = MIGRATIONS.map(|(number, name, _)| format!("{number:04}_{name}.sql"));
        assert_eq!(files, known);
    }
}
