//! Opening the file: its lock, its settings, its version.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::Duration,
};

use sqlx::{
    ConnectOptions, Connection, SqlSafeStr, SqliteConnection, SqlitePool,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use uuid::Uuid;

use super::{
    failure,
    files::{beside, lock, make_private},
    inspect::{inspect, of_sqlite, reading},
    recovery::{Loss, number, recover},
    restore::RESTORING,
    text::column,
    writer::OnFatal,
};

/// The files in `migrations/`, in order: number, name, text. `sqlx::migrate!` would list them
/// by itself, but would have SQLite compiled twice, and not see when a file is added.
const MIGRATIONS: [(i64, &str, &str); 6] = [
    (1, "first", include_str!("../../../../migrations/0001_first.sql")),
    (2, "computer", include_str!("../../../../migrations/0002_computer.sql")),
    (3, "analyses", include_str!("../../../../migrations/0003_analyses.sql")),
    (4, "operating", include_str!("../../../../migrations/0004_operating.sql")),
    (5, "sessions", include_str!("../../../../migrations/0005_sessions.sql")),
    (6, "commits", include_str!("../../../../migrations/0006_commits.sql")),
];

pub(super) static MIGRATOR: LazyLock<Migrator> = LazyLock::new(|| {
    let migration = |(number, name, text): (i64, &'static str, &'static str)| {
        Migration::new(number, name.into(), MigrationType::Simple, text.into_sql_str(), false)
    };
    Migrator::with_migrations(MIGRATIONS.map(migration).to_vec())
});

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

/// How many bytes of the disk stay free if nothing else is said: twice what the largest
/// transaction adds to the WAL.
pub const RESERVE_BYTES: u64 = 8 << 20;

/// What to do at a start if commits are missing that were acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnLostCommits {
    /// Begin a new history, so that clients forget what they know, and go on with what is there.
    #[default]
    NewHistory,
    /// Do not open the database, and leave the files as they are.
    Refuse,
}

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
    /// How many bytes of the disk stay free besides those that the copy of the WAL needs.
    pub reserve_bytes: u64,
    /// What to do if commits are missing that were acknowledged.
    pub on_lost_commits: OnLostCommits,
    /// Called when a sync of the file has failed, with the error. What has been
    /// promised to be durable may then be lost, so it should end the process.
    pub on_fatal: OnFatal,
}

impl Default for SqliteOptions {
    /// Four readers, 4096 waiting writes, 5 seconds, no limit, [`RESERVE_BYTES`], a new history,
    /// [`std::process::abort`].
    fn default() -> Self {
        Self {
            readers: 4,
            queue_max: 4096,
            busy_timeout: Duration::from_secs(5),
            pages_max: None,
            reserve_bytes: RESERVE_BYTES,
            on_lost_commits: OnLostCommits::default(),
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
    /// There is nothing there.
    #[error("there is no file {0}")]
    Missing(PathBuf),
    /// A directory, a device or the like.
    #[error("{0} is not a file")]
    NotAFile(PathBuf),
    /// Something else than a database of SQLite.
    #[error("{0} is not a database")]
    NotADatabase(PathBuf),
    /// A database, but none of ours.
    #[error("{0} is a database of another program")]
    AnotherProgram(PathBuf),
    /// A later version of the server has written it.
    #[error(
        "{path} is of version {found}, and this server knows versions up to {known}: \
         it was written by a newer server, use that one"
    )]
    Newer {
        /// Which file.
        path: PathBuf,
        /// The database's version.
        found: i64,
        /// The latest version known.
        known: i64,
    },
    /// An earlier version of the server has written it, and it is not to be changed.
    #[error(
        "{path} is of version {found}, and this is for version {known}: a server of this version brings it up \
         to date when it starts; make a backup first"
    )]
    Older {
        /// Which file.
        path: PathBuf,
        /// The database's version.
        found: i64,
        /// The latest version known.
        known: i64,
    },
    /// A migration that was applied is not the one that this server knows by its number.
    #[error("{path} was not made by a release of this server: its migration {migration} is a different one")]
    Foreign {
        /// Which file.
        path: PathBuf,
        /// The number of the migration.
        migration: i64,
    },
    /// Its pages do not fit together.
    #[error("{path} is damaged: {what}")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// Another program holds a lock of SQLite's.
    #[error("{0} is locked by another program")]
    Locked(PathBuf),
    /// The file or its folder may not be read or written.
    #[error("{path} cannot be opened; may this user read and write it and its folder? ({error})")]
    NotPermitted {
        /// Which file.
        path: PathBuf,
        /// What SQLite says.
        error: sqlx::Error,
    },
    /// Commits that were acknowledged are missing, and the operator wants no start then.
    #[error(
        "{path} has lost commits: {path}-commits notes number {noted}, and the last one there is {found}; its WAL \
         is damaged or gone: restore a backup, or start with --on-lost-commits new-history to go on with what \
         is there"
    )]
    Behind {
        /// Which file.
        path: PathBuf,
        /// The number of the last commit that was noted.
        noted: u64,
        /// The number of the last commit that is there.
        found: u64,
    },
    /// A backup was being put in its place and is not yet.
    #[error("a restore of {0} was broken off: do it again")]
    RestoreBrokenOff(PathBuf),
    /// The file system or the library does not give what durability needs.
    #[error("{path} cannot be made durable: {setting} is {found}")]
    NotDurable {
        /// Which file.
        path: PathBuf,
        /// Which setting.
        setting: &'static str,
        /// What it is.
        found: String,
    },
    /// The file or its lock file could not be made or read.
    #[error("{path} cannot be opened: {error}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Anything else.
    #[error("{path} cannot be opened: {error}")]
    Database {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: sqlx::Error,
    },
}

