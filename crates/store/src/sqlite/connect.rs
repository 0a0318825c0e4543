//! Connections to a file, and their settings.

use std::{path::Path, time::Duration};

use sqlx::{
    ConnectOptions as _, Error,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

use super::options::SqliteOptions;
use crate::sql::{FileConnection, SharedClock, Tx, args};

/// How much memory a connection may use for pages, in KiB.
const READER_CACHE_KIB: u32 = 8 * 1024;
const WRITER_CACHE_KIB: u32 = 64 * 1024;
/// A WAL that had to grow longer is cut to so many bytes when it restarts.
const WAL_BYTES_KEPT: u32 = 128 << 20;
/// How many texts stay prepared: statements, and those that were queued with the one behind them.
const STATEMENTS: usize = 256;

/// Whether the WAL is read with the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wal {
    Read,
    Ignored,
}

/// Opens a connection that writes. The file must be there.
pub(super) async fn to_write(path: &Path, options: &SqliteOptions) -> Result<Tx, Error> {
    let mut settings = of_server(path, options.busy_timeout, WRITER_CACHE_KIB)
        // The statement journal of a statement over many rows need not be a file.
        .pragma("temp_store", "memory")
        // Overwrites what is deleted or replaced, so that nothing of an erased person is left.
        .pragma("secure_delete", "true")
        // The checkpointer decides when.
        .pragma("wal_autocheckpoint", "0")
        .pragma("journal_size_limit", WAL_BYTES_KEPT.to_string());
    if let Some(pages) = options.pages_max {
        settings = settings.pragma("max_page_count", pages.to_string());
    }
    connect(&settings).await
}

/// Opens a connection on which a server reads.
pub(super) async fn to_serve(path: &Path, busy_timeout: Duration) -> Result<Tx, Error> {
    connect(&of_server(path, busy_timeout, READER_CACHE_KIB).pragma("query_only", "true")).await
}

/// Opens a read-only connection. Closing it leaves the file as it was.
pub(super) async fn to_read(path: &Path, wal: Wal, busy_timeout: Duration) -> Result<Tx, Error> {
    // A file that cannot change has no WAL.
    connect(&to_file(path, busy_timeout).read_only(true).immutable(wal == Wal::Ignored)).await
}

/// Opens a database in memory, which nothing else sees.
pub(super) async fn in_memory(clock: Option<SharedClock>) -> Result<Tx, Error> {
    let settings = SqliteConnectOptions::new()
        .foreign_keys(true)
        .pragma("temp_store", "memory")
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging();
    let mut connection = FileConnection::of(settings.connect().await?);
    connection.clock = clock;
    Ok(Tx::Sqlite(connection))
}

/// Has SQLite undo a transaction that a kill broke off before the file had a WAL: what only reads could not.
pub(super) async fn roll_back(path: &Path, busy_timeout: Duration) -> Result<(), Error> {
    let mut connection = connect(&to_file(path, busy_timeout)).await?;
    let looked = connection.exists("SELECT 1 FROM sqlite_master", args![]).await;
    connection.close().await.and(looked.map(drop))
}

/// The settings that all connections of a server have.
fn of_server(path: &Path, busy_timeout: Duration, cache_kib: u32) -> SqliteConnectOptions {
    to_file(path, busy_timeout)
        .journal_mode(SqliteJournalMode::Wal)
        .foreign_keys(true)
        // In KiB if it is negative.
        .pragma("cache_size", format!("-{cache_kib}"))
}

fn to_file(path: &Path, busy_timeout: Duration) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .busy_timeout(busy_timeout)
        // Those that only read, too: what is written with VACUUM INTO is synced.
        .synchronous(SqliteSynchronous::Full)
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging()
}

async fn connect(settings: &SqliteConnectOptions) -> Result<Tx, Error> {
    settings.connect().await.map(FileConnection::of).map(Tx::Sqlite)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::files::make_private;

    #[tokio::test]
    async fn the_wal_of_a_file_with_an_odd_name_can_be_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("jeux d’été? 100 %#1.db");
        make_private(&path).expect("a new file");
        let mut writer = to_write(&path, &SqliteOptions::default()).await.expect("opened");
        writer.script("CREATE TABLE plays (game TEXT)").await.expect("written");
        for (wal, tables) in [(Wal::Read, 1), (Wal::Ignored, 0)] {
            let mut reader = to_read(&path, wal, Duration::ZERO).await.expect("it is there");
            let count = "SELECT COUNT(*) FROM sqlite_master";
            let found: i64 = reader.one(count, args![]).await.expect("read");
            assert_eq!(found, tables, "{wal:?}");
        }
    }

    #[tokio::test]
    async fn only_the_writer_writes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let busy_timeout = Duration::ZERO;
        assert!(to_write(&path, &SqliteOptions::default()).await.is_err(), "it was made");
        make_private(&path).expect("a new file");
        let mut writer = to_write(&path, &SqliteOptions::default()).await.expect("opened");
        let create = "CREATE TABLE plays (game TEXT)";
        for reader in [to_serve(&path, busy_timeout).await, to_read(&path, Wal::Read, busy_timeout).await] {
            assert!(reader.expect("opened").script(create).await.is_err());
        }
        writer.script(create).await.expect("written");
    }
}
