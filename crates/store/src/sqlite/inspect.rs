//! Checks that a file is a database of this server, without changing it.

use std::{io::ErrorKind, path::Path, time::Duration};

use sqlx::{
    ConnectOptions, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteSynchronous},
};

use super::{
    migrations::{self, MIGRATOR},
    open_error::{OpenError, of_sqlite},
};

/// Opens a read-only connection. Closing it leaves the file as it was.
pub(super) async fn reader(path: &Path, busy_timeout: Duration) -> Result<SqliteConnection, OpenError> {
    reading(path, busy_timeout).connect().await.map_err(|error| of_sqlite(path, error))
}

/// How to open a read-only connection.
pub(super) fn reading(path: &Path, busy_timeout: Duration) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .busy_timeout(busy_timeout)
        // What is written with VACUUM INTO is synced.
        .synchronous(SqliteSynchronous::Full)
        .disable_statement_logging()
}

/// Checks a file that must exist, and returns the version of its tables, 0 if it has none.
///
/// # Errors
/// If it is missing, not a file, not a database, another program's, a newer server's, damaged
/// or locked.
pub(super) async fn inspect(path: &Path, busy_timeout: Duration) -> Result<i64, OpenError> {
    // By name, without opening it: closing a file that SQLite has open in this process would
    // drop SQLite's locks on it.
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Err(OpenError::NotAFile(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(OpenError::Missing(path.to_owned())),
        Err(error) => return Err(OpenError::File { path: path.to_owned(), error }),
    }
    version(path, &mut reader(path, busy_timeout).await?).await
}

/// Checks that the file is a database of this version.
///
/// # Errors
/// If it is of another version, or not ours.
pub(super) async fn up_to_date(path: &Path, busy_timeout: Duration) -> Result<(), OpenError> {
    let found = inspect(path, busy_timeout).await?;
    let known = migrations::latest();
    if found == known { Ok(()) } else { Err(OpenError::Older { path: path.to_owned(), found, known }) }
}

/// The version of the tables: the number of the last migration that was applied.
pub(super) async fn version(path: &Path, connection: &mut SqliteConnection) -> Result<i64, OpenError> {
    let of_sqlite = |error| of_sqlite(path, error);
    let tables: Vec<String> = sqlx::query_scalar("SELECT name FROM sqlite_master WHERE type = 'table'")
        .fetch_all(&mut *connection)
        .await
        .map_err(of_sqlite)?;
    if tables.is_empty() {
        // A server was stopped while creating it.
        return Ok(0);
    }
    if !tables.iter().any(|name| name == "_sqlx_migrations") {
        return Err(OpenError::AnotherProgram(path.to_owned()));
    }
    // A cut-off table that no query has read yet would go unnoticed.
    let (needs, has): (i64, i64) =
        sqlx::query_as("SELECT MAX(rootpage), (SELECT page_count FROM pragma_page_count) FROM sqlite_master")
            .fetch_one(&mut *connection)
            .await
            .map_err(of_sqlite)?;
    if needs > has {
        let what = format!("it is cut off: it has {has} pages, and needs at least {needs}");
        return Err(OpenError::Damaged { path: path.to_owned(), what });
    }
    let applied: Vec<(i64, Vec<u8>, bool)> =
        sqlx::query_as("SELECT version, checksum, success FROM _sqlx_migrations ORDER BY version")
            .fetch_all(connection)
            .await
            .map_err(of_sqlite)?;
    let known = migrations::latest();
    for (found, checksum, is_whole) in &applied {
        let (path, found) = (path.to_owned(), *found);
        match MIGRATOR.iter().find(|migration| migration.version == found) {
            Some(migration) if *migration.checksum == **checksum && *is_whole => {}
            Some(migration) if *migration.checksum == **checksum => {
                let what = format!("its tables were not brought to version {found} as a whole");
                return Err(OpenError::Damaged { path, what });
            }
            None if found > known => return Err(OpenError::Newer { path, found, known }),
            Some(_) | None => return Err(OpenError::Foreign { path, migration: found }),
        }
    }
    Ok(applied.last().map_or(0, |(version, ..)| *version))
}
