//! Why a database cannot be used. No text has the password.

use sqlx::{Error, migrate::MigrateError};

/// The database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Not the URL of a database.
    #[error("this is not the URL of a PostgreSQL database, postgres://USER:PASSWORD@HOST:PORT/DATABASE: {0}")]
    NotAUrl(String),
    /// No server answers there.
    #[error("cannot reach PostgreSQL at {place}: {why}")]
    Unreachable {
        /// Where, without the password.
        place: String,
        /// What the system said.
        why: String,
    },
    /// The server refuses the user or the password.
    #[error("PostgreSQL at {place} refuses the user or the password: {why}")]
    Refused {
        /// Where, without the password.
        place: String,
        /// What the server said.
        why: String,
    },
    /// The server has no such database.
    #[error("PostgreSQL at {place} has no such database; create it with: createdb --encoding=UTF8")]
    NoDatabase {
        /// Where, without the password.
        place: String,
    },
    /// The server is too old.
    #[error("PostgreSQL at {place} is of version {found}; at least 14 is needed")]
    TooOld {
        /// Where, without the password.
        place: String,
        /// Its major version.
        found: u32,
    },
    /// Nothing can be written there.
    #[error("PostgreSQL at {place} is a standby or read-only; name the primary")]
    ReadOnly {
        /// Where, without the password.
        place: String,
    },
    /// A commit there does not last.
    #[error("PostgreSQL at {place} may lose commits: its setting {setting} is {found}")]
    NotDurable {
        /// Where, without the password.
        place: String,
        /// Which setting.
        setting: &'static str,
        /// What it is.
        found: String,
    },
    /// The database cannot hold all texts.
    #[error("the database at {place} has the encoding {found}; UTF8 is needed")]
    Encoding {
        /// Where, without the password.
        place: String,
        /// Its encoding.
        found: String,
    },
    /// A newer release has changed the database so that this one cannot use it.
    #[error(
        "a newer lusoria has migrated the database at {place} (release {release}); this one (release {}) is too \
         old for it: start that one", env!("CARGO_PKG_VERSION")
    )]
    Newer {
        /// Where, without the password.
        place: String,
        /// Which release.
        release: String,
    },
    /// Nodes run that could not use the database any more.
    #[error(
        "older servers run on the database at {place}, which they could not use any more if this one (release {}) \
         migrated it: {nodes}; stop them first", env!("CARGO_PKG_VERSION")
    )]
    OlderNodes {
        /// Where, without the password.
        place: String,
        /// Which.
        nodes: String,
    },
    /// The tables are not those of this program.
    #[error("the database at {place} belongs to something else: {why}")]
    Foreign {
        /// Where, without the password.
        place: String,
        /// How that was seen.
        why: String,
    },
    /// The disk of the database is full.
    #[error("the disk of PostgreSQL at {place} is full: {why}")]
    Full {
        /// Where, without the password.
        place: String,
        /// What the server said.
        why: String,
    },
    /// The database is busy: it starts or stops, or has no connection left.
    #[error("PostgreSQL at {place} is busy: {why}")]
    Busy {
        /// Where, without the password.
        place: String,
        /// What the server said.
        why: String,
    },
    /// Anything else.
    #[error("the database at {place} failed: {why}")]
    Failed {
        /// Where, without the password.
        place: String,
        /// What the server said.
        why: String,
    },
}

impl OpenError {
    pub(super) fn of(place: &str, error: &Error) -> Self {
        let (place, why) = (place.to_owned(), error.to_string());
        let Error::Database(error) = error else {
            return match error {
                Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::PoolTimedOut => {
                    Self::Unreachable { place, why }
                }
                _ => Self::Failed { place, why },
            };
        };
        match &*error.code().unwrap_or_default() {
            "28P01" | "28000" => Self::Refused { place, why },
            "3D000" => Self::NoDatabase { place },
            "25006" => Self::ReadOnly { place },
            "53100" => Self::Full { place, why },
            // Too many connections, a server that stops, has crashed or starts.
            "53300" | "57P01" | "57P02" | "57P03" => Self::Busy { place, why },
            _ => Self::Failed { place, why },
        }
    }

    pub(super) fn no_answer(place: &str) -> Self {
        Self::Unreachable { place: place.to_owned(), why: "no answer".to_owned() }
    }

    pub(super) fn of_migration(place: &str, error: &MigrateError) -> Self {
        let foreign = |why: String| Self::Foreign { place: place.to_owned(), why };
        match error {
            MigrateError::VersionMismatch(version) => foreign(format!("its migration {version} is another")),
            // A table of that name is there.
            MigrateError::ExecuteMigration(Error::Database(error), _)
                if error.code().as_deref() == Some("42P07") =>
            {
                foreign(error.to_string())
            }
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => Self::of(place, error),
            other => Self::Failed { place: place.to_owned(), why: other.to_string() },
        }
    }
}
