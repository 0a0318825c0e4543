//! Admin requests while no server runs: through the same code, with the database opened here.

use std::{path::Path, sync::Arc};

use super::StartError;
use crate::{
    app::{
        App, BackgroundPool,
        admin::{AdminAction, AdminError, AdminOutcome, run_query},
        wire,
    },
    config::Limits,
    live::{Live, OsEntropy, ServerTime},
};
use lusoria_store::{
    Store,
    sqlite::{OnLostCommits, OpenError, SqliteOptions, SqliteStore},
};

/// Why the request was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// The database cannot be opened: there is none, or a server uses it.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The request is refused.
    #[error(transparent)]
    Refused(#[from] AdminError),
}

/// Whether a database of an earlier version is migrated for an action that changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upgrade {
    /// It is migrated.
    Allowed,
    /// The action is refused.
    Refused,
}

/// Carries out a request with the database of this machine. A query opens it read-only, even if a server
/// uses it. During an action no server can start.
///
/// # Errors
/// If there is no database, it has another version, a server uses it, or the request is refused.
pub async fn administer(
    database: &Path,
    act: AdminAction,
    upgrade: Upgrade,
) -> Result<AdminOutcome, OfflineError> {
    match act {
        AdminAction::Query(question) => {
            let store = SqliteStore::open_to_read(database).await.map_err(StartError::Open)?;
            let answered = run_query(&store, ServerTime::from_system().now(), question).await;
            store.close().await;
            Ok(answered?)
        }
        act => change(database, act, upgrade).await,
    }
}

async fn change(database: &Path, act: AdminAction, upgrade: Upgrade) -> Result<AdminOutcome, OfflineError> {
    // Opening would create a database.
    if !database.exists() {
        return Err(StartError::Open(OpenError::Missing(database.to_owned())).into());
    }
    // Only the configuration of a server says whether to go on after lost commits.
    let options = SqliteOptions { on_lost_commits: OnLostCommits::Refuse, ..SqliteOptions::default() };
    let opened = match upgrade {
        Upgrade::Allowed => SqliteStore::open(database, options).await,
        Upgrade::Refused => SqliteStore::open_up_to_date(database, options).await,
    };
    let store: Arc<dyn Store> = Arc::new(opened.map_err(StartError::Open)?);
    let live = Live::prepare(
        Arc::clone(&store),
        ServerTime::from_system(),
        Arc::new(OsEntropy),
        Arc::new(wire::JsonRender),
    )
    .await
    .map_err(StartError::Store)?;
    live.begin_without_scheduler().await.map_err(StartError::Store)?;
    let app = App::new(
        Arc::clone(&live),
        Limits::usual(),
        BackgroundPool::Inline,
        Arc::new(BackgroundPool::Inline),
    );
    let done = app.administer(act).await;
    live.stop().await;
    store.close().await;
    Ok(done?)
}
