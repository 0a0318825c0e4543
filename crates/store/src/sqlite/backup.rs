//! Copies a database that may be in use.
//!
//! The copy is a snapshot: a read-only connection writes it with `VACUUM INTO` inside of one
//! read transaction. Turns go on meanwhile; only the WAL cannot restart until the reader has
//! ended, so it grows by what is written in that time.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use sqlx::Error;

use super::{
    connect::{self, to_read},
    files::{
        COMMIT_NOTE, DAMAGED_WAL, Hold, JOURNAL, LOCK, RESTORING, SHM, WAL, are_one, beside,
        give_to_owner_of, is_at, is_nothing_else, make_private, sync_folder_of,
    },
    inspect::inspect,
    open_error::{OpenError, of_sqlite},
    options::SqliteOptions,
    soundness::{Contents, Unsound, check},
};
use crate::{
    failure::{
        sqlite::{FULL, INTERRUPT},
        sqlite_code,
    },
    sql::{Tx, args},
};

/// What an unfinished copy has behind its later name.
const PARTIAL: &str = "-partial";

/// After how many steps of its virtual machine SQLite checks whether the time is over.
const STEPS_BETWEEN: i32 = 1_000;

/// How often to begin a copy again if another backup renames the file meanwhile.
const TRIES: u32 = 100;

