//! One life of the server: from its start until it is stopped or killed.

use std::{sync::Arc, time::Duration};

use lusoria::{
    app::{App, BackgroundPool, ClientAddress, Connections},
    bots,
    config::{Config, Limits, TalkPolicy},
    http,
    live::{Cluster, LastRead},
    ws::Sockets,
};
use lusoria_bus::HubBus;
use lusoria_protocol::{SpendDeviceCode, Token};
use lusoria_store::{JoinError, NodeId, Store};
use lusoria_testkit::parsed;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::support::server::{self, ADDRESS};

use super::{
    invariants::{Verdict, holds},
    mind::Anything,
    network::ServersEnd,
    node::{Gate, GatedBus, Pace},
    world::{EPOCH, Shared, World},
};

/// How long a server that stops waits for its clients to leave.
const GRACE: Duration = Duration::from_secs(10);

/// By how much the clock of a machine may be off when its node starts, in milliseconds.
const CLOCK_OFF_MAX_MS: u64 = 90_000;

/// Buckets are filled by real time, which does not pass here: nobody may meet them.
const NO_LIMIT: u32 = 1_000_000;

const LIMITS: Limits = Limits {
    talk: TalkPolicy::Phrases,
    childrens_mode: false,
    guest_requests_per_s: NO_LIMIT,
    guest_burst: NO_LIMIT,
    address_requests_per_s: NO_LIMIT,
    address_burst: NO_LIMIT,
    address_total_per_s: None,
    new_guests_per_hour: NO_LIMIT,
    unfinished_matches: 100,
    computer_matches: 20,
    computer_against_itself: 50,
    computer_threads: 1,
    hints_per_minute: NO_LIMIT,
    evaluations_per_minute: NO_LIMIT,
    analysis_nodes: 1,
    fair_play_checks_per_hour: 0,
    analyses_waiting: 1,
    rollouts_waiting: 1,
    rollout_games: 36,
    rules_at_once: 1,
    costly_per_address: 8,
    unread_bytes_per_address: 8 << 20,
    unread_bytes: 256 << 20,
    connections: NO_LIMIT,
    sockets_per_address: NO_LIMIT,
    connections_per_address: NO_LIMIT,
    watches_per_socket: 200,
    body_bytes: 16 * 1024,
};

/// All sockets of a node are closed only if something is wrong with it, or another history has begun.
fn may_interrupt(world: &World, node: usize) -> Verdict {
    let is_well = world.well_since(node).is_some_and(|since| since < world.now());
    holds(!is_well || world.is_history_new(), || format!("of node {node}"))
}

/// A server that runs.
pub(super) struct Life {
    pub(super) app: Arc<App>,
    sockets: Arc<Sockets>,
    stopping: CancellationToken,
    conversations: TaskTracker,
    gate: Arc<Gate>,
}

impl Life {
    /// Starts a server on what the store holds.
    pub(super) async fn start_alone(world: &Shared, store: Arc<Store>) -> Result<Self, JoinError> {
        let (drawn, now) = {
            let mut world = world.lock();
            // Somebody may have set the clock of the machine meanwhile.
            let right = EPOCH + world.now();
            let now = match world.random.below(10) {
                0 => right - world.random.below(90_000),
                1 => right + world.random.below(90_000),
                _ => right,
            };
            (world.random.number(), now)
        };
        // Each life draws other random bytes.
        let app = server::app(store, now, drawn, &LIMITS).await?;
        world.lock().server_tells(app.live().now());
        Ok(Self::of(app, Arc::default()).0)
    }

    fn of(app: Arc<App>, gate: Arc<Gate>) -> (Self, Connections) {
        let stopping = CancellationToken::new();
        let connections = Connections::until(&stopping);
        let mut config: Config = parsed(&[]);
        config.limits = LIMITS;
        let sockets = Sockets::new(&app, http::api(&app, &config, &connections), &LIMITS, &connections);
        (Self { app, sockets, stopping, conversations: TaskTracker::new(), gate }, connections)
    }

    /// Starts one of several nodes on what the store holds.
    pub(super) async fn start(
        world: &Shared,
        store: Arc<Store>,
        bus: HubBus,
        node: usize,
        gate: Arc<Gate>,
    ) -> Result<Self, JoinError> {
        let (drawn, now, id) = {
            let mut world = world.lock();
            // The machines of a cluster have clocks of their own.
            let now = EPOCH + world.now() + world.random.below(2 * CLOCK_OFF_MAX_MS) - CLOCK_OFF_MAX_MS;
            let id = u128::from(world.random.number()) << 64 | u128::from(world.random.number());
            (world.random.number(), now, id)
        };
        let bus = Arc::new(GatedBus { inner: bus, gate: Arc::clone(&gate) });
        let cluster = Cluster { id: NodeId(Uuid::from_u128(id)), name: format!("node {node}"), bus };
        let app = server::node(store, cluster, now, drawn, &LIMITS).await?;
        let (life, connections) = Self::of(app, gate);
        let mind = Arc::new(Anything { world: Shared::clone(world), node });
        bots::start(life.app.live(), mind, Arc::new(BackgroundPool::Inline), &LIMITS, &TaskTracker::new());
        let (matches, world) = (Arc::clone(life.app.live()), Shared::clone(world));
        tokio::spawn(async move {
            loop {
                matches.interrupted().await;
                {
                    let mut world = world.lock();
                    world.note(format_args!("node {node} closes its sockets"));
                    world.reach("sockets closed");
                    world.nodes[node].interrupted_at = Some(world.now());
                    let verdict = may_interrupt(&world, node);
                    world.must("sockets_are_closed_with_a_reason", verdict);
                }
                connections.close_all();
            }
        });
        Ok(life)
    }

    /// It is killed: whatever it still tries goes nowhere.
    pub(super) fn kill(&self) {
        self.gate.set(Pace::Dead);
        // Its tasks need not go on for ever.
        self.app.live().stopping().cancel();
    }

    pub(super) fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Begins the conversation on a link.
    pub(super) fn open(&self, world: &Shared, link: usize) {
        let (end, sockets, world) =
            (ServersEnd::new(world, link), Arc::clone(&self.sockets), Shared::clone(world));
        self.conversations.spawn(async move {
            let ending = sockets.converse(end, ClientAddress(ADDRESS), LastRead::default()).await;
            world.lock().conversation_ended(link, ending);
        });
    }

    /// Signs a guest in on another device.
    pub(super) async fn sign_in_again(&self, token: Token) -> Token {
        let caller = self.app.authenticate(token).await.expect("a good token");
        let code = self.app.device_code(&caller).await.expect("the weather is fair at the beginning").code;
        let request = SpendDeviceCode { code, device: None };
        self.app.spend_device_code(&request).await.expect("a good code").token
    }

    /// Makes a guest.
    pub(super) async fn guest(&self) -> lusoria_protocol::Guest {
        let request = lusoria_protocol::CreateGuest::default();
        self.app.create_guest(request, ADDRESS).await.expect("the weather is fair at the beginning")
    }

    /// Stops as the server does when it is told to.
    pub(super) fn stopped(&self) -> impl Future<Output = ()> + use<> {
        let (app, stopping) = (Arc::clone(&self.app), self.stopping.clone());
        let conversations = self.conversations.clone();
        async move {
            stopping.cancel();
            app.live().stop().await;
            conversations.close();
            let _ = tokio::time::timeout(GRACE, conversations.wait()).await;
        }
    }
}
