//! The single writer: one connection, one transaction for all writes that wait.
//!
//! A durable commit costs a sync of the file; sharing it among the waiting writes (group commit) makes durability
//! cheap. A write gets its reply after the commit that contains it.

use std::{collections::HashSet, sync::Arc, time::Instant};

use futures_util::future::BoxFuture;
use sqlx::Error;
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
    journal::{COUNT_COMMIT, append_alone, append_plain, can_end_match},
    options::OnFatal,
    room::{Disk, LastTruncation},
};
use crate::{
    error::Refused,
    failure::{Failure, is_failed_sync},
    match_rows::PlainAppend,
    sql::{Done, Open, Tx, Undo, args},
};

/// The most writes in one transaction: bounds how long the first of them waits.
const BATCH_MAX: usize = 256;

/// How often the tasks that are ready run before a transaction begins.
const GATHERING: u32 = 2;

/// What becomes of an append.
pub(super) type Outcome = Result<Result<(), Refused>, Failure>;

/// What the writer is made of.
pub(super) struct WriterParts {
    pub(super) connection: Tx,
    /// Opens another connection if the state of this one is unknown.
    pub(super) open: Open,
    pub(super) on_fatal: OnFatal,
    /// Counts what is written to the WAL.
    pub(super) wal: Wal,
    /// The number of the last commit.
    pub(super) commits: u64,
    pub(super) note: Arc<CommitNote>,
    pub(super) disk: Disk,
}

/// The handle on the writer.
pub(crate) struct Writer {
    queue: mpsc::Sender<Request>,
    closing: CancellationToken,
    task: Mutex<Option<JoinHandle<Option<Tx>>>>,
}

impl Writer {
    /// Starts it. `queue_max` writes may wait; `keep` is dropped when the writer ends.
    pub(super) fn start(parts: WriterParts, queue_max: usize, keep: impl Send + 'static) -> Self {
        let (queue, requests) = mpsc::channel(queue_max);
        let closing = CancellationToken::new();
        let WriterParts { connection, open, on_fatal, wal, commits, note, disk } = parts;
        let (connection, truncated) = (Some(connection), LastTruncation::default());
        let task = WriterTask { connection, open, on_fatal, wal, commits, note, disk, truncated };
        let until = closing.clone();
        let task = tokio::spawn(async move {
            let connection = task.run(requests, until).await;
            drop(keep);
            connection
        });
        Self { queue, closing, task: Mutex::new(Some(task)) }
    }

    /// A writer that refuses every write as closed.
    pub(super) fn none() -> Self {
        let (queue, _) = mpsc::channel(1);
        Self { queue, closing: CancellationToken::new(), task: Mutex::default() }
    }

    /// Queues a plain append and waits for its commit. It is written even if the caller no longer waits.
    pub(crate) async fn append(&self, append: Box<PlainAppend>) -> Outcome {
        let (request, reply) = Request::append(append);
        self.queue(request)?;
        reply.await.unwrap_or_else(|_| Err(Failure::Unknown("the writer has stopped".to_owned())))
    }

    /// Queues a write and waits for its commit. It is written even if the caller no longer waits. If the queue is full
    /// it is refused at once. It may run again after a rollback. A loss of it is noticed if it is acknowledged to a
    /// client.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        is_acknowledged: bool,
        work: impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static,
    ) -> Result<T, Failure> {
        let (request, reply) = Request::write(is_acknowledged, work);
        self.queue(request)?;
        reply.await.unwrap_or_else(|_| Err(Failure::Unknown("the writer has stopped".to_owned())))
    }

    /// Has all of the WAL copied into the database and cut to nothing. False if a reader still needs it.
    pub(crate) async fn truncate_wal(&self) -> Result<bool, Failure> {
        let (reply_to, reply) = oneshot::channel();
        self.queue(Request::TruncateWal(reply_to))?;
        reply.await.unwrap_or_else(|_| Err(Failure::Unknown("the writer has stopped".to_owned())))
    }

    fn queue(&self, request: Request) -> Result<(), Failure> {
        self.queue.try_send(request).map_err(|error| match error {
            TrySendError::Full(_) => Failure::Busy("too many writes are waiting".to_owned()),
            TrySendError::Closed(_) => Failure::Closed,
        })
    }

    /// Stops accepting writes, commits those that wait, and returns the connection; none the second time.
    pub(crate) async fn close(&self) -> Option<Tx> {
        self.closing.cancel();
        let task = self.task.lock().await.take()?;
        task.await.ok()?
    }
}

