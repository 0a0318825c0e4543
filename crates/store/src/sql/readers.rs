//! The connections that read.

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use sqlx::Error;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::Tx;
use crate::{
    StoreError,
    failure::{Failure, breaks_connection},
};

/// Opens another connection.
pub(crate) type Open = Box<dyn Fn() -> BoxFuture<'static, Result<Tx, Error>> + Send + Sync>;

/// The connections that read, opened as they are needed.
pub(crate) struct Readers {
    open: Open,
    /// A permit for each connection; closed with the store.
    permits: Arc<Semaphore>,
    max: u32,
    idle: Mutex<Vec<Tx>>,
    /// How long a read waits for a connection.
    connection_within: Duration,
    /// How long it waits for its answer; without a limit a connection never breaks.
    answer_within: Option<Duration>,
}

/// A connection that is read from. If the reader no longer waits, the permit is free when the connection has ended: as
/// long as it runs it counts.
struct Used {
    connection: Option<Tx>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for Used {
    fn drop(&mut self) {
        if let (Some(connection), permit @ Some(_)) = (self.connection.take(), self.permit.take()) {
            tokio::spawn(async move {
                // It is of no more use, whatever its end meets.
                let _ = connection.close().await;
                drop(permit);
            });
        }
    }
}

impl Readers {
    /// At most `max` connections.
    pub(crate) fn new(
        max: u32,
        open: Open,
        connection_within: Duration,
        answer_within: Option<Duration>,
    ) -> Self {
        let permits = Arc::new(Semaphore::new(max as usize));
        Self { open, permits, max, idle: Mutex::default(), connection_within, answer_within }
    }

    /// None, which refuse to read.
    pub(crate) fn none() -> Self {
        let open: Open = Box::new(|| Box::pin(async { Err(Error::PoolClosed) }));
        Self::new(0, open, Duration::ZERO, None)
    }

    /// Reads. What meets a broken connection is read again over another one.
    pub(crate) async fn read<T>(
        &self,
        read: impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, Error>>,
    ) -> Result<T, StoreError> {
        let mut broken = 0;
        loop {
            let permit = Arc::clone(&self.permits).acquire_owned();
            let permit = match timeout(self.connection_within, permit).await {
                Ok(permit) => permit.map_err(|_| StoreError::Closed)?,
                Err(_) => return Err(Failure::Busy("all readers are in use".to_owned()).into()),
            };
            let idle = self.idle.lock().pop();
            let connection = match idle {
                Some(connection) => connection,
                None => (self.open)().await.map_err(|error| Failure::before_commit(&error))?,
            };
            let mut used = Used { connection: Some(connection), permit: Some(permit) };
            let answer = read(used.connection.as_mut().expect("it was just put there"));
            let answer = match self.answer_within {
                Some(within) => timeout(within, answer).await,
                None => Ok(answer.await),
            };
            let error = match answer {
                Ok(Err(error)) if breaks_connection(&error) => Failure::before_commit(&error),
                Ok(done) => {
                    self.idle.lock().extend(used.connection.take());
                    return done.map_err(|error| Failure::before_commit(&error).into());
                }
                Err(_) => Failure::Busy("the database does not answer".to_owned()),
            };
            broken += 1;
            if broken > self.max {
                return Err(error.into());
            }
        }
    }

    /// Waits for the reads in progress, refuses others, and closes the connections.
    pub(crate) async fn close(&self) {
        let all = self.permits.acquire_many(self.max).await;
        self.permits.close();
        drop(all);
        let idle = std::mem::take(&mut *self.idle.lock());
        for connection in idle {
            // A server notices the end in any case.
            let _ = timeout(self.connection_within, connection.close()).await;
        }
    }
}
