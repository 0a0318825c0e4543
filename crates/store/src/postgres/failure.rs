//! What an error of the database means for the write or read that met it.

use sqlx::{
    Error,
    postgres::{PgDatabaseError, PgSeverity},
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
    /// The connection broke after the statement was sent.
    Unknown(String),
}

impl Failure {
    /// What an error means while nothing has been committed: in a transaction before its end, or of a
    /// statement that only reads.
    pub(crate) fn before_commit(error: &Error) -> Self {
        match Self::of_commit(error) {
            Self::Unknown(text) => Self::Busy(text),
            known => known,
        }
    }

    /// What an error of a statement means that commits by itself, or of a commit.
    pub(crate) fn of_commit(error: &Error) -> Self {
        let text = error.to_string();
        match error {
            Error::Database(error) => {
                let code = error.code().unwrap_or_default();
                let ends_session = error
                    .try_downcast_ref::<PgDatabaseError>()
                    .is_some_and(|error| matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic));
                match Self::of_code(&code, text) {
                    // As when the WAL cannot be written: it may be there all the same.
                    Self::Failed(text) if ends_session => Self::Unknown(text),
                    failure => failure,
                }
            }
            // Before anything was sent.
            Error::PoolTimedOut | Error::PoolClosed | Error::Encode(_) | Error::InvalidArgument(_) => {
                Self::Busy(text)
            }
            Error::ColumnDecode { .. } | Error::Decode(_) | Error::ColumnNotFound(_) => Self::Corrupt(text),
            Error::RowNotFound => Self::Failed(text),
            _ => Self::Unknown(text),
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
            Self::Failed(_) | Self::Conflicting(_) => true,
            Self::Busy(_) | Self::Full(_) | Self::Corrupt(_) | Self::Closed | Self::Unknown(_) => false,
        }
    }
}

/// Whether the connection is of no use any more.
pub(crate) fn breaks_connection(error: &Error) -> bool {
    match error {
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
}
