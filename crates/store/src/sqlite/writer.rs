//! The single writer: one thread, one connection, one transaction for all writes that wait.
//!
//! A durable commit costs a sync of the file; sharing it among the waiting writes (group
//! commit) makes durability cheap. A write gets its reply after the commit that contains it.
//! All writes of a transaction go to the thread at once, and their outcomes come back at once.

use std::{
    sync::{Arc, mpsc as std_mpsc},
    thread,
    time::Instant,
};

use rusqlite::Connection;
use tokio::{
    sync::{
        Mutex,
        mpsc::{self, error::TrySendError},
        oneshot,
    },
    task::{JoinHandle, yield_now},
};
use tokio_util::sync::CancellationToken;

use super::{
    checkpoint::Wal,
    commit_note::CommitNote,
    failure::{Failure, is_failed_sync},
    open::OpenWriter,
    options::OnFatal,
    room::{Disk, LastTruncation},
    sql::{execute, one},
    text::column,
};

/// The most writes in one transaction: bounds how long the first of them waits.
const BATCH_MAX: usize = 256;

/// How often the tasks that are ready run before a transaction begins.
const GATHERING: u32 = 2;

/// What the writer is made of.
pub(super) struct WriterParts {
    pub(super) connection: Connection,
    /// Opens another connection if the state of this one is unknown.
    pub(super) open: OpenWriter,
    pub(super) on_fatal: OnFatal,
    /// Counts what is written to the WAL.
    pub(super) wal: Wal,
    /// The number of the last commit.
    pub(super) commits: u64,
    pub(super) note: Arc<CommitNote>,
    pub(super) disk: Disk,
}

/// The handle on the writer.
pub(super) struct Writer {
    queue: mpsc::Sender<Request>,
    closing: CancellationToken,
    task: Mutex<Option<JoinHandle<Option<Connection>>>>,
}

impl Writer {
    /// Starts the thread. `queue_max` writes may wait; `keep` is dropped when the writer ends.
    pub(super) fn start(parts: WriterParts, queue_max: usize, keep: impl Send + 'static) -> Self {
        let (queue, requests) = mpsc::channel(queue_max);
        let closing = CancellationToken::new();
        let WriterParts { connection, open, on_fatal, wal, commits, note, disk } = parts;
        let (connection, truncated) = (Some(connection), LastTruncation::default());
        let thread = WriterThread { connection, open, on_fatal, wal, commits, note, disk, truncated };
        let task = tokio::spawn(run(thread.start(keep), requests, closing.clone()));
        Self { queue, closing, task: Mutex::new(Some(task)) }
    }

    /// A writer that refuses every write as closed.
    pub(super) fn none() -> Self {
        let (queue, _) = mpsc::channel(1);
        Self { queue, closing: CancellationToken::new(), task: Mutex::default() }
    }

    /// Queues a write and waits for its commit. It is written even if the caller no longer waits.
    /// If the queue is full it is refused at once.
    ///
    /// A write may run again after a rollback. After an error the transaction cannot go on; a
    /// refusal is an outcome like any other, of a write that changed nothing.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        write: impl Fn(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Failure> {
        self.queue(write, |queued| Request::Write { write: Box::new(queued), is_acknowledged: true }).await
    }

    /// As [`Self::write`], of what is acknowledged to no client: a loss of it goes unnoticed.
    pub(super) async fn write_unacknowledged<T: Send + 'static>(
        &self,
        write: impl Fn(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Failure> {
        self.queue(write, |queued| Request::Write { write: Box::new(queued), is_acknowledged: false }).await
    }

    /// Has all of the WAL copied into the database and cut to nothing. False if a reader still
    /// needs it.
    pub(super) async fn truncate_wal(&self) -> Result<bool, Failure> {
        self.queue(TruncateWal, |queued| Request::TruncateWal(Box::new(queued))).await
    }

    async fn queue<W, T>(
        &self,
        write: W,
        request: impl FnOnce(Queued<W, T>) -> Request,
    ) -> Result<T, Failure> {
        let (reply_to, reply) = oneshot::channel();
        let request = request(Queued { write, outcome: None, reply_to });
        self.queue.try_send(request).map_err(|error| match error {
            TrySendError::Full(_) => Failure::Busy("too many writes are waiting".to_owned()),
            TrySendError::Closed(_) => Failure::Closed,
        })?;
        reply.await.unwrap_or_else(|_| Err(Failure::Unknown("the writer has stopped".to_owned())))
    }

    /// Stops accepting writes, commits those that wait, and returns the connection; none the
    /// second time.
    pub(super) async fn close(&self) -> Option<Connection> {
        self.closing.cancel();
        let task = self.task.lock().await.take()?;
        task.await.ok()?
    }
}

