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

use sqlx::{AssertSqlSafe, Error, Executor as _, raw_sql};
use tokio::{
    sync::{Mutex, mpsc},
    task::JoinHandle,
    time::{Instant, timeout_at},
};

use super::options::OnFatal;
use crate::{
    failure::is_failed_sync,
    sql::{Tx, args},
};

/// After how many writes the WAL is copied: one to two MiB.
const WRITES_BETWEEN: usize = 500;

/// How often the WAL is copied even if it has grown by less: damage to the WAL loses only what
/// has not been copied.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(10);

/// With so many pages (4 KiB each) the WAL is restarted.
const PAGES_LONG: i64 = 16_000;

/// How long a truncation of the WAL waits for its readers, in milliseconds.
const WAIT_FOR_READERS: &str = "PRAGMA busy_timeout = 100";

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
    pub(super) async fn restart(&self, writer: &mut Tx) {
        self.shared.checkpoint(writer).await;
        self.shared.pages.store(0, Ordering::Relaxed);
    }

    /// Copies all of it and cuts it to nothing, on the writer's connection. False if a reader
    /// still needs it, or a checkpoint is running, which may take long: writes must not wait
    /// for that.
    pub(super) async fn truncate(&self, writer: &mut Tx) -> Result<bool, Error> {
        match self.shared.running.try_lock() {
            Ok(_alone) => self.truncate_alone(writer).await,
            Err(_) => Ok(false),
        }
    }

    /// As [`Self::truncate`], but waits for a running checkpoint: on a full disk nothing can be
    /// written before it ends.
    pub(super) async fn truncate_for_room(&self, writer: &mut Tx) -> Result<bool, Error> {
        let _alone = self.shared.running.lock().await;
        self.truncate_alone(writer).await
    }

    async fn truncate_alone(&self, writer: &mut Tx) -> Result<bool, Error> {
        let usual_ms: i64 = writer.one("SELECT timeout FROM pragma_busy_timeout", args![]).await?;
        writer.script(WAIT_FOR_READERS).await?;
        let truncated = writer.one("PRAGMA wal_checkpoint(TRUNCATE)", args![]).await?;
        let wait_as_usual = raw_sql(AssertSqlSafe(format!("PRAGMA busy_timeout = {usual_ms}")));
        writer.sqlite()?.execute(wait_as_usual).await?;
        let (is_read, pages, _): (i64, i64, i64) = truncated;
        self.shared.pages.store(pages.max(0), Ordering::Relaxed);
        Ok(is_read == 0)
    }
}

impl Shared {
    async fn checkpoint(&self, connection: &mut Tx) {
        let _alone = self.running.lock().await;
        // A passive checkpoint waits for no reader and no writer, and they do not wait for it.
        match connection.one::<(i64, i64, i64)>("PRAGMA wal_checkpoint(PASSIVE)", args![]).await {
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
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Checkpointer {
    /// Starts the task, and returns the handle that wakes it. `keep` is dropped when the task
    /// ends.
    pub(super) fn start(connection: Tx, on_fatal: OnFatal, keep: impl Send + 'static) -> (Self, Wal) {
        let shared = Arc::new(Shared {
            running: Mutex::default(),
            pages: AtomicI64::new(0),
            // Opening the database has written.
            has_grown: AtomicBool::new(true),
            on_fatal,
        });
        let (grown, wakes) = mpsc::channel(1);
        let checkpointing = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            run_checkpoints(connection, wakes, &checkpointing).await;
            drop(keep);
        });
        (Self { task: Mutex::new(Some(task)) }, Wal { shared, writes: 0, grown })
    }

    /// A checkpointer without a task, for a database that is only read.
    pub(super) fn none() -> Self {
        Self { task: Mutex::default() }
    }

    /// Waits for the end of the task, which comes when the [`Wal`] handle has been dropped, and
    /// closes its connection.
    pub(super) async fn close(&self) {
        if let Some(task) = self.task.lock().await.take() {
            // An error says that it has ended too.
            let _ = task.await;
        }
    }
}

async fn run_checkpoints(mut connection: Tx, mut wakes: mpsc::Receiver<()>, shared: &Shared) {
    // The first is due now.
    let mut due = Instant::now();
    loop {
        match timeout_at(due, wakes.recv()).await {
            Ok(Some(())) => {}
            Ok(None) => break,
            Err(_) => due = Instant::now() + CHECKPOINT_EVERY,
        }
        if shared.has_grown.swap(false, Ordering::Relaxed) {
            shared.checkpoint(&mut connection).await;
        }
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "closing the checkpointer's connection failed; shutdown continues");
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::sqlite::{
        SqliteOptions, connect,
        open::{Opened, open},
    };

    const MANY: &str = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000) \
         INSERT OR REPLACE INTO outages (began_at, ended_at) SELECT n, n FROM n";