/// What is asked of the writer, with the channel for the reply.
pub(super) enum Request {
    Append(Append),
    Write {
        write: Box<dyn AnyWrite>,
        is_acknowledged: bool,
    },
    /// Cannot run inside of a transaction.
    TruncateWal(oneshot::Sender<Result<bool, Failure>>),
}

/// A plain append in the queue.
pub(super) struct Append {
    entry: Box<PlainAppend>,
    outcome: Option<Result<(), Refused>>,
    reply_to: oneshot::Sender<Outcome>,
}

/// Every write of a transaction that commits has run.
const HAS_RUN: &str = "a transaction commits when every write in it has run";

impl Request {
    /// A plain append, and where its outcome comes.
    pub(super) fn append(entry: Box<PlainAppend>) -> (Self, oneshot::Receiver<Outcome>) {
        let (reply_to, reply) = oneshot::channel();
        (Self::Append(Append { entry, outcome: None, reply_to }), reply)
    }

    /// Another write, and where what it comes to arrives.
    pub(super) fn write<T: Send + 'static>(
        is_acknowledged: bool,
        work: impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static,
    ) -> (Self, oneshot::Receiver<Result<T, Failure>>) {
        let (reply_to, reply) = oneshot::channel();
        let write = Box::new(Queued { work, outcome: None, reply_to });
        (Self::Write { write, is_acknowledged }, reply)
    }

    /// Whether its commit may be acknowledged to a client: only then is a loss of it noticed.
    const fn is_acknowledged(&self) -> bool {
        matches!(self, Self::Append(_) | Self::Write { is_acknowledged: true, .. })
    }

    /// Replies to a write; the caller may be gone, and the write stands all the same.
    fn reply(self, done: Result<(), Failure>) {
        match self {
            Self::Append(Append { outcome, reply_to, .. }) => {
                let _ = reply_to.send(done.map(|()| outcome.expect(HAS_RUN)));
            }
            Self::Write { write, .. } => write.reply(done),
            Self::TruncateWal(reply_to) => {
                let _ = reply_to.send(done.map(|()| false));
            }
        }
    }
}

/// A write in the queue.
struct Queued<W, T> {
    work: W,
    outcome: Option<T>,
    reply_to: oneshot::Sender<Result<T, Failure>>,
}

/// Whether the changes of a write stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changes {
    Kept,
    Undone,
}

/// A queued write of any type.
pub(super) trait AnyWrite: Send {
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, Result<Changes, Error>>;
    fn reply(self: Box<Self>, done: Result<(), Failure>);
}

impl<W, T> AnyWrite for Queued<W, T>
where
    W: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Done<T>> + Send + Sync,
    T: Send,
{
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, Result<Changes, Error>> {
        Box::pin(async move {
            let done = (self.work)(tx).await;
            let (outcome, changes) = settled(done)?;
            self.outcome = Some(outcome);
            Ok(changes)
        })
    }

    fn reply(self: Box<Self>, done: Result<(), Failure>) {
        let Self { outcome, reply_to, .. } = *self;
        let _ = reply_to.send(done.map(|()| outcome.expect(HAS_RUN)));
    }
}

