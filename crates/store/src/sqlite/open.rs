//! Opening the file: its lock, its settings, its version.

use std::{fs::File, path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags, config::DbConfig, types::Type};
use uuid::Uuid;

use super::{
    files::{REBUILDING, RESTORING, beside, lock, make_private, remove_if_there},
    inspect::{Wal, connect_to_read, inspect, up_to_date},
    migrations::{self, JOURNAL, LATEST},
    open_error::{OpenError, of_sqlite},
    options::SqliteOptions,
    readers::Readers,
    rebuild::{rebuild, roll_back},
    recovery::{Loss, is_loss_unknown, number, recover},
    sql::one,
    text::column,
};

/// How much memory a connection may use for pages, in KiB.
const READER_CACHE_KIB: i64 = 8 * 1024;
const WRITER_CACHE_KIB: i64 = 64 * 1024;
/// A WAL that had to grow longer is cut to so many bytes when it restarts.
const WAL_BYTES_KEPT: u32 = 128 << 20;
/// Before this version of SQLite two connections that copied the WAL and wrote it at the
/// same time could damage the database (sqlite.org/wal.html, "the WAL-reset bug").
const SQLITE_VERSION_MIN: [u32; 3] = [3, 51, 3];
/// `PRAGMA synchronous` calls FULL 2.
const SYNCHRONOUS_FULL: i64 = 2;
/// More than there are statements: each stays prepared.
const STATEMENTS: usize = 128;

/// Opens another connection for writing.
pub(super) type OpenWriter = Box<dyn Fn() -> rusqlite::Result<Connection> + Send>;

/// An open database.
pub(super) struct Opened {
    pub(super) lock: File,
    pub(super) writer: Connection,
    pub(super) open_writer: OpenWriter,
    pub(super) checkpointer: Connection,
    pub(super) readers: Readers,
    /// Which history the journals tell.
    pub(super) history: Uuid,
    /// The number of the last commit.
    pub(super) commits: u64,
    /// The acknowledged commits that were missing.
    pub(super) loss: Option<Loss>,
    /// Whether nobody can tell whether some were.
    pub(super) is_loss_unknown: bool,
}

/// Locks the file, creates it if there is none, checks it and migrates it.
pub(super) fn open(path: &Path, options: &SqliteOptions) -> Result<Opened, OpenError> {
    let lock = lock(path)?;
    if beside(path, RESTORING).exists() {
        return Err(OpenError::RestoreInterrupted(path.to_owned()));
    }
    let leftover = beside(path, REBUILDING);
    remove_if_there(&leftover).map_err(|error| OpenError::File { path: leftover, error })?;
    roll_back(path, options.busy_timeout)?;
    let is_loss_unknown = is_loss_unknown(path);
    let loss = recover(path, options.on_lost_commits, options.busy_timeout)?;
    // An empty file was left by a server that was stopped while creating it.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() || found.len() > 0)
        && (1..JOURNAL).contains(&inspect(path, options.busy_timeout)?)
    {
        rebuild(path, options.busy_timeout, &options.cancel_opening)?;
    }
    make_private(path)?;
    let of_sqlite = |error| of_sqlite(path, error);
    let open_writer: OpenWriter = {
        let (path, options) = (path.to_owned(), options.clone());
        Box::new(move || connect_to_write(&path, &options))
    };
    let mut writer = open_writer().map_err(of_sqlite)?;
    check_durable(path, &writer)?;
    migrations::apply(&mut writer, LATEST).map_err(of_sqlite)?;
    if let Some(loss) = loss {
        begin_new_history(&mut writer, loss).map_err(of_sqlite)?;
    }
    let history = history(&writer).map_err(of_sqlite)?;
    let commits = number(&writer).map_err(of_sqlite)?;
    if let Some(loss) = loss {
        loss.log(path, history);
    }
    let checkpointer = open_writer().map_err(of_sqlite)?;
    let (reads, busy_timeout) = (path.to_owned(), options.busy_timeout);
    let readers = Readers::new(options.readers, move || {
        let connection = connect(&reads, busy_timeout, READER_CACHE_KIB)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    });
    let readers = readers.map_err(of_sqlite)?;
    Ok(Opened { lock, writer, open_writer, checkpointer, readers, history, commits, loss, is_loss_unknown })
}

