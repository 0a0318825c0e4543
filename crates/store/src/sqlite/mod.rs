//! The store in one SQLite file.
//!
//! All writes go through a single writer, which commits together what has arrived. Reads
//! have connections of their own and never wait for it; one more connection copies the WAL
//! into the database (checkpoints).
//!
//! What is kept is said once for both databases, above (`crate::db`); here is what a file alone needs. Imports go
//! one way, from the bottom up:
//!
//! 1. `options`, `files` (names, locks, the folder), `open_error` (what errors of SQLite mean for a file), `room`,
//!    `connect`, `migrations`.
//! 2. `match_columns`, `packed`, `dictionary`, `journal`: events, and those of finished matches.
//! 3. A file at rest: `inspect`, then `soundness`, `commit_note`, `recovery`, `backup`, `restore`; `open`, which none
//!    of them uses; and `moving`, which does.
//! 4. `checkpoint` and `writer`, which runs the transactions; `memory`, a database without a file.

mod backup;
mod checkpoint;
mod commit_note;
mod connect;
pub mod dictionary;
mod files;
mod inspect;
pub(crate) mod journal;
pub(crate) mod match_columns;
mod memory;
mod migrations;
pub(crate) mod moving;
mod open;
mod open_error;
mod options;
pub(crate) mod packed;
pub(crate) mod recovery;
mod restore;
mod room;
mod soundness;
pub(crate) mod writer;

use std::{fs::File, path::Path, sync::Arc, time::Duration};

use tokio_util::sync::DropGuard;

pub use backup::{BackupError, BackupOptions, back_up};
pub(crate) use memory::Memory;
pub use open_error::OpenError;
pub use options::{OnLostCommits, RESERVE_BYTES, SqliteOptions};
pub use restore::{RestoreError, Restored, restore};
pub use soundness::{Contents, Unsound, check};

use crate::{
    StoreError,
    sql::{Readers, Tx, args},
};
use checkpoint::Checkpointer;
use commit_note::CommitNote;
use recovery::Loss;
use room::Disk;
use writer::{Writer, WriterParts};

/// A file that is open.
pub(crate) struct OpenFile {
    pub(crate) writer: Writer,
    checkpointer: Checkpointer,
    loss: Option<Loss>,
    pub(crate) is_loss_unknown: bool,
    pub(crate) pack_after: Duration,
    /// None if it is only read.
    writing: Option<Writing>,
}

/// What only a file that is written has.
struct Writing {
    /// Held until the writer has ended.
    lock: Arc<File>,
    disk: Disk,
    note: Arc<CommitNote>,
    _note_synced: DropGuard,
}

impl OpenFile {
    /// Opens a file, creates it if there is none, and migrates it.
    pub(crate) async fn open(path: &Path, options: SqliteOptions) -> Result<(Readers, Self), OpenError> {
        let opened = open::open(path, &options).await?;
        let lock = Arc::new(opened.lock);
        let note = CommitNote::begin(path, opened.commits, Arc::clone(&options.on_fatal))?;
        let disk = Disk::under(path, options.reserve_bytes);
        let (checkpointer, wal) =
            Checkpointer::start(opened.checkpointer, Arc::clone(&options.on_fatal), Arc::clone(&lock));
        let parts = WriterParts {
            connection: opened.writer,
            open: opened.open_writer,
            on_fatal: options.on_fatal,
            wal,
            commits: opened.commits,
            note: Arc::clone(&note),
            disk: disk.clone(),
        };
        let file = Self {
            writer: Writer::start(parts, options.queue_max, Arc::clone(&lock)),
            checkpointer,
            loss: opened.loss,
            is_loss_unknown: opened.is_loss_unknown,
            pack_after: options.pack_after,
            writing: Some(Writing { lock, disk, _note_synced: note.keep_synced(), note }),
        };
        Ok((opened.readers, file))
    }

    /// Opens a file for reading.
    pub(crate) async fn open_to_read(path: &Path) -> Result<(Readers, Self), OpenError> {
        let (readers, _) = open::open_to_read(path).await?;
        let file = Self {
            writer: Writer::none(),
            checkpointer: Checkpointer::none(),
            loss: None,
            is_loss_unknown: false,
            pack_after: SqliteOptions::default().pack_after,
            writing: None,
        };
        Ok((readers, file))
    }

    /// Opens a file as [`Self::open`] does, but only if it exists and is of this version.
    pub(crate) async fn open_up_to_date(
        path: &Path,
        options: SqliteOptions,
    ) -> Result<(Readers, Self), OpenError> {
        inspect::up_to_date(path, options.busy_timeout).await?;
        Self::open(path, options).await
    }

    /// At most how many acknowledged commits were missing at the start.
    pub(crate) fn lost_commits(&self) -> u64 {
        self.loss.map_or(0, Loss::commits)
    }

    /// Whether writes are refused now because the disk is full.
    pub(crate) fn is_full(&self) -> bool {
        self.writing.as_ref().is_some_and(|writing| writing.disk.is_full())
    }

    /// Copies all of the WAL into the database and cuts it to nothing. False if a reader still needs it.
    pub(crate) async fn truncate_wal(&self) -> Result<bool, StoreError> {
        Ok(self.writer.truncate_wal().await?)
    }

    /// Stops accepting writes, commits those that wait and closes the file.
    pub(crate) async fn close(&self, readers: &Readers) {
        let connection = self.writer.close().await;
        self.checkpointer.close().await;
        // First the readers: the WAL can only be truncated when no connection reads it.
        readers.close().await;
        let Some(connection) = connection else { return };
        if let Err(error) = truncate_wal_and_close(connection).await {
            tracing::warn!(%error, "WAL checkpoint failed; retrying at next start");
        }
        if let Some(Writing { lock, note, .. }) = &self.writing {
            note.sync();
            if let Err(error) = lock.unlock() {
                tracing::warn!(%error, "unlocking the database failed; the lock ends with the process");
            }
        }
    }
}

async fn truncate_wal_and_close(mut connection: Tx) -> Result<(), sqlx::Error> {
    let truncated: Result<(i64, i64, i64), _> =
        connection.one("PRAGMA wal_checkpoint(TRUNCATE)", args![]).await;
    // Before the lock is released.
    connection.close().await?;
    truncated.map(drop)
}
