//! The number of the last commit, noted in a small file beside the database.
//!
//! SQLite silently drops everything after the first damaged frame of its WAL. So each transaction
//! that is acknowledged to a client increments a number in the database, and after the commit,
//! before the reply, the writer notes the number here. A database that opens with a lower number
//! has lost commits ([`super::recovery`]).
//!
//! The note is written at each commit, which survives a killed process, and synced once a second,
//! for a power failure.

use std::{
    fs::File,
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    files::{COMMIT_NOTE, beside, give_to_owner_of, make_private, sync_folder_of},
    open_error::OpenError,
    options::OnFatal,
};
use crate::text::hex;

/// How often the note is synced if it has changed.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// The digits of a number: every note has the same length and overwrites the one before it.
const DIGITS: usize = 20;

/// A note as it is written: the number and a checksum of it.
fn line(number: u64) -> String {
    let number = format!("{number:0DIGITS$}");
    let sum = hex(Sha256::digest(&number).into());
    format!("lusoria-commits-v1 {number} {sum}\n")
}

/// Reads the number that is noted beside the database; none if there is no note.
///
/// # Errors
/// If the file cannot be read, or does not hold a note.
pub(super) fn read(database: &Path) -> Result<Option<u64>, OpenError> {
    let path = beside(database, COMMIT_NOTE);
    let failed = |error| OpenError::File { path: path.clone(), error };
    let mut text = String::new();
    match File::open(&path) {
        Ok(mut file) => file.read_to_string(&mut text).map_err(failed)?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let number = text.split(' ').nth(1).and_then(|digits| digits.parse().ok());
    match number.filter(|&number| line(number) == text) {
        Some(number) => Ok(Some(number)),
        None => {
            Err(failed(io::Error::new(ErrorKind::InvalidData, "it does not hold the number of a commit")))
        }
    }
}

/// The note of a database that is open.
pub(super) struct CommitNote {
    path: PathBuf,
    file: Mutex<File>,
    noted: AtomicU64,
    synced: AtomicU64,
    on_fatal: OnFatal,
}

impl CommitNote {
    /// Notes the number that the database has now, synced. Creates the file if there is none.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn begin(database: &Path, number: u64, on_fatal: OnFatal) -> Result<Arc<Self>, OpenError> {
        let path = beside(database, COMMIT_NOTE);
        let file = make_private(&path)?;
        let begun = || {
            give_to_owner_of(database, &file)?;
            let note = Self {
                path: path.clone(),
                file: Mutex::new(file),
                noted: AtomicU64::new(number),
                synced: AtomicU64::new(number),
                on_fatal,
            };
            note.write(number)?;
            note.file.lock().sync_all()?;
            sync_folder_of(database)?;
            Ok(Arc::new(note))
        };
        begun().map_err(|error| OpenError::File { path: path.clone(), error })
    }

    /// Notes a commit. If that fails, logs it: the commit stands.
    pub(super) fn note(&self, number: u64) {
        if let Err(error) = self.write(number) {
            tracing::warn!(
                path = %self.path.display(), %error,
                "noting a commit failed; a loss of it would not be noticed"
            );
        }
        self.noted.store(number, Ordering::Release);
    }

    fn write(&self, number: u64) -> io::Result<()> {
        let mut file = self.file.lock();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(line(number).as_bytes())
    }

    /// Syncs the note if it has changed since the last time. After a failed sync the disk cannot be
    /// trusted any more, whichever file it was.
    pub(super) fn sync(&self) {
        let noted = self.noted.load(Ordering::Acquire);
        if self.synced.swap(noted, Ordering::AcqRel) == noted {
            return;
        }
        // Another handle, so that the next commit can be noted meanwhile.
        let file = self.file.lock().try_clone();
        if let Err(error) = file.and_then(|file| file.sync_data()) {
            (self.on_fatal)(&format!("{}: {error}", self.path.display()));
        }
    }

    /// Syncs the note once a second, until the guard is dropped.
    pub(super) fn keep_synced(self: &Arc<Self>) -> DropGuard {
        let ended = CancellationToken::new();
        let (note, until) = (Arc::clone(self), ended.clone());
        tokio::spawn(async move {
            let mut every = tokio::time::interval(SYNC_EVERY);
            while until.run_until_cancelled(every.tick()).await.is_some() {
                let note = Arc::clone(&note);
                // A sync may block for long.
                let _ = tokio::task::spawn_blocking(move || note.sync()).await;
            }
        });
        ended.drop_guard()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_note_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("test.db");
        assert_eq!(read(&database).expect("no file"), None);
        let note = CommitNote::begin(&database, 41, Arc::new(|why| panic!("{why}"))).expect("room");
        assert_eq!(read(&database).expect("a note"), Some(41));
        for number in [42, 1_000, u64::MAX] {
            note.note(number);
            assert_eq!(read(&database).expect("a note"), Some(number));
        }
    }

    #[test]
    fn anything_else_than_a_note_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("test.db");
        let path = beside(&database, COMMIT_NOTE);
        let whole = line(17);
        for text in ["", "17", &whole[..whole.len() - 1], &whole.replace("017", "018"), &whole.repeat(2)] {
            fs::write(&path, text).expect("room");
            assert!(matches!(read(&database), Err(OpenError::File { .. })), "{text:?}");
        }
    }
}
