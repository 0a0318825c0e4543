//! Several nodes over one store on virtual time, for runs whose clients ask the application itself.

use std::{sync::Arc, time::Duration};

use lusoria::app::App;
use lusoria_bus::Hub;
use lusoria_store::Store;
use parking_lot::Mutex;
use tokio::{
    runtime::Builder,
    time::{Instant, sleep},
};

use super::{
    cluster_plan::NODES,
    life::Life,
    node::{Gate, NodeState},
    plan::Plan,
    store::weathered,
    world::{EPOCH, Shared, World},
};
use crate::support::random::Random;

/// The nodes that run, as clients find them.
#[derive(Default)]
pub(super) struct Open(Mutex<[Option<Arc<App>>; NODES]>);

impl Open {
    /// Waits for any of them.
    pub(super) async fn any(&self, random: &mut Random) -> Arc<App> {
        loop {
            match random.pick(&self.all()) {
                Some(app) => return Arc::clone(app),
                None => sleep(Duration::from_millis(200)).await,
            }
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<Arc<App>> {
        self.0.lock().iter().flatten().cloned().collect()
    }
}

/// Nodes, what they keep, and how they hear each other.
pub(super) struct Nodes {
    pub(super) world: Shared,
    pub(super) kept: Arc<Store>,
    pub(super) open: Arc<Open>,
    hub: Hub,
}

impl Nodes {
    /// Starts a node, as soon as the one before it no longer counts as running.
    pub(super) async fn start(&self, node: usize) -> Life {
        let gate = Arc::<Gate>::default();
        let store = weathered(&self.kept, &self.world, node, &gate);
        loop {
            let bus = self.hub.connect(node);
            match Life::start(&self.world, Arc::clone(&store), bus, node, Arc::clone(&gate)).await {
                Ok(life) => {
                    self.open.0.lock()[node] = Some(Arc::clone(&life.app));
                    let mut world = self.world.lock();
                    world.nodes[node].up_since = Some(world.now());
                    return life;
                }
                Err(_) => sleep(Duration::from_millis(500)).await,
            }
        }
    }

    /// Kills a node.
    pub(super) fn kill(&self, node: usize, life: &Life) {
        self.open.0.lock()[node] = None;
        life.kill();
        self.world.lock().nodes[node].up_since = None;
    }
}

/// Does something in a world of its own, where no node runs yet.
pub(super) fn in_world<T>(seed: u64, does: impl AsyncFnOnce(Nodes) -> T) -> T {
    let mut world = World::new(Plan::default(), Random::new(seed));
    world.nodes = (0..NODES).map(|_| NodeState::default()).collect();
    let world = Arc::new(Mutex::new(world));
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime without a network").block_on(async {
        world.lock().runtime_started();
        let started = Instant::now();
        let clock = move || EPOCH + u64::try_from(started.elapsed().as_millis()).expect("a run is short");
        let kept = Arc::new(Store::shared_in_memory(clock));
        does(Nodes { world, kept, open: Arc::default(), hub: Hub::default() }).await
    })
}
