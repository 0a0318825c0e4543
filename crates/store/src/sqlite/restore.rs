//! Puts a backup in the place of a database.
//!
//! Everything that may fail comes before anything is moved. Then, under the lock of the
//! database: the copy becomes `DB-restoring`; the old database gets another name, its WAL
//! with it; `DB-restoring` becomes the database. While there is a `DB-restoring`, no server
//! starts, so that none can begin an empty database or read one with the WAL of another.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::{ConnectOptions as _, Error, sqlite::SqliteConnectOptions};
use uuid::Uuid;

use super::{
    backup::{BackupError, copy},
    files::{
        COMMIT_NOTE, JOURNAL, RESTORING, SHM, WAL, are_one, beside, folder_of, lock, remove_if_there,
        sync_folder_of,
    },
    inspect::inspect,
    open_error::{OpenError, of_sqlite},
    options::SqliteOptions,
    soundness::{Contents, Unsound, check},
};
use crate::sql::{FileConnection, Tx, args};

/// What the old database is called afterwards, behind its name, with a number.
const REPLACED: &str = ".replaced-";

/// No server runs meanwhile, so the copy may take long.
const COPIED_WITHIN: Duration = Duration::from_hours(24);

/// Why a backup was not restored. Unless the error says otherwise, the database is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The backup cannot be used, or a server is using the database.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The backup is inconsistent.
    #[error(transparent)]
    Unsound(#[from] Unsound),
    /// It cannot be copied.
    #[error(transparent)]
    Copy(#[from] BackupError),
    /// Both are the same file.
    #[error("{0} is the database itself")]
    Same(PathBuf),
    /// A file could not be moved: run the restore again.
    #[error("{path}: {error}; the restore is not finished: run it again")]
    Broken {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// The result of a restore.
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
/// If the backup is inconsistent or a server is using the database.
pub async fn restore(backup: &Path, database: &Path) -> Result<Restored, RestoreError> {
    if are_one(backup, database) {
        return Err(RestoreError::Same(backup.to_owned()));
    }
    let restoring = beside(database, RESTORING);
    let was_interrupted = restoring.exists();
    if !was_interrupted {
        // First, so that a bad backup leaves not even a lock file.
        check(backup).await?;
    }
    let _lock = lock(database)?;
    if fs::metadata(database).is_ok_and(|found| !found.is_file()) {
        return Err(OpenError::NotAFile(database.to_owned()).into());
    }
    let io_failed = |error| OpenError::File { path: database.to_owned(), error };
    let old = Old::of(database, restoring.exists()).map_err(io_failed)?;
    if was_interrupted {
        // What was moved may be the backup itself: without its WAL it is not complete.
        old.finish(database).map_err(io_failed)?;
        check(backup).await?;
    }
    let partial = copy(backup, database, COPIED_WITHIN).await?;
    begin_another_history(&partial.path).await.map_err(|error| of_sqlite(&partial.path, error))?;
    partial.give_to_owner_of(database)?;
    partial.sync()?;
    let contents = check(&partial.path).await?;
    old.leave_no_wal(database).await?;
    partial.rename(&restoring)?;
    let replaced = exchange(database, &restoring, old)
        .map_err(|error| RestoreError::Broken { path: database.to_owned(), error })?;
    Ok(Restored { contents, replaced })
}

/// Gives the copy a new history, so that clients discard what they know.
async fn begin_another_history(path: &Path) -> Result<(), Error> {
    let mut connection = connect(path).await?;
    connection.execute("UPDATE cluster SET history = $1", args![Uuid::new_v4()]).await?;
    connection.close().await
}

/// Connects without the settings of a server: so a copy stays a file without a WAL.
async fn connect(path: &Path) -> Result<Tx, Error> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(SqliteOptions::default().busy_timeout)
        .disable_statement_logging();
    options.connect().await.map(FileConnection::of).map(Tx::Sqlite)
}

/// Where the old database goes.
enum Old {
    /// It is still in its place, if there is one, and will get this name.
    Here(PathBuf),
    /// It has this name already: an earlier restore was interrupted after moving it, perhaps before
    /// moving its WAL.
    Moved(PathBuf),
}

impl Old {
    fn of(database: &Path, was_interrupted: bool) -> io::Result<Self> {
        let last = last_number(database)?;
        let replaced = |number: u32| beside(database, &format!("{REPLACED}{number}"));
        if was_interrupted && !database.exists() && last > 0 {
            let moved = replaced(last);
            let has_wal = beside(&moved, WAL).exists();
            if moved.exists() && !(has_wal && beside(database, WAL).exists()) {
                return Ok(Self::Moved(moved));
            }
        }
        Ok(Self::Here(replaced(last + 1)))
    }

    /// Moves what an interrupted restore has not moved yet.
    fn finish(&self, database: &Path) -> io::Result<()> {
        match self {
            Self::Moved(name) => move_journals(database, name),
            Self::Here(_) => Ok(()),
        }
    }

    /// Ensures that a restore which is interrupted from here on separates no database from its WAL:
    /// copies the WAL into its database, or, if there is no database, moves it to where the old
    /// database would go.
    ///
    /// # Errors
    /// If another program uses the old database, or the WAL cannot be moved.
    async fn leave_no_wal(&self, database: &Path) -> Result<(), OpenError> {
        match self {
            Self::Here(_) if database.exists() => match truncate_wal(database).await {
                Err(locked @ OpenError::Locked(_)) => Err(locked),
                // A database that cannot be read is moved as it is.
                Err(error) => {
                    tracing::warn!(%error, "WAL checkpoint of the old database failed; moving the WAL with it");
                    Ok(())
                }
                Ok(()) => Ok(()),
            },
            Self::Here(name) => move_journals(database, name)
                .map_err(|error| OpenError::File { path: database.to_owned(), error }),
            Self::Moved(_) => Ok(()),
        }
    }
}

/// Copies the WAL into the database and truncates it, if no other connection uses it.
async fn truncate_wal(database: &Path) -> Result<(), OpenError> {
    inspect(database, SqliteOptions::default().busy_timeout).await?;
    let truncate = async {
        let mut connection = connect(database).await?;
        // Finds another connection that writes it, or that reads it without a WAL.
        connection.script("BEGIN EXCLUSIVE; ROLLBACK").await?;
        let (is_read, ..): (i64, i64, i64) =
            connection.one("PRAGMA wal_checkpoint(TRUNCATE)", args![]).await?;
        connection.close().await?;
        Ok::<bool, Error>(is_read == 0)
    };
    let is_truncated = truncate.await.map_err(|error| of_sqlite(database, error))?;
    if is_truncated { Ok(()) } else { Err(OpenError::Locked(database.to_owned())) }
}

fn move_journals(database: &Path, replaced: &Path) -> io::Result<()> {
    // With the note of commits, which is about the old database.
    for end in [WAL, JOURNAL, COMMIT_NOTE] {
        move_if_there(&beside(database, end), &beside(replaced, end))?;
    }
    Ok(())
}

/// Moves the old database away with its WAL, and the copy to its place.
fn exchange(database: &Path, restoring: &Path, old: Old) -> io::Result<Option<PathBuf>> {
    let (replaced, was_there) = match old {
        Old::Here(name) => {
            let was_there = move_if_there(database, &name)?;
            (name, was_there)
        }
        Old::Moved(name) => (name, true),
    };
    move_journals(database, &replaced)?;
    // SQLite makes it again from the WAL.
    remove_if_there(&beside(database, SHM))?;
    // This comes before the last step, so that no server starts in between.
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

/// The highest number that a database which was replaced, or its WAL, has beside this one; 0 if
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::open::open;

    /// As a killed server leaves it: what it wrote last is in the WAL alone.
    #[tokio::test]
    async fn an_interrupted_restore_cannot_separate_a_database_from_its_wal() {
        let folder = tempfile::tempdir().expect("a folder");
        let running = folder.path().join("running.db");
        let mut opened = open(&running, &SqliteOptions::default()).await.expect("opened");
        let outage = "INSERT INTO outages (began_at, ended_at) VALUES (1, 2)";
        opened.writer.script(outage).await.expect("written");
        let killed = folder.path().join("killed.db");
        for end in ["", WAL] {
            fs::copy(beside(&running, end), beside(&killed, end)).expect("copied");
        }
        let old = Old::of(&killed, false).expect("a folder");
        old.finish(&killed).expect("nothing to finish");
        assert!(beside(&killed, WAL).exists());
        old.leave_no_wal(&killed).await.expect("truncated");
        assert!(!fs::metadata(beside(&killed, WAL)).is_ok_and(|wal| wal.len() > 0));
        let moved = folder.path().join("moved.db");
        fs::rename(&killed, &moved).expect("moved alone");
        let mut alone = connect(&moved).await.expect("opened");
        let outages: i64 = alone.one("SELECT count(*) FROM outages", args![]).await.expect("read");
        assert_eq!(outages, 1);
    }

    /// It belongs to none of them: an older copy would be changed by it.
    #[tokio::test]
    async fn a_wal_without_a_database_is_given_to_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("test.db");
        fs::write(beside(&database, WAL), "a WAL").expect("room");
        fs::write(beside(&database, ".replaced-1"), "of last month").expect("room");
        let old = Old::of(&database, false).expect("a folder");
        old.leave_no_wal(&database).await.expect("moved");
        assert!(!beside(&database, WAL).exists() && !beside(&database, ".replaced-1-wal").exists());
        assert_eq!(fs::read(beside(&database, ".replaced-2-wal")).expect("moved"), b"a WAL");
        // It is interrupted here, and run again.
        let Old::Here(name) = Old::of(&database, true).expect("a folder") else { panic!("it is not there") };
        assert_eq!(name, beside(&database, ".replaced-3"));
    }
}
