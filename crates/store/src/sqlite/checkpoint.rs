//! Copies the WAL into the database (a checkpoint) beside the writer.
//!
//! Only the writer can restart the WAL: it copies what is left when the WAL has grown
//! long. By then nearly all of it has been copied here, so that no turn waits long.
//!
//! Two connections may checkpoint and write one WAL at the same time only with a SQLite as
//! new as [`super::open`] demands.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::Duration,
};

use sqlx::{Connection, SqliteConnection};
use tokio::{
    sync::{Mutex, mpsc},
    task::JoinHandle,
    time::MissedTickBehavior,
};

use super::{failure::is_failed_sync, options::OnFatal};

/// After how many writes the WAL is copied: about 2,000 pages, 8 MiB.
const WRITES_BETWEEN: usize = 500;

/// How often the WAL is copied even if it has grown by less: damage to the WAL loses only what
/// has not been copied.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(10);

/// With so many pages (4 KiB each) the WAL is restarted.
const PAGES_LONG: i64 = 16_000;

/// How long, in milliseconds, a truncation of the WAL waits for its readers.
const READERS_WITHIN_MS: i64 = 100;

/// What the writer and the checkpointer share about the WAL.
struct Shared {
    /// Held during a checkpoint. SQLite itself would refuse a second one, not let it wait.
    running: Mutex<()>,
    /// The pages that the WAL had at the last checkpoint.
    pages: AtomicI64,
    /// Whether anything was written since the last checkpoint.
    has_grown: AtomicBool,
    on_fatal: OnFatal,
}

/// The writer's handle on the WAL. Dropping it ends the checkpointer.
pub(super) struct Wal {
    shared: Arc<Shared>,
    /// Writes since the checkpointer was last woken.
    writes: usize,
    grown: mpsc::Sender<()>,
}

impl Wal {
    /// Counts writes, and wakes the checkpointer if they are enough.
    pub(super) fn has_grown_by(&mut self, writes: usize) {
        self.writes += writes;
        self.shared.has_grown.store(true, Ordering::Relaxed);
        if self.writes >= WRITES_BETWEEN {
            self.writes = 0;
            // If it has been woken already, it will see these writes too.
            let _ = self.grown.try_send(());
        }
    }

    /// Whether it should be restarted.
    pub(super) fn is_long(&self) -> bool {
        self.shared.pages.load(Ordering::Relaxed) >= PAGES_LONG
    }

    /// Copies what is left, on the writer's connection: if that is all, SQLite restarts the
    /// WAL from its beginning with the next write. If a reader still needs the WAL, this is
    /// tried again after as many writes as lie between two checkpoints.
    pub(super) async fn restart(&self, connection: &mut SqliteConnection) {
        self.shared.checkpoint(connection).await;
        self.shared.pages.store(0, Ordering::Relaxed);
    }

    /// Copies all of it and cuts it to nothing, on the writer's connection. False if a reader
    /// still needs it, or a checkpoint is running, which may take long: writes must not wait
    /// for that.
    pub(super) async fn truncate(&self, connection: &mut SqliteConnection) -> sqlx::Result<bool> {
        match self.shared.running.try_lock() {
            Ok(_alone) => self.truncate_alone(connection).await,
            Err(_) => Ok(false),
        }
    }

    /// As [`Self::truncate`], but waits for a running checkpoint: on a full disk nothing can be
    /// written before it ends.
    pub(super) async fn truncate_for_room(&self, connection: &mut SqliteConnection) -> sqlx::Result<bool> {
        let _alone = self.shared.running.lock().await;
        self.truncate_alone(connection).await
    }

    async fn truncate_alone(&self, connection: &mut SqliteConnection) -> sqlx::Result<bool> {
        let (usual_ms,): (i64,) = sqlx::query_as("PRAGMA busy_timeout").fetch_one(&mut *connection).await?;
        set_busy_timeout(connection, READERS_WITHIN_MS).await?;
        let truncated: (i64, i64, i64) =
            sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut *connection).await?;
        set_busy_timeout(connection, usual_ms).await?;
        let (is_read, pages, _) = truncated;
        self.shared.pages.store(pages.max(0), Ordering::Relaxed);
        Ok(is_read == 0)
    }
}

async fn set_busy_timeout(connection: &mut SqliteConnection, ms: i64) -> sqlx::Result<()> {
    let set = sqlx::AssertSqlSafe(format!("PRAGMA busy_timeout = {ms}"));
    sqlx::query(set).execute(connection).await.map(drop)
}

impl Shared {
    async fn checkpoint(&self, connection: &mut SqliteConnection) {
        let _alone = self.running.lock().await;
        // A passive checkpoint waits for no reader and no writer, and they do not wait for it.
        let copied: sqlx::Result<(i64, i64, i64)> =
            sqlx::query_as("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(connection).await;
        match copied {
            Ok((_, pages, _)) => self.pages.store(pages, Ordering::Relaxed),
            Err(error) => {
                tracing::warn!(%error, "WAL checkpoint failed; retrying at the next one");
                if is_failed_sync(&error) {
                    (self.on_fatal)(&error.to_string());
                }
            }
        }
    }
}

/// The task that runs checkpoints.
pub(super) struct Checkpointer {
    task: Mutex<Option<JoinHandle<SqliteConnection>>>,
}

impl Checkpointer {
    /// Starts the task, and returns the handle that wakes it. `keep` is dropped when the task
    /// ends.
    pub(super) fn start(
        connection: SqliteConnection,
        on_fatal: OnFatal,
        keep: impl Send + 'static,
    ) -> (Self, Wal) {
        let shared = Arc::new(Shared {
            running: Mutex::default(),
            pages: AtomicI64::new(0),
            // Opening the database has written.
            has_grown: AtomicBool::new(true),
            on_fatal,
        });
        let (grown, wakes) = mpsc::channel(1);
        let task = tokio::spawn(run_checkpoints(connection, wakes, Arc::clone(&shared), keep));
        (Self { task: Mutex::new(Some(task)) }, Wal { shared, writes: 0, grown })
    }

