//! A write, as the writer runs it inside of a transaction.

use futures_util::future::BoxFuture;
use sqlx::SqliteConnection;

/// A write: what it does inside of the transaction.
///
/// It may run again after a rollback, so `run` takes it by reference.
pub(super) trait Write: Send + Sync + 'static {
    /// Its result. A refusal is an outcome too: of a write that changed nothing.
    type Outcome: Send + 'static;

    /// Whether its commit may be acknowledged to a client: only then is a loss of it noticed.
    const IS_ACKNOWLEDGED: bool = true;

    /// Runs it. After an error the transaction cannot go on.
    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<Self::Outcome>>;
}
