//! Copying the log into the database beside the writer.
//!
//! Only the writer can begin the log anew: it copies what is left when the log has grown
//! long. By then nearly all has been copied here, so that no turn waits long for it.
//!
//! Two connections may copy and write one log at the same time only with a SQLite that is
//! as new as [`super::open`] demands.

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

use super::{failure::is_failed_sync, writer::OnFatal};

/// After how many writes the log is copied: about 2,000 pages, 8 MiB.
const WRITES_BETWEEN: usize = 500;

/// How often it is copied even if it has grown by less: what is in the WAL alone is lost with it.
const COPY_EVERY: Duration = Duration::from_secs(10);

/// With so many pages (4 KiB each) the log is begun anew.
const PAGES_LONG: i64 = 16_000;

/// For how long, in milliseconds, whoever empties the log waits for those who read it.
const READERS_WITHIN_MS: i64 = 100;

/// What the one who writes the log and the one who copies it know of it together.
struct Shared {
    /// Held while somebody copies. SQLite itself would refuse a second one, not let it wait.
    copying: Mutex<()>,
    /// The pages that the log had when it was last copied.
    pages: AtomicI64,
    /// Whether anything was written since it was last copied.
    has_grown: AtomicBool,
    on_fatal: OnFatal,
}

/// The log, in the hands of the one who writes it. When it is dropped, nothing is copied
/// any more.
pub(super) struct Log {
    shared: Arc<Shared>,
    /// Writes since it was last to be copied.
    writes: usize,
    grown: mpsc::Sender<()>,
}

impl Log {
    /// Notes writes, and wakes the one who copies if they are enough.
    pub(super) fn has_grown_by(&mut self, writes: usize) {
        self.writes += writes;
        self.shared.has_grown.store(true, Ordering::Relaxed);
        if self.writes >= WRITES_BETWEEN {
            self.writes = 0;
            // If he has been woken already, he will see these too.
            let _ = self.grown.try_send(());
        }
    }

    /// Whether it is to be begun anew.
    pub(super) fn is_long(&self) -> bool {
        self.shared.pages.load(Ordering::Relaxed) >= PAGES_LONG
    }

    /// Copies what is left of it, by the connection that writes: if that is all, SQLite
    /// begins it anew with the next write. If somebody still reads the log, it is tried
    /// again after as many writes as lie between two copies.
    pub(super) async fn begin_anew(&self, connection: &mut SqliteConnection) {
        self.shared.copy(connection).await;
        self.shared.pages.store(0, Ordering::Relaxed);
    }

    /// Copies all of it and cuts it off, by the connection that writes. False if somebody still
    /// reads what is in it alone, or it is just being copied, which may take long: nobody who
    /// writes waits for that.
    pub(super) async fn empty(&self, connection: &mut SqliteConnection) -> sqlx::Result<bool> {
        match self.shared.copying.try_lock() {
            Ok(_alone) => self.copy_and_cut(connection).await,
            Err(_) => Ok(false),
        }
    }

    /// The same where nothing can be written until it is done: it waits for whoever copies.
    pub(super) async fn empty_for_room(&self, connection: &mut SqliteConnection) -> sqlx::Result<bool> {
        let _alone = self.shared.copying.lock().await;
        self.copy_and_cut(connection).await
    }

    async fn copy_and_cut(&self, connection: &mut SqliteConnection) -> sqlx::Result<bool> {
        let (usual_ms,): (i64,) = sqlx::query_as("PRAGMA busy_timeout").fetch_one(&mut *connection).await?;
        set_busy_timeout(connection, READERS_WITHIN_MS).await?;
        let emptied: (i64, i64, i64) =
            sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut *connection).await?;
        set_busy_timeout(connection, usual_ms).await?;
        let (is_read, pages, _) = emptied;
        self.shared.pages.store(pages.max(0), Ordering::Relaxed);
        Ok(is_read == 0)
    }
}

async fn set_busy_timeout(connection: &mut SqliteConnection, ms: i64) -> sqlx::Result<()> {
    let set = sqlx::AssertSqlSafe(format!("PRAGMA busy_timeout = {ms}"));
    sqlx::query(set).execute(connection).await.map(drop)
}

impl Shared {
    async fn copy(&self, connection: &mut SqliteConnection) {
        let _alone = self.copying.lock().await;
        // Passive: it waits for nobody who reads or writes, and none of them waits for it.
        let copied: sqlx::Result<(i64, i64, i64)> =
            sqlx::query_as("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(connection).await;
        match copied {
            Ok((_, pages, _)) => self.pages.store(pages, Ordering::Relaxed),
            Err(error) => {
                tracing::warn!(%error, "the log was not copied; the next time will do it");
                if is_failed_sync(&error) {
                    (self.on_fatal)(&error.to_string());
                }
            }
        }
    }
}

/// The task that copies.
pub(super) struct Checkpointer {
    task: Mutex<Option<JoinHandle<SqliteConnection>>>,
}

impl Checkpointer {
    /// Starts the task, and answers the log to which it listens. `keep` is dropped when
    /// the task ends.
    pub(super) fn start(
        connection: SqliteConnection,
        on_fatal: OnFatal,
        keep: impl Send + 'static,
    ) -> (Self, Log) {
        let shared = Arc::new(Shared {
            copying: Mutex::default(),
            pages: AtomicI64::new(0),
            // By whoever opened the database.
            has_grown: AtomicBool::new(true),
            on_fatal,
        });
        let (grown, wakes) = mpsc::channel(1);
        let task = tokio::spawn(copy_whenever(connection, wakes, Arc::clone(&shared), keep));
        (Self { task: Mutex::new(Some(task)) }, Log { shared, writes: 0, grown })
    }

