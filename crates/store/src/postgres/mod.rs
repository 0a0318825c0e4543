//! The store in a PostgreSQL database, which many nodes share.
//!
//! Nodes coordinate through row locks and compare-and-set alone: what a transaction has checked, it has
//! locked. Commits are as durable as the database makes them; [`PostgresStore::open`] refuses one that
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
pub(crate) use operating::erase_remains;
pub use options::PostgresOptions;

use crate::{
    db::{self, Db, begin_new_history},
    readers::Readers,
};
use open::Target;
use session::Session;
use writer::Writer;

/// The store in a PostgreSQL database.
pub struct PostgresStore {
    id: Uuid,
    pub(crate) target: Target,
    pub(crate) db: Db,
}

impl PostgresStore {
    /// Connects to the database `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, and migrates it if it is
    /// empty or of an earlier version.
    ///
    /// # Errors
    /// If it cannot be reached, is another program's or a newer version's, or does not keep what it
    /// commits. No error has the password.
    pub fn open(url: &str, options: PostgresOptions) -> BoxFuture<'_, Result<Self, OpenError>> {
        Box::pin(async move {
            let target = Target::parse(url, &options)?;
            let id = target.prepare().await?;
            let open = target.opener();
            let readers =
                Readers::new(options.readers, open, target.connect_timeout, Some(target.answer_timeout));
            let writer = db::Writer::Server(Writer::start(&target, &options));
            let pulse = Mutex::new(Some(Session::new(target.of_pulse())));
            Ok(Self { id, db: Db { readers, writer, pulse }, target })
        })
    }

    /// What the nodes on this database are called together: it never changes.
    pub const fn id(&self) -> Uuid {
        self.id
    }

    /// Begins another history, as after a backup has been restored: clients discard what they know, and
    /// nodes that run learn of it with their next beat.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn begin_new_history(url: &str) -> BoxFuture<'_, Result<(), OpenError>> {
        Box::pin(async move {
            let target = Target::parse(url, &PostgresOptions::default())?;
            target.prepare().await?;
            let place = target.place.clone();
            let begun = begin_new_history(target).await;
            begun.map_err(|error| OpenError::Failed { place, why: error.to_string() })
        })
    }

    /// Whether the last write found the disk of the database full, a moment ago.
    pub(crate) fn is_full(&self) -> bool {
        matches!(&self.db.writer, db::Writer::Server(writer) if writer.disk_is_full())
    }

    pub(crate) async fn close_all(&self) {
        if let db::Writer::Server(writer) = &self.db.writer {
            writer.close().await;
        }
        if let Some(mut pulse) = self.db.pulse.lock().await.take() {
            pulse.close().await;
        }
        self.db.readers.close().await;
    }
}
