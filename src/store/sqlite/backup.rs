//! Copying a database that may be in use.
//!
//! The copy is what was committed at one moment: a connection that only reads holds that
//! moment fast while it writes the copy with `VACUUM INTO`. Turns go on meanwhile; only the
//! log cannot be begun anew until the reader has ended, so that it grows by what is written
//! in that time.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{
    failure::{self, FULL, INTERRUPT},
    inspect::{inspect, of_sqlite, reader},
    open::{OpenError, SqliteOptions, beside, make_private},
    soundness::{Contents, Unsound, check},
};

/// The name of a copy that is not finished, behind that which it will have.
const PARTIAL: &str = "-partial";

/// After how many steps of SQLite's machine it is seen whether the time is over.
const STEPS_BETWEEN: i32 = 10_000;

/// Why there is no copy. What was there before is as it was.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database holds no tables, or what was copied does not fit together.
    #[error(transparent)]
    Unsound(#[from] Unsound),
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
    /// How long copying may take: for so long the log of a server that runs only grows.
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
    inspect(database, SqliteOptions::default().busy_timeout).await?;
    may_be_written(to, replace)?;
    let partial = copy(database, to, within).await?;
    let contents = check(&partial.path).await?;
    may_be_written(to, replace)?;
    partial.rename(to)?;
    Ok(contents)
}

fn may_be_written(to: &Path, replace: bool) -> Result<(), BackupError> {
    // Also one that is a link to nowhere.
    let Ok(found) = fs::symlink_metadata(to) else { return Ok(()) };
    if !replace {
        return Err(BackupError::Exists(to.to_owned()));
    }
    if !found.is_file() {
        return Err(OpenError::NotAFile(to.to_owned()).into());
    }
    for end in ["-wal", "-journal"] {
        let log = beside(to, end);
        if log.exists() {
            return Err(BackupError::InUse(to.to_owned(), log));
        }
    }
    let lock = beside(to, "-lock");
    // Whether somebody holds it: taken and given back.
    let held = File::open(&lock).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)));
    if held { Err(BackupError::InUse(to.to_owned(), lock)) } else { Ok(()) }
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
        let file = make_private(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BackupError::UnderWay(path)),
            Err(TryLockError::Error(error)) => return Err(BackupError::File { path, error }),
        }
        // What an earlier one left that was ended.
        match file.set_len(0) {
            Ok(()) => Ok(Self { path, file, named: false }),
            Err(error) => Err(BackupError::File { path, error }),
        }
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

/// Makes what was renamed in a folder last.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