/// What is asked of the writer, with the channel for the reply.
enum Request {
    Write {
        write: Box<dyn AnyWrite>,
        /// Whether its commit may be acknowledged to a client: only then is a loss of it noticed.
        is_acknowledged: bool,
    },
    /// Cannot run inside of a transaction.
    TruncateWal(Box<Queued<TruncateWal, bool>>),
}

/// The request to truncate the WAL.
struct TruncateWal;

impl Request {
    /// Whether its commit may be acknowledged to a client.
    const fn is_acknowledged(&self) -> bool {
        matches!(self, Self::Write { is_acknowledged: true, .. })
    }

    fn reply(self, done: Result<(), Failure>) {
        match self {
            Self::Write { write, .. } => write.reply(done),
            Self::TruncateWal(queued) => queued.reply(done),
        }
    }
}

/// A write in the queue.
struct Queued<W, T> {
    write: W,
    outcome: Option<T>,
    reply_to: oneshot::Sender<Result<T, Failure>>,
}

impl<W, T> Queued<W, T> {
    fn reply(self, done: Result<(), Failure>) {
        let Self { outcome, reply_to, .. } = self;
        let reply = done.map(|()| outcome.expect("a transaction commits when every write in it has run"));
        // The caller may be gone; the write stands all the same.
        let _ = reply_to.send(reply);
    }
}

/// A queued write of any type.
trait AnyWrite: Send {
    fn run(&mut self, connection: &Connection) -> rusqlite::Result<()>;
    fn reply(self: Box<Self>, done: Result<(), Failure>);
}

impl<W, T> AnyWrite for Queued<W, T>
where
    W: Fn(&Connection) -> rusqlite::Result<T> + Send,
    T: Send,
{
    fn run(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        self.outcome = Some((self.write)(connection)?);
        Ok(())
    }

    fn reply(self: Box<Self>, done: Result<(), Failure>) {
        Queued::reply(*self, done);
    }
}

/// A request with what became of it.
type Done = Vec<(Request, Result<(), Failure>)>;

/// The way to the thread.
struct Thread {
    batches: std_mpsc::Sender<(Vec<Request>, oneshot::Sender<Done>)>,
    ended: oneshot::Receiver<Option<Connection>>,
}

/// Takes the requests that wait, has them committed and replies, until closed and drained.
async fn run(
    thread: Thread,
    mut requests: mpsc::Receiver<Request>,
    closing: CancellationToken,
) -> Option<Connection> {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    loop {
        tokio::select! {
            biased;
            () = closing.cancelled(), if !requests.is_closed() => requests.close(),
            taken = requests.recv_many(&mut batch, BATCH_MAX) => {
                if taken == 0 {
                    drop(thread.batches);
                    return thread.ended.await.ok()?;
                }
                // What is about to be written comes along: under load a commit is shared by more
                // writes, and an idle server loses no time.
                for _ in 0..GATHERING {
                    yield_now().await;
                    while batch.len() < BATCH_MAX && let Ok(request) = requests.try_recv() {
                        batch.push(request);
                    }
                }
                let (reply_to, reply) = oneshot::channel();
                let batch = std::mem::replace(&mut batch, Vec::with_capacity(BATCH_MAX));
                // If the thread has ended, the requests are dropped, and their callers learn it.
                if thread.batches.send((batch, reply_to)).is_ok()
                    && let Ok(done) = reply.await
                {
                    for (request, done) in done {
                        request.reply(done);
                    }
                }
            }
        }
    }
}

