//! Checks at a start whether acknowledged commits are missing, and chooses what is left to use.
//!
//! The WAL may be cut, changed or gone. Then SQLite reads it up to the first damaged frame. After
//! a checkpoint its first frames may be older than the pages of the database, and would hide them.
//! So this looks at the database both with its WAL and without.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::Error;
use uuid::Uuid;

use super::{
    commit_note,
    connect::{Wal, to_read},
    files::{DAMAGED_WAL, SHM, WAL, beside, sync_folder_of},
    inspect::version,
    open_error::{OpenError, of_sqlite},
    options::OnLostCommits,
    soundness,
};
use crate::sql::{Tx, args};

/// The acknowledged commits that were missing when a database was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Loss {
    /// The number of the last commit that was noted.
    pub(super) noted: u64,
    /// The number of the last commit that is there.
    pub(super) found: u64,
}

impl Loss {
    /// At most how many commits are missing.
    pub(super) const fn commits(self) -> u64 {
        self.noted - self.found
    }

    /// Logs it for the operator, with the history that begins.
    pub(super) fn log(self, path: &Path, history: Uuid) {
        let Self { noted, found } = self;
        let commits = u32::try_from(self.commits()).unwrap_or(u32::MAX);
        metrics::gauge!("lusoria_lost_commits").set(commits);
        tracing::error!(
            path = %path.display(), noted, found, %history,
            "ACKNOWLEDGED COMMITS ARE LOST: at most {commits}; starting a new history, in which clients \
             discard what they know (docs/operating.md, \"A damaged WAL\")"
        );
    }
}

/// Whether nobody can tell whether commits are missing: there is a WAL, and no note to compare it with. Logs it for the
/// operator. The file must be locked, and no connection open.
pub(super) fn is_loss_unknown(path: &Path) -> bool {
    let note = commit_note::read(path);
    if fs::metadata(beside(path, WAL)).map_or(0, |wal| wal.len()) == 0 || matches!(note, Ok(Some(_))) {
        return false;
    }
    if note.is_ok() {
        tracing::warn!(
            path = %path.display(),
            "the note of commits is gone, but not the WAL; starting without knowing whether commits are lost \
             (docs/operating.md, \"A damaged WAL\")"
        );
    }
    true
}

/// Compares the database with the note beside it, and sets aside a WAL that hides newer pages. The file must
/// be locked, and no connection open.
///
/// # Errors
/// If commits are missing and the operator chose not to start then, or if what is left is
/// inconsistent or cannot be read.
pub(super) async fn recover(
    path: &Path,
    on_lost: OnLostCommits,
    busy_timeout: Duration,
) -> Result<Option<Loss>, OpenError> {
    let Some(noted) = noted(path, on_lost)? else { return Ok(None) };
    let database = Database { path, busy_timeout };
    let with_wal = match database.look(Wal::Read).await {
        Ok(number) if number >= noted => return Ok(None),
        Err(error) if !error.is_of_content() => return Err(error),
        found => found,
    };
    if let Ok(found) = with_wal {
        tracing::error!(
            path = %path.display(), noted, found,
            "database is behind its note of commits: WAL is damaged or gone; checking what is left"
        );
    }
    let alone = database.look(Wal::Ignored).await;
    if alone.as_ref().is_ok_and(|&number| number >= noted) && database.is_sound(Wal::Ignored).await? {
        set_wal_aside(path)?;
        tracing::warn!(
            path = %path.display(),
            "nothing is lost: the database already holds all commits of the damaged WAL"
        );
        return Ok(None);
    }
    let mut candidates: Vec<_> = [(&with_wal, Wal::Read), (&alone, Wal::Ignored)]
        .into_iter()
        .filter_map(|(found, wal)| Some((*found.as_ref().ok()?, wal)))
        .collect();
    candidates.sort_by_key(|&(found, _)| std::cmp::Reverse(found));
    for (found, wal) in candidates {
        if !database.is_sound(wal).await? {
            continue;
        }
        if on_lost == OnLostCommits::Refuse {
            return Err(OpenError::LostCommits { path: path.to_owned(), noted, found });
        }
        match wal {
            Wal::Read => keep_copy_of_wal(path),
            Wal::Ignored => set_wal_aside(path)?,
        }
        return Ok(Some(Loss { noted, found }));
    }
    let found = with_wal?;
    let what = format!("commits after {found} are missing, and what is left does not fit together");
    Err(OpenError::Damaged { path: path.to_owned(), what })
}

