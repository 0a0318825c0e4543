//! Admin requests while no server runs: the same code, with the database opened here.

use std::{path::Path, sync::Arc};

use super::StartError;
use crate::{
    app::{
        App, BackgroundPool,
        admin::{AdminAction, AdminError, AdminOutcome, AdminQuery, run_query},
        wire,
    },
    config::{DatabasePlace, Limits, Site},
    live::{Cluster, Live, OsEntropy, ServerTime},
};
use lusoria_bus::Alone;
use lusoria_store::{
    NodeId, Store,
    postgres::PostgresOptions,
    sqlite::{OnLostCommits, OpenError, SqliteOptions},
};
use uuid::Uuid;

/// The reason that the request was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// The database cannot be opened: there is none, or a server uses it.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The request is refused.
    #[error(transparent)]
    Refused(#[from] AdminError),
}

/// Whether an action may migrate a database of an earlier version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upgrade {
    /// It is migrated.
    Allowed,
    /// The action is refused.
    Refused,
}

/// Carries out a request on the database itself. A query opens a file read-only, even if a server uses it;
/// during an action no server can start. On PostgreSQL both work beside running servers.
///
/// # Errors
/// If there is no database, it has another version, a server uses it, or the request is refused.
pub async fn administer(
    database: &DatabasePlace,
    act: AdminAction,
    upgrade: Upgrade,
) -> Result<AdminOutcome, OfflineError> {
    match (database, act) {
        (DatabasePlace::File(path), AdminAction::Query(question)) => {
            let store = Store::open_file_to_read(path).await.map_err(StartError::Open)?;
            ask(&store, question).await
        }
        (DatabasePlace::File(path), act) => change_file(path, act, upgrade).await,
        (DatabasePlace::Postgres(url), AdminAction::Query(question)) => {
            ask(&open_postgres(url).await?, question).await
        }
        (DatabasePlace::Postgres(url), act) => {
            let store: Arc<Store> = Arc::new(open_postgres(url).await?);
            let id = Uuid::new_v4();
            let name = format!("command {}", id.simple());
            change(store, Cluster { id: NodeId(id), name, bus: Arc::new(Alone::default()) }, act).await
        }
    }
}

async fn open_postgres(url: &str) -> Result<Store, StartError> {
    Ok(Store::open_server(url, PostgresOptions::default()).await?)
}

async fn ask(store: &Store, question: AdminQuery) -> Result<AdminOutcome, OfflineError> {
    let answered = run_query(store, ServerTime::from_system().now(), question).await;
    store.close().await;
    Ok(answered?)
}

async fn change_file(
    database: &Path,
    act: AdminAction,
    upgrade: Upgrade,
) -> Result<AdminOutcome, OfflineError> {
    // Opening would create a database.
    if !database.exists() {
        return Err(StartError::Open(OpenError::Missing(database.to_owned())).into());
    }
    // Only the configuration of a server says whether to continue after lost commits.
    let options = SqliteOptions { on_lost_commits: OnLostCommits::Refuse, ..SqliteOptions::default() };
    let opened = match upgrade {
        Upgrade::Allowed => Store::open_file(database, options).await,
        Upgrade::Refused => Store::open_file_up_to_date(database, options).await,
    };
    change(Arc::new(opened.map_err(StartError::Open)?), Cluster::none(), act).await
}

async fn change(store: Arc<Store>, cluster: Cluster, act: AdminAction) -> Result<AdminOutcome, OfflineError> {
    let live = Live::prepare(
        Arc::clone(&store),
        cluster,
        ServerTime::from_system(),
        Arc::new(OsEntropy),
        Arc::new(wire::JsonRender),
    );
    live.begin_without_scheduler().await.map_err(StartError::Join)?;
    let app = App::new(
        Arc::clone(&live),
        Limits::usual(),
        Site::default(),
        BackgroundPool::Inline,
        Arc::new(BackgroundPool::Inline),
    );
    let done = app.administer(act).await;
    live.stop().await;
    store.close().await;
    Ok(done?)
}
