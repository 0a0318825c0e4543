//! The connections that write.
//!
//! Each has a queue. What waits in it is taken together: all plain appends as one statement, which costs one
//! round trip and one sync (group commit), then one transaction for each of the other writes. Writes that
//! meet, those to one match and those of one guest, go over one connection as far as a node can tell.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use tokio::{
    sync::{
        Mutex,
        mpsc::{self, error::TrySendError},
        oneshot,
    },
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{journal::append_plain, open::Target, options::PostgresOptions, session::Session};
use crate::{
    error::Refused,
    failure::Failure,
    match_rows::PlainAppend,
    sql::{Done, Tx},
};

/// The most appends of one statement.
const BATCH_MAX: usize = 256;
/// How long the disk counts as full after a write that found it so. Then writes must be tried again: nothing
/// else tells that there is room, and a proxy sends none to a node that is not ready.
const FULL_FOR: Duration = Duration::from_secs(5);
/// How often a single append is tried that meets others.
const TRIES: u32 = 4;

type Outcome = Result<Result<(), Refused>, Failure>;

/// The connections that write.
pub(crate) struct Writer {
    queues: Vec<mpsc::Sender<Request>>,
    closing: CancellationToken,
    tasks: Mutex<Vec<JoinHandle<()>>>,
    disk: Arc<Disk>,
}

enum Request {
    Append(Box<PlainAppend>, oneshot::Sender<Outcome>),
    Write(Box<dyn AnyWrite>),
}

impl Writer {
    pub(crate) fn start(target: &Target, options: &PostgresOptions) -> Self {
        let (closing, disk) = (CancellationToken::new(), Arc::<Disk>::default());
        let start = |_| {
            let (queue, requests) = mpsc::channel(options.queue_max.max(1));
            let lane = Lane { session: Session::new(target.clone()), disk: Arc::clone(&disk) };
            (queue, tokio::spawn(lane.run(requests, closing.clone())))
        };
        let (queues, tasks) = (0..options.writers.max(1)).map(start).unzip();
        Self { queues, closing, tasks: Mutex::new(tasks), disk }
    }

    /// Whether the last write found the disk of the database full, a moment ago.
    pub(crate) fn disk_is_full(&self) -> bool {
        self.disk.full_at.lock().is_some_and(|at| at.elapsed() < FULL_FOR)
    }

    /// Queues a plain append and waits for its commit. It is written even if the caller no longer waits.
    pub(crate) async fn append(&self, entry: Box<PlainAppend>) -> Outcome {
        let (reply_to, reply) = oneshot::channel();
        self.queue(entry.id.0, Request::Append(entry, reply_to))?;
        reply.await.unwrap_or_else(|_| Err(Failure::Unknown("the writer has stopped".to_owned())))
    }

    /// Queues a transaction that concerns a match or a guest, and waits for its commit. It is written even
    /// if the caller no longer waits, and may run again after it was undone.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        of: Uuid,
        work: impl for<'c> Fn(&'c mut Tx) -> BoxFuture<'c, Done<T>> + Send + Sync + 'static,
    ) -> Result<T, Failure> {
        let (reply_to, reply) = oneshot::channel();
        self.queue(of, Request::Write(Box::new(Queued { work, reply_to })))?;
        reply.await.unwrap_or_else(|_| Err(Failure::Unknown("the writer has stopped".to_owned())))
    }

    fn queue(&self, of: Uuid, request: Request) -> Result<(), Failure> {
        // The last bytes are random in every id.
        let lane = usize::from(of.as_bytes()[15]) % self.queues.len();
        if self.closing.is_cancelled() {
            return Err(Failure::Closed);
        }
        self.queues[lane].try_send(request).map_err(|error| match error {
            TrySendError::Full(_) => Failure::Busy("too many writes are waiting".to_owned()),
            TrySendError::Closed(_) => Failure::Closed,
        })
    }

    /// Stops accepting writes, and commits those that wait.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        for task in self.tasks.lock().await.drain(..) {
            // If it has panicked, its callers have learnt it.
            let _ = task.await;
        }
    }
}

/// A queued transaction of any outcome.
trait AnyWrite: Send {
    fn run(self: Box<Self>, lane: &mut Lane) -> BoxFuture<'_, ()>;
}

struct Queued<W, T> {
    work: W,
    reply_to: oneshot::Sender<Result<T, Failure>>,
}

