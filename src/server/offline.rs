//! What the person who runs a server does while it does not run: through the same code, with
//! the database to itself.

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

/// Why it was not done.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// The database cannot be had: there is none, or a server has it.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It makes no sense.
    #[error(transparent)]
    Refused(#[from] AdminError),
}

/// Whether a database of an earlier version is brought up to date for an act that changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upgrade {
    /// It is.
    Allowed,
    /// The act is refused.
    Refused,
}

/// Does it with the database that is there. What only asks reads it, even if a server has it, and
/// leaves it as it is; while anything else is done no server can start.
///
/// # Errors
/// If there is none, it is of another version, a server has it, or the act is refused.
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
    // Opening would make one.
    if !database.exists() {
        return Err(StartError::Open(OpenError::Missing(database.to_owned())).into());
    }
    // Whether to go on after a loss is said where a server is started.
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
        Arc::new(wire::Lines),
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
