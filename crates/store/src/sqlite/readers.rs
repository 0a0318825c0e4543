//! The connections that read.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::failure::{self, Failure};
use crate::StoreError;

/// How long a read waits for a free connection.
const CONNECTION_WITHIN: Duration = Duration::from_secs(5);

/// Opens another connection.
type Open = dyn Fn() -> rusqlite::Result<Connection> + Send + Sync;

/// Connections that read, each at most one query at a time, on threads that may block.
pub(super) struct Readers {
    /// A permit for each connection; closed with the store.
    permits: Arc<Semaphore>,
    max: u32,
    idle: Arc<Mutex<Vec<Connection>>>,
    open: Arc<Open>,
}

impl Readers {
    /// At most `max` connections. The first is opened now.
    pub(super) fn new(
        max: u32,
        open: impl Fn() -> rusqlite::Result<Connection> + Send + Sync + 'static,
    ) -> rusqlite::Result<Self> {
        let idle = Arc::new(Mutex::new(vec![open()?]));
        Ok(Self { permits: Arc::new(Semaphore::new(max as usize)), max, idle, open: Arc::new(open) })
    }

    /// Runs queries on a connection.
    ///
    /// # Errors
    /// [`StoreError::Closed`] after [`Self::close`], [`StoreError::Busy`] if no connection becomes
    /// free in time, and what the queries meet.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        queries: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        let permit = match tokio::time::timeout(CONNECTION_WITHIN, permit).await {
            Ok(permit) => permit.map_err(|_| StoreError::Closed)?,
            Err(_) => return Err(Failure::Busy("all readers are in use".to_owned()).into()),
        };
        let (idle, open) = (Arc::clone(&self.idle), Arc::clone(&self.open));
        let read = tokio::task::spawn_blocking(move || {
            let waiting = idle.lock().pop();
            let connection = waiting.map_or_else(|| open(), Ok)?;
            let read = queries(&connection);
            idle.lock().push(connection);
            // Not before the connection is back, even if the caller no longer waits.
            drop(permit);
            read
        });
        let read = read.await.map_err(|error| StoreError::Failed(error.to_string()))?;
        read.map_err(failure::of_read)
    }

    /// Waits for the reads in progress, refuses others, and closes the connections.
    pub(super) async fn close(&self) {
        let all = self.permits.acquire_many(self.max).await;
        self.permits.close();
        drop(all);
        self.idle.lock().clear();
    }
}

/// Does what may block on a thread of its own.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("the work does not panic")
}