/// Why there is no copy. A file of that name is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database holds no tables, or the copy is inconsistent.
    #[error(transparent)]
    Unsound(#[from] Unsound),
    /// The copy would replace the database itself.
    #[error("{0} is the database itself")]
    Same(PathBuf),
    /// The name is one that a file beside a database has.
    #[error("{0} ends with \"{1}\", as what belongs to a database does: choose another name")]
    Ending(PathBuf, &'static str),
    /// There is a file of that name already.
    #[error("{0} is there already; it is only replaced with --force")]
    Exists(PathBuf),
    /// A database that is or may be in use must not be replaced.
    #[error("{0} may be in use, since {1} lies beside it: choose another name")]
    InUse(PathBuf, PathBuf),
    /// Another backup is writing the same file.
    #[error("another backup is writing {0}")]
    UnderWay(PathBuf),
    /// SQLite cannot take the name.
    #[error("{0} is not valid UTF-8")]
    Name(PathBuf),
    /// It was not finished in time.
    #[error("{path} was not copied within {seconds} s")]
    TooSlow {
        /// What was to be copied.
        path: PathBuf,
        /// How long it had.
        seconds: u64,
    },
    /// The disk is full.
    #[error("there is no room for {0}")]
    Full(PathBuf),
    /// An error of a file.
    #[error("{path}: {error}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// How to make a backup.
#[derive(Debug, Clone, Copy)]
pub struct BackupOptions {
    /// Whether a file of that name may be replaced.
    pub replace: bool,
    /// How long copying may take: all that time the WAL of a running server only grows.
    pub within: Duration,
}

/// Writes a copy of `database` to `to`, checks it, and only then gives it its name.
///
/// # Errors
/// If the file is not a database of this server, the name is taken, or the copy is inconsistent
/// or not finished in time.
pub async fn back_up(
    database: &Path,
    to: &Path,
    BackupOptions { replace, within }: BackupOptions,
) -> Result<Contents, BackupError> {
    if let Some(ending) = ending_of_a_part(to) {
        return Err(BackupError::Ending(to.to_owned(), ending));
    }
    if inspect(database, SqliteOptions::default().busy_timeout).await? == 0 {
        return Err(Unsound::Empty(database.to_owned()).into());
    }
    if are_one(database, to) {
        return Err(BackupError::Same(to.to_owned()));
    }
    // Once at the beginning too, to fail before the long copy.
    drop(may_be_written(to, replace)?);
    let partial = copy(database, to, within).await?;
    let contents = check(&partial.path).await?;
    let _hold = may_be_written(to, replace)?;
    partial.rename(to)?;
    Ok(contents)
}

/// The ending, if the name is one of a file beside a database.
fn ending_of_a_part(name: &Path) -> Option<&'static str> {
    let bytes = name.as_os_str().as_encoded_bytes();
    [WAL, SHM, JOURNAL, LOCK, RESTORING, COMMIT_NOTE, DAMAGED_WAL]
        .into_iter()
        .find(|ending| bytes.ends_with(ending.as_bytes()))
}

/// Checks that the file may be created or replaced. That holds while the lock is held.
fn may_be_written(to: &Path, replace: bool) -> Result<Hold, BackupError> {
    let found = fs::symlink_metadata(to);
    // Also a link that leads nowhere.
    if let Ok(found) = &found {
        if !replace {
            return Err(BackupError::Exists(to.to_owned()));
        }
        if !found.is_file() {
            return Err(OpenError::NotAFile(to.to_owned()).into());
        }
    }
    let hold = Hold::of(to).map_err(|error| match error {
        OpenError::InUse(_) => BackupError::InUse(to.to_owned(), beside(to, LOCK)),
        error => error.into(),
    })?;
    let journals = [WAL, JOURNAL].map(|end| beside(to, end));
    match journals.into_iter().find(|journal| journal.exists()) {
        Some(journal) => Err(BackupError::InUse(to.to_owned(), journal)),
        None => Ok(hold),
    }
}

/// An unfinished copy. Dropping it removes the file, unless it was renamed.
pub(super) struct Partial {
    pub(super) path: PathBuf,
    /// Locked while it is written, so that two backups do not write one file.
    file: File,
    named: bool,
}

/// Writes a copy beside `to`, synced, readable by its owner alone.
pub(super) async fn copy(from: &Path, to: &Path, within: Duration) -> Result<Partial, BackupError> {
    let partial = Partial::begin(beside(to, PARTIAL))?;
    let absolute = std::path::absolute(&partial.path);
    let absolute = absolute.map_err(|error| BackupError::File { path: partial.path.clone(), error })?;
    let name = absolute.to_str().ok_or_else(|| BackupError::Name(partial.path.clone()))?;
    let busy_timeout = SqliteOptions::default().busy_timeout;
    let failed = |error: Error| match sqlite_code(&error).map(|code| code & 0xff) {
        Some(INTERRUPT) => BackupError::TooSlow { path: from.to_owned(), seconds: within.as_secs() },
        Some(FULL) => BackupError::Full(partial.path.clone()),
        _ => of_sqlite(from, error).into(),
    };
    let mut connection = to_read(from, connect::Wal::Read, busy_timeout).await.map_err(failed)?;
    let copied = vacuum_into(&mut connection, name, Instant::now() + within).await;
    // Before the copy is removed or read, and even if it failed: a connection that is dropped ends later.
    let closed = connection.close().await;
    copied.and(closed).map_err(failed)?;
    partial.sync()?;
    Ok(partial)
}

/// Copies what a connection reads; interrupts itself at the time `until`.
async fn vacuum_into(connection: &mut Tx, name: &str, until: Instant) -> Result<(), Error> {
    let goes_on = move || Instant::now() < until;
    connection.sqlite()?.lock_handle().await?.set_progress_handler(STEPS_BETWEEN, goes_on);
    connection.execute("VACUUM INTO $1", args![name]).await.map(drop)
}

impl Partial {
    fn begin(path: PathBuf) -> Result<Self, BackupError> {
        for _ in 0..TRIES {
            if let Some(begun) = Self::of(make_private(&path)?, &path)? {
                return Ok(begun);
            }
        }
        Err(BackupError::UnderWay(path))
    }

    /// A copy in an open file; none if another backup has renamed the file since it was opened.
    fn of(file: File, path: &Path) -> Result<Option<Self>, BackupError> {
        let failed = |error| BackupError::File { path: path.to_owned(), error };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BackupError::UnderWay(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        if !is_at(&file, path).map_err(failed)? {
            return Ok(None);
        }
        if !is_nothing_else(&file, path).map_err(failed)? {
            let error = "this is a link or another user's file: remove it";
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, error)));
        }
        // An interrupted backup may have left something.
        file.set_len(0).map_err(failed)?;
        Ok(Some(Self { path: path.to_owned(), file, named: false }))
    }

    /// Gives the copy to the owner of the database that it will become ([`give_to_owner_of`]).
    pub(super) fn give_to_owner_of(&self, database: &Path) -> Result<(), BackupError> {
        let given = give_to_owner_of(database, &self.file);
        given.map_err(|error| BackupError::File { path: self.path.clone(), error })
    }

    pub(super) fn sync(&self) -> Result<(), BackupError> {
        self.file.sync_all().map_err(|error| BackupError::File { path: self.path.clone(), error })
    }

    /// Gives the copy its name; replaces a file of that name.
    pub(super) fn rename(mut self, to: &Path) -> Result<(), BackupError> {
        fs::rename(&self.path, to).map_err(|error| BackupError::File { path: to.to_owned(), error })?;
        self.named = true;
        sync_folder_of(to).map_err(|error| BackupError::File { path: to.to_owned(), error })
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.named
            && let Err(error) = fs::remove_file(&self.path)
        {
            tracing::warn!(path = %self.path.display(), %error, "removing an unfinished copy failed; remove it by hand");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A backup that opened it under its first name would empty it.
    #[test]
    fn a_finished_copy_is_not_begun_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, copy) = (folder.path().join("copy.db-partial"), folder.path().join("copy.db"));
        let first = Partial::begin(path.clone()).expect("no other backup writes it");
        assert!(matches!(Partial::begin(path.clone()), Err(BackupError::UnderWay(_))));
        fs::write(&path, "a copy").expect("room");
        let opened = make_private(&path).expect("it is there");
        first.rename(&copy).expect("renamed");
        assert!(Partial::of(opened, &path).expect("it is not locked").is_none());
        assert_eq!(fs::read(&copy).expect("a file"), b"a copy");
        drop(Partial::begin(path.clone()).expect("no other backup writes it"));
        assert!(!path.exists() && copy.exists());
    }

    /// The owner of the folder could otherwise have any file overwritten and given to them.
    #[cfg(unix)]
    #[test]
    fn a_copy_is_written_through_no_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, other) = (folder.path().join("copy.db-partial"), folder.path().join("other"));
        fs::write(&other, "another's").expect("room");
        std::os::unix::fs::symlink(&other, &path).expect("a link");
        assert!(matches!(Partial::begin(path.clone()), Err(BackupError::File { .. })));
        fs::remove_file(&path).expect("it is there");
        fs::hard_link(&other, &path).expect("a link");
        assert!(matches!(Partial::begin(path.clone()), Err(BackupError::File { .. })));
        assert_eq!(fs::read(&other).expect("a file"), b"another's");
    }
}
