//! What an error of a database means for the write or read that met it.

use sqlx::{
    Error,
    error::DatabaseError,
    postgres::{PgDatabaseError, PgSeverity},
    sqlite::SqliteError,
};

use crate::{AppendError, StoreError};

// Error codes of PostgreSQL (its documentation, appendix A). The first two characters are the class.
const READ_ONLY: &str = "25006";
const SERIALIZATION_FAILURE: &str = "40001";
const DEADLOCK: &str = "40P01";
const DISK_FULL: &str = "53100";
const TOO_MANY_CONNECTIONS: &str = "53300";
const LOCK_NOT_AVAILABLE: &str = "55P03";
const QUERY_CANCELED: &str = "57014";
/// The server stops, has crashed, or is starting.
const SHUTTING_DOWN: [&str; 4] = ["57P01", "57P02", "57P03", "57P05"];
const IDLE_IN_TRANSACTION: &str = "25P03";
const DATA_CORRUPTED: [&str; 2] = ["XX001", "XX002"];

/// The result codes of SQLite (sqlite.org/rescode.html). The low byte is the primary code.
pub(crate) mod sqlite {
    pub(crate) const BUSY: i32 = 5;
    pub(crate) const LOCKED: i32 = 6;
    pub(crate) const READ_ONLY: i32 = 8;
    pub(crate) const INTERRUPT: i32 = 9;
    pub(crate) const CORRUPT: i32 = 11;
    pub(crate) const FULL: i32 = 13;
    pub(crate) const CANT_OPEN: i32 = 14;
    pub(super) const CONSTRAINT: i32 = 19;
    pub(crate) const NOT_A_DATABASE: i32 = 26;
    /// `SQLITE_IOERR_SHMSIZE`: no room for the `-shm` file, which the first reader makes.
    pub(crate) const NO_ROOM_FOR_SHM: i32 = 4874;
    pub(super) const IOERR_FSYNC: i32 = 0x40a;
    pub(super) const IOERR_DIR_FSYNC: i32 = 0x50a;
}

/// Why a statement failed, or may have failed. Each write of a batch gets a copy.
#[derive(Debug, Clone)]
pub(crate) enum Failure {
    /// Not committed: try again.
    Busy(String),
    /// Not committed: other transactions were in the way; it may be tried again at once.
    Conflicting(String),
    /// Not committed: the disk is full.
    Full(String),
    /// Not committed: what is stored cannot be read.
    Corrupt(String),
    /// Not committed: the store is closed.
    Closed,
    /// Not committed: any other error.
    Failed(String),
    /// The connection broke after the statement was sent, or the commit failed in an unknown way.
    Unknown(String),
}

impl Failure {
    /// What an error means while nothing has been committed: in a transaction before its end, or of a statement that
    /// only reads.
    pub(crate) fn before_commit(error: &Error) -> Self {
        if let Some(code) = sqlite_code(error) {
            return Self::of_sqlite(code, error.to_string());
        }
        match Self::of_commit(error) {
            Self::Unknown(text) => Self::Busy(text),
            known => known,
        }
    }

    /// What an error of a statement means that commits by itself, or of a commit.
    pub(crate) fn of_commit(error: &Error) -> Self {
        let text = error.to_string();
        match error {
            Error::Database(error) => match sqlite_code_of(&**error) {
                // A lock that was not granted, a full disk, a page that cannot be read and a constraint are met before
                // anything is committed.
                Some(code) => match Self::of_sqlite(code, text) {
                    not_committed @ (Self::Busy(_) | Self::Full(_) | Self::Corrupt(_)) => not_committed,
                    Self::Failed(text) if code & 0xff == sqlite::CONSTRAINT => Self::Failed(text),
                    failure => Self::Unknown(failure.to_string()),
                },
                None => Self::of_postgres(&**error, text),
            },
            // Before anything was sent.
            Error::PoolTimedOut | Error::PoolClosed | Error::Encode(_) | Error::InvalidArgument(_) => {
                Self::Busy(text)
            }
            Error::ColumnDecode { .. } | Error::Decode(_) | Error::ColumnNotFound(_) => Self::Corrupt(text),
            Error::RowNotFound => Self::Failed(text),
            _ => Self::Unknown(text),
        }
    }

    fn of_sqlite(code: i32, text: String) -> Self {
        match code & 0xff {
            sqlite::BUSY | sqlite::LOCKED => Self::Busy(text),
            sqlite::FULL => Self::Full(text),
            sqlite::CORRUPT | sqlite::NOT_A_DATABASE => Self::Corrupt(text),
            _ => Self::Failed(text),
        }
    }