/// A count for a histogram.
fn count(items: usize) -> f64 {
    u32::try_from(items).map_or(f64::INFINITY, f64::from)
}

/// The state of the writer's thread.
struct WriterThread {
    /// None if its state is unknown: the next transaction opens another one.
    connection: Option<Connection>,
    open: OpenWriter,
    on_fatal: OnFatal,
    wal: Wal,
    /// The number of the last transaction that was tried and would be acknowledged to a client.
    /// Numbers of those that failed are not used again.
    commits: u64,
    note: Arc<CommitNote>,
    disk: Disk,
    truncated: LastTruncation,
}

impl WriterThread {
    /// Starts the thread. It ends when the sender of batches is dropped, and drops `keep`.
    fn start(mut self, keep: impl Send + 'static) -> Thread {
        let (batches, taken) = std_mpsc::channel::<(Vec<Request>, oneshot::Sender<Done>)>();
        let (has_ended, ended) = oneshot::channel();
        let work = move || {
            for (batch, reply_to) in taken {
                // The receiver is gone only if the runtime has ended; the writes stand all the same.
                let _ = reply_to.send(self.write(batch));
                self.restart_long_wal();
            }
            drop(keep);
            // Nobody waits if the store was not closed.
            let _ = has_ended.send(self.connection);
        };
        let thread = thread::Builder::new().name("store-writer".to_owned());
        // It ends by itself.
        drop(thread.spawn(work).expect("the system starts a thread"));
        Thread { batches, ended }
    }

    /// Commits every request of the batch, in one transaction if possible. If one of them fails by
    /// its own fault, each gets its own transaction, so that it harms no other.
    fn write(&mut self, mut batch: Vec<Request>) -> Done {
        let started = Instant::now();
        let mut done = match self.make_room() {
            Ok(()) => self.transact(&mut batch),
            full => full,
        };
        metrics::histogram!("lusoria_store_commit_seconds").record(started.elapsed().as_secs_f64());
        metrics::histogram!("lusoria_store_batch_writes").record(count(batch.len()));
        metrics::counter!("lusoria_store_writes_total").increment(batch.len() as u64);
        self.wal.has_grown_by(batch.len());
        let alone = batch.len() > 1 && done.as_ref().is_err_and(|failure| !failure.is_common());
        let finish = |mut request: Request| {
            // Once the fault lies with the database, the rest would only meet it again.
            if alone && !done.as_ref().is_err_and(Failure::is_common) {
                done = self.transact(std::slice::from_mut(&mut request));
            }
            let done = match &mut request {
                // A full disk does not prevent this: truncation makes room.
                Request::TruncateWal(queued) if matches!(done, Ok(()) | Err(Failure::Full(_))) => {
                    self.truncate_wal().map(|truncated| queued.outcome = Some(truncated))
                }
                Request::TruncateWal(_) | Request::Write { .. } => done.clone(),
            };
            (request, done)
        };
        batch.into_iter().map(finish).collect()
    }

    fn restart_long_wal(&mut self) {
        if self.wal.is_long()
            && let Some(connection) = &self.connection
        {
            self.wal.restart(connection);
        }
    }

    /// Ensures that the WAL can still be copied after the next transaction. Without room for that
    /// it truncates the WAL; if that does not help either, it refuses the batch.
    fn make_room(&mut self) -> Result<(), Failure> {
        let mut enough = self.has_room()?;
        if !enough && self.truncated.is_due() {
            self.truncate_wal_for_room()?;
            enough = self.has_room()?;
        }
        self.disk.set_full(!enough);
        if enough {
            Ok(())
        } else {
            Err(Failure::Full("the rest of the disk is reserved for the WAL checkpoint".to_owned()))
        }
    }

