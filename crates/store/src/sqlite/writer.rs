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
    commit_note::CommitNote,
    failure::{Failure, is_failed_sync},
    room::{Disk, Emptied},
    text::column,
};

/// The most writes in one transaction: bounds how long the first of them waits.
const BATCH_MAX: usize = 256;

/// A write: what it does inside of the transaction.
///
/// It may be run again after a rollback, so it must not use itself up.
pub(super) trait Write: Send + Sync + 'static {
    /// What it finds out. A refusal is an outcome too, of a write that changed nothing.
    type Outcome: Send + 'static;

    /// Whether a client may be told that it was made: only such a write is missed if it is lost.
    const IS_TOLD: bool = true;

    /// Does it. An error means that the transaction cannot go on.
    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<Self::Outcome>>;
}

/// What to do when a sync of the file has failed; it should not return.
pub(super) type OnFatal = Arc<dyn Fn(&str) + Send + Sync>;

/// What the writing task works with.
pub(super) struct Means {
    pub(super) connection: SqliteConnection,
    /// How to make another connection if that one is in doubt.
    pub(super) options: SqliteConnectOptions,
    pub(super) on_fatal: OnFatal,
    /// Is told as it grows.
    pub(super) log: Log,
    /// The number of the last commit.
    pub(super) commits: u64,
    pub(super) note: Arc<CommitNote>,
    pub(super) disk: Disk,
}

/// The way to the writing task.
pub(super) struct Writer {
    queue: mpsc::Sender<Job>,
    closing: CancellationToken,
    task: Mutex<Option<JoinHandle<Option<SqliteConnection>>>>,
}

impl Writer {
    /// Starts the task. `queue_max` writes may wait; `keep` is dropped when the task ends.
    pub(super) fn start(means: Means, queue_max: usize, keep: impl Send + 'static) -> Self {
        let (queue, jobs) = mpsc::channel(queue_max);
        let closing = CancellationToken::new();
        let Means { connection, options, on_fatal, log, commits, note, disk } = means;
        let (connection, emptied) = (Some(connection), Emptied::default());
        let session = Session { connection, options, on_fatal, log, commits, note, disk, emptied };
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
    /// Whether a client may be told that it changed something, now that it has run.
    fn is_told(&self) -> bool {
        match self {
            Self::Append(pending) => matches!(pending.outcome, Some(Ok(()))),
            Self::Other(other) => other.is_told(),
            Self::EmptyLog(_) => false,
        }
    }

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
    fn is_told(&self) -> bool;
    fn answer(self: Box<Self>, made: Result<(), Failure>);
}

impl<W: Write> Other for Pending<W, W::Outcome> {
    fn run<'a>(&'a mut self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>> {
        Box::pin(async {
            self.outcome = Some(self.write.run(connection).await?);
            Ok(())
        })
    }

