//! Checks that a file is a database of this server, without changing it.

use std::{
    ffi::OsString,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use super::{
    migrations::{LATEST, MIGRATIONS},
    open_error::{OpenError, of_sqlite},
    sql::{one, rows},
};

/// Whether the WAL is read with the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wal {
    Read,
    Ignored,
}

/// Opens a read-only connection. Closing it leaves the file as it was.
pub(super) fn reader(path: &Path, busy_timeout: Duration) -> Result<Connection, OpenError> {
    connect_to_read(path, Wal::Read, busy_timeout).map_err(|error| of_sqlite(path, error))
}

/// Opens a read-only connection.
pub(super) fn connect_to_read(path: &Path, wal: Wal, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match wal {
        Wal::Read => Connection::open_with_flags(path, flags)?,
        Wal::Ignored => Connection::open_with_flags(immutable(path), flags | OpenFlags::SQLITE_OPEN_URI)?,
    };
    connection.busy_timeout(busy_timeout)?;
    // What is written with VACUUM INTO is synced.
    connection.pragma_update(None, "synchronous", "FULL")?;
    Ok(connection)
}

/// The file as one that cannot change, and so has no WAL, in the form of sqlite.org/uri.html.
fn immutable(path: &Path) -> PathBuf {
    let mut uri = OsString::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => uri.push(char::from(*byte).to_string()),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(*byte).to_string()),
            byte => uri.push(format!("%{byte:02x}")),
        }
    }
    uri.push("?immutable=1");
    PathBuf::from(uri)
}

/// Checks a file that must exist, and returns the version of its tables, 0 if it has none.
///
/// # Errors
/// If it is missing, not a file, not a database, another program's, a newer server's, damaged
/// or locked.
pub(super) fn inspect(path: &Path, busy_timeout: Duration) -> Result<i64, OpenError> {
    // By name, without opening it: closing a file that SQLite has open in this process would
    // drop SQLite's locks on it.
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Err(OpenError::NotAFile(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(OpenError::Missing(path.to_owned())),
        Err(error) => return Err(OpenError::File { path: path.to_owned(), error }),
    }
    version(path, &reader(path, busy_timeout)?)
}

/// Checks that the file is a database of this version.
///
/// # Errors
/// If it is of another version, or not ours.
pub(super) fn up_to_date(path: &Path, busy_timeout: Duration) -> Result<(), OpenError> {
    let (found, known) = (inspect(path, busy_timeout)?, LATEST);
    if found == known { Ok(()) } else { Err(OpenError::Older { path: path.to_owned(), found, known }) }
}

const TABLES: &str = "SELECT name FROM sqlite_master WHERE type = 'table'";
const PAGES: &str = "SELECT MAX(rootpage), (SELECT page_count FROM pragma_page_count) FROM sqlite_master";
/// The table that marks a file that was moved to PostgreSQL, or whose move has not ended ([`super::moving`]).
const MARK_TABLE: &str = "moved";
const MARK: &str = "SELECT place, at, is_moved FROM moved";
const APPLIED: &str = "SELECT version, checksum, success FROM _sqlx_migrations ORDER BY version";

/// The version of the tables: the number of the last migration that was applied.
pub(super) fn version(path: &Path, connection: &Connection) -> Result<i64, OpenError> {
    let of_sqlite = |error| of_sqlite(path, error);
    let tables: Vec<(String,)> = rows(connection, TABLES, []).map_err(of_sqlite)?;
    if tables.is_empty() {
        // A server was stopped while creating it.
        return Ok(0);
    }
    if !tables.iter().any(|(name,)| name == "_sqlx_migrations") {
        return Err(OpenError::AnotherProgram(path.to_owned()));
    }
    // A cut-off table that no query has read yet would go unnoticed.
    let (needs, has): (i64, i64) = one(connection, PAGES, []).map_err(of_sqlite)?;
    if needs > has {
        let what = format!("it is cut off: it has {has} pages, and needs at least {needs}");
        return Err(OpenError::Damaged { path: path.to_owned(), what });
    }
    if tables.iter().any(|(name,)| name == MARK_TABLE) {
        let (place, at, is_moved) = one(connection, MARK, []).map_err(of_sqlite)?;
        let path = path.to_owned();
        return Err(if is_moved {
            OpenError::Moved { path, place, at }
        } else {
            OpenError::Moving { path, place, at }
        });
    }
    let applied: Vec<(i64, Vec<u8>, bool)> = rows(connection, APPLIED, []).map_err(of_sqlite)?;
    for (found, checksum, is_whole) in &applied {
        let (path, found) = (path.to_owned(), *found);
        match MIGRATIONS.iter().find(|migration| migration.version == found) {
            Some(migration) if migration.checksum() == *checksum && *is_whole => {}
            Some(migration) if migration.checksum() == *checksum => {
                let what = format!("its tables were not brought to version {found} as a whole");
                return Err(OpenError::Damaged { path, what });
            }
            None if found > LATEST => return Err(OpenError::Newer { path, found, known: LATEST }),
            Some(_) | None => return Err(OpenError::Foreign { path, migration: found }),
        }
    }
    Ok(applied.last().map_or(0, |(version, ..)| *version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wal_of_a_file_with_an_odd_name_can_be_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("jeux d’été? 100 %#1.db");
        let written = Connection::open(&path).expect("a file");
        written.execute_batch("CREATE TABLE plays (game TEXT)").expect("written");
        let found = connect_to_read(&path, Wal::Ignored, Duration::ZERO).expect("it is there");
        let tables: Vec<(String,)> = rows(&found, TABLES, []).expect("read");
        assert_eq!(tables, [("plays".to_owned(),)]);
    }
}
