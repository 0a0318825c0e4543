//! The single writer: one task, one connection, one transaction for all that has arrived.
//!
//! A commit that is durable costs a sync of the file; sharing it among the writes that
//! wait is what makes durability cheap. A write is answered after the commit it is in.

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
    appends::{self, Entry, Made},
    checkpoint::Log,
    failure::{Failure, is_failed_sync},
};

/// The most writes in one transaction: bounds how long the first of them waits.
const BATCH_MAX: usize = 256;

/// A write: what it does inside of the transaction.
///
/// It may be run again after a rollback, so it must not use itself up.
pub(super) trait Write: Send + Sync + 'static {
    /// What it finds out. A refusal is an outcome too, of a write that changed nothing.
    type Outcome: Send + 'static;

    /// Does it. An error means that the transaction cannot go on.
    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<Self::Outcome>>;
}

/// What to do when a sync of the file has failed; it should not return.
pub(super) type OnFatal = Arc<dyn Fn(&str) + Send + Sync>;

/// The way to the writing task.
pub(super) struct Writer {
    queue: mpsc::Sender<Job>,
    closing: CancellationToken,
    task: Mutex<Option<JoinHandle<Option<SqliteConnection>>>>,
}

impl Writer {
    /// Starts the task. `queue_max` writes may wait; `log` is told as it grows; `keep` is
    /// dropped when the task ends.
    pub(super) fn start(
        connection: SqliteConnection,
        options: SqliteConnectOptions,
        queue_max: usize,
        on_fatal: OnFatal,
        log: Log,
        keep: impl Send + 'static,
    ) -> Self {
        let (queue, jobs) = mpsc::channel(queue_max);
        let closing = CancellationToken::new();
        let session = Session { connection: Some(connection), options, on_fatal, log };
        let task = tokio::spawn(serve(session, jobs, closing.clone(), keep));
        Self { queue, closing, task: Mutex::new(Some(task)) }
    }

    /// One that refuses every write.
    pub(super) fn none() -> Self {
        let (queue, _) = mpsc::channel(1);
        Self { queue, closing: CancellationToken::new(), task: Mutex::default() }
    }

    /// Queues a write and waits for its commit. It is made even if the caller no
    /// longer waits. With a full queue it is refused at once.
    pub(super) async fn write<W: Write>(&self, write: W) -> Result<W::Outcome, Failure> {
        self.queue(write, |pending| Job::Other(Box::new(pending))).await
    }

    /// Queues an append in the same way. All appends of a transaction are made together,
    /// after its other writes: nobody waits for two writes of which one needs the other.
    pub(super) async fn append(&self, entry: Entry) -> Result<Made, Failure> {
        self.queue(entry, |pending| Job::Append(Box::new(pending))).await
    }

    /// Has all of the log copied into the database and cut off. False if somebody still reads
    /// what is in it alone.
    pub(super) async fn empty_log(&self) -> Result<bool, Failure> {
        self.queue(EmptyLog, |pending| Job::EmptyLog(Box::new(pending))).await
    }

    async fn queue<W, T>(&self, write: W, job: impl FnOnce(Pending<W, T>) -> Job) -> Result<T, Failure> {
        let (reply, answer) = oneshot::channel();
        let job = job(Pending { write, outcome: None, reply });
        self.queue.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => Failure::Busy("too many writes are waiting".to_owned()),
            TrySendError::Closed(_) => Failure::Closed,
        })?;
        answer.await.unwrap_or_else(|_| Err(Failure::Unknown("the writer has stopped".to_owned())))
    }

    /// Stops accepting, makes what waits, and hands the connection back; none the second time.
    pub(super) async fn close(&self) -> Option<SqliteConnection> {
        self.closing.cancel();
        let task = self.task.lock().await.take()?;
        task.await.ok()?
    }
}

/// Something to be written, with the one who waits for it.
enum Job {
    Append(Box<Pending<Entry, Made>>),
    Other(Box<dyn Other>),
    /// What no transaction can do.
    EmptyLog(Box<Pending<EmptyLog, bool>>),
}

/// That the log is to be emptied.
struct EmptyLog;

impl Job {
    fn answer(self, made: Result<(), Failure>) {
        match self {
            Self::Append(pending) => pending.answer(made),
            Self::Other(other) => other.answer(made),
            Self::EmptyLog(pending) => pending.answer(made),
        }
    }
}

struct Pending<W, T> {
    write: W,
    outcome: Option<T>,
    reply: oneshot::Sender<Result<T, Failure>>,
}

impl<W, T> Pending<W, T> {
    fn answer(self, made: Result<(), Failure>) {
        let Self { outcome, reply, .. } = self;
        let answer = made.map(|()| outcome.expect("a transaction is made when every write in it has run"));
        // Whoever asked may be gone; the write stands all the same.
        let _ = reply.send(answer);
    }
}

/// A write that is no append, whatever its type.
trait Other: Send {
    fn run<'a>(&'a mut self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>>;
    fn answer(self: Box<Self>, made: Result<(), Failure>);
}

impl<W: Write> Other for Pending<W, W::Outcome> {
    fn run<'a>(&'a mut self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>> {
        Box::pin(async {
            self.outcome = Some(self.write.run(connection).await?);
            Ok(())
        })
    }

