//! What the store keeps, in words that both databases understand.
//!
//! Each module keeps one kind of thing, as methods of [`Store`]: a read is a query, a write a transaction.

mod accounts;
mod api_tokens;
mod appends;
mod blocks;
mod challenges;
mod conditional;
mod departures;
#[cfg(test)]
mod example;
mod fair_play;
mod follows;
mod game_counts;
mod guests;
mod journal;
mod lists;
mod matters;
mod moderation;
mod nodes;
mod open;
mod operating;
mod opponents;
mod packing;
mod pages;
mod passkeys;
mod preferences;
mod pushes;
mod ratings;
mod seeks;
mod sessions;
mod sign_ups;
mod talk;
mod tournaments;

use std::{any::Any, sync::Arc};

use futures_util::future::BoxFuture;
use sqlx::Error;
use tokio::runtime::Handle;
use uuid::Uuid;

use self::appends::{Entry, NewEntry};
use crate::{
    Append, AppendError, Call, Fate, Faults, NewMatch, StoreError, StoreFuture, Turn,
    failure::Failure,
    postgres::Server,
    sql::{
        Done, Readers, Tx, at_once,
        value::{Row, Value},
    },
    sqlite::{Memory, OpenFile},
};

/// Everything that the server keeps.
///
/// A write has committed durably when its future resolves to `Ok`. Reads see every write that resolved before they
/// began. A write whose future is dropped may be committed all the same.
pub struct Store {
    pub(crate) readers: Readers,
    pub(crate) backend: Backend,
    faults: Option<Arc<dyn Faults>>,
    /// The runtime that serves the connections, if calls take no time of the caller's runtime.
    real_time: Option<Handle>,
}

/// Where it is kept, and the writer, which commits writes together.
pub(crate) enum Backend {
    /// In one file, for one node.
    File(Box<OpenFile>),
    /// In a PostgreSQL database, which nodes share.
    Server(Box<Server>),
    /// In the memory of the process, for tests.
    Memory(Memory),
}

/// Work with its arguments, which may run again.
fn with_args<A, T>(
    args: A,
    work: impl for<'t> Fn(&'t mut Tx, &'t A) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static,
) -> impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static
where
    A: Send + Sync + 'static,
    T: Send + 'static,
{
    let shared = Arc::new((args, work));
    move |tx| {
        let shared = Arc::clone(&shared);
        Box::pin(async move { (shared.1)(tx, &shared.0).await })
    }
}

impl Store {
    const fn of(readers: Readers, backend: Backend) -> Self {
        Self { readers, backend, faults: None, real_time: None }
    }

    /// The same store, with something between it and its database.
    #[must_use]
    pub fn with_faults(self, faults: Arc<dyn Faults>) -> Self {
        Self { faults: Some(faults), ..self }
    }

    /// The same store, whose calls are done within one poll, while the runtime in which it was opened serves its
    /// connections: the time of a caller under virtual time stands still.
    #[must_use]
    pub fn served_by(self, real_time: Handle) -> Self {
        Self { real_time: Some(real_time), ..self }
    }

    /// Whether other nodes read and write here too: then a match may have moved on unnoticed.
    pub const fn is_shared(&self) -> bool {
        match &self.backend {
            Backend::File(_) => false,
            Backend::Server(_) => true,
            Backend::Memory(memory) => memory.is_shared(),
        }
    }

    /// At most how many acknowledged commits were missing when the store was opened. If any were, another history
    /// began. A server that has acknowledged a commit keeps it.
    pub fn lost_commits(&self) -> u64 {
        if let Backend::File(file) = &self.backend { file.lost_commits() } else { 0 }
    }

    /// Whether nobody can tell whether acknowledged commits were missing when the store was opened.
    pub const fn is_loss_unknown(&self) -> bool {
        matches!(&self.backend, Backend::File(file) if file.is_loss_unknown)
    }

    /// Whether writes are refused now because the disk is full.
    pub fn is_full(&self) -> bool {
        match &self.backend {
            Backend::File(file) => file.is_full(),
            Backend::Server(server) => server.is_full(),
            Backend::Memory(_) => false,
        }
    }