fn settled<T>(done: Done<T>) -> Result<(T, Changes), Error> {
    match done {
        Ok(outcome) => Ok((outcome, Changes::Kept)),
        Err(Undo::With(outcome)) => Ok((outcome, Changes::Undone)),
        Err(Undo::Error(error)) => Err(error),
    }
}

/// A count for a histogram.
fn count(items: usize) -> f64 {
    u32::try_from(items).map_or(f64::INFINITY, f64::from)
}

/// The state of the writer.
struct WriterTask {
    /// None if its state is unknown: the next transaction opens another one.
    connection: Option<Tx>,
    open: Open,
    on_fatal: OnFatal,
    wal: Wal,
    /// The number of the last transaction that was tried and would be acknowledged to a client. Numbers of those that
    /// failed are not used again.
    commits: u64,
    note: Arc<CommitNote>,
    disk: Disk,
    truncated: LastTruncation,
}

impl WriterTask {
    /// Takes the requests that wait, commits them and replies, until closed and drained. Returns the connection.
    async fn run(mut self, mut requests: mpsc::Receiver<Request>, closing: CancellationToken) -> Option<Tx> {
        let mut batch = Vec::with_capacity(BATCH_MAX);
        loop {
            tokio::select! {
                biased;
                () = closing.cancelled(), if !requests.is_closed() => requests.close(),
                taken = requests.recv_many(&mut batch, BATCH_MAX) => {
                    if taken == 0 {
                        return self.connection;
                    }
                    // What is about to be written comes along: under load a commit is shared by more
                    // writes, and an idle server loses no time.
                    for _ in 0..GATHERING {
                        yield_now().await;
                        while batch.len() < BATCH_MAX && let Ok(request) = requests.try_recv() {
                            batch.push(request);
                        }
                    }
                    self.write(&mut batch).await;
                    self.restart_long_wal().await;
                }
            }
        }
    }

    /// Commits every request of the batch and replies: what is there beside turns in one transaction if possible. If one
    /// of them fails by its own fault, each gets its own transaction, so that it harms no other.
    async fn write(&mut self, batch: &mut Vec<Request>) {
        let started = Instant::now();
        let writes = batch.len();
        let mut done = self.make_room().await;
        if done.is_ok() {
            done = self.write_turns(batch).await;
        }
        if done.is_ok() && !batch.is_empty() {
            done = self.transact(batch).await;
        }
        metrics::histogram!("lusoria_store_commit_seconds").record(started.elapsed().as_secs_f64());
        metrics::histogram!("lusoria_store_batch_writes").record(count(writes));
        metrics::counter!("lusoria_store_writes_total").increment(writes as u64);
        self.wal.has_grown_by(writes);
        let alone = batch.len() > 1 && done.as_ref().is_err_and(Failure::is_of_one);
        for mut request in batch.drain(..) {
            // Once the fault lies with the database, the rest would only meet it again.
            if alone && !done.as_ref().is_err_and(|failure| !failure.is_of_one()) {
                done = self.transact(std::slice::from_mut(&mut request)).await;
            }
            match request {
                // A full disk does not prevent this: truncation makes room.
                Request::TruncateWal(reply_to) if matches!(done, Ok(()) | Err(Failure::Full(_))) => {
                    let _ = reply_to.send(self.truncate_wal().await);
                }
                request => request.reply(done.clone()),
            }
        }
    }

    /// Commits the turns of a batch that has nothing else, as one statement, which is a transaction, and replies to them.
    /// Those that were not written stay in the batch.
    async fn write_turns(&mut self, batch: &mut Vec<Request>) -> Result<(), Failure> {
        let plain = plain(batch);
        let ends_match =
            |n: &usize| matches!(&batch[*n], Request::Append(append) if can_end_match(&append.entry));
        if plain.len() != batch.len() || plain.iter().any(ends_match) {
            return Ok(());
        }
        let mut connection = self.take_connection().await?;
        let number = self.next_number();
        let appended = append(&mut connection, batch, &plain, Some(number)).await;
        self.end(connection, appended.map_err(|error| (error, true)), batch.len()).await?;
        let (committed, rest): (Vec<_>, Vec<_>) = std::mem::take(batch)
            .into_iter()
            .partition(|request| matches!(request, Request::Append(Append { outcome: Some(_), .. })));
        *batch = rest;
        if committed.is_empty() {
            // The number stands nowhere.
            self.commits -= 1;
        } else {
            // Before the replies go out.
            self.note.note(number);
        }
        for request in committed {
            request.reply(Ok(()));
        }
        Ok(())
    }

