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
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{failure::is_failed_sync, options::OnFatal, sql::one};

/// After how many writes the WAL is copied: one to two MiB.
const WRITES_BETWEEN: usize = 500;

/// How often the WAL is copied even if it has grown by less: damage to the WAL loses only what
/// has not been copied.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(10);

/// With so many pages (4 KiB each) the WAL is restarted.
const PAGES_LONG: i64 = 16_000;

/// How long a truncation of the WAL waits for its readers.
const READERS_WITHIN: Duration = Duration::from_millis(100);

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
    grown: mpsc::SyncSender<()>,
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
    pub(super) fn restart(&self, connection: &Connection) {
        self.shared.checkpoint(connection);
        self.shared.pages.store(0, Ordering::Relaxed);
    }

    /// Copies all of it and cuts it to nothing, on the writer's connection. False if a reader
    /// still needs it, or a checkpoint is running, which may take long: writes must not wait
    /// for that.
    pub(super) fn truncate(&self, connection: &Connection) -> rusqlite::Result<bool> {
        match self.shared.running.try_lock() {
            Some(_alone) => self.truncate_alone(connection),
            None => Ok(false),
        }
    }

    /// As [`Self::truncate`], but waits for a running checkpoint: on a full disk nothing can be
    /// written before it ends.
    pub(super) fn truncate_for_room(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let _alone = self.shared.running.lock();
        self.truncate_alone(connection)
    }

    fn truncate_alone(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let (usual_ms,): (i64,) = one(connection, "PRAGMA busy_timeout", [])?;
        connection.busy_timeout(READERS_WITHIN)?;
        let truncated: (i64, i64, i64) = one(connection, "PRAGMA wal_checkpoint(TRUNCATE)", [])?;
        connection.busy_timeout(Duration::from_millis(usual_ms.unsigned_abs()))?;
        let (is_read, pages, _) = truncated;
        self.shared.pages.store(pages.max(0), Ordering::Relaxed);
        Ok(is_read == 0)
    }
}

impl Shared {
    fn checkpoint(&self, connection: &Connection) {
        let _alone = self.running.lock();
        // A passive checkpoint waits for no reader and no writer, and they do not wait for it.
        let copied: rusqlite::Result<(i64, i64, i64)> = one(connection, "PRAGMA wal_checkpoint(PASSIVE)", []);
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

/// The thread that runs checkpoints.
pub(super) struct Checkpointer {
    /// Told when the thread has ended.
    ended: Mutex<Option<oneshot::Receiver<()>>>,
}

impl Checkpointer {
    /// Starts the thread, and returns the handle that wakes it. `keep` is dropped when the thread
    /// ends.
    pub(super) fn start(connection: Connection, on_fatal: OnFatal, keep: impl Send + 'static) -> (Self, Wal) {
        let shared = Arc::new(Shared {
            running: Mutex::default(),
            pages: AtomicI64::new(0),
            // Opening the database has written.
            has_grown: AtomicBool::new(true),
            on_fatal,
        });
        let (grown, wakes) = mpsc::sync_channel(1);
        let (has_ended, ended) = oneshot::channel();
        let checkpointing = Arc::clone(&shared);
        let work = move || {
            run_checkpoints(connection, &wakes, &checkpointing);
            drop(keep);
            // Nobody waits if the store was not closed.
            let _ = has_ended.send(());
        };
        // It ends by itself.
        drop(
            thread::Builder::new()
                .name("store-checkpoint".to_owned())
                .spawn(work)
                .expect("the system starts a thread"),
        );
        (Self { ended: Mutex::new(Some(ended)) }, Wal { shared, writes: 0, grown })
    }

    /// A checkpointer without a thread, for a database that is only read.
    pub(super) fn none() -> Self {
        Self { ended: Mutex::default() }
    }

    /// Waits for the end of the thread, which comes when the [`Wal`] handle has been dropped, and
    /// closes its connection.
    pub(super) async fn close(&self) {
        let ended = self.ended.lock().take();
        if let Some(ended) = ended {
            // An error says that it has ended too.
            let _ = ended.await;
        }
    }
}

fn run_checkpoints(connection: Connection, wakes: &mpsc::Receiver<()>, shared: &Shared) {
    // The first is due now.
    let mut due = Instant::now();
    loop {
        match wakes.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => due = Instant::now() + CHECKPOINT_EVERY,
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if shared.has_grown.swap(false, Ordering::Relaxed) {
            shared.checkpoint(&connection);
        }
    }
    if let Err((_, error)) = connection.close() {
        tracing::warn!(%error, "closing the checkpointer's connection failed; shutdown continues");
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
        let opened = open(&path, &options).expect("opened");
        let (checkpointer, mut wal) = Checkpointer::start(opened.checkpointer, options.on_fatal, ());
        let fresh = size();
        while size() == fresh {
            // What opening wrote is copied at once.
            thread::yield_now();
        }
        // That checkpoint ends first.
        drop(wal.shared.running.lock());
        let before = size();
        opened.writer.execute(MANY, []).expect("written");
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
        let opened = open(&path, &options).expect("opened");
        let (checkpointer, wal) = Checkpointer::start(opened.checkpointer, options.on_fatal, ());
        opened.writer.execute(MANY, []).expect("written");
        let running = wal.shared.running.lock();
        assert!(!wal.truncate(&opened.writer).expect("asked"));
        drop(running);
        let reads = Connection::open(&path).expect("a connection");
        reads.execute_batch("BEGIN; SELECT COUNT(*) FROM outages").expect("read");
        opened.writer.execute(MANY, []).expect("written");
        assert!(!wal.truncate(&opened.writer).expect("asked"));
        assert!(size() > 0);
        let (usual,): (i64,) = one(&opened.writer, "PRAGMA busy_timeout", []).expect("read");
        assert_eq!(u128::try_from(usual), Ok(options.busy_timeout.as_millis()));
        reads.execute_batch("ROLLBACK").expect("ended");
        assert!(wal.truncate(&opened.writer).expect("asked"));
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
        let opened = open(&path, &options).expect("opened");
        let (checkpointer, mut wal) = Checkpointer::start(opened.checkpointer, options.on_fatal, ());
        // A reader keeps SQLite from restarting the WAL by itself once all of it is copied.
        let reads = Connection::open(&path).expect("a connection");
        reads.execute_batch("BEGIN; SELECT COUNT(*) FROM outages").expect("read");
        while !wal.is_long() {
            opened.writer.execute(MANY, []).expect("written");
            wal.has_grown_by(WRITES_BETWEEN);
            // The task is given the time to copy.
            thread::yield_now();
        }
        reads.execute_batch("ROLLBACK").expect("ended");
        wal.restart(&opened.writer);
        let longest = size();
        for _ in 0..50 {
            opened.writer.execute(MANY, []).expect("written");
        }
        assert_eq!(size(), longest, "what is written now takes the place of what was copied");
        drop(wal);
        checkpointer.close().await;
    }
}
