//! Copying a database that may be in use.
//!
//! The copy is what was committed at one moment: a connection that only reads holds that
//! moment fast while it writes the copy with `VACUUM INTO`. Turns go on meanwhile; only the
//! WAL cannot restart until the reader has ended, so it grows by what is written in that time.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{
    failure::{self, FULL, INTERRUPT},
    files::{
        COMMIT_NOTE, DAMAGED_WAL, Hold, JOURNAL, LOCK, RESTORING, SHM, WAL, are_one, beside,
        give_to_owner_of, is_at, is_nothing_else, make_private, sync_folder_of,
    },
    inspect::{inspect, reader},
    open_error::{OpenError, of_sqlite},
    options::SqliteOptions,
    soundness::{Contents, Unsound, check},
};

/// The name of a copy that is not finished, behind that which it will have.
const PARTIAL: &str = "-partial";

/// After how many steps of SQLite's machine it is seen whether the time is over.
const STEPS_BETWEEN: i32 = 10_000;

/// How often a copy is begun whose file another backup gives its name meanwhile.
const TRIES: u32 = 100;

/// Why there is no copy. What was there before is as it was.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database holds no tables, or what was copied does not fit together.
    #[error(transparent)]
    Unsound(#[from] Unsound),
    /// The copy would take the place of what it is a copy of.
    #[error("{0} is the database itself")]
    Same(PathBuf),
    /// It would be taken for what belongs to a database, or take its place.
    #[error("{0} ends with \"{1}\", as what belongs to a database does: choose another name")]
    Ending(PathBuf, &'static str),
    /// There is a file of that name.
    #[error("{0} is there already; it is only replaced with --force")]
    Exists(PathBuf),
    /// A database that is in use, or seems so, must not be replaced.
    #[error("{0} may be in use, since {1} lies beside it: choose another name")]
    InUse(PathBuf, PathBuf),
    /// Another backup is writing the same file.
    #[error("another backup is just writing {0}")]
    UnderWay(PathBuf),
    /// The name cannot be given to SQLite.
    #[error("{0} is not a name in UTF-8")]
    Name(PathBuf),
    /// It was not finished in time.
    #[error("{path} was not copied within {seconds} s")]
    TooSlow {
        /// What was to be copied.
        path: PathBuf,
        /// How long it was given.
        seconds: u64,
    },
    /// The disk is full.
    #[error("there is no room for {0}")]
    Full(PathBuf),
    /// A file refuses.
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
    /// How long copying may take: for so long the WAL of a running server only grows.
    pub within: Duration,
}

/// Writes a copy of `database` to `to`, checks it, and only then gives it its name.
///
/// # Errors
/// If the database is none of ours, the name is taken, the copy is not sound or does not
/// get ready in time.
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
    // Once at the beginning, so that nobody waits in vain.
    drop(may_be_written(to, replace)?);
    let partial = copy(database, to, within).await?;
    let contents = check(&partial.path).await?;
    let _hold = may_be_written(to, replace)?;
    partial.rename(to)?;
    Ok(contents)
}

/// The ending, if the name is one that a file has which lies beside a database.
fn ending_of_a_part(name: &Path) -> Option<&'static str> {
    let bytes = name.as_os_str().as_encoded_bytes();
    [WAL, SHM, JOURNAL, LOCK, RESTORING, COMMIT_NOTE, DAMAGED_WAL]
        .into_iter()
        .find(|ending| bytes.ends_with(ending.as_bytes()))
}

/// Whether the file may be made or replaced: so it stays as long as the lock is held.
fn may_be_written(to: &Path, replace: bool) -> Result<Hold, BackupError> {
    let found = fs::symlink_metadata(to);
    // Also one that is a link to nowhere.
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

/// A copy that has no name yet. Without one it is removed.
pub(super) struct Partial {
    pub(super) path: PathBuf,
    /// Locked while it is written, so that two backups do not write one file.
    file: File,
    named: bool,
}

/// Writes a copy beside `to`, synced, readable by its owner alone.
pub(super) async fn copy(from: &Path, to: &Path, within: Duration) -> Result<Partial, BackupError> {
    let path = beside(to, PARTIAL);
    let partial = Partial::begin(path)?;
    let absolute = std::path::absolute(&partial.path);
    let absolute = absolute.map_err(|error| BackupError::File { path: partial.path.clone(), error })?;
    let name = absolute.to_str().ok_or_else(|| BackupError::Name(partial.path.clone()))?;
    let mut connection = reader(from, SqliteOptions::default().busy_timeout).await?;
    let until = Instant::now() + within;
    let handle = connection.lock_handle().await;
    handle
        .map_err(|error| of_sqlite(from, error))?
        .set_progress_handler(STEPS_BETWEEN, move || Instant::now() < until);
    let copied = sqlx::query("VACUUM INTO $1").bind(name).execute(&mut connection).await;
    copied.map_err(|error| match failure::code(&error).map(|code| code & 0xff) {
        Some(INTERRUPT) => BackupError::TooSlow { path: from.to_owned(), seconds: within.as_secs() },
        Some(FULL) => BackupError::Full(partial.path.clone()),
        _ => of_sqlite(from, error).into(),
    })?;
    partial.sync()?;
    Ok(partial)
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

    /// A copy in an open file; none if another backup has given it its name since it was opened.
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
            let error = "this is no file of ours alone, but perhaps a link: remove it";
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, error)));
        }
        // What an earlier one left that was ended.
        file.set_len(0).map_err(failed)?;
        Ok(Some(Self { path: path.to_owned(), file, named: false }))
    }

    /// Gives the copy to whoever owns the database that it is to be ([`give_to_owner_of`]).
    pub(super) fn give_to_owner_of(&self, database: &Path) -> Result<(), BackupError> {
        let given = give_to_owner_of(database, &self.file);
        given.map_err(|error| BackupError::File { path: self.path.clone(), error })
    }

    pub(super) fn sync(&self) -> Result<(), BackupError> {
        self.file.sync_all().map_err(|error| BackupError::File { path: self.path.clone(), error })
    }

    /// Gives the copy its name, in the place of whatever had it.
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
            tracing::warn!(path = %self.path.display(), %error, "an unfinished copy is left");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It would be emptied by whoever opened it when it still had its first name.
    #[test]
    fn a_copy_that_has_its_name_is_nobodys_beginning() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, copy) = (folder.path().join("copy.db-partial"), folder.path().join("copy.db"));
        let first = Partial::begin(path.clone()).expect("nobody else writes it");
        assert!(matches!(Partial::begin(path.clone()), Err(BackupError::UnderWay(_))));
        fs::write(&path, "a copy").expect("room");
        let opened = make_private(&path).expect("it is there");
        first.rename(&copy).expect("renamed");
        assert!(Partial::of(opened, &path).expect("nobody has it").is_none());
        assert_eq!(fs::read(&copy).expect("a file"), b"a copy");
        drop(Partial::begin(path.clone()).expect("nobody else writes it"));
        assert!(!path.exists() && copy.exists());
    }

    /// Whoever has the folder could have anything overwritten, and given to him.
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
