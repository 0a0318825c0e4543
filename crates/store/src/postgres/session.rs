//! A connection that writes, and is opened again when it has broken.

use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use sqlx::Error;
use tokio::time::timeout;

use super::open::Target;
use crate::{
    failure::{Failure, breaks_connection},
    sql::{Tx, Undo},
};

/// How long a connection may rest before it is asked whether it still stands. A statement on one that
/// does not would be in doubt for nothing.
const REST_MAX: Duration = Duration::from_secs(1);
/// How often a transaction is tried that meets others.
const TRIES: u32 = 4;

/// A connection for one user at a time.
pub(crate) struct Session {
    target: Target,
    connection: Option<Tx>,
    used_at: Instant,
}

/// What a transaction does between its begin and its end.
pub(crate) type Work<'w, T> =
    dyn for<'c> Fn(&'c mut Tx) -> BoxFuture<'c, Result<T, Undo<T>>> + Send + Sync + 'w;

impl Session {
    pub(crate) fn new(target: Target) -> Self {
        Self { target, connection: None, used_at: Instant::now() }
    }

    /// Runs `work` in a transaction and commits it. It may run again.
    pub(crate) async fn transact<T: Send>(&mut self, work: &Work<'_, T>) -> Result<T, Failure> {
        let mut tried = 0;
        loop {
            tried += 1;
            match self.transact_once(work).await {
                Err(Failure::Conflicting(_)) if tried < TRIES => {}
                done => return done,
            }
        }
    }

    async fn transact_once<T: Send>(&mut self, work: &Work<'_, T>) -> Result<T, Failure> {
        let patience = self.target.answer_timeout;
        let mut connection = self.take().await?;
        let run = async {
            connection.script("BEGIN").await?;
            work(&mut connection).await
        };
        // Without an answer the connection is dropped, and with it the transaction.
        let ran = timeout(patience, run)
            .await
            .map_err(|_| Failure::Busy("the database does not answer".to_owned()))?;
        let (end, outcome) = match ran {
            Ok(done) => ("COMMIT", Ok(done)),
            Err(Undo::With(done)) => ("ROLLBACK", Ok(done)),
            Err(Undo::Error(error)) if breaks_connection(&error) => {
                return Err(Failure::before_commit(&error));
            }
            Err(Undo::Error(error)) => ("ROLLBACK", Err(Failure::before_commit(&error))),
        };
        match timeout(patience, connection.script(end)).await {
            Ok(Ok(())) => self.put_back(connection),
            // What was to be undone is undone with the connection.
            _ if end == "ROLLBACK" => {}
            Ok(Err(error)) => return Err(Failure::of_commit(&error)),
            Err(_) => return Err(Failure::no_answer()),
        }
        outcome
    }

    /// Runs one statement that commits by itself.
    pub(crate) async fn commit<T>(
        &mut self,
        statement: impl AsyncFnOnce(&mut Tx) -> Result<T, Error>,
    ) -> Result<T, Failure> {
        let mut connection = self.take().await?;
        match timeout(self.target.answer_timeout, statement(&mut connection)).await {
            Ok(Ok(done)) => {
                self.put_back(connection);
                Ok(done)
            }
            Ok(Err(error)) => {
                if !breaks_connection(&error) {
                    self.put_back(connection);
                }
                Err(Failure::of_commit(&error))
            }
            Err(_) => Err(Failure::no_answer()),
        }
    }

    /// The connection; another one if it has broken.
    async fn take(&mut self) -> Result<Tx, Failure> {
        if let Some(mut connection) = self.connection.take()
            && (self.used_at.elapsed() < REST_MAX
                || timeout(self.target.connect_timeout, connection.ping())
                    .await
                    .is_ok_and(|answer| answer.is_ok()))
        {
            return Ok(connection);
        }
        self.target.connect().await.map_err(|error| match Failure::before_commit(&error) {
            Failure::Full(text) => Failure::Full(text),
            failure => Failure::Busy(format!("no connection to the database: {failure:?}")),
        })
    }

    fn put_back(&mut self, connection: Tx) {
        self.connection = Some(connection);
        self.used_at = Instant::now();
    }

    /// Ends the connection in order.
    pub(crate) async fn close(&mut self) {
        if let Some(connection) = self.connection.take() {
            // The server notices its end in any case.
            let _ = timeout(self.target.connect_timeout, connection.close()).await;
        }
    }
}