    fn of_postgres(error: &dyn DatabaseError, text: String) -> Self {
        let ends_session = error
            .try_downcast_ref::<PgDatabaseError>()
            .is_some_and(|error| matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic));
        match Self::of_code(&error.code().unwrap_or_default(), text) {
            // As when the WAL cannot be written: it may be there all the same.
            Self::Failed(text) if ends_session => Self::Unknown(text),
            failure => failure,
        }
    }

    fn of_code(code: &str, text: String) -> Self {
        match code {
            DISK_FULL => Self::Full(text),
            SERIALIZATION_FAILURE | DEADLOCK => Self::Conflicting(text),
            // What the server refuses before it begins, or undoes.
            READ_ONLY | LOCK_NOT_AVAILABLE | QUERY_CANCELED | TOO_MANY_CONNECTIONS | IDLE_IN_TRANSACTION => {
                Self::Busy(text)
            }
            // It may have committed, and not have come to say so.
            code if SHUTTING_DOWN.contains(&code) || code.starts_with("08") => Self::Unknown(text),
            code if DATA_CORRUPTED.contains(&code) => Self::Corrupt(text),
            code if code.starts_with("53") => Self::Busy(text),
            _ => Self::Failed(text),
        }
    }

    /// No answer came in time.
    pub(crate) fn no_answer() -> Self {
        Self::Unknown("the database does not answer".to_owned())
    }

    /// Whether it concerns one write alone, so that the others of its batch are worth another try.
    pub(crate) const fn is_of_one(&self) -> bool {
        match self {
            // One that reads a damaged row must not keep others from writing.
            Self::Failed(_) | Self::Conflicting(_) | Self::Corrupt(_) => true,
            Self::Busy(_) | Self::Full(_) | Self::Closed | Self::Unknown(_) => false,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Busy(text)
            | Self::Conflicting(text)
            | Self::Full(text)
            | Self::Corrupt(text)
            | Self::Failed(text)
            | Self::Unknown(text) => f.write_str(text),
            Self::Closed => f.write_str("the store is closed"),
        }
    }
}

/// The extended result code, if it is an error of SQLite.
pub(crate) fn sqlite_code(error: &Error) -> Option<i32> {
    error.as_database_error().and_then(sqlite_code_of)
}

fn sqlite_code_of(error: &dyn DatabaseError) -> Option<i32> {
    error.try_downcast_ref::<SqliteError>()?.code()?.parse().ok()
}

/// Whether a sync of the file failed: what the system had accepted may be lost, and another sync would not show it.
pub(crate) fn is_failed_sync(error: &Error) -> bool {
    matches!(sqlite_code(error), Some(sqlite::IOERR_FSYNC | sqlite::IOERR_DIR_FSYNC))
}

/// Whether the connection is of no use any more.
pub(crate) fn breaks_connection(error: &Error) -> bool {
    match error {
        Error::Database(error) if sqlite_code_of(&**error).is_some() => false,
        Error::Database(error) => {
            let code = error.code().unwrap_or_default();
            // After a failover this may be a standby; others look for the primary anew.
            code == READ_ONLY
                || code == IDLE_IN_TRANSACTION
                || SHUTTING_DOWN.contains(&&*code)
                || code.starts_with("08")
        }
        Error::ColumnDecode { .. }
        | Error::Decode(_)
        | Error::ColumnNotFound(_)
        | Error::Encode(_)
        | Error::RowNotFound => false,
        _ => true,
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Busy(text) | Failure::Conflicting(text) => Self::Busy(text),
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
    use super::*;

    fn of(code: &str) -> Failure {
        Failure::of_code(code, String::new())
    }

    #[test]
    fn what_was_refused_or_undone_is_not_committed() {
        assert!(matches!(of("53100"), Failure::Full(_)));
        for code in ["40001", "40P01"] {
            assert!(matches!(of(code), Failure::Conflicting(_)), "{code}");
        }
        for code in ["25006", "55P03", "57014", "53300", "53200", "25P03"] {
            assert!(matches!(of(code), Failure::Busy(_)), "{code}");
        }
        for code in ["23505", "23503", "22021", "42P01", ""] {
            assert!(matches!(of(code), Failure::Failed(_)) && of(code).is_of_one(), "{code}");
        }
        assert!(matches!(of("XX001"), Failure::Corrupt(_)));
    }

    #[test]
    fn a_server_that_stops_may_have_committed() {
        for code in ["57P01", "57P02", "57P03", "08006", "08P01"] {
            assert!(matches!(of(code), Failure::Unknown(_)), "{code}");
        }
        let broken = || Error::Io(std::io::ErrorKind::ConnectionReset.into());
        assert!(matches!(Failure::of_commit(&broken()), Failure::Unknown(_)));
        assert!(matches!(Failure::before_commit(&broken()), Failure::Busy(_)));
        assert!(breaks_connection(&broken()));
        assert!(matches!(Failure::of_commit(&Error::PoolTimedOut), Failure::Busy(_)));
    }

    #[test]
    fn what_sqlite_refuses_is_known_by_its_code() {
        // SQLITE_BUSY, SQLITE_BUSY_SNAPSHOT, SQLITE_LOCKED; SQLITE_FULL; SQLITE_CORRUPT, SQLITE_NOTADB;
        // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_FOREIGNKEY, SQLITE_IOERR_WRITE.
        let of = |code| Failure::of_sqlite(code, String::new());
        assert!([5, 517, 6].into_iter().all(|code| matches!(of(code), Failure::Busy(_))));
        assert!(matches!(of(13), Failure::Full(_)));
        assert!([11, 26].into_iter().all(|code| matches!(of(code), Failure::Corrupt(_))));
        assert!([2067, 787, 778].into_iter().all(|code| of(code).is_of_one()));
    }
}
