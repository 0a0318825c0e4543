//! Copying the log into the database beside the writer.
//!
//! The writer does it too when the log has grown long, because only it can begin the log
//! anew. By then nearly all has been copied here, so that no turn waits long for it.

use std::sync::Arc;

use sqlx::{Connection, SqliteConnection};
use tokio::{
    sync::{Mutex, Notify},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use super::{failure::is_failed_sync, writer::OnFatal};

/// After how many writes the log is copied: about 2,000 pages, 8 MiB.
const WRITES_BETWEEN: usize = 500;

/// How much has been written into the log since it was last copied.
pub(super) struct Log {
    writes: usize,
    grown: Arc<Notify>,
}

impl Log {
    /// Notes writes, and wakes the one who copies if they are enough.
    pub(super) fn has_grown_by(&mut self, writes: usize) {
        self.writes += writes;
        if self.writes >= WRITES_BETWEEN {
            self.writes = 0;
            self.grown.notify_one();
        }
    }
}

/// The task that copies.
pub(super) struct Checkpointer {
    closing: CancellationToken,
    task: Mutex<Option<JoinHandle<SqliteConnection>>>,
}

impl Checkpointer {
    /// Starts the task, and answers the log to which it listens.
    pub(super) fn start(connection: SqliteConnection, on_fatal: OnFatal) -> (Self, Log) {
        let (closing, grown) = (CancellationToken::new(), Arc::new(Notify::new()));
        let log = Log { writes: 0, grown: Arc::clone(&grown) };
        let task = tokio::spawn(copy_whenever(connection, grown, on_fatal, closing.clone()));
        (Self { closing, task: Mutex::new(Some(task)) }, log)
    }

    /// Ends what is under way and closes the connection.
    pub(super) async fn close(&self) {
        self.closing.cancel();
        let Some(task) = self.task.lock().await.take() else { return };
        if let Ok(connection) = task.await
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "a connection to the database was not closed in good order");
        }
    }
}

async fn copy_whenever(
    mut connection: SqliteConnection,
    grown: Arc<Notify>,
    on_fatal: OnFatal,
    closing: CancellationToken,
) -> SqliteConnection {
    loop {
        tokio::select! {
            biased;
            () = grown.notified() => {}
            () = closing.cancelled() => return connection,
        }
        // Passive: it waits for nobody, and nobody waits for it.
        let copied = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&mut connection).await;
        if let Err(error) = copied {
            tracing::warn!(%error, "the log was not copied; the next time will do it");
            if is_failed_sync(&error) {
                on_fatal(&error.to_string());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::{SqliteOptions, open::open};

    #[tokio::test]
    async fn the_log_is_copied_when_it_has_grown() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let size = || std::fs::metadata(&path).expect("a file").len();
        let options = SqliteOptions::default();
        let mut opened = open(&path, &options).await.expect("opened");
        let (checkpointer, mut log) = Checkpointer::start(opened.checkpointer, options.on_fatal);
        let before = size();
        let many = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000) \
             INSERT INTO outages (began_at, ended_at) SELECT n, n FROM n";
        sqlx::query(many).execute(&mut opened.writer).await.expect("written");
        log.has_grown_by(WRITES_BETWEEN - 1);
        assert_eq!(size(), before, "so far all is in the log");
        log.has_grown_by(1);
        checkpointer.close().await;
        assert!(size() > before);
    }
}