    fn has_room(&mut self) -> Result<bool, Failure> {
        let Some(room) = self.disk.room() else { return Ok(true) };
        if room.is_enough(self.disk.wal_bytes()) {
            return Ok(true);
        }
        // The WAL may hold pages that the database has already, so the growth may be less. It costs
        // a query, which is why it is asked only now.
        Ok(room.is_enough(0) && room.is_enough(self.growth()?))
    }

    /// By how many bytes the database grows when the WAL is copied.
    fn growth(&mut self) -> Result<u64, Failure> {
        let bytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let (grown,): (i64,) = self.connected(|_, connection| one(connection, bytes, []))?;
        Ok(u64::try_from(grown).unwrap_or(0).saturating_sub(self.disk.database_bytes()))
    }

    /// Truncates the WAL. False if a reader still needs it, or a checkpoint is running.
    fn truncate_wal(&mut self) -> Result<bool, Failure> {
        self.connected(Wal::truncate)
    }

    /// As [`Self::truncate_wal`], but waits for a running checkpoint.
    fn truncate_wal_for_room(&mut self) -> Result<bool, Failure> {
        self.connected(Wal::truncate_for_room)
    }

    /// Does something with the connection, outside of a transaction. After an error the next one
    /// opens another connection.
    fn connected<T>(
        &mut self,
        what: impl FnOnce(&Wal, &Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Failure> {
        let connection = self.take_connection()?;
        let done = what(&self.wal, &connection).map_err(|error| self.before_commit(&error))?;
        self.connection = Some(connection);
        Ok(done)
    }

    /// The connection, or a new one if the state of the last one was unknown.
    fn take_connection(&mut self) -> Result<Connection, Failure> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => (self.open)().map_err(|error| self.before_commit(&error)),
        }
    }

    /// Runs the requests in one transaction.
    fn transact(&mut self, requests: &mut [Request]) -> Result<(), Failure> {
        let connection = self.take_connection()?;
        let done = self.run_and_commit(&connection, requests);
        // After a rollback that failed, or had nothing to roll back, the state of the connection is
        // unknown: the next transaction opens a new one.
        if done.is_ok() || execute(&connection, "ROLLBACK", []).is_ok() {
            self.connection = Some(connection);
        }
        if let Err(failure) = &done {
            if matches!(failure, Failure::Full(_)) {
                self.disk.set_full(true);
            }
            tracing::warn!(?failure, writes = requests.len(), "transaction failed; its writes are refused");
        }
        done
    }

    fn run_and_commit(&mut self, connection: &Connection, requests: &mut [Request]) -> Result<(), Failure> {
        let mut run = || {
            // IMMEDIATE, so that what the requests read cannot change before they write.
            execute(connection, "BEGIN IMMEDIATE", [])?;
            for request in &mut *requests {
                match request {
                    Request::Write { write, .. } => write.run(connection)?,
                    // It comes after the transaction.
                    Request::TruncateWal(_) => {}
                }
            }
            Ok(())
        };
        run().map_err(|error| self.before_commit(&error))?;
        let is_acknowledged = requests.iter().any(Request::is_acknowledged);
        if is_acknowledged {
            self.commits += 1;
            execute(connection, "UPDATE commits SET number = ?1", [column(self.commits)])
                .map_err(|error| self.before_commit(&error))?;
        }
        execute(connection, "COMMIT", []).map_err(|error| {
            self.stop_if_sync_failed(&error);
            Failure::of_commit(&error)
        })?;
        if is_acknowledged {
            // Before the replies go out.
            self.note.note(self.commits);
        }
        Ok(())
    }

    fn before_commit(&self, error: &rusqlite::Error) -> Failure {
        self.stop_if_sync_failed(error);
        Failure::before_commit(error)
    }

    /// After a failed sync it is unknown what is on the disk: any reply could be false.
    fn stop_if_sync_failed(&self, error: &rusqlite::Error) {
        if is_failed_sync(error) {
            (self.on_fatal)(&error.to_string());
        }
    }
}
