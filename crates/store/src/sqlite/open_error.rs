//! Why a file cannot be opened, and which error of SQLite means what.

use std::{
    io,
    path::{Path, PathBuf},
};

use sqlx::Error;

use crate::failure::{
    sqlite::{BUSY, CANT_OPEN, CORRUPT, FULL, LOCKED, NO_ROOM_FOR_SHM, NOT_A_DATABASE, READ_ONLY},
    sqlite_code,
};

/// The file could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another server has it.
    #[error("another server is using {0} (its lock file is held)")]
    InUse(PathBuf),
    /// There is no such file.
    #[error("there is no file {0}")]
    Missing(PathBuf),
    /// A directory, a device or the like.
    #[error("{0} is not a file")]
    NotAFile(PathBuf),
    /// Not an SQLite database.
    #[error("{0} is not a database")]
    NotADatabase(PathBuf),
    /// A database, but not one of this server.
    #[error("{0} is a database of another program")]
    AnotherProgram(PathBuf),
    /// A newer server has written it.
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
    /// An older server has written it, and this must not change it.
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
    /// A migration that was applied differs from the one that this server has under its number: a build from
    /// before the first release has made the file, or another program.
    #[error("{path} was not made by a release of this server: its migration {migration} is a different one")]
    Foreign {
        /// Which file.
        path: PathBuf,
        /// The number of the migration.
        migration: i64,
    },
    /// It was moved to PostgreSQL.
    #[error(
        "{path} was moved to the database at {place} at {at}; start servers on that one. To use the file again, as \
         it was then: lusoria database use-again --database {path}"
    )]
    Moved {
        /// Which file.
        path: PathBuf,
        /// Where to, without the password.
        place: String,
        /// When, as in `2026-11-23T18:00:00Z`.
        at: String,
    },
    /// Its move to PostgreSQL has not ended, or it is not known whether it has.
    #[error(
        "the move of {path} to the database at {place}, begun at {at}, has not ended: run \"lusoria move\" again. \
         To use the file instead: lusoria database use-again --database {path}"
    )]
    Moving {
        /// Which file.
        path: PathBuf,
        /// Where to, without the password.
        place: String,
        /// When it was marked, as in `2026-11-23T18:00:00Z`.
        at: String,
    },
    /// It is to be used again, and was not moved.
    #[error("{0} was not moved, so it can be used")]
    NotMoved(PathBuf),
    /// Its pages do not fit together.
    #[error("{path} is damaged: {what}")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// Another program holds SQLite's lock.
    #[error("{0} is locked by another program")]
    Locked(PathBuf),
    /// The file or its folder may not be read or written.
    #[error("{path} cannot be opened; may this user read and write it and its folder? ({error})")]
    NotPermitted {
        /// Which file.
        path: PathBuf,
        /// The error of SQLite.
        error: Error,
    },
    /// Acknowledged commits are missing, and the operator chose not to start then.
    #[error(
        "{path} has lost commits: {path}-commits notes number {noted}, and the last one there is {found}; its WAL \
         is damaged or gone: restore a backup, or start with --on-lost-commits new-history to go on with what \
         is there"
    )]
    LostCommits {
        /// Which file.
        path: PathBuf,
        /// The number of the last commit that was noted.
        noted: u64,
        /// The number of the last commit that is there.
        found: u64,
    },
    /// Opening was cancelled before it was complete.
    #[error("opening {0} was cancelled")]
    Cancelled(PathBuf),
    /// A restore was interrupted before it put the backup in place.
    #[error("a restore of {0} was interrupted: run it again")]
    RestoreInterrupted(PathBuf),
    /// The file system or the SQLite library lacks what durability needs.
    #[error("{path} cannot be made durable: {setting} is {found}")]
    NotDurable {
        /// Which file.
        path: PathBuf,
        /// Which setting.
        setting: &'static str,
        /// Its value.
        found: String,
    },
    /// The file or its lock file could not be created or read.
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
        error: Error,
    },
}

impl OpenError {
    /// Whether the contents of the file cannot be read as a database.
    pub(super) const fn is_of_content(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::NotADatabase(_))
    }

    /// Whether the disk is full.
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::File { error, .. } => {
                matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            Self::Database { error, .. } => {
                sqlite_code(error).is_some_and(|code| code & 0xff == FULL || code == NO_ROOM_FOR_SHM)
            }
            Self::InUse(_)
            | Self::Missing(_)
            | Self::NotAFile(_)
            | Self::NotADatabase(_)
            | Self::AnotherProgram(_)
            | Self::Newer { .. }
            | Self::Older { .. }
            | Self::Foreign { .. }
            | Self::Moved { .. }
            | Self::Moving { .. }
            | Self::NotMoved(_)
            | Self::Damaged { .. }
            | Self::LostCommits { .. }
            | Self::Locked(_)
            | Self::NotPermitted { .. }
            | Self::Cancelled(_)
            | Self::RestoreInterrupted(_)
            | Self::NotDurable { .. } => false,
        }
    }
}

/// Converts an error of SQLite to what it means for the file.
pub(super) fn of_sqlite(path: &Path, error: Error) -> OpenError {
    let path = path.to_owned();
    match sqlite_code(&error).map(|code| code & 0xff) {
        Some(BUSY | LOCKED) => OpenError::Locked(path),
        Some(CORRUPT) => OpenError::Damaged { path, what: error.to_string() },
        Some(NOT_A_DATABASE) => OpenError::NotADatabase(path),
        Some(READ_ONLY | CANT_OPEN) => OpenError::NotPermitted { path, error },
        // A column holds what cannot be there.
        _ if matches!(error, Error::Decode(_) | Error::ColumnDecode { .. }) => {
            OpenError::Damaged { path, what: error.to_string() }
        }
        _ => OpenError::Database { path, error },
    }
}