    /// A checkpointer without a task, for a database that is only read.
    pub(super) fn none() -> Self {
        Self { task: Mutex::default() }
    }

    /// Waits for the end of the task, which comes when the [`Wal`] handle has been dropped, and
    /// closes its connection.
    pub(super) async fn close(&self) {
        let Some(task) = self.task.lock().await.take() else { return };
        if let Ok(connection) = task.await
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "closing the checkpointer's connection failed; shutdown continues");
        }
    }
}

async fn run_checkpoints(
    mut connection: SqliteConnection,
    mut wakes: mpsc::Receiver<()>,
    shared: Arc<Shared>,
    _keep: impl Send,
) -> SqliteConnection {
    let mut every = tokio::time::interval(CHECKPOINT_EVERY);
    every.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            // First, so that a dropped handle is noticed.
            biased;
            woken = wakes.recv() => if woken.is_none() {
                return connection;
            },
            _ = every.tick() => {}
        }
        if shared.has_grown.swap(false, Ordering::Relaxed) {
            shared.checkpoint(&mut connection).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteOptions, open::open};

    const MANY: &str = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000) \
         INSERT OR REPLACE INTO outages (began_at, ended_at) SELECT n, n FROM n";

    #[tokio::test]
    async fn the_wal_is_copied_when_it_has_grown() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let size = || std::fs::metadata(&path).expect("a file").len();
        let options = SqliteOptions::default();
        let mut opened = open(&path, &options).await.expect("opened");
        let (checkpointer, mut wal) = Checkpointer::start(opened.checkpointer, options.on_fatal, ());
        let fresh = size();
        while size() == fresh {
            // What opening wrote is copied at once.
            tokio::task::yield_now().await;
        }
        // That checkpoint ends first.
        drop(wal.shared.running.lock().await);
        let before = size();
        sqlx::query(MANY).execute(&mut opened.writer).await.expect("written");
        wal.has_grown_by(WRITES_BETWEEN - 1);
        assert_eq!(size(), before, "so far everything is in the WAL");
        wal.has_grown_by(1);
        drop(wal);
        checkpointer.close().await;
        assert!(size() > before);
    }

    #[tokio::test]
    async fn truncating_the_wal_waits_for_no_checkpoint_and_no_reader() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let size = || std::fs::metadata(folder.path().join("test.db-wal")).expect("a WAL").len();
        let options = SqliteOptions::default();
        let mut opened = open(&path, &options).await.expect("opened");
        let (checkpointer, wal) = Checkpointer::start(opened.checkpointer, options.on_fatal, ());
        sqlx::query(MANY).execute(&mut opened.writer).await.expect("written");
        let running = wal.shared.running.lock().await;
        assert!(!wal.truncate(&mut opened.writer).await.expect("asked"));
        drop(running);
        let mut reads = opened.readers.begin().await.expect("a connection");
        sqlx::query("SELECT COUNT(*) FROM outages").execute(&mut *reads).await.expect("read");
        sqlx::query(MANY).execute(&mut opened.writer).await.expect("written");
        assert!(!wal.truncate(&mut opened.writer).await.expect("asked"));
        assert!(size() > 0);
        let usual: i64 =
            sqlx::query_scalar("PRAGMA busy_timeout").fetch_one(&mut opened.writer).await.expect("read");
        assert_eq!(u128::try_from(usual), Ok(options.busy_timeout.as_millis()));
        reads.rollback().await.expect("ended");
        assert!(wal.truncate(&mut opened.writer).await.expect("asked"));
        assert_eq!(size(), 0);
        drop(wal);
        checkpointer.close().await;
    }

    #[tokio::test]
    async fn a_long_wal_is_restarted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let size = || std::fs::metadata(folder.path().join("test.db-wal")).expect("a WAL").len();
        let options = SqliteOptions::default();
        let mut opened = open(&path, &options).await.expect("opened");
        let (checkpointer, mut wal) = Checkpointer::start(opened.checkpointer, options.on_fatal, ());
        // A reader keeps SQLite from restarting the WAL by itself once all of it is copied.
        let mut reads = opened.readers.begin().await.expect("a connection");
        sqlx::query("SELECT COUNT(*) FROM outages").execute(&mut *reads).await.expect("read");
        while !wal.is_long() {
            sqlx::query(MANY).execute(&mut opened.writer).await.expect("written");
            wal.has_grown_by(WRITES_BETWEEN);
            // The task is given the time to copy.
            tokio::task::yield_now().await;
        }
        reads.rollback().await.expect("ended");
        wal.restart(&mut opened.writer).await;
        let longest = size();
        for _ in 0..50 {
            sqlx::query(MANY).execute(&mut opened.writer).await.expect("written");
        }
        assert_eq!(size(), longest, "what is written now takes the place of what was copied");
        drop(wal);
        checkpointer.close().await;
    }
}
