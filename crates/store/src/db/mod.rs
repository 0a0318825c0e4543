//! What the store keeps, in words that both databases understand.
//!
//! `value` and `tx` are the layer: statements with arguments and rows of Rust's types. The other modules each keep one
//! kind of thing, as methods of [`Db`]: a read is a query, a write a transaction.

mod accounts;
mod api_tokens;
mod blocks;
mod challenges;
mod conditional;
mod departures;
mod fair_play;
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
use uuid::Uuid;

use self::value::{Row, Value};
pub(crate) use self::{
    challenges::Accepted,
    guests::first_gone,
    nodes::{Pulse, begin_new_history},
    ratings::RatingEntry,
    seeks::Answered,
    tx::Tx,
};
use crate::{
    StoreError,
    postgres::{readers::Readers, writer::Writer},
};

/// A database that is open for reading and writing.
pub(crate) struct Db {
    pub(crate) readers: Readers,
    pub(crate) writer: Writer,
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
        let shared = Arc::new((args, work));
        let run = self.writer.write(of, move |tx| {
            let shared = Arc::clone(&shared);
            Box::pin(async move { (shared.1)(tx, &shared.0).await })
        });
        Ok(run.await?)
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
        self.readers.read(queries).await
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