impl OpenError {
    /// Whether what the file holds cannot be read as a database.
    pub(super) const fn is_of_content(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::NotADatabase(_))
    }

    /// Whether there is no room on the disk.
    pub fn is_for_want_of_room(&self) -> bool {
        match self {
            Self::File { error, .. } => {
                matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            Self::Database { error, .. } => failure::code(error)
                .is_some_and(|code| code & 0xff == failure::FULL || code == failure::NO_ROOM_FOR_INDEX),
            Self::InUse(_)
            | Self::Missing(_)
            | Self::NotAFile(_)
            | Self::NotADatabase(_)
            | Self::AnotherProgram(_)
            | Self::Newer { .. }
            | Self::Older { .. }
            | Self::Foreign { .. }
            | Self::Damaged { .. }
            | Self::Behind { .. }
            | Self::Locked(_)
            | Self::NotPermitted { .. }
            | Self::RestoreBrokenOff(_)
            | Self::NotDurable { .. } => false,
        }
    }
}

/// What opening gives.
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
    /// What was missing.
    pub(super) loss: Option<Loss>,
}

/// Locks the file, makes it if there is none, checks it and brings it up to date.
pub(super) async fn open(path: &Path, options: &SqliteOptions) -> Result<Opened, OpenError> {
    let lock = lock(path)?;
    if beside(path, RESTORING).exists() {
        return Err(OpenError::RestoreBrokenOff(path.to_owned()));
    }
    let loss = recover(path, options.on_lost_commits, options.busy_timeout).await?;
    // An empty file is one that was being made.
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
        // What a statement over many rows would undo need not go through a file.
        .pragma("temp_store", "memory")
        // What is deleted or replaced is overwritten: a person who is erased stands nowhere then.
        .pragma("secure_delete", "on")
        // `checkpoint` decides when.
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
        loss.tell(path, history);
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

/// Opens the file to read it, whether or not a server has it. Nothing is made, locked or brought
/// up to date.
pub(super) async fn open_to_read(path: &Path) -> Result<(SqlitePool, Uuid), OpenError> {
    if beside(path, RESTORING).exists() {
        return Err(OpenError::RestoreBrokenOff(path.to_owned()));
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

/// Looks whether the file is one of this version.
///
/// # Errors
/// If it is of another one, or none of ours.
pub(super) async fn up_to_date(path: &Path, busy_timeout: Duration) -> Result<(), OpenError> {
    let found = inspect(path, busy_timeout).await?;
    let known = MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or(0);
    if found == known { Ok(()) } else { Err(OpenError::Older { path: path.to_owned(), found, known }) }
}

/// Reads back what was asked for: SQLite falls back silently where it cannot comply.
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

/// Brings the tables up to date.
pub(super) async fn migrate(path: &Path, connection: &mut SqliteConnection) -> Result<(), OpenError> {
    // What is not ours or newer has been found by `inspect`.
    MIGRATOR.run(connection).await.map_err(|error| match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => of_sqlite(path, error),
        other => OpenError::Database { path: path.to_owned(), error: other.into() },
    })
}

/// Begins another history, since what clients know may never have happened. Its commits have
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

/// Which history the journals tell; a new database begins one.
async fn history(connection: &mut SqliteConnection) -> sqlx::Result<Uuid> {
    sqlx::query("INSERT INTO history (one, id) VALUES (1, $1) ON CONFLICT (one) DO NOTHING")
        .bind(Uuid::new_v4().to_string())
        .execute(&mut *connection)
        .await?;
    let id: String = sqlx::query_scalar("SELECT id FROM history").fetch_one(connection).await?;
    Uuid::try_parse(&id).map_err(|error| sqlx::Error::Decode(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_migration_in_its_place() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut files: Vec<_> = files.map(|name| name.into_string().unwrap()).collect();
        files.sort();
        let known = MIGRATIONS.map(|(number, name, _)| format!("{number:04}_{name}.sql"));
        assert_eq!(files, known);
    }
}