/// The number that is noted; none, and an error in the server's log, if it cannot be read.
fn noted(path: &Path, on_lost: OnLostCommits) -> Result<Option<u64>, OpenError> {
    match (commit_note::read(path), on_lost) {
        (Err(error), OnLostCommits::NewHistory) => {
            tracing::error!(
                %error,
                "reading the note of commits failed; starting without knowing whether commits are lost"
            );
            Ok(None)
        }
        (noted, _) => noted,
    }
}

/// A database file, only read.
struct Database<'a> {
    path: &'a Path,
    busy_timeout: Duration,
}

impl Database<'_> {
    /// The number of the last commit that is there; 0 if it has no tables.
    async fn look(&self, wal: Wal) -> Result<u64, OpenError> {
        let Some(mut tx) = self.connect(wal).await? else { return Ok(0) };
        let found = match version(self.path, &mut tx).await {
            Ok(0) => Ok(0),
            Ok(_) => number(&mut tx).await.map_err(|error| of_sqlite(self.path, error)),
            Err(error) => Err(error),
        };
        // It has only read.
        let _ = tx.close().await;
        found
    }

    /// Whether it is consistent.
    async fn is_sound(&self, wal: Wal) -> Result<bool, OpenError> {
        let Some(mut tx) = self.connect(wal).await? else { return Ok(true) };
        let faults = match version(self.path, &mut tx).await {
            Ok(0) => Ok(Vec::new()),
            Ok(_) => soundness::faults(&mut tx).await.map_err(|error| of_sqlite(self.path, error)),
            Err(error) => Err(error),
        };
        // It has only read.
        let _ = tx.close().await;
        match faults {
            Ok(faults) => Ok(faults.is_empty()),
            Err(OpenError::Damaged { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// None if there is nothing to read.
    async fn connect(&self, wal: Wal) -> Result<Option<Tx>, OpenError> {
        if fs::metadata(self.path).map_or(0, |found| found.len()) == 0 {
            return Ok(None);
        }
        let tx = to_read(self.path, wal, self.busy_timeout).await;
        tx.map(Some).map_err(|error| of_sqlite(self.path, error))
    }
}

/// The number of the last commit that the tables hold.
pub(super) async fn number(tx: &mut Tx) -> Result<u64, Error> {
    tx.one("SELECT number FROM commits", args![]).await
}

/// Renames the WAL; replaces one that was kept before.
fn set_wal_aside(path: &Path) -> Result<(), OpenError> {
    let failed = |path: PathBuf| move |error| OpenError::File { path, error };
    let (wal, shm) = (beside(path, WAL), beside(path, SHM));
    if wal.exists() {
        fs::rename(&wal, beside(path, DAMAGED_WAL)).map_err(failed(wal))?;
    }
    if shm.exists() {
        fs::remove_file(&shm).map_err(failed(shm))?;
    }
    sync_folder_of(path).map_err(failed(path.to_owned()))
}

/// Keeps a copy of what the next writes replace, for investigation. Nothing depends on it.
fn keep_copy_of_wal(path: &Path) {
    let (wal, kept) = (beside(path, WAL), beside(path, DAMAGED_WAL));
    if wal.exists()
        && let Err(error) = fs::copy(&wal, &kept)
    {
        tracing::warn!(
            path = %kept.display(), %error,
            "copying the damaged WAL failed; starting without a copy"
        );
    }
}
