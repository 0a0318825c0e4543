//! What the store keeps, in words that both databases understand.
//!
//! `value` and `tx` are the layer: statements with arguments and rows of Rust's types. The other modules each keep one
//! kind of thing, as methods of [`Db`]: a read is a query, a write a transaction.

mod accounts;
mod api_tokens;
mod appends;
mod at_once;
mod blocks;
mod challenges;
mod conditional;
mod departures;
mod fair_play;
mod file;
mod follows;
mod game_counts;
mod guests;
pub(crate) mod journal;
mod lists;
mod matters;
mod moderation;
mod nodes;
mod operating;
mod opponents;
mod pages;
mod passkeys;
mod preferences;
mod pushes;
mod ratings;
mod seeks;
mod sessions;
mod sign_ups;
mod talk;
mod tx;
pub(crate) mod value;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use sqlx::Error;
use tokio::sync::Mutex;
use uuid::Uuid;

use self::value::{Row, Value};
pub(crate) use self::{
    appends::{Entry, NewEntry},
    at_once::at_once,
    file::{FileConnection, SharedClock},
    nodes::begin_new_history,
    tx::{Statement, Tx},
};
use crate::{
    Append, AppendError, NewMatch, StoreError, failure::Failure, postgres, readers::Readers, sqlite,
};

/// A database that is open for reading and writing.
pub(crate) struct Db {
    pub(crate) readers: Readers,
    pub(crate) writer: Writer,
    /// The connection of the beat, which waits for no other write; none in a file, or once it is closed.
    pub(crate) pulse: Mutex<Option<postgres::session::Session>>,
}

/// What commits writes together.
pub(crate) enum Writer {
    File(sqlite::writer::Writer),
    Server(postgres::writer::Writer),
    /// Does each at once.
    Memory(sqlite::memory::Memory),
}

/// Ends a transaction with nothing changed.
pub(crate) enum Undo<T> {
    /// With this outcome.
    With(T),
    /// Because of an error.
    Error(Error),
}

impl<T> From<Error> for Undo<T> {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// What a transaction comes to.
pub(crate) type Done<T> = Result<T, Undo<T>>;

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

impl Db {
    /// Runs a transaction that concerns the match or guest `of`, and waits for its commit. It is committed even if the
    /// caller no longer waits, and `work` may run again after its changes were undone.
    pub(crate) async fn write<A, T>(
        &self,
        of: Uuid,
        args: A,
        work: impl for<'t> Fn(&'t mut Tx, &'t A) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        Ok(self.commit(of, true, args, work).await?)
    }

    /// As [`Self::write`], of what is acknowledged to no client: a loss of it goes unnoticed.
    pub(crate) async fn write_unacknowledged<A, T>(
        &self,
        of: Uuid,
        args: A,
        work: impl for<'t> Fn(&'t mut Tx, &'t A) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        Ok(self.commit(of, false, args, work).await?)
    }

    async fn commit<A, T>(
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
        match &self.writer {
            Writer::File(writer) => writer.write(is_acknowledged, work).await,
            Writer::Server(writer) => writer.write(of, work).await,
            Writer::Memory(memory) => memory.write(work),
        }
    }

    /// Runs a transaction of the beat.
    async fn beat_with<A, T>(
        &self,
        args: A,
        work: impl for<'t> Fn(&'t mut Tx, &'t A) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        if !matches!(self.writer, Writer::Server(_)) {
            return self.write_unacknowledged(Uuid::nil(), args, work).await;
        }
        let mut session = self.pulse.lock().await;
        let session = session.as_mut().ok_or(StoreError::Closed)?;
        Ok(session.transact(&with_args(args, work)).await?)
    }

    /// Stores a new match with its first events, its secret and its invitation.
    pub(crate) async fn create(&self, new: NewMatch) -> Result<(), AppendError> {
        let new = NewEntry::of(new)?;
        let created = self.commit(new.id.0, true, new, |tx, new| Box::pin(new.create(tx)));
        Ok(created.await??)
    }

    /// Appends events to a match: a compare-and-set on its head, its edition and the era.
    pub(crate) async fn append(&self, append: Append) -> Result<(), AppendError> {
        let entry = Entry::of(append)?;
        let appended = match &self.writer {
            Writer::File(writer) => writer.append(entry).await,
            Writer::Server(writer) => writer.append(entry).await,
            Writer::Memory(memory) => memory.append(entry),
        };
        Ok(appended??)
    }

    /// Runs one statement as a transaction that concerns the match or guest `of`. Returns how many rows it changed.
    pub(crate) async fn execute(
        &self,
        of: Uuid,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<u64, StoreError> {
        self.write(of, args, move |tx, args| {
            Box::pin(async move { Ok(tx.execute(sql, args.clone()).await?) })
        })
        .await
    }

    /// Reads by several queries. They may run again over another connection.
    pub(crate) async fn read<T: Send>(
        &self,
        queries: impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, Error>> + Send + Sync,
    ) -> Result<T, StoreError> {
        match &self.writer {
            Writer::Memory(memory) => Ok(memory.read(queries)?),
            _ => self.readers.read(queries).await,
        }
    }

    /// All rows of a query.
    pub(crate) async fn all<R: Row + Send + 'static>(
        &self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<Vec<R>, StoreError> {
        self.read(|tx| Box::pin(tx.all(sql, args.clone()))).await
    }

    /// The first row of a query, if it has any.
    pub(crate) async fn first<R: Row + Send + 'static>(
        &self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<Option<R>, StoreError> {
        self.read(|tx| Box::pin(tx.first(sql, args.clone()))).await
    }

    /// The row of a query that always has one.
    pub(crate) async fn one<R: Row + Send + 'static>(
        &self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<R, StoreError> {
        self.read(|tx| Box::pin(tx.one(sql, args.clone()))).await
    }
}
