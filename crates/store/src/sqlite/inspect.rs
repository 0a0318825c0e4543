//! Checks that a file is a database of this server, without changing it.

use std::{io::ErrorKind, path::Path, time::Duration};

use super::{
    connect::{Wal, to_read},
    migrations::{LATEST, STEPS},
    open_error::{OpenError, of_sqlite},
};
use crate::sql::{Tx, args};

/// Opens a read-only connection. Closing it leaves the file as it was.
pub(super) async fn reader(path: &Path, busy_timeout: Duration) -> Result<Tx, OpenError> {
    to_read(path, Wal::Read, busy_timeout).await.map_err(|error| of_sqlite(path, error))
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
    let mut tx = reader(path, busy_timeout).await?;
    let found = version(path, &mut tx).await;
    // It has only read.
    let _ = tx.close().await;
    found
}

/// Checks that the file is a database of this version.
///
/// # Errors
/// If it is of another version, or not ours.
pub(super) async fn up_to_date(path: &Path, busy_timeout: Duration) -> Result<(), OpenError> {
    let (found, known) = (inspect(path, busy_timeout).await?, LATEST);
    if found == known { Ok(()) } else { Err(OpenError::Older { path: path.to_owned(), found, known }) }
}

const TABLES: &str = "SELECT name FROM sqlite_master WHERE type = 'table'";
const PAGES: &str = "SELECT MAX(rootpage), (SELECT page_count FROM pragma_page_count) FROM sqlite_master";
/// The table that marks a file that was moved to PostgreSQL, or whose move has not ended ([`super::moving`]).
const MARK_TABLE: &str = "moved";
const MARK: &str = "SELECT place, at, is_moved FROM moved";
const APPLIED: &str = "SELECT version, checksum, success FROM _sqlx_migrations ORDER BY version";

/// The version of the tables: the number of the last step that was applied.
pub(super) async fn version(path: &Path, tx: &mut Tx) -> Result<i64, OpenError> {
    let of_sqlite = |error| of_sqlite(path, error);
    let tables: Vec<String> = tx.all(TABLES, args![]).await.map_err(of_sqlite)?;
    if tables.is_empty() {
        // A server was stopped while creating it.
        return Ok(0);
    }
    if !tables.iter().any(|name| name == "_sqlx_migrations") {
        return Err(OpenError::AnotherProgram(path.to_owned()));
    }
    // A cut-off table that no query has read yet would go unnoticed.
    let (needs, has): (i64, i64) = tx.one(PAGES, args![]).await.map_err(of_sqlite)?;
    if needs > has {
        let what = format!("it is cut off: it has {has} pages, and needs at least {needs}");
        return Err(OpenError::Damaged { path: path.to_owned(), what });
    }
    if tables.iter().any(|name| name == MARK_TABLE) {
        let (place, at, is_moved) = tx.one(MARK, args![]).await.map_err(of_sqlite)?;
        let path = path.to_owned();
        return Err(if is_moved {
            OpenError::Moved { path, place, at }
        } else {
            OpenError::Moving { path, place, at }
        });
    }
    let applied: Vec<(i64, Vec<u8>, bool)> = tx.all(APPLIED, args![]).await.map_err(of_sqlite)?;
    for (found, checksum, is_whole) in &applied {
        let (path, found) = (path.to_owned(), *found);
        match STEPS.iter().find(|step| step.version == found) {
            Some(step) if step.checksum() == *checksum && *is_whole => {}
            Some(step) if step.checksum() == *checksum => {
                let what = format!("its tables were not brought to version {found} as a whole");
                return Err(OpenError::Damaged { path, what });
            }
            None if found > LATEST => return Err(OpenError::Newer { path, found, known: LATEST }),
            Some(_) | None => return Err(OpenError::Foreign { path, migration: found }),
        }
    }
    Ok(applied.last().map_or(0, |(version, ..)| *version))
}
