//! The store in a PostgreSQL database, which many nodes share.
//!
//! Nodes coordinate through row locks and compare-and-set alone: what a transaction has checked, it has
//! locked. Commits are as durable as the database makes them; [`Store::open_server`] refuses one that
//! is configured to lose some. What was sent over a connection that broke may have been committed or not:
//! [`crate::Store::settle`] waits for it and shuts out what comes late.
//!
//! Events are kept as the text that was written, each append for itself. Finished matches are not packed:
//! PostgreSQL compresses only values of more than 2 kB.
//!
//! What is kept is said once for both databases (`crate::db`); here is what a server alone needs. Imports go one
//! way, from the bottom up: `options`, `failure`, `open_error`, `migrations`, `open` (connecting); `session` (a
//! connection that writes), `readers`; `appends`, `creation`, `journal`; `writer`, which runs them; `operating`; and
//! `moving`, which needs only `open`.

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
    Store, StoreError,
    db::{Backend, Done, Tx, begin_new_history},
    failure::Failure,
    readers::Readers,
};
use open::Target;
use session::Session;
use writer::Writer;

/// A database on a server that is open.
pub(crate) struct Server {
    id: Uuid,
    target: Target,
    pub(crate) writer: Writer,
    /// The connection of the beat, which waits for no other write; none once it is closed.
    pulse: Mutex<Option<Session>>,
}

impl Store {
    /// Connects to the database `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, and migrates it if it is
    /// empty or of an earlier version.
    ///
    /// # Errors
    /// If it cannot be reached, is another program's or a newer version's, or does not keep what it
    /// commits. No error has the password.
    pub fn open_server(url: &str, options: PostgresOptions) -> BoxFuture<'_, Result<Self, OpenError>> {
        Box::pin(async move {
            let target = Target::parse(url, &options)?;
            let id = target.prepare().await?;
            let open = target.opener();
            let readers =
                Readers::new(options.readers, open, target.connect_timeout, Some(target.answer_timeout));
            let writer = Writer::start(&target, &options);
            let pulse = Mutex::new(Some(Session::new(target.of_pulse())));
            Ok(Self::of(readers, Backend::Server(Box::new(Server { id, target, writer, pulse }))))
        })
    }

    /// What all nodes on this store are called together, which never changes; nil if it is not on a server.
    pub const fn cluster_id(&self) -> Uuid {
        if let Backend::Server(server) = &self.backend { server.id } else { Uuid::nil() }
    }

    /// Begins another history on a server, as after a backup has been restored: clients discard what they know, and
    /// nodes that run learn of it with their next beat.
    ///
    /// # Errors
    /// As [`Self::open_server`].
    pub fn begin_new_history(url: &str) -> BoxFuture<'_, Result<(), OpenError>> {
        Box::pin(async move {
            let target = Target::parse(url, &PostgresOptions::default())?;
            target.prepare().await?;
            let place = target.place.clone();
            let begun = begin_new_history(target).await;
            begun.map_err(|error| OpenError::Failed { place, why: error.to_string() })
        })
    }
}

impl Server {
    /// Whether the last write found the disk of the database full, a moment ago.
    pub(crate) fn is_full(&self) -> bool {
        self.writer.disk_is_full()
    }

    /// As [`Store::erase_remains`].
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
