//! The connections that read.

use std::time::Duration;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use sqlx::Error;
use tokio::{sync::Semaphore, time::timeout};

use super::{
    failure::{Failure, breaks_connection},
    open::Target,
};
use crate::{StoreError, db::Tx};

/// The connections that read, opened as they are needed.
pub(crate) struct Readers {
    target: Target,
    /// A permit for each connection; closed with the store.
    permits: Semaphore,
    max: u32,
    idle: Mutex<Vec<Tx>>,
    /// How long a read waits for a connection, and for its answer.
    connection_within: Duration,
    answer_within: Duration,
}

impl Readers {
    /// At most `max` connections.
    pub(super) fn new(target: &Target, max: u32) -> Self {
        Self {
            target: target.clone(),
            permits: Semaphore::new(max as usize),
            max,
            idle: Mutex::default(),
            connection_within: target.connect_timeout,
            answer_within: target.answer_timeout,
        }
    }

    /// Reads. What meets a broken connection is read again over another one.
    pub(crate) async fn read<T>(
        &self,
        read: impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, Error>>,
    ) -> Result<T, StoreError> {
        let permit = match timeout(self.connection_within, self.permits.acquire()).await {
            Ok(permit) => permit.map_err(|_| StoreError::Closed)?,
            Err(_) => return Err(Failure::Busy("all readers are in use".to_owned()).into()),
        };
        let mut broken = 0;
        let read = loop {
            let idle = self.idle.lock().pop();
            let mut connection = match idle {
                Some(connection) => connection,
                None => self.target.connect().await.map_err(|error| Failure::before_commit(&error))?,
            };
            let error = match timeout(self.answer_within, read(&mut connection)).await {
                Ok(Err(error)) if breaks_connection(&error) => Failure::before_commit(&error),
                Ok(done) => {
                    self.idle.lock().push(connection);
                    break done.map_err(|error| Failure::before_commit(&error).into());
                }
                Err(_) => Failure::Busy("the database does not answer".to_owned()),
            };
            broken += 1;
            if broken > self.max {
                break Err(error.into());
            }
        };
        // Not before the connection is back.
        drop(permit);
        read
    }

    /// Waits for the reads in progress, refuses others, and closes the connections.
    pub(super) async fn close(&self) {
        let all = self.permits.acquire_many(self.max).await;
        self.permits.close();
        drop(all);
        let idle = std::mem::take(&mut *self.idle.lock());
        for connection in idle {
            // The server notices its end in any case.
            let _ = timeout(self.connection_within, connection.close()).await;
        }
    }
}