    async fn restart_long_wal(&mut self) {
        if self.wal.is_long()
            && let Some(connection) = &mut self.connection
        {
            self.wal.restart(connection).await;
        }
    }

    /// Ensures that the WAL can still be copied after the next transaction. Without room for that it truncates the
    /// WAL; if that does not help either, it refuses the batch.
    async fn make_room(&mut self) -> Result<(), Failure> {
        let mut enough = self.has_room().await?;
        if !enough && self.truncated.is_due() {
            let mut connection = self.take_connection().await?;
            let truncated = self.wal.truncate_for_room(&mut connection).await;
            truncated.map_err(|error| self.before_commit(&error))?;
            self.connection = Some(connection);
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
        let mut connection = self.take_connection().await?;
        let bytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let grown: Result<u64, Error> = connection.one(bytes, args![]).await;
        let grown = grown.map_err(|error| self.before_commit(&error))?;
        self.connection = Some(connection);
        Ok(grown.saturating_sub(self.disk.database_bytes()))
    }

    /// Truncates the WAL. False if a reader still needs it, or a checkpoint is running.
    async fn truncate_wal(&mut self) -> Result<bool, Failure> {
        let mut connection = self.take_connection().await?;
        let truncated = self.wal.truncate(&mut connection).await;
        let truncated = truncated.map_err(|error| self.before_commit(&error))?;
        self.connection = Some(connection);
        Ok(truncated)
    }

    /// The connection, or a new one if the state of the last one was unknown.
    async fn take_connection(&mut self) -> Result<Tx, Failure> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => (self.open)().await.map_err(|error| self.before_commit(&error)),
        }
    }

    /// Runs the requests in one transaction.
    async fn transact(&mut self, requests: &mut [Request]) -> Result<(), Failure> {
        if requests.iter().all(|request| matches!(request, Request::TruncateWal(_))) {
            return Ok(());
        }
        let mut connection = self.take_connection().await?;
        let number = requests.iter().any(Request::is_acknowledged).then(|| self.next_number());
        let done = run(&mut connection, requests, number).await;
        self.end(connection, done, requests.len()).await?;
        if let Some(number) = number {
            self.note.note(number);
        }
        Ok(())
    }

    /// Keeps the connection of a transaction if its state is known. An error undoes the transaction; it comes with
    /// whether the commit met it.
    async fn end(
        &mut self,
        mut connection: Tx,
        done: Result<(), (Error, bool)>,
        writes: usize,
    ) -> Result<(), Failure> {
        let Err((error, is_of_commit)) = done else {
            self.connection = Some(connection);
            return Ok(());
        };
        self.stop_if_sync_failed(&error);
        // What could be undone was not committed. If nothing could, the next transaction opens a new connection.
        let is_undone = connection.roll_back().await.is_ok();
        if is_undone {
            self.connection = Some(connection);
        }
        let failure = if is_of_commit && !is_undone {
            Failure::of_commit(&error)
        } else {
            Failure::before_commit(&error)
        };
        if matches!(failure, Failure::Full(_)) {
            self.disk.set_full(true);
        }
        tracing::warn!(?failure, writes, "transaction failed");
        Err(failure)
    }

    /// The number of a commit that may be acknowledged to a client.
    const fn next_number(&mut self) -> u64 {
        self.commits += 1;
        self.commits
    }

    fn before_commit(&self, error: &Error) -> Failure {
        self.stop_if_sync_failed(error);
        Failure::before_commit(error)
    }

    /// After a failed sync it is unknown what is on the disk: any reply could be false.
    fn stop_if_sync_failed(&self, error: &Error) {
        if is_failed_sync(error) {
            (self.on_fatal)(&error.to_string());
        }
    }
}