    /// Erases what remains in the files of rows that were replaced or deleted before. False if a reader still needs
    /// the old pages: try again.
    pub fn erase_remains(&self) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            self.through(self.call(|| Call::EraseRemains), async {
                match &self.backend {
                    Backend::File(file) => Ok(file.truncate_wal().await?),
                    Backend::Server(server) => server.erase_remains().await,
                    Backend::Memory(_) => Ok(true),
                }
            })
            .await
        })
    }

    /// Stops accepting writes, commits those that wait and closes the connections.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let close = async {
                match &self.backend {
                    Backend::File(file) => file.close(&self.readers).await,
                    Backend::Server(server) => server.close(&self.readers).await,
                    Backend::Memory(memory) => memory.close(),
                }
            };
            self.in_its_time(close).await;
        })
    }

    /// A call for [`Self::through`], if anybody wants to see it.
    fn call(&self, call: impl FnOnce() -> Call) -> Option<Call> {
        self.faults.as_ref().map(|_| call())
    }

    /// Makes a call, past the faults.
    async fn through<T: Any + Send, E: From<StoreError>>(
        &self,
        call: Option<Call>,
        does: impl Future<Output = Result<T, E>> + Send,
    ) -> Result<T, E> {
        let (Some(faults), Some(call)) = (&self.faults, call) else { return self.in_its_time(does).await };
        let fate = faults.before(&call).await;
        // In memory nothing else happens before it is made.
        let (is_unknown, mut done) = match fate {
            Fate::Made => (false, self.in_its_time(does).await),
            Fate::MadeUnknown => (true, self.in_its_time(does).await),
            Fate::Refused(error) => (false, Err(error.into())),
        };
        if let Ok(answer) = &mut done {
            faults.done(&call, answer);
        }
        faults.after(&call).await;
        if is_unknown && done.is_ok() {
            return Err(StoreError::Unknown("a fault".to_owned()).into());
        }
        done
    }

    async fn in_its_time<T>(&self, does: impl Future<Output = T>) -> T {
        match &self.real_time {
            None => does.await,
            Some(runtime) => {
                // Timers and sockets belong to it.
                let _entered = runtime.enter();
                at_once(does)
            }
        }
    }

    /// Runs a transaction that concerns the match or guest `of`, and waits for its commit. It is committed even if the
    /// caller no longer waits, and `work` may run again after its changes were undone.
    pub(crate) fn write<A, T>(
        &self,
        of: Uuid,
        args: A,
        work: impl for<'t> Fn(&'t mut Tx, &'t A) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static,
    ) -> StoreFuture<'_, T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        let written = async move { Ok(self.transact(of, true, args, work).await?) };
        Box::pin(self.through(self.call(|| Call::Write), written))
    }

    /// As [`Self::write`], of what is acknowledged to no client: a loss of it goes unnoticed.
    pub(crate) fn write_unacknowledged<A, T>(
        &self,
        of: Uuid,
        args: A,
        work: impl for<'t> Fn(&'t mut Tx, &'t A) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static,
    ) -> StoreFuture<'_, T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        let written = async move { Ok(self.transact(of, false, args, work).await?) };
        Box::pin(self.through(self.call(|| Call::Write), written))
    }

    /// As [`Self::write`], past no faults: for what has a [`Call`] of its own.
    pub(crate) async fn transact<A, T>(
        &self,
        of: Uuid,
        is_acknowledged: bool,
        args: A,
        work: impl for<'t> Fn(&'t mut Tx, &'t A) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static,
    ) -> Result<T, Failure>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        let work = with_args(args, work);
        match &self.backend {
            Backend::File(file) => file.writer.write(is_acknowledged, work).await,
            Backend::Server(server) => server.writer.write(of, work).await,
            Backend::Memory(memory) => memory.write(work),
        }
    }

    /// Runs a transaction of the beat, which on a server waits for no other write.
    fn beat_with<A, T, E>(
        &self,
        call: Call,
        args: A,
        work: impl for<'t> Fn(&'t mut Tx, &'t A) -> BoxFuture<'t, Done<Result<T, E>>> + Send + Sync + 'static,
    ) -> StoreFuture<'_, T, E>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        Box::pin(self.through(Some(call), async move {
            let done = match &self.backend {
                Backend::Server(server) => server.beat_with(&with_args(args, work)).await,
                _ => self.transact(Uuid::nil(), false, args, work).await,
            };
            done.map_err(StoreError::from)?
        }))
    }

    /// Stores a new match with its first events, its secret `s[1024]` and its invitation. The
    /// transaction checks that its players and its maker are guests and not blocked.
    pub fn create(&self, new: NewMatch) -> StoreFuture<'_, (), AppendError> {
        Box::pin(async move {
            let call = self.call(|| Call::Create(Turn::of_new(&new)));
            let new = NewEntry::of(new)?;
            self.through(call, async {
                let created = self.transact(new.row.id.0, true, new, |tx, new| Box::pin(new.create(tx)));
                Ok(created.await??)
            })
            .await
        })
    }

    /// Appends events to a match: a compare-and-set on its head, its edition and, in a shared store,
    /// the era. With [`Append::create`] the rematch is stored in the same transaction. The transaction
    /// checks that players who join are guests, not blocked, and not about to adopt the player in seat 1.
    pub fn append(&self, append: Append) -> StoreFuture<'_, (), AppendError> {
        let call = self.call(|| Call::Append(Turn::of(&append)));
        // Outside of the future, which stays small.
        let entry = Entry::of(append);
        Box::pin(async move {
            let entry = entry?;
            self.through(call, async {
                let appended = match &self.backend {
                    // Boxed: every future around it would reserve its size again, and most appends are turns.
                    _ if !entry.is_plain() => {
                        let of = entry.append.id.0;
                        Box::pin(self.transact(of, true, entry, |tx, entry| Box::pin(entry.append(tx)))).await
                    }
                    Backend::File(file) => file.writer.append(entry.append).await,
                    Backend::Server(server) => Box::pin(server.writer.append(entry.append)).await,
                    Backend::Memory(memory) => memory.append(entry.append),
                };
                Ok(appended??)
            })
            .await
        })
    }

    /// Runs one statement as a transaction that concerns the match or guest `of`. Returns how many rows it changed.
    pub(crate) fn execute(&self, of: Uuid, sql: &'static str, args: Vec<Value>) -> StoreFuture<'_, u64> {
        self.write(of, args, move |tx, args| {
            Box::pin(async move { Ok(tx.execute(sql, args.clone()).await?) })
        })
    }

    /// Reads by several queries. They may run again over another connection.
    pub(crate) fn read<T: Send + 'static>(
        &self,
        queries: impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, Error>> + Send + Sync + 'static,
    ) -> StoreFuture<'_, T> {
        self.read_as(Call::Read, queries)
    }

    /// The same, with a [`Call`] of its own.
    pub(crate) fn read_as<T: Send + 'static>(
        &self,
        call: Call,
        queries: impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, Error>> + Send + Sync + 'static,
    ) -> StoreFuture<'_, T> {
        Box::pin(self.through(Some(call), async move {
            match &self.backend {
                Backend::Memory(memory) => Ok(memory.read(queries)?),
                _ => self.readers.read(queries).await,
            }
        }))
    }

    /// All rows of a query.
    pub(crate) fn all<R: Row + Send + 'static>(
        &self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> StoreFuture<'_, Vec<R>> {
        self.read(move |tx| Box::pin(tx.all(sql, args.clone())))
    }

    /// The first row of a query, if it has any.
    pub(crate) fn first<R: Row + Send + 'static>(
        &self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> StoreFuture<'_, Option<R>> {
        self.read(move |tx| Box::pin(tx.first(sql, args.clone())))
    }

    /// The row of a query that always has one.
    pub(crate) fn one<R: Row + Send + 'static>(
        &self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> StoreFuture<'_, R> {
        self.read(move |tx| Box::pin(tx.one(sql, args.clone())))
    }
}
