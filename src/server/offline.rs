//! What the person who runs a server does while it does not run: through the same code, with
//! the database to itself.

use std::{path::Path, sync::Arc};

use super::StartError;
use crate::{
    app::{
        App, Aside,
        admin::{Act, Done, Refused},
        wire,
    },
    config::Limits,
    live::{Live, OsEntropy, ServerTime},
    store::{
        Store,
        sqlite::{OpenError, SqliteOptions, SqliteStore},
    },
};

/// Why it was not done.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// The database cannot be had: there is none, or a server has it.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It makes no sense.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// Does it with the database that is there.
///
/// # Errors
/// If there is none, a server has it, or the act is refused.
pub async fn administer(database: &Path, act: Act) -> Result<Done, OfflineError> {
    // Opening would make one.
    if !database.exists() {
        return Err(StartError::Open(OpenError::Missing(database.to_owned())).into());
    }
    let store = SqliteStore::open(database, SqliteOptions::default()).await.map_err(StartError::Open)?;
    let store: Arc<dyn Store> = Arc::new(store);
    let live = Live::without_scheduler(
        Arc::clone(&store),
        ServerTime::from_system(),
        Arc::new(OsEntropy),
        Arc::new(wire::Lines),
    )
    .await
    .map_err(StartError::Store)?;
    let app = App::new(Arc::clone(&live), Limits::usual(), Aside::AtOnce, Arc::new(Aside::AtOnce));
    let done = app.administer(act).await;
    live.stop().await;
    store.close().await;
    Ok(done?)
}