    fn is_told(&self) -> bool {
        W::IS_TOLD
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
    /// The number of the last transaction that was tried and that a client may be told of. Numbers
    /// of those that failed are not used again.
    commits: u64,
    note: Arc<CommitNote>,
    disk: Disk,
    emptied: Emptied,
}

impl Session {
    /// Makes and answers every job of the batch, together if possible. If one of them
    /// fails by its own fault, each goes alone, so that it harms no other.
    async fn write(&mut self, batch: &mut Vec<Job>) {
        let started = Instant::now();
        let mut made = match self.make_room().await {
            Ok(()) => self.transact(batch).await,
            full => full,
        };
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
                // Emptying it is also what makes room.
                Job::EmptyLog(pending) if matches!(made, Ok(()) | Err(Failure::Full(_))) => {
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

    /// Sees to it that the WAL can still be copied after the next transaction: if there is not room
    /// enough, the WAL is emptied, and if that does not help either, nothing is written.
    async fn make_room(&mut self) -> Result<(), Failure> {
        let mut enough = self.has_room().await?;
        if !enough && self.emptied.is_due() {
            self.empty_log_for_room().await?;
            enough = self.has_room().await?;
        }
        self.disk.set_full(!enough);
        if enough {
            Ok(())
        } else {
            Err(Failure::Full("the rest of the disk is for the WAL's copy".to_owned()))
        }
    }

    async fn has_room(&mut self) -> Result<bool, Failure> {
        let Some(room) = self.disk.room() else { return Ok(true) };
        if room.is_enough(self.disk.wal_bytes()) {
            return Ok(true);
        }
        // The WAL may hold what the database has already: so much is asked only now.
        Ok(room.is_enough(0) && room.is_enough(self.growth().await?))
    }

    /// By how many bytes the database grows when the WAL is copied.
    async fn growth(&mut self) -> Result<u64, Failure> {
        let mut connection = self.connected().await?;
        let grown =
            sqlx::query_scalar("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
                .fetch_one(&mut connection)
                .await;
        let grown: i64 = self.keep_if_well(connection, grown)?;
        Ok(u64::try_from(grown).unwrap_or(0).saturating_sub(self.disk.database_bytes()))
    }

    /// The connection, or a new one if the last one was in doubt.
    async fn connected(&mut self) -> Result<SqliteConnection, Failure> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => self.options.connect().await.map_err(|error| self.before_commit(&error)),
        }
    }

    /// Has the WAL copied and cut off. False if somebody still reads it, or it is just being copied.
    async fn empty_log(&mut self) -> Result<bool, Failure> {
        let mut connection = self.connected().await?;
        let emptied = self.log.empty(&mut connection).await;
        self.keep_if_well(connection, emptied)
    }

    /// The same for the sake of room: it waits for whoever copies.
    async fn empty_log_for_room(&mut self) -> Result<bool, Failure> {
        let mut connection = self.connected().await?;
        let emptied = self.log.empty_for_room(&mut connection).await;
        self.keep_if_well(connection, emptied)
    }

    /// Takes a connection back, unless what it did last has failed.
    fn keep_if_well<T>(&mut self, connection: SqliteConnection, done: sqlx::Result<T>) -> Result<T, Failure> {
        let done = done.map_err(|error| self.before_commit(&error))?;
        self.connection = Some(connection);
        Ok(done)
    }

    /// Runs the jobs in one transaction.
    async fn transact(&mut self, jobs: &mut [Job]) -> Result<(), Failure> {
        let mut connection = self.connected().await?;
        let made = self.run_and_commit(&mut connection, jobs).await;
        // A rollback that fails, or has nothing to roll back, leaves a connection about
        // which nothing is known: the next transaction opens a new one.
        if made.is_ok() || sqlx::query("ROLLBACK").execute(&mut connection).await.is_ok() {
            self.connection = Some(connection);
        }
        if let Err(failure) = &made {
            if matches!(failure, Failure::Full(_)) {
                self.disk.set_full(true);
            }
            tracing::warn!(?failure, jobs = jobs.len(), "a transaction was not made");
        }
        made
    }

    async fn run_and_commit(
        &mut self,
        connection: &mut SqliteConnection,
        jobs: &mut [Job],
    ) -> Result<(), Failure> {
        // IMMEDIATE, so that what the jobs read cannot change before they write.
        let begun = sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await;
        begun.map_err(|error| self.before_commit(&error))?;
        run_all(connection, jobs).await.map_err(|error| self.before_commit(&error))?;
        let is_told = jobs.iter().any(Job::is_told);
        self.commits += u64::from(is_told);
        let commit = if is_told {
            sqlx::query("UPDATE commits SET number = $1; COMMIT").bind(column(self.commits))
        } else {
            sqlx::query("COMMIT")
        };
        commit.execute(connection).await.map_err(|error| {
            self.stop_if_sync_failed(&error);
            Failure::of_commit(&error)
        })?;
        if is_told {
            // Before anybody is told.
            self.note.note(self.commits);
        }
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