    /// The writer of a new database, its checkpointer and its WAL.
    async fn opened(path: &Path) -> (Tx, Checkpointer, Wal) {
        let options = SqliteOptions::default();
        let Opened { writer, checkpointer, .. } = open(path, &options).await.expect("opened");
        let (checkpointer, wal) = Checkpointer::start(checkpointer, options.on_fatal, ());
        (writer, checkpointer, wal)
    }

    async fn write_many(writer: &mut Tx) {
        writer.script(MANY).await.expect("written");
    }

    /// A reader that needs the WAL as it is.
    async fn reader(path: &Path) -> Tx {
        let mut reader =
            connect::to_serve(path, SqliteOptions::default().busy_timeout).await.expect("a connection");
        reader.script("BEGIN; SELECT COUNT(*) FROM outages").await.expect("read");
        reader
    }

    #[tokio::test]
    async fn the_wal_is_copied_when_it_has_grown() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let size = || std::fs::metadata(&path).expect("a file").len();
        let (mut writer, checkpointer, mut wal) = opened(&path).await;
        let fresh = size();
        while size() == fresh {
            // What opening wrote is copied at once.
            tokio::task::yield_now().await;
        }
        // That checkpoint ends first.
        drop(wal.shared.running.lock().await);
        let before = size();
        write_many(&mut writer).await;
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
        let (mut writer, checkpointer, wal) = opened(&path).await;
        // The first checkpoint would run beside what follows.
        wal.shared.has_grown.store(false, Ordering::Relaxed);
        write_many(&mut writer).await;
        let running = wal.shared.running.lock().await;
        assert!(!wal.truncate(&mut writer).await.expect("asked"));
        drop(running);
        let mut reads = reader(&path).await;
        write_many(&mut writer).await;
        assert!(!wal.truncate(&mut writer).await.expect("asked"));
        assert!(size() > 0);
        let usual: i64 = writer.one("SELECT timeout FROM pragma_busy_timeout", args![]).await.expect("read");
        assert_eq!(u128::try_from(usual), Ok(SqliteOptions::default().busy_timeout.as_millis()));
        reads.script("ROLLBACK").await.expect("ended");
        assert!(wal.truncate(&mut writer).await.expect("asked"));
        assert_eq!(size(), 0);
        drop(wal);
        checkpointer.close().await;
    }

    #[tokio::test]
    async fn a_long_wal_is_restarted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let size = || std::fs::metadata(folder.path().join("test.db-wal")).expect("a WAL").len();
        let (mut writer, checkpointer, mut wal) = opened(&path).await;
        // A reader keeps SQLite from restarting the WAL by itself once all of it is copied.
        let mut reads = reader(&path).await;
        while !wal.is_long() {
            write_many(&mut writer).await;
            wal.has_grown_by(WRITES_BETWEEN);
        }
        reads.script("ROLLBACK").await.expect("ended");
        wal.restart(&mut writer).await;
        let longest = size();
        for _ in 0..50 {
            write_many(&mut writer).await;
        }
        assert_eq!(size(), longest, "what is written now takes the place of what was copied");
        drop(wal);
        checkpointer.close().await;
    }
}