/// Which requests are appends of the first one's era; of each match the first, because they do not see each other.
/// Forgets earlier outcomes.
fn plain(requests: &mut [Request]) -> Vec<usize> {
    let (mut matches, mut era) = (HashSet::new(), None);
    let mut plain = Vec::with_capacity(requests.len());
    for (n, request) in requests.iter_mut().enumerate() {
        let Request::Append(append) = request else { continue };
        append.outcome = None;
        let entry = &append.entry;
        if *era.get_or_insert(entry.era) == entry.era && matches.insert(entry.id) {
            plain.push(n);
        }
    }
    plain
}

/// Writes appends, all together; as a commit of its own if it has a number. Those that were not written have no
/// outcome yet.
async fn append(
    tx: &mut Tx,
    requests: &mut [Request],
    plain: &[usize],
    commit: Option<u64>,
) -> Result<(), Error> {
    let entry = |n: &usize| match &requests[*n] {
        Request::Append(append) => Some(&*append.entry),
        Request::Write { .. } | Request::TruncateWal(_) => None,
    };
    let entries: Vec<&PlainAppend> = plain.iter().filter_map(entry).collect();
    let written = append_plain(tx, &entries, commit).await?;
    for (n, is_written) in plain.iter().zip(&written) {
        if let Request::Append(append) = &mut requests[*n] {
            append.outcome = is_written.then_some(Ok(()));
        }
    }
    Ok(())
}

/// Runs a request as a transaction that has no number, and replies.
pub(super) async fn run_alone(tx: &mut Tx, mut request: Request) {
    let done = match run(tx, std::slice::from_mut(&mut request), None).await {
        Ok(()) => Ok(()),
        Err((error, _)) => {
            // An error says that none was open.
            let _ = tx.roll_back().await;
            Err(Failure::before_commit(&error))
        }
    };
    request.reply(done);
}

/// Runs the requests in one transaction and commits it, with its number if it has one. An error comes with whether the
/// commit met it.
async fn run(tx: &mut Tx, requests: &mut [Request], number: Option<u64>) -> Result<(), (Error, bool)> {
    let written = async {
        // IMMEDIATE, so that what the requests read cannot change before they write.
        tx.queue("BEGIN IMMEDIATE", args![]).await?;
        let plain = plain(requests);
        append(tx, requests, &plain, None).await?;
        for request in requests {
            run_apart(tx, request).await?;
        }
        if let Some(number) = number {
            tx.queue(COUNT_COMMIT, args![number]).await?;
        }
        Ok(())
    };
    written.await.map_err(|error| (error, false))?;
    tx.commit().await
}

/// Runs a request whose changes can be undone without those of the others.
async fn run_apart(tx: &mut Tx, request: &mut Request) -> Result<(), Error> {
    if matches!(request, Request::Append(Append { outcome: Some(_), .. }) | Request::TruncateWal(_)) {
        return Ok(());
    }
    tx.queue("SAVEPOINT apart", args![]).await?;
    let changes = match request {
        Request::Append(append) => {
            let (outcome, changes) = settled(append_alone(tx, &append.entry).await)?;
            append.outcome = Some(outcome);
            changes
        }
        Request::Write { write, .. } => write.run(tx).await?,
        Request::TruncateWal(_) => Changes::Kept,
    };
    match changes {
        Changes::Kept => tx.queue("RELEASE apart", args![]).await,
        Changes::Undone => {
            tx.queue("ROLLBACK TO apart", args![]).await?;
            tx.queue("RELEASE apart", args![]).await
        }
    }
}
