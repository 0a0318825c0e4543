//! The store in a PostgreSQL database, which many nodes share.
//!
//! Nodes coordinate through row locks and compare-and-set alone: what a transaction has checked, it has
//! locked. Commits are as durable as the database makes them; [`crate::Store::open_server`] refuses one that
//! is configured to lose some. What was sent over a connection that broke may have been committed or not:
//! [`crate::Store::settle`] waits for it and shuts out what comes late.
//!
//! Events are kept as the text that was written, each append for itself. Finished matches are not packed:
//! PostgreSQL compresses only values of more than 2 kB.
//!
//! What is kept is said once for both databases, above (`crate::db`); here is what a server alone needs. Imports go one
//! way, from the bottom up: `options`, `failure`, `open_error`, `migrations`, `open` (connecting); `session` (a
//! connection that writes); `journal`; `writer`, which runs them; `operating`; and `moving`, which needs only `open`.

pub(crate) mod journal;
pub(crate) mod migrations;
pub(crate) mod moving;
pub(crate) mod open;
mod open_error;
mod operating;
mod options;
pub(crate) mod session;
pub(crate) mod writer;

use futures_util::future::BoxFuture;
use tokio::sync::Mutex;
use uuid::Uuid;

pub use open_error::OpenError;
pub use options::PostgresOptions;

use crate::{
    StoreError,
    failure::Failure,
    sql::{Done, Readers, Tx},
};
use open::Target;
use session::Session;
use writer::Writer;

/// A database on a server that is open.
pub(crate) struct Server {
    /// What all nodes on it are called together, which never changes.
    pub(crate) id: Uuid,
    target: Target,
    pub(crate) writer: Writer,
    /// The connection of the beat, which waits for no other write; none once it is closed.
    pulse: Mutex<Option<Session>>,
}

impl Server {
    /// Connects to a database, and migrates it if it is empty or of an earlier version.
    pub(crate) async fn open(url: &str, options: PostgresOptions) -> Result<(Readers, Self), OpenError> {
        let target = Target::parse(url, &options)?;
        let id = target.prepare().await?;
        let open = target.opener();
        let readers =
            Readers::new(options.readers, open, target.connect_timeout, Some(target.answer_timeout));
        let writer = Writer::start(&target, &options);
        let pulse = Mutex::new(Some(Session::new(target.of_pulse())));
        Ok((readers, Self { id, target, writer, pulse }))
    }

    /// Whether the last write found the disk of the database full, a moment ago.
    pub(crate) fn is_full(&self) -> bool {
        self.writer.disk_is_full()
    }

    /// As [`crate::Store::erase_remains`].
    pub(crate) async fn erase_remains(&self) -> Result<bool, StoreError> {
        operating::erase_remains(&self.target).await
    }

    /// Runs a transaction of the beat.
    pub(crate) async fn beat_with<T: Send>(
        &self,
        work: &(impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Done<T>> + Send + Sync),
    ) -> Result<T, Failure> {
        let mut session = self.pulse.lock().await;
        session.as_mut().ok_or(Failure::Closed)?.transact(work).await
    }

    /// Stops accepting writes, commits those that wait and closes the connections.
    pub(crate) async fn close(&self, readers: &Readers) {
        self.writer.close().await;
        if let Some(mut pulse) = self.pulse.lock().await.take() {
            pulse.close().await;
        }
        readers.close().await;
    }
}