    fn answer(self: Box<Self>, made: Result<(), Failure>) {
        Pending::answer(*self, made);
    }
}

/// Runs everything inside of a transaction.
async fn run_all(connection: &mut SqliteConnection, jobs: &mut [Job]) -> sqlx::Result<()> {
    let mut appends = Vec::with_capacity(jobs.len());
    for job in jobs {
        match job {
            Job::Append(append) => appends.push(append),
            Job::Other(other) => other.run(connection).await?,
            // It comes after the transaction.
            Job::EmptyLog(_) => {}
        }
    }
    let entries: Vec<&Entry> = appends.iter().map(|append| &append.write).collect();
    let made = appends::make_all(connection, &entries).await?;
    for (append, made) in appends.into_iter().zip(made) {
        append.outcome = Some(made);
    }
    Ok(())
}

/// Takes what has arrived, commits it, answers; until closed and drained.
async fn serve(
    mut session: Session,
    mut jobs: mpsc::Receiver<Job>,
    closing: CancellationToken,
    _keep: impl Send,
) -> Option<SqliteConnection> {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    loop {
        tokio::select! {
            biased;
            () = closing.cancelled(), if !jobs.is_closed() => jobs.close(),
            taken = jobs.recv_many(&mut batch, BATCH_MAX) => match taken {
                0 => return session.connection,
                _ => session.write(&mut batch).await,
            },
        }
    }
}

/// A count for a histogram.
fn count(items: usize) -> f64 {
    u32::try_from(items).map_or(f64::INFINITY, f64::from)
}

/// The connection, with how to make a new one when this one is in doubt.
struct Session {
    connection: Option<SqliteConnection>,
    options: SqliteConnectOptions,
    on_fatal: OnFatal,
    log: Log,
}

impl Session {
    /// Makes and answers every job of the batch, together if possible. If one of them
    /// fails by its own fault, each goes alone, so that it harms no other.
    async fn write(&mut self, batch: &mut Vec<Job>) {
        let started = Instant::now();
        let mut made = self.transact(batch).await;
        metrics::histogram!("lusoria_store_commit_seconds").record(started.elapsed().as_secs_f64());
        metrics::histogram!("lusoria_store_batch_writes").record(count(batch.len()));
        metrics::counter!("lusoria_store_writes_total").increment(batch.len() as u64);
        self.log.has_grown_by(batch.len());
        let alone = batch.len() > 1 && made.as_ref().is_err_and(|failure| !failure.is_common());
        for mut job in batch.drain(..) {
            // Once the fault lies with the database, nobody else need meet it for himself.
            if alone && !made.as_ref().is_err_and(Failure::is_common) {
                made = self.transact(std::slice::from_mut(&mut job)).await;
            }
            let done = match &mut job {
                Job::EmptyLog(pending) if made.is_ok() => {
                    self.empty_log().await.map(|emptied| pending.outcome = Some(emptied))
                }
                Job::EmptyLog(_) | Job::Append(_) | Job::Other(_) => made.clone(),
            };
            job.answer(done);
        }
        if self.log.is_long()
            && let Some(connection) = &mut self.connection
        {
            self.log.begin_anew(connection).await;
        }
    }

    async fn empty_log(&mut self) -> Result<bool, Failure> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.options.connect().await.map_err(|error| self.before_commit(&error))?,
        };
        let emptied = self.log.empty(&mut connection).await.map_err(|error| self.before_commit(&error));
        if emptied.is_ok() {
            self.connection = Some(connection);
        }
        emptied
    }

    /// Runs the jobs in one transaction.
    async fn transact(&mut self, jobs: &mut [Job]) -> Result<(), Failure> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.options.connect().await.map_err(|error| self.before_commit(&error))?,
        };
        let made = self.run_and_commit(&mut connection, jobs).await;
        // A rollback that fails, or has nothing to roll back, leaves a connection about
        // which nothing is known: the next transaction opens a new one.
        if made.is_ok() || sqlx::query("ROLLBACK").execute(&mut connection).await.is_ok() {
            self.connection = Some(connection);
        }
        if let Err(failure) = &made {
            tracing::warn!(?failure, jobs = jobs.len(), "a transaction was not made");
        }
        made
    }

    async fn run_and_commit(
        &self,
        connection: &mut SqliteConnection,
        jobs: &mut [Job],
    ) -> Result<(), Failure> {
        // IMMEDIATE, so that what the jobs read cannot change before they write.
        let begun = sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await;
        begun.map_err(|error| self.before_commit(&error))?;
        run_all(connection, jobs).await.map_err(|error| self.before_commit(&error))?;
        let committed = sqlx::query("COMMIT").execute(connection).await;
        committed.map_err(|error| {
            self.stop_if_sync_failed(&error);
            Failure::of_commit(&error)
        })?;
        Ok(())
    }

    fn before_commit(&self, error: &sqlx::Error) -> Failure {
        self.stop_if_sync_failed(error);
        Failure::before_commit(error)
    }

    /// After a failed sync nobody knows what is on the disk: no answer would be true.
    fn stop_if_sync_failed(&self, error: &sqlx::Error) {
        if is_failed_sync(error) {
            (self.on_fatal)(&error.to_string());
        }
    }
}
