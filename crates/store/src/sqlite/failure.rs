//! What an error of the database means for the write or read that met it.

use rusqlite::{Error, types::Type};

use crate::{AppendError, StoreError};

// The result codes of SQLite (sqlite.org/rescode.html). The low byte is the primary code.
pub(super) const BUSY: i32 = 5;
pub(super) const LOCKED: i32 = 6;
pub(super) const READ_ONLY: i32 = 8;
pub(super) const INTERRUPT: i32 = 9;
pub(super) const CORRUPT: i32 = 11;
pub(super) const FULL: i32 = 13;

/// `SQLITE_IOERR_SHMSIZE`: no room for the `-shm` file, which the first reader makes.
pub(super) const NO_ROOM_FOR_SHM: i32 = 4874;
pub(super) const CANT_OPEN: i32 = 14;
pub(super) const NOT_A_DATABASE: i32 = 26;
const IOERR_FSYNC: i32 = 0x40a;
const IOERR_DIR_FSYNC: i32 = 0x50a;

/// Why a transaction failed, or may have failed. Each of its writes gets a copy.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// Not committed: the database is locked, or the queue is full.
    Busy(String),
    /// Not committed: the disk is full.
    Full(String),
    /// Not committed: what is stored cannot be read.
    Corrupt(String),
    /// Not committed: the store is closed.
    Closed,
    /// Not committed: any other error.
    Failed(String),
    /// The commit failed in a way that leaves its outcome unknown.
    Unknown(String),
}

impl Failure {
    /// What an error before the commit means: nothing was committed.
    pub(super) fn before_commit(error: &rusqlite::Error) -> Self {
        let text = error.to_string();
        match error {
            Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::InvalidColumnType(..)
            | Error::Utf8Error(..) => Self::Corrupt(text),
            _ => match code(error).map(|code| code & 0xff) {
                Some(BUSY | LOCKED) => Self::Busy(text),
                Some(FULL) => Self::Full(text),
                Some(CORRUPT | NOT_A_DATABASE) => Self::Corrupt(text),
                _ => Self::Failed(text),
            },
        }
    }

    /// What an error of the commit itself means. Only a lock that was not granted and a full
    /// disk prove that it was not committed.
    pub(super) fn of_commit(error: &rusqlite::Error) -> Self {
        match Self::before_commit(error) {
            not_committed @ (Self::Busy(_) | Self::Full(_)) => not_committed,
            Self::Closed => Self::Unknown("the database was closed during the commit".to_owned()),
            Self::Corrupt(text) | Self::Failed(text) | Self::Unknown(text) => Self::Unknown(text),
        }
    }

    /// Whether the database is at fault, so that the other writes of the transaction would fail
    /// too.
    pub(super) fn is_common(&self) -> bool {
        match self {
            Self::Busy(_) | Self::Full(_) | Self::Corrupt(_) | Self::Closed | Self::Unknown(_) => true,
            Self::Failed(_) => false,
        }
    }
}

/// Whether a sync of the file failed: what the system had accepted may be lost, and another
/// sync would not show it.
pub(super) fn is_failed_sync(error: &rusqlite::Error) -> bool {
    matches!(code(error), Some(IOERR_FSYNC | IOERR_DIR_FSYNC))
}

/// The extended result code.
pub(super) fn code(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

/// What is stored cannot be decoded, as an error that rolls a transaction back.
pub(super) fn undecodable(error: StoreError) -> Error {
    Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
}

/// What an error means for a read.
#[expect(clippy::needless_pass_by_value, reason = "so that it fits map_err")]
pub(super) fn of_read(error: rusqlite::Error) -> StoreError {
    Failure::before_commit(&error).into()
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Busy(text) => Self::Busy(text),
            Failure::Full(text) => Self::Full(text),
            Failure::Corrupt(text) => Self::Corrupt(text),
            Failure::Closed => Self::Closed,
            Failure::Failed(text) => Self::Failed(text),
            Failure::Unknown(text) => Self::Unknown(text),
        }
    }
}

impl From<Failure> for AppendError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Unknown(text) => Self::Unknown(text),
            not_committed => Self::Store(not_committed.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    fn error(code: i32) -> Error {
        Error::SqliteFailure(ffi::Error::new(code), None)
    }

    #[test]
    fn busy_and_full_are_not_committed_even_at_the_commit() {
        // SQLITE_BUSY, SQLITE_BUSY_SNAPSHOT, SQLITE_LOCKED, SQLITE_FULL.
        for code in [5, 517, 6, 13] {
            for failure in [Failure::before_commit(&error(code)), Failure::of_commit(&error(code))] {
                assert_eq!(matches!(failure, Failure::Full(_)), code == 13, "{code}: {failure:?}");
                assert_eq!(matches!(failure, Failure::Busy(_)), code != 13, "{code}: {failure:?}");
                assert!(failure.is_common());
            }
        }
    }

    #[test]
    fn any_other_error_leaves_the_outcome_of_a_commit_unknown() {
        // SQLITE_ERROR, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC, SQLITE_CORRUPT.
        for code in [1, 778, 1034, 11] {
            assert!(matches!(Failure::of_commit(&error(code)), Failure::Unknown(_)), "{code}");
        }
        assert!(matches!(Failure::of_commit(&Error::QueryReturnedNoRows), Failure::Unknown(_)));
    }

    #[test]
    fn only_a_write_that_fails_by_its_own_fault_is_retried_alone() {
        // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_FOREIGNKEY; SQLITE_CORRUPT, SQLITE_NOTADB.
        for (code, common) in [(2067, false), (787, false), (11, true), (26, true)] {
            assert_eq!(Failure::before_commit(&error(code)).is_common(), common, "{code}");
        }
    }

    #[test]
    fn a_failed_sync_is_known_by_its_code() {
        // SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC; SQLITE_IOERR, _READ, _WRITE, SQLITE_FULL.
        for (code, expected) in
            [(1034, true), (1290, true), (10, false), (266, false), (778, false), (13, false)]
        {
            assert_eq!(is_failed_sync(&error(code)), expected, "{code}");
        }
        assert!(!is_failed_sync(&Error::QueryReturnedNoRows));
    }
}