/// Opens the file for reading, whether or not a server uses it. Creates, locks and migrates
/// nothing.
pub(super) fn open_to_read(path: &Path) -> Result<(Readers, Uuid), OpenError> {
    if beside(path, RESTORING).exists() {
        return Err(OpenError::RestoreInterrupted(path.to_owned()));
    }
    let busy_timeout = SqliteOptions::default().busy_timeout;
    up_to_date(path, busy_timeout)?;
    let of_sqlite = |error| of_sqlite(path, error);
    let connection = connect_to_read(path, Wal::Read, busy_timeout).map_err(of_sqlite)?;
    let history = history_of(&connection).map_err(of_sqlite)?;
    drop(connection);
    let reads = path.to_owned();
    let readers = Readers::new(1, move || {
        let connection = connect_to_read(&reads, Wal::Read, busy_timeout)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(connection)
    });
    Ok((readers.map_err(of_sqlite)?, history))
}

/// Connects with the settings that all connections of a server have.
fn connect(path: &Path, busy_timeout: Duration, cache_kib: i64) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // A plan that depends on no parameter: else some statements are prepared again each time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // In KiB if it is negative.
    connection.pragma_update(None, "cache_size", -cache_kib)?;
    Ok(connection)
}

pub(super) fn connect_to_write(path: &Path, options: &SqliteOptions) -> rusqlite::Result<Connection> {
    let connection = connect(path, options.busy_timeout, WRITER_CACHE_KIB)?;
    // The statement journal of a statement over many rows need not be a file.
    connection.pragma_update(None, "temp_store", "memory")?;
    // Overwrites what is deleted or replaced, so that nothing of an erased person is left.
    connection.pragma_update(None, "secure_delete", true)?;
    // The checkpointer decides when.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.pragma_update(None, "journal_size_limit", WAL_BYTES_KEPT)?;
    if let Some(pages) = options.pages_max {
        connection.pragma_update(None, "max_page_count", pages)?;
    }
    Ok(connection)
}

/// Reads the settings back: SQLite falls back silently where it cannot comply.
fn check_durable(path: &Path, connection: &Connection) -> Result<(), OpenError> {
    let not_durable = |setting, found| OpenError::NotDurable { path: path.to_owned(), setting, found };
    let settings = || -> rusqlite::Result<(String, String, i64)> {
        let (version,) = one(connection, "SELECT sqlite_version()", [])?;
        let (mode,) = one(connection, "PRAGMA journal_mode", [])?;
        let (synchronous,) = one(connection, "PRAGMA synchronous", [])?;
        Ok((version, mode, synchronous))
    };
    let (version, mode, synchronous) = settings().map_err(|error| of_sqlite(path, error))?;
    let numbers: Vec<u32> = version.split('.').filter_map(|number| number.parse().ok()).collect();
    if numbers[..] < SQLITE_VERSION_MIN[..] {
        return Err(not_durable("sqlite_version", version));
    }
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(not_durable("journal_mode", mode));
    }
    if synchronous != SYNCHRONOUS_FULL {
        return Err(not_durable("synchronous", synchronous.to_string()));
    }
    Ok(())
}

/// Begins another history, because clients may know events that are lost. Its commits get
/// numbers beyond all that were noted.
fn begin_new_history(connection: &mut Connection, loss: Loss) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute("DELETE FROM history", [])?;
    transaction.execute("UPDATE commits SET number = ?1", [column(loss.noted + 1)])?;
    transaction.commit()
}

/// The id of the history; a new database begins one.
fn history(connection: &Connection) -> rusqlite::Result<Uuid> {
    connection.execute(
        "INSERT INTO history (one, id) VALUES (1, ?1) ON CONFLICT (one) DO NOTHING",
        [Uuid::new_v4().to_string()],
    )?;
    history_of(connection)
}

pub(super) fn history_of(connection: &Connection) -> rusqlite::Result<Uuid> {
    let (id,): (String,) = one(connection, "SELECT id FROM history", [])?;
    let unreadable = |error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error));
    Uuid::try_parse(&id).map_err(unreadable)
}
