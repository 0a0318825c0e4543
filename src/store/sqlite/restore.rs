//! Putting a backup in the place of a database.
//!
//! Everything that may fail is done before anything is moved. Then, under the lock of the
//! database: the copy becomes `DB-restoring`; the old database gets another name, its log
//! with it; `DB-restoring` becomes the database. While there is a `DB-restoring`, no server
//! starts, so that none can begin an empty database or read one with the log of another.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::{ConnectOptions, Connection, sqlite::SqliteConnectOptions};
use uuid::Uuid;

use super::{
    backup::{BackupError, copy},
    files::{are_one, beside, folder_of, lock, sync_folder_of},
    inspect::of_sqlite,
    open::{OpenError, migrate},
    soundness::{Contents, Unsound, check},
};

/// The copy that will take the database's place, behind the name of the database.
pub(super) const RESTORING: &str = "-restoring";

/// What the old database is called afterwards, behind its name, with a number.
const REPLACED: &str = ".replaced-";

/// Nobody waits for the copy of a backup.
const COPIED_WITHIN: Duration = Duration::from_hours(24);

/// Why a backup was not put in place. Unless it says otherwise, the database is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The backup is not one that can be used, or a server has the database.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The backup does not fit together.
    #[error(transparent)]
    Unsound(#[from] Unsound),
    /// It cannot be copied.
    #[error(transparent)]
    Copy(#[from] BackupError),
    /// Both are one file.
    #[error("{0} is the database itself")]
    Same(PathBuf),
    /// A file could not be moved: do it again.
    #[error("{path}: {error}; the restore is not finished: do it again")]
    Broken {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// What a restore has done.
#[derive(Debug)]
pub struct Restored {
    /// What the database holds now.
    pub contents: Contents,
    /// Where the old database is now; none if there was none.
    pub replaced: Option<PathBuf>,
}

/// Puts a copy of `backup` in the place of `database`, and begins another history.
///
/// # Errors
/// If the backup is not sound or a server has the database.
pub async fn restore(backup: &Path, database: &Path) -> Result<Restored, RestoreError> {
    if are_one(backup, database) {
        return Err(RestoreError::Same(backup.to_owned()));
    }
    check(backup).await?;
    let _lock = lock(database)?;
    if fs::metadata(database).is_ok_and(|found| !found.is_file()) {
        return Err(OpenError::NotAFile(database.to_owned()).into());
    }
    let restoring = beside(database, RESTORING);
    let io_failed = |error| OpenError::File { path: database.to_owned(), error };
    let old = Old::of(database, restoring.exists()).map_err(io_failed)?;
    let partial = copy(backup, database, COPIED_WITHIN).await?;
    begin_another_history(&partial.path).await?;
    partial.give_to_owner_of(database)?;
    partial.sync()?;
    let contents = check(&partial.path).await?;
    partial.rename(&restoring)?;
    let replaced = exchange(database, &restoring, old)
        .map_err(|error| RestoreError::Broken { path: database.to_owned(), error })?;
    Ok(Restored { contents, replaced })
}

/// Brings the copy up to date, and marks that what clients know beyond it never happened.
async fn begin_another_history(path: &Path) -> Result<(), OpenError> {
    let options = SqliteConnectOptions::new().filename(path).foreign_keys(true).disable_statement_logging();
    let of_sqlite = |error| of_sqlite(path, error);
    let mut connection = options.connect().await.map_err(of_sqlite)?;
    migrate(path, &mut connection).await?;
    sqlx::query(
        "INSERT INTO history (one, id) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET id = excluded.id",
    )
    .bind(Uuid::new_v4().to_string())
    .execute(&mut connection)
    .await
    .map_err(of_sqlite)?;
    connection.close().await.map_err(of_sqlite)
}

/// Where the old database goes.
enum Old {
    /// It is where it always was, if there is one, and is to be called so.
    Here(PathBuf),
    /// It is called so already: an earlier restore was broken off after it had been moved, perhaps
    /// before its log was.
    Moved(PathBuf),
}

impl Old {
    fn of(database: &Path, was_broken_off: bool) -> io::Result<Self> {
        let last = last_number(database)?;
        let replaced = |number: u32| beside(database, &format!("{REPLACED}{number}"));
        if was_broken_off && !database.exists() && last > 0 {
            let moved = replaced(last);
            let has_log = beside(&moved, "-wal").exists();
            if moved.exists() && !(has_log && beside(database, "-wal").exists()) {
                return Ok(Self::Moved(moved));
            }
        }
        Ok(Self::Here(replaced(last + 1)))
    }
}

/// Moves the old database away with its log, and the copy to its place.
fn exchange(database: &Path, restoring: &Path, old: Old) -> io::Result<Option<PathBuf>> {
    let (replaced, was_there) = match old {
        Old::Here(name) => {
            let was_there = move_if_there(database, &name)?;
            (name, was_there)
        }
        Old::Moved(name) => (name, true),
    };
    move_if_there(&beside(database, "-wal"), &beside(&replaced, "-wal"))?;
    move_if_there(&beside(database, "-journal"), &beside(&replaced, "-journal"))?;
    // What it holds can be made again from the log.
    match fs::remove_file(beside(database, "-shm")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    // First all this, then the last step: whatever happens in between, no server starts.
    sync_folder_of(database)?;
    fs::rename(restoring, database)?;
    sync_folder_of(database)?;
    Ok(Some(replaced).filter(|_| was_there))
}

fn move_if_there(from: &Path, to: &Path) -> io::Result<bool> {
    match fs::rename(from, to) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The highest number that a database which was replaced, or its log, has beside this one; 0 if
/// there is none. The last that was replaced has the highest.
fn last_number(database: &Path) -> io::Result<u32> {
    let begins = beside(Path::new(database.file_name().unwrap_or_default()), REPLACED);
    let mut last = 0;
    for entry in fs::read_dir(folder_of(database))? {
        let name = entry?.file_name();
        let Some(rest) = name.as_encoded_bytes().strip_prefix(begins.as_os_str().as_encoded_bytes()) else {
            continue;
        };
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&rest[..digits]).ok().and_then(|digits| digits.parse().ok());
        last = last.max(number.unwrap_or(0));
    }
    Ok(last)
}