impl<W, T> AnyWrite for Queued<W, T>
where
    W: for<'c> Fn(&'c mut Tx) -> BoxFuture<'c, Done<T>> + Send + Sync + 'static,
    T: Send + 'static,
{
    fn run(self: Box<Self>, lane: &mut Lane) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let done = lane.session.transact(&self.work).await;
            lane.note(done.as_ref().err());
            // The caller may be gone; the write stands all the same.
            let _ = self.reply_to.send(done);
        })
    }
}

/// What the last write found of the disk of the database.
#[derive(Default)]
struct Disk {
    /// When it was full, unless a write has succeeded since.
    full_at: parking_lot::Mutex<Option<tokio::time::Instant>>,
}

/// A queue's end: one connection.
struct Lane {
    session: Session,
    disk: Arc<Disk>,
}

impl Lane {
    /// Writes what waits, until closed and drained.
    async fn run(mut self, mut requests: mpsc::Receiver<Request>, closing: CancellationToken) {
        // Appends that wait for the batch before, because one of it is to the same match.
        let mut later: Vec<(Box<PlainAppend>, oneshot::Sender<Outcome>)> = Vec::new();
        let mut taken = Vec::with_capacity(BATCH_MAX);
        loop {
            if later.is_empty() {
                tokio::select! {
                    biased;
                    () = closing.cancelled(), if !requests.is_closed() => {
                        requests.close();
                        continue;
                    }
                    count = requests.recv_many(&mut taken, BATCH_MAX) => if count == 0 { break },
                }
            }
            let (mut batch, mut writes, mut met) = (Vec::new(), Vec::new(), HashSet::new());
            let mut append = |entry: Box<PlainAppend>, reply_to, later: &mut Vec<_>| {
                if met.insert(entry.id) {
                    batch.push((entry, reply_to));
                } else {
                    later.push((entry, reply_to));
                }
            };
            for (entry, reply_to) in std::mem::take(&mut later) {
                append(entry, reply_to, &mut later);
            }
            for request in taken.drain(..) {
                match request {
                    Request::Append(entry, reply_to) => append(entry, reply_to, &mut later),
                    Request::Write(write) => writes.push(write),
                }
            }
            self.append_all(batch).await;
            for write in writes {
                write.run(&mut self).await;
            }
        }
        self.session.close().await;
    }

    /// Commits all appends of a batch. If one of them fails by its own fault, each is tried alone, so
    /// that it harms no other.
    async fn append_all(&mut self, batch: Vec<(Box<PlainAppend>, oneshot::Sender<Outcome>)>) {
        if batch.is_empty() {
            return;
        }
        let (entries, replies): (Vec<Box<PlainAppend>>, Vec<_>) = batch.into_iter().unzip();
        let entries: Vec<&PlainAppend> = entries.iter().map(Box::as_ref).collect();
        let started = Instant::now();
        let done = self.append(&entries).await;
        metrics::histogram!("lusoria_store_commit_seconds").record(started.elapsed().as_secs_f64());
        metrics::histogram!("lusoria_store_batch_writes")
            .record(f64::from(u32::try_from(entries.len()).unwrap_or(u32::MAX)));
        metrics::counter!("lusoria_store_writes_total").increment(entries.len() as u64);
        let outcomes: Vec<Outcome> = match done {
            Ok(outcomes) => outcomes.into_iter().map(Ok).collect(),
            Err(failure) if failure.is_of_one() => {
                let mut outcomes = Vec::with_capacity(entries.len());
                for &entry in &entries {
                    outcomes.push(self.append_alone(entry).await);
                }
                outcomes
            }
            Err(failure) => entries.iter().map(|_| Err(failure.clone())).collect(),
        };
        for (reply_to, outcome) in replies.into_iter().zip(outcomes) {
            let _ = reply_to.send(outcome);
        }
    }

    async fn append_alone(&mut self, entry: &PlainAppend) -> Outcome {
        let mut tried = 0;
        loop {
            tried += 1;
            match self.append(&[entry]).await {
                Err(Failure::Conflicting(_)) if tried < TRIES => {}
                done => return done.map(|mut outcomes| outcomes.pop().expect("an outcome for each append")),
            }
        }
    }

    async fn append(&mut self, entries: &[&PlainAppend]) -> Result<Vec<Result<(), Refused>>, Failure> {
        let done = self.session.commit(async |tx| append_plain(tx, entries).await).await;
        self.note(done.as_ref().err());
        done
    }

    fn note(&self, failure: Option<&Failure>) {
        match failure {
            None => *self.disk.full_at.lock() = None,
            Some(failure) => {
                if matches!(failure, Failure::Full(_)) {
                    *self.disk.full_at.lock() = Some(tokio::time::Instant::now());
                }
                tracing::warn!(?failure, "transaction failed; its writes are refused or in doubt");
            }
        }
    }
}
