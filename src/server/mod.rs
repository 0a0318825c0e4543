//! Starts and stops the server: the database, the live matches, the listeners.

mod accept;
mod admin;
mod error;
mod lingering;
mod listeners;
mod metrics;
mod offline;
mod request_body;
mod requests_in_flight;
mod signals;

pub use admin::socket_path;
pub use error::StartError;
pub use offline::{OfflineError, Upgrade, administer};

use std::{net::SocketAddr, path::Path, sync::Arc, time::Duration};

use lusoria_bus::{Alone, Bus, NatsBus};
use tokio::time::Instant;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    app::{App, BackgroundPool, Connections},
    bots::{self, Search},
    config::{Config, DatabasePlace, LostCommits},
    http,
    live::{Cluster, Entropy, Live, OsEntropy, ServerTime},
    push::{self, Https},
    ws,
};
use accept::ConnectionLimits;
use listeners::Listeners;
use lusoria_store::{
    JoinError, NodeId, Store, StoreError,
    postgres::PostgresOptions,
    sqlite::{OnLostCommits, OpenError, SqliteOptions},
};
pub use signals::StopSignals;
use uuid::Uuid;

/// How often to try to open the database while another program holds its lock.
const TRIED_EVERY: Duration = Duration::from_millis(100);

/// How often outdated limits are removed.
const SWEEP_EVERY: Duration = Duration::from_mins(1);

/// How long a start waits until the page is stored for nodes of other releases.
const PAGE_KEPT_WITHIN: Duration = Duration::from_secs(10);

/// A running server.
pub struct Server {
    address: SocketAddr,
    app: Arc<App>,
    live: Arc<Live>,
    store: Arc<Store>,
    stopping: CancellationToken,
    tasks: TaskTracker,
    grace: Duration,
}

impl Server {
    /// Binds the addresses, and then opens the database. So an address in use is found before the database is
    /// migrated and its matches continue.
    ///
    /// # Errors
    /// If the database cannot be opened or an address cannot be bound.
    pub async fn start(config: &Config) -> Result<Self, StartError> {
        Self::start_unless(config, &CancellationToken::new()).await
    }

    /// Starts as [`Self::start`] does, but gives up if it is cancelled before the database is open: while it
    /// waits for the database, or migrates it.
    ///
    /// # Errors
    /// As [`Self::start`]; [`OpenError::Cancelled`] if it is cancelled by then.
    pub async fn start_unless(config: &Config, cancelled: &CancellationToken) -> Result<Self, StartError> {
        let listeners = Listeners::open(config)?;
        let (store, cluster) = open_store(config, listeners.address, cancelled).await?;
        let (time, entropy) = (ServerTime::from_system(), Arc::new(OsEntropy));
        let server = Self::start_on(listeners, config, store, cluster, time, entropy).await?;
        #[cfg(unix)]
        server.open_admin_socket(config);
        Ok(server)
    }

    /// Opens the admin socket. The server also works without it.
    #[cfg(unix)]
    fn open_admin_socket(&self, config: &Config) {
        let beside = match &config.database {
            DatabasePlace::File(path) => Some(socket_path(path)),
            DatabasePlace::Postgres(_) => None,
        };
        let Some(path) = config.admin_socket.clone().or(beside) else { return };
        match admin::AdminSocket::open(&path) {
            Ok(socket) => drop(self.tasks.spawn(socket.serve(Arc::clone(&self.app), self.stopping.clone()))),
            Err(error) => tracing::warn!(
                path = %path.display(), %error,
                "could not open the admin socket: \"lusoria admin\" cannot reach this server; choose another path with --admin-socket"
            ),
        }
    }