    /// One without a task: nothing is copied.
    pub(super) fn none() -> Self {
        Self { task: Mutex::default() }
    }

    /// Waits for the end of the task, which comes when the log has been dropped, and closes
    /// its connection.
    pub(super) async fn close(&self) {
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
    mut wakes: mpsc::Receiver<()>,
    shared: Arc<Shared>,
    _keep: impl Send,
) -> SqliteConnection {
    let mut every = tokio::time::interval(COPY_EVERY);
    every.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            // First, so that a log that was dropped is seen.
            biased;
            woken = wakes.recv() => if woken.is_none() {
                return connection;
            },
            _ = every.tick() => {}
        }
        if shared.has_grown.swap(false, Ordering::Relaxed) {
            shared.copy(&mut connection).await;
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
    async fn the_log_is_copied_when_it_has_grown() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let size = || std::fs::metadata(&path).expect("a file").len();
        let options = SqliteOptions::default();
        let mut opened = open(&path, &options).await.expect("opened");
        let (checkpointer, mut log) = Checkpointer::start(opened.checkpointer, options.on_fatal, ());
        let fresh = size();
        while size() == fresh {
            // What opening wrote is copied at once.
            tokio::task::yield_now().await;
        }
        let before = size();
        sqlx::query(MANY).execute(&mut opened.writer).await.expect("written");
        log.has_grown_by(WRITES_BETWEEN - 1);
        assert_eq!(size(), before, "so far all is in the log");
        log.has_grown_by(1);
        drop(log);
        checkpointer.close().await;
        assert!(size() > before);
    }

    #[tokio::test]
    async fn whoever_empties_the_log_waits_for_nobody_who_copies_or_reads_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let size = || std::fs::metadata(folder.path().join("test.db-wal")).expect("a log").len();
        let options = SqliteOptions::default();
        let mut opened = open(&path, &options).await.expect("opened");
        let (checkpointer, log) = Checkpointer::start(opened.checkpointer, options.on_fatal, ());
        sqlx::query(MANY).execute(&mut opened.writer).await.expect("written");
        let copying = log.shared.copying.lock().await;
        assert!(!log.empty(&mut opened.writer).await.expect("asked"));
        drop(copying);
        let mut reads = opened.readers.begin().await.expect("a connection");
        sqlx::query("SELECT COUNT(*) FROM outages").execute(&mut *reads).await.expect("read");
        sqlx::query(MANY).execute(&mut opened.writer).await.expect("written");
        assert!(!log.empty(&mut opened.writer).await.expect("asked"));
        assert!(size() > 0);
        let usual: i64 =
            sqlx::query_scalar("PRAGMA busy_timeout").fetch_one(&mut opened.writer).await.expect("read");
        assert_eq!(u128::try_from(usual), Ok(options.busy_timeout.as_millis()));
        reads.rollback().await.expect("ended");
        assert!(log.empty(&mut opened.writer).await.expect("asked"));
        assert_eq!(size(), 0);
        drop(log);
        checkpointer.close().await;
    }

    #[tokio::test]
    async fn a_long_log_is_begun_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let size = || std::fs::metadata(folder.path().join("test.db-wal")).expect("a log").len();
        let options = SqliteOptions::default();
        let mut opened = open(&path, &options).await.expect("opened");
        let (checkpointer, mut log) = Checkpointer::start(opened.checkpointer, options.on_fatal, ());
        // Who reads keeps SQLite from beginning it anew by itself whenever all of it was copied.
        let mut reads = opened.readers.begin().await.expect("a connection");
        sqlx::query("SELECT COUNT(*) FROM outages").execute(&mut *reads).await.expect("read");
        while !log.is_long() {
            sqlx::query(MANY).execute(&mut opened.writer).await.expect("written");
            log.has_grown_by(WRITES_BETWEEN);
            // The task is given the time to copy.
            tokio::task::yield_now().await;
        }
        reads.rollback().await.expect("ended");
        log.begin_anew(&mut opened.writer).await;
        let longest = size();
        for _ in 0..50 {
            sqlx::query(MANY).execute(&mut opened.writer).await.expect("written");
        }
        assert_eq!(size(), longest, "what is written now takes the place of what was copied");
        drop(log);
        checkpointer.close().await;
    }
}
