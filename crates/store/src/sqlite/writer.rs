//! The single writer: one task, one connection, one transaction for all writes that wait.
//!
//! A durable commit costs a sync of the file; sharing it among the waiting writes (group
//! commit) makes durability cheap. A write gets its reply after the commit that contains it.

use std::{sync::Arc, time::Instant};

use futures_util::future::BoxFuture;
use sqlx::{ConnectOptions, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::{
    sync::{
        Mutex,
        mpsc::{self, error::TrySendError},
        oneshot,
    },
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use super::{
    appends::{self, Appended, Entry},
    checkpoint::Wal,
    commit_note::CommitNote,
    failure::{Failure, is_failed_sync},
    options::OnFatal,
    room::{Disk, LastTruncation},
    text::column,
    write::Write,
};

/// The most writes in one transaction: bounds how long the first of them waits.
const BATCH_MAX: usize = 256;

/// What the writer task is made of.
pub(super) struct WriterParts {
    pub(super) connection: SqliteConnection,
    /// How to open another connection if the state of this one is unknown.
    pub(super) options: SqliteConnectOptions,
    pub(super) on_fatal: OnFatal,
    /// Counts what is written to the WAL.
    pub(super) wal: Wal,
    /// The number of the last commit.
    pub(super) commits: u64,
    pub(super) note: Arc<CommitNote>,
    pub(super) disk: Disk,
}

/// The handle on the writer task.
pub(super) struct Writer {
    queue: mpsc::Sender<Request>,
    closing: CancellationToken,
    task: Mutex<Option<JoinHandle<Option<SqliteConnection>>>>,
}

impl Writer {
    /// Starts the task. `queue_max` writes may wait; `keep` is dropped when the task ends.
    pub(super) fn start(parts: WriterParts, queue_max: usize, keep: impl Send + 'static) -> Self {
        let (queue, requests) = mpsc::channel(queue_max);
        let closing = CancellationToken::new();
        let WriterParts { connection, options, on_fatal, wal, commits, note, disk } = parts;
        let (connection, truncated) = (Some(connection), LastTruncation::default());
        let task = WriterTask { connection, options, on_fatal, wal, commits, note, disk, truncated };
        let task = tokio::spawn(run(task, requests, closing.clone(), keep));
        Self { queue, closing, task: Mutex::new(Some(task)) }
    }

    /// A writer that refuses every write as closed.
    pub(super) fn none() -> Self {
        let (queue, _) = mpsc::channel(1);
        Self { queue, closing: CancellationToken::new(), task: Mutex::default() }
    }

    /// Queues a write and waits for its commit. It is written even if the caller no
    /// longer waits. If the queue is full it is refused at once.
    pub(super) async fn write<W: Write>(&self, write: W) -> Result<W::Outcome, Failure> {
        self.queue(write, |queued| Request::Write(Box::new(queued))).await
    }

    /// Queues an append in the same way. All appends of a transaction run together, after its
    /// other writes. No caller queues a write that depends on one still in the queue.
    pub(super) async fn append(&self, entry: Entry) -> Result<Appended, Failure> {
        self.queue(entry, |queued| Request::Append(Box::new(queued))).await
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
    pub(super) async fn close(&self) -> Option<SqliteConnection> {
        self.closing.cancel();
        let task = self.task.lock().await.take()?;
        task.await.ok()?
    }
}

/// What is asked of the writer, with the channel for the reply.
enum Request {
    Append(Box<Queued<Entry, Appended>>),
    Write(Box<dyn AnyWrite>),
    /// Cannot run inside of a transaction.
    TruncateWal(Box<Queued<TruncateWal, bool>>),
}

/// The request to truncate the WAL.
struct TruncateWal;

impl Request {
    /// Whether it has run and changed something that may be acknowledged to a client.
    fn is_acknowledged(&self) -> bool {
        match self {
            Self::Append(queued) => matches!(queued.outcome, Some(Ok(()))),
            Self::Write(write) => write.is_acknowledged(),
            Self::TruncateWal(_) => false,
        }
    }

    fn reply(self, done: Result<(), Failure>) {
        match self {
            Self::Append(queued) => queued.reply(done),
            Self::Write(write) => write.reply(done),
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

/// A queued [`Write`] of any type.
trait AnyWrite: Send {
    fn run<'a>(&'a mut self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>>;
    fn is_acknowledged(&self) -> bool;
    fn reply(self: Box<Self>, done: Result<(), Failure>);
}

impl<W: Write> AnyWrite for Queued<W, W::Outcome> {
    fn run<'a>(&'a mut self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>> {
        Box::pin(async {
            self.outcome = Some(self.write.run(connection).await?);
            Ok(())
        })
    }

    fn is_acknowledged(&self) -> bool {
        W::IS_ACKNOWLEDGED
    }

    fn reply(self: Box<Self>, done: Result<(), Failure>) {
        Queued::reply(*self, done);
    }
}

/// Runs everything inside of a transaction.
async fn run_all(connection: &mut SqliteConnection, requests: &mut [Request]) -> sqlx::Result<()> {
    let mut appends = Vec::with_capacity(requests.len());
    for request in requests {
        match request {
            Request::Append(append) => appends.push(append),
            Request::Write(write) => write.run(connection).await?,
            // It comes after the transaction.
            Request::TruncateWal(_) => {}
        }
    }
    let entries: Vec<&Entry> = appends.iter().map(|append| &append.write).collect();
    let appended = appends::append_all(connection, &entries).await?;
    for (append, appended) in appends.into_iter().zip(appended) {
        append.outcome = Some(appended);
    }
    Ok(())
}

/// Takes the requests that wait, commits them and replies, until closed and drained.
async fn run(
    mut task: WriterTask,
    mut requests: mpsc::Receiver<Request>,
    closing: CancellationToken,
    _keep: impl Send,
) -> Option<SqliteConnection> {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    loop {
        tokio::select! {
            biased;
            () = closing.cancelled(), if !requests.is_closed() => requests.close(),
            taken = requests.recv_many(&mut batch, BATCH_MAX) => match taken {
                0 => return task.connection,
                _ => task.write(&mut batch).await,
            },
        }
    }
}

/// A count for a histogram.
fn count(items: usize) -> f64 {
    u32::try_from(items).map_or(f64::INFINITY, f64::from)
}

/// The state of the writer task.
struct WriterTask {
    /// None if its state is unknown: the next transaction opens another one.
    connection: Option<SqliteConnection>,
    options: SqliteConnectOptions,
    on_fatal: OnFatal,
    wal: Wal,
    /// The number of the last transaction that was tried and would be acknowledged to a client.
    /// Numbers of those that failed are not used again.
    commits: u64,
    note: Arc<CommitNote>,
    disk: Disk,
    truncated: LastTruncation,
}

impl WriterTask {
    /// Commits every request of the batch and replies, in one transaction if possible. If one
    /// of them fails by its own fault, each gets its own transaction, so that it harms no other.
    async fn write(&mut self, batch: &mut Vec<Request>) {
        let started = Instant::now();
        let mut done = match self.make_room().await {
            Ok(()) => self.transact(batch).await,
            full => full,
        };
        metrics::histogram!("lusoria_store_commit_seconds").record(started.elapsed().as_secs_f64());
        metrics::histogram!("lusoria_store_batch_writes").record(count(batch.len()));
        metrics::counter!("lusoria_store_writes_total").increment(batch.len() as u64);
        self.wal.has_grown_by(batch.len());
        let alone = batch.len() > 1 && done.as_ref().is_err_and(|failure| !failure.is_common());
        for mut request in batch.drain(..) {
            // Once the fault lies with the database, the rest would only meet it again.
            if alone && !done.as_ref().is_err_and(Failure::is_common) {
                done = self.transact(std::slice::from_mut(&mut request)).await;
            }
            let done = match &mut request {
                // A full disk does not prevent this: truncation makes room.
                Request::TruncateWal(queued) if matches!(done, Ok(()) | Err(Failure::Full(_))) => {
                    self.truncate_wal().await.map(|truncated| queued.outcome = Some(truncated))
                }
                Request::TruncateWal(_) | Request::Append(_) | Request::Write(_) => done.clone(),
            };
            request.reply(done);
        }
        if self.wal.is_long()
            && let Some(connection) = &mut self.connection
        {
            self.wal.restart(connection).await;
        }
    }

    /// Ensures that the WAL can still be copied after the next transaction. Without room for that
    /// it truncates the WAL; if that does not help either, it refuses the batch.
    async fn make_room(&mut self) -> Result<(), Failure> {
        let mut enough = self.has_room().await?;
        if !enough && self.truncated.is_due() {
            self.truncate_wal_for_room().await?;
            enough = self.has_room().await?;
        }
        self.disk.set_full(!enough);
        if enough {
            Ok(())
        } else {
            Err(Failure::Full("the rest of the disk is reserved for the WAL checkpoint".to_owned()))
        }
    }

    async fn has_room(&mut self) -> Result<bool, Failure> {
        let Some(room) = self.disk.room() else { return Ok(true) };
        if room.is_enough(self.disk.wal_bytes()) {
            return Ok(true);
        }
        // The WAL may hold pages that the database has already, so the growth may be less. It costs
        // a query, which is why it is asked only now.
        Ok(room.is_enough(0) && room.is_enough(self.growth().await?))
    }

    /// By how many bytes the database grows when the WAL is copied.
    async fn growth(&mut self) -> Result<u64, Failure> {
        let mut connection = self.connected().await?;
        let grown =
            sqlx::query_scalar("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
                .fetch_one(&mut connection)
                .await;
        let grown: i64 = self.keep_if_ok(connection, grown)?;
        Ok(u64::try_from(grown).unwrap_or(0).saturating_sub(self.disk.database_bytes()))
    }

    /// The connection, or a new one if the state of the last one was unknown.
    async fn connected(&mut self) -> Result<SqliteConnection, Failure> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => self.options.connect().await.map_err(|error| self.before_commit(&error)),
        }
    }

    /// Truncates the WAL. False if a reader still needs it, or a checkpoint is running.
    async fn truncate_wal(&mut self) -> Result<bool, Failure> {
        let mut connection = self.connected().await?;
        let truncated = self.wal.truncate(&mut connection).await;
        self.keep_if_ok(connection, truncated)
    }

    /// As [`Self::truncate_wal`], but waits for a running checkpoint.
    async fn truncate_wal_for_room(&mut self) -> Result<bool, Failure> {
        let mut connection = self.connected().await?;
        let truncated = self.wal.truncate_for_room(&mut connection).await;
        self.keep_if_ok(connection, truncated)
    }

    /// Keeps a connection for the next transaction, unless its last statement failed.
    fn keep_if_ok<T>(&mut self, connection: SqliteConnection, done: sqlx::Result<T>) -> Result<T, Failure> {
        let done = done.map_err(|error| self.before_commit(&error))?;
        self.connection = Some(connection);
        Ok(done)
    }

    /// Runs the requests in one transaction.
    async fn transact(&mut self, requests: &mut [Request]) -> Result<(), Failure> {
        let mut connection = self.connected().await?;
        let done = self.run_and_commit(&mut connection, requests).await;
        // After a rollback that failed, or had nothing to roll back, the state of the connection is
        // unknown: the next transaction opens a new one.
        if done.is_ok() || sqlx::query("ROLLBACK").execute(&mut connection).await.is_ok() {
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

    async fn run_and_commit(
        &mut self,
        connection: &mut SqliteConnection,
        requests: &mut [Request],
    ) -> Result<(), Failure> {
        // IMMEDIATE, so that what the requests read cannot change before they write.
        let begun = sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await;
        begun.map_err(|error| self.before_commit(&error))?;
        run_all(connection, requests).await.map_err(|error| self.before_commit(&error))?;
        let is_acknowledged = requests.iter().any(Request::is_acknowledged);
        self.commits += u64::from(is_acknowledged);
        let commit = if is_acknowledged {
            sqlx::query("UPDATE commits SET number = $1; COMMIT").bind(column(self.commits))
        } else {
            sqlx::query("COMMIT")
        };
        commit.execute(connection).await.map_err(|error| {
            self.stop_if_sync_failed(&error);
            Failure::of_commit(&error)
        })?;
        if is_acknowledged {
            // Before the replies go out.
            self.note.note(self.commits);
        }
        Ok(())
    }

    fn before_commit(&self, error: &sqlx::Error) -> Failure {
        self.stop_if_sync_failed(error);
        Failure::before_commit(error)
    }

    /// After a failed sync it is unknown what is on the disk: any reply could be false.
    fn stop_if_sync_failed(&self, error: &sqlx::Error) {
        if is_failed_sync(error) {
            (self.on_fatal)(&error.to_string());
        }
    }
}