    /// Starts with the caller's store, clock and random source.
    ///
    /// # Errors
    /// If the store cannot be read or an address cannot be bound.
    pub async fn start_with(
        config: &Config,
        store: Arc<Store>,
        time: ServerTime,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, StartError> {
        Self::start_on(Listeners::open(config)?, config, store, Cluster::none(), time, entropy).await
    }

    async fn start_on(
        listeners: Listeners,
        config: &Config,
        store: Arc<Store>,
        cluster: Cluster,
        time: ServerTime,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, StartError> {
        let render = Arc::new(crate::app::wire::JsonRender);
        let live = Live::prepare(Arc::clone(&store), cluster, time, entropy, render);
        let background = BackgroundPool::with_threads(config.limits.rules_at_once.into());
        let thinking = Arc::new(BackgroundPool::with_threads(config.limits.computer_threads.into()));
        let app = App::new(
            Arc::clone(&live),
            config.limits.clone(),
            config.site.clone(),
            background,
            Arc::clone(&thinking),
        );
        let stopping = CancellationToken::new();
        let tasks = TaskTracker::new();
        keep_page(&app).await;
        let connections = Connections::until(&stopping);
        let socket = |api| ws::route(&app, api, &config.limits, &connections);
        let router = http::router(&app, config, &connections, socket);
        let limits = ConnectionLimits {
            total: config.limits.connections as usize,
            per_address: config.limits.connections_per_address as usize,
            trusted: config.trusted_proxy.clone(),
        };

        // Last, right before the first connection is accepted: the credit for the outage ends here.
        live.begin().await.map_err(|error| match error {
            JoinError::Store(why @ (StoreError::Busy(_) | StoreError::Unknown(_))) if store.is_shared() => {
                StartError::Away(why)
            }
            error => error.into(),
        })?;
        tasks.spawn(accept::accept(
            listeners.listener,
            router,
            Arc::clone(&app),
            limits,
            stopping.clone(),
            tasks.clone(),
        ));
        bots::start(&live, Arc::new(Search), thinking, &config.limits, &tasks);
        if app.push_hosts().is_ok() {
            push::start(&app, Arc::new(Https), &tasks);
        }
        app.start_analyses(&tasks);
        let (leaving, until) = (Arc::clone(&app), stopping.clone());
        tasks.spawn(async move { until.run_until_cancelled(leaving.keep_finishing_departures()).await });
        let (counting, until) = (Arc::clone(&app), stopping.clone());
        tasks.spawn(async move { until.run_until_cancelled(counting.keep_counting()).await });
        let (checking, until) = (Arc::clone(&app), stopping.clone());
        tasks.spawn(async move { until.run_until_cancelled(checking.keep_checking()).await });
        let (rating, until) = (Arc::clone(&app), stopping.clone());
        tasks.spawn(async move { until.run_until_cancelled(rating.keep_ratings_fresh()).await });
        tasks.spawn(close_when_interrupted(Arc::clone(&live), connections, stopping.clone()));
        tasks.spawn(sweep(Arc::clone(&app), listeners.metrics.is_some(), stopping.clone()));
        if let Some(listeners::MetricsListener { listener, address, handle }) = listeners.metrics {
            tasks.spawn(metrics::serve(handle, listener, address, stopping.clone()));
        }
        let address = listeners.address;
        Ok(Self { address, app, live, store, stopping, tasks, grace: config.shutdown_grace() })
    }

    /// Waits until another server has taken this one's name, so that this one must stop.
    pub async fn expelled(&self) {
        self.live.expelled().cancelled().await;
    }

    /// The address, with the actual port if port 0 was configured.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops: accepts no more connections, closes the sockets, completes requests in flight within the grace
    /// period, and closes the store.
    pub async fn stop(self) {
        self.stopping.cancel();
        // Matches first: from here on no clock runs, however long a client takes to disconnect.
        self.live.stop().await;
        self.tasks.close();
        let ended = async {
            self.tasks.wait().await;
            // A WebSocket is detached from the connection that it came by, so the connection does not wait
            // for it.
            self.app.streams_ended().await;
        };
        if tokio::time::timeout(self.grace, ended).await.is_err() {
            tracing::warn!("some connections were still open at the end of the grace period; closing them");
        }
        self.app.note_seen().await;
        self.store.close().await;
    }
}

/// Runs the server until a stop signal ([`StopSignals`]).
///
/// # Errors
/// If it does not start.
pub async fn serve(config: &Config) -> Result<(), StartError> {
    // Before the server prints that it runs, because a stop signal may follow at once.
    let stop = cancelled_by_signal();
    let server = match Server::start_unless(config, &stop).await {
        Err(StartError::Open(OpenError::Cancelled(_)) | StartError::Cancelled) => {
            tracing::info!("stopped before the database was open");
            return Ok(());
        }
        started => started?,
    };
    println!("lusoria listens on http://{}", server.address());
    let is_expelled = tokio::select! {
        () = stop.cancelled() => false,
        () = server.expelled() => true,
    };
    let name = config.nodes.name(server.address().port());
    tracing::info!("stopping");
    server.stop().await;
    if is_expelled { Err(StartError::Expelled(name)) } else { Ok(()) }
}

/// Cancelled by the first stop signal.
fn cancelled_by_signal() -> CancellationToken {
    let stop = CancellationToken::new();
    match StopSignals::listen() {
        Ok(mut signals) => {
            let stop = stop.clone();
            tokio::spawn(async move {
                signals.asked().await;
                stop.cancel();
            });
        }
        Err(error) => tracing::error!(%error, "cannot listen for signals"),
    }
    stop
}

/// Opens the configured database, and the bus to the nodes that share it.
async fn open_store(
    config: &Config,
    address: SocketAddr,
    cancelled: &CancellationToken,
) -> Result<(Arc<Store>, Cluster), StartError> {
    let url = match &config.database {
        DatabasePlace::File(_) if config.nodes.nats().is_some() => return Err(StartError::NatsWithFile),
        DatabasePlace::File(path) => {
            return Ok((Arc::new(open_file(config, path, cancelled).await?), Cluster::none()));
        }
        DatabasePlace::Postgres(url) => url,
    };
    let opening = Store::open_server(url, PostgresOptions::default());
    let store = cancelled.run_until_cancelled(opening).await.ok_or(StartError::Cancelled)??;
    let bus: Arc<dyn Bus> = match config.nodes.nats() {
        Some(options) => Arc::new(NatsBus::start(options, store.cluster_id())?),
        None => Arc::new(Alone::default()),
    };
    let name = config.nodes.name(address.port());
    tracing::info!(node = name, "this server is one of those on its PostgreSQL database");
    Ok((Arc::new(store), Cluster { id: NodeId(Uuid::new_v4()), name, bus }))
}

/// Opens a database file. Waits for a while if an offline command uses it, or another program holds a lock on
/// the file.
async fn open_file(config: &Config, path: &Path, cancelled: &CancellationToken) -> Result<Store, OpenError> {
    let options = SqliteOptions {
        reserve_bytes: config.disk_reserve_bytes,
        pack_after: config.pack_after(),
        on_lost_commits: match config.on_lost_commits {
            LostCommits::NewHistory => OnLostCommits::NewHistory,
            LostCommits::Refuse => OnLostCommits::Refuse,
        },
        cancel_opening: cancelled.clone(),
        ..SqliteOptions::default()
    };
    let until = Instant::now() + options.busy_timeout;
    loop {
        match Store::open_file(path, options.clone()).await {
            Err(OpenError::InUse(_)) if Instant::now() < until => {
                let again = tokio::time::sleep(TRIED_EVERY);
                if cancelled.run_until_cancelled(again).await.is_none() {
                    return Err(OpenError::Cancelled(path.to_owned()));
                }
            }
            opened => return opened,
        }
    }
}

/// Stores the page for nodes of other releases. Without it a browser that they send here may get a mixture of
/// two releases.
async fn keep_page(app: &App) {
    if !app.has_neighbours() {
        return;
    }
    let (hash, files) = http::page();
    let kept = tokio::time::timeout(PAGE_KEPT_WITHIN, app.keep_page(hash, files)).await;
    if !matches!(kept, Ok(Ok(()))) {
        tracing::warn!(
            ?kept,
            "could not keep the page for servers of other releases: until they are replaced, a browser that \
             they send here gets the files of this release"
        );
    }
}

/// Closes all sockets and streams whenever the live matches require it.
async fn close_when_interrupted(live: Arc<Live>, connections: Connections, stopping: CancellationToken) {
    while stopping.run_until_cancelled(live.interrupted()).await.is_some() {
        connections.close_all();
    }
}

async fn sweep(app: Arc<App>, counts: bool, stopping: CancellationToken) {
    let mut every = tokio::time::interval(SWEEP_EVERY);
    loop {
        tokio::select! {
            () = stopping.cancelled() => return,
            _ = every.tick() => {
                app.sweep();
                app.note_seen().await;
                if counts {
                    app.count_matches().await;
                }
            }
        }
    }
}
