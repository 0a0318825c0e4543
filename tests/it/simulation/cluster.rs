//! A run with several nodes on one store: each has its own way to it, its own clock and its own faults.

use std::{sync::Arc, time::Duration};

use lusoria::app::{
    App,
    admin::{AdminAction, AdminOutcome},
};
use lusoria_bus::Hub;
use lusoria_store::{JoinError, Store};
use parking_lot::Mutex;
use tokio::{runtime::Builder, task::JoinHandle, time::Instant};

use super::{
    cluster_plan::{ClusterPlan, NODES},
    invariants::{
        Verdict,
        cluster::{
            each_turn_is_thought_of_once, note_connected, sockets_know_the_history, the_computer_plays,
            watchers_reach_the_head,
        },
        end, holds,
    },
    life::Life,
    node::{Gate, NodeState, Pace, RECOVERS_MS},
    plan::Plan,
    run::{OCCURRENCES_MAX, Outcome, people},
    store::weathered,
    world::{ClusterEvent, EPOCH, NodeEvent, Occurrence, Shared, World},
};
use crate::support::random::Random;

/// How often an operator tries the same thing.
const RENAMES_MAX: u32 = 60;

/// How often all watchers are looked at, in milliseconds.
const CHECKS_EVERY_MS: u64 = 250;

/// A cluster that is played.
struct Cluster {
    world: Shared,
    kept: Arc<Store>,
    hub: Hub,
    nodes: [Process; NODES],
    occurrences: u32,
    checks_at: u64,
}

/// The process of a node.
#[derive(Default)]
enum Process {
    #[default]
    Down,
    Starting(Arc<Gate>, JoinHandle<Result<Life, JoinError>>),
    Runs(Life),
    Stopping(Life, JoinHandle<()>),
}

impl Process {
    fn gate(&self) -> Option<&Gate> {
        match self {
            Self::Down => None,
            Self::Starting(gate, _) => Some(gate),
            Self::Runs(life) | Self::Stopping(life, _) => Some(life.gate()),
        }
    }

    fn life(&self) -> Option<&Life> {
        match self {
            Self::Down | Self::Starting(..) => None,
            Self::Runs(life) | Self::Stopping(life, _) => Some(life),
        }
    }
}

/// Plays a seed to its end.
pub(super) fn run(mut plan: Plan, mut random: Random) -> Outcome {
    let cluster = ClusterPlan::drawn(&mut random, &mut plan);
    let mut world = World::new(plan.clone(), random);
    world.nodes = (0..NODES).map(|_| NodeState::default()).collect();
    world.note(format_args!("{plan:?} {cluster:?}"));
    world.cluster = Some(cluster);
    let world = Arc::new(Mutex::new(world));
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime without a network");
    runtime.block_on(async {
        world.lock().runtime_started();
        let started = Instant::now();
        let clock = move || EPOCH + u64::try_from(started.elapsed().as_millis()).expect("a run is short");
        let kept = Arc::new(Store::shared_in_memory(clock));
        let nodes = std::array::from_fn(|_| Process::Down);
        let cluster = Cluster {
            world: Shared::clone(&world),
            kept,
            hub: Hub::default(),
            nodes,
            occurrences: 0,
            checks_at: 0,
        };
        cluster.play().await;
        world.lock().runtime_ends();
    });
    drop(runtime);
    let failure = world.lock().failure.clone();
    Outcome { world, failure }
}

impl Cluster {
    async fn play(mut self) {
        self.connect_hub();
        for node in 0..NODES {
            self.start(node);
        }
        while self.nodes.iter().any(|node| matches!(node, Process::Starting(..))) {
            tokio::time::sleep(Duration::from_millis(100)).await;
            self.look();
        }
        let Process::Runs(first) = &self.nodes[0] else {
            return self.world.lock().must("a_node_starts", Err("the first one does not".to_owned()));
        };
        people(&self.world, first).await;
        self.begin();
        self.happen().await;
    }

    fn connect_hub(&self) {
        let world = Shared::clone(&self.world);
        self.hub.set_policy(move |_| {
            let mut world = world.lock();
            let world = &mut *world;
            let hints = world.cluster.as_ref().expect("a cluster has a plan").hints;
            hints.fate(&mut world.random, world.healing)
        });
    }

    /// What is to happen.
    fn begin(&self) {
        let mut world = self.world.lock();
        let plan = world.cluster.clone().expect("there is one");
        let ClusterPlan { struck_ms, parts_ms, all_down_ms, rename_ms, revoke_ms, history_ms, .. } = plan;
        for client in 0..world.clients.len() {
            let in_ms = world.random.below(3_000);
            world.later(in_ms, Occurrence::Think { client });
        }
        let lasts_ms = world.plan.lasts_ms;
        world.later(lasts_ms, Occurrence::Heal);
        for node in 0..NODES {
            if let Some(fair_ms) = world.plan.fair_ms {
                let in_ms = world.random.below(fair_ms * 2);
                world.later(in_ms, Occurrence::Weather { node });
            }
            if let Some(struck_ms) = struck_ms {
                let in_ms = world.random.below(struck_ms * 2);
                world.later(in_ms, Occurrence::Node { node, what: NodeEvent::Struck });
            }
        }
        let once = [
            (parts_ms, ClusterEvent::Part),
            (all_down_ms, ClusterEvent::AllDown),
            (rename_ms, ClusterEvent::Rename),
            (revoke_ms, ClusterEvent::Revoke),
            (history_ms, ClusterEvent::NewHistory),
        ];
        for (in_ms, what) in once {
            if let Some(in_ms) = in_ms {
                world.later(in_ms, Occurrence::Cluster(what));
            }
        }
    }

    /// Lets things happen, each at its time.
    async fn happen(&mut self) {
        let changed = Arc::clone(&self.world.lock().changed);
        let mut has_healed = false;
        loop {
            self.look();
            let (what, wait_ms, heals) = {
                let mut world = self.world.lock();
                if world.failure.is_some() {
                    return;
                }
                let wait_ms = world.next_at().map(|at| at.saturating_sub(world.now()));
                (world.next(), wait_ms, world.healing)
            };
            if heals && !has_healed {
                has_healed = true;
                self.heal();
            }
            let Some(what) = what else {
                let wait = Duration::from_millis(wait_ms.unwrap_or(1_000).min(1_000));
                tokio::select! {
                    biased;
                    () = changed.notified() => {}
                    () = tokio::time::sleep(wait) => {}
                }
                continue;
            };
            self.occurrences += 1;
            // Some runs of several nodes last long.
            if self.occurrences > 2 * OCCURRENCES_MAX {
                return self.world.lock().must("a_run_ends", Err("too much has happened".to_owned()));
            }
            match what {
                Occurrence::Node { node, what } => self.befall(node, what),
                Occurrence::Cluster(what) => self.befall_all(what),
                what => self.world.lock().occur(what),
            }
            self.open_links();
            self.world.lock().check_deadlines();
            self.check_watchers();
            if self.is_settled() && self.is_over().await {
                return;
            }
            let steps = self.world.lock().random.below(3);
            for _ in 0..steps {
                tokio::task::yield_now().await;
            }
        }
    }

    /// Whether all has been seen, at the end of a stage of healing.
    async fn is_over(&self) -> bool {
        let Some(stage) = self.world.lock().settled_while_healing() else { return false };
        let lives: Vec<_> = self
            .nodes
            .iter()
            .enumerate()
            .filter_map(|(node, process)| Some((node, process.life()?)))
            .collect();
        let verdicts = end::all(&self.world, &lives, &self.kept, stage).await;
        let mut world = self.world.lock();
        for (invariant, verdict) in verdicts {
            world.must(invariant, verdict);
        }
        world.heal_on()
    }

    /// Looks at all watchers a few times a second.
    fn check_watchers(&mut self) {
        let mut world = self.world.lock();
        if world.now() >= self.checks_at {
            self.checks_at = world.now() + CHECKS_EVERY_MS;
            note_connected(&mut world);
            let verdict = watchers_reach_the_head(&world);
            world.must("watchers_reach_the_head", verdict);
            let verdict = the_computer_plays(&world);
            world.must("the_computer_plays", verdict);
            if world.hears_all() && world.plan.fair_ms.is_none() && world.history.1 == 0 {
                let verdict = each_turn_is_thought_of_once(&world);
                world.must("each_turn_is_thought_of_once", verdict);
            }
            let verdict = sockets_know_the_history(&world);
            world.must("sockets_know_the_history", verdict);
        }
    }

    fn is_settled(&self) -> bool {
        self.world.lock().healing && self.nodes.iter().all(|node| matches!(node, Process::Runs(_)))
    }

    fn open_links(&self) {
        let opened = std::mem::take(&mut self.world.lock().opened);
        for link in opened {
            let node = self.world.lock().links[link].node;
            if let Some(life) = self.nodes[node].life() {
                life.open(&self.world, link);
            } else {
                let mut world = self.world.lock();
                world.links[link].cut();
                world.occur(Occurrence::HungUp { link });
            }
        }
    }

    /// Looks at the processes: those that have started, those that have stopped, those that can serve.
    fn look(&mut self) {
        for node in 0..NODES {
            match std::mem::take(&mut self.nodes[node]) {
                Process::Starting(_, starting) if starting.is_finished() => self.started(node, starting),
                Process::Stopping(_, stopping) if stopping.is_finished() => self.ended(node, "has stopped"),
                other => self.nodes[node] = other,
            }
            let serves = match &self.nodes[node] {
                Process::Runs(life) => life.app.live().is_well(),
                Process::Down | Process::Starting(..) | Process::Stopping(..) => false,
            };
            let mut world = self.world.lock();
            let now = world.now();
            let state = &mut world.nodes[node];
            state.serves_since = serves.then(|| state.serves_since.unwrap_or(now));
            let verdict = can_serve(&world, node);
            world.must("a_node_that_is_well_serves", verdict);
        }
    }

    // --- what befalls nodes ---------------------------------------------------------

    fn start(&mut self, node: usize) {
        let gate = Arc::<Gate>::default();
        let store = weathered(&self.kept, &self.world, node, &gate);
        let (world, bus) = (Shared::clone(&self.world), self.hub.connect(node));
        world.lock().note(format_args!("node {node} starts"));
        let starting = {
            let gate = Arc::clone(&gate);
            tokio::spawn(async move { Life::start(&world, store, bus, node, gate).await })
        };
        self.nodes[node] = Process::Starting(gate, starting);
    }

    fn started(&mut self, node: usize, starting: JoinHandle<Result<Life, JoinError>>) {
        use futures_util::FutureExt;
        let started = starting.now_or_never().expect("it is finished").expect("it does not panic");
        let mut world = self.world.lock();
        match started {
            Ok(life) => {
                world.note(format_args!("node {node} runs"));
                world.nodes[node].up_since = Some(world.now());
                world.nodes[node].stopping = false;
                self.nodes[node] = Process::Runs(life);
            }
            Err(why) => {
                world.note(format_args!("node {node} does not start: {why}"));
                world.later(1_000, Occurrence::Node { node, what: NodeEvent::Start });
            }
        }
    }

    fn befall(&mut self, node: usize, what: NodeEvent) {
        match what {
            NodeEvent::Start if matches!(self.nodes[node], Process::Down) => self.start(node),
            NodeEvent::Start => {}
            NodeEvent::Resume => self.resume(node),
            NodeEvent::Struck => {
                let (healing, kind) = {
                    let mut world = self.world.lock();
                    let struck_ms = world.cluster.as_ref().and_then(|plan| plan.struck_ms).unwrap_or(60_000);
                    let in_ms = world.random.below(struck_ms * 2) + 1_000;
                    world.later(in_ms, Occurrence::Node { node, what: NodeEvent::Struck });
                    (world.healing, world.random.below(10))
                };
                match kind {
                    _ if healing => {}
                    0..5 => self.kill(node),
                    5..7 => self.tell_to_stop(node),
                    _ => self.pause(node),
                }
            }
        }
    }

    fn kill(&mut self, node: usize) {
        match std::mem::take(&mut self.nodes[node]) {
            Process::Down => return,
            Process::Starting(gate, starting) => {
                gate.set(Pace::Dead);
                starting.abort();
            }
            Process::Runs(life) | Process::Stopping(life, _) => life.kill(),
        }
        self.world.lock().reach("a node is killed");
        self.ended(node, "is killed");
    }

    /// A process is gone: its connections are, and it is started again later.
    fn ended(&mut self, node: usize, how: &str) {
        self.nodes[node] = Process::Down;
        let mut world = self.world.lock();
        world.note(format_args!("node {node} {how}"));
        let NodeState { up_since, stopping, paused, serves_since, .. } = &mut world.nodes[node];
        (*up_since, *stopping, *paused, *serves_since) = (None, false, false, None);
        for link in 0..world.links.len() {
            if world.links[link].node == node
                && world.links[link].ending.is_none()
                && !world.links[link].broken
            {
                let unread = world.links[link].unread.len() as u64;
                let arrive = world.random.below(unread + 1);
                world.links[link].unread.truncate(usize::try_from(arrive).expect("a few"));
                world.links[link].cut();
                world.occur(Occurrence::HungUp { link });
            }
        }
        let in_ms = match world.random.below(10) {
            _ if world.healing => 1_000,
            0..6 => world.random.between(50, 5_000),
            _ => world.random.between(5_000, 60_000),
        };
        world.later(in_ms, Occurrence::Node { node, what: NodeEvent::Start });
    }

    fn tell_to_stop(&mut self, node: usize) {
        match std::mem::take(&mut self.nodes[node]) {
            Process::Runs(life) => {
                let mut world = self.world.lock();
                world.note(format_args!("node {node} is told to stop"));
                world.reach("a node is told to stop");
                world.nodes[node].stopping = true;
                let stopping = tokio::spawn(life.stopped());
                self.nodes[node] = Process::Stopping(life, stopping);
            }
            other => self.nodes[node] = other,
        }
    }

    fn pause(&mut self, node: usize) {
        let Some(gate) = self.nodes[node].gate() else { return };
        gate.set(Pace::Paused);
        let mut world = self.world.lock();
        let for_ms = world.random.between(100, 20_000);
        world.note(format_args!("node {node} stands still for {for_ms} ms"));
        world.reach("a node stands still");
        world.nodes[node].paused = true;
        world.later(for_ms, Occurrence::Node { node, what: NodeEvent::Resume });
    }

    fn resume(&mut self, node: usize) {
        let mut world = self.world.lock();
        if !world.nodes[node].paused {
            return;
        }
        world.note(format_args!("node {node} goes on"));
        world.nodes[node].paused = false;
        world.nodes[node].resumed_at = world.now();
        for link in world.links.iter_mut().filter(|link| link.node == node) {
            link.wake();
        }
        drop(world);
        if let Some(gate) = self.nodes[node].gate() {
            gate.set(Pace::Runs);
        }
    }

    fn befall_all(&mut self, what: ClusterEvent) {
        let mut world = self.world.lock();
        let plan = world.cluster.clone().expect("there is one");
        if world.healing {
            return;
        }
        match what {
            ClusterEvent::AllDown => {
                world.reach("all nodes go down");
                drop(world);
                for node in 0..NODES {
                    self.kill(node);
                }
            }
            ClusterEvent::Part => {
                let (one, other) = (world.random.index(NODES), world.random.index(NODES));
                let in_ms = world.random.between(500, 30_000);
                world.note(format_args!("nodes {one} and {other} are parted"));
                world.later(in_ms, Occurrence::Cluster(ClusterEvent::Rejoin));
                drop(world);
                if one == other {
                    self.hub.cut_off(one);
                } else {
                    self.hub.part(one, other);
                }
            }
            ClusterEvent::Rename => {
                drop(world);
                self.rename();
            }
            ClusterEvent::Revoke => {
                drop(world);
                self.revoke();
            }
            ClusterEvent::NewHistory => {
                world.note("another history begins");
                world.reach("another history");
                world.history = (world.now(), world.history.1 + 1);
                drop(world);
                self.kept.begin_new_history_in_memory();
            }
            ClusterEvent::Rejoin => {
                let in_ms = world.random.below(plan.parts_ms.unwrap_or(60_000) * 2);
                world.later(in_ms, Occurrence::Cluster(ClusterEvent::Part));
                world.note("all nodes hear each other again");
                drop(world);
                self.rejoin();
            }
        }
    }

    /// The application of a node that runs.
    fn any_app(&self, world: &mut World) -> Option<Arc<App>> {
        let running: Vec<_> = self.nodes.iter().filter_map(Process::life).collect();
        world.random.pick(&running).map(|life| Arc::clone(&life.app))
    }

    /// An operator replaces a guest's name everywhere, and tries again until all is done.
    fn rename(&self) {
        let mut world = self.world.lock();
        let Some(app) = self.any_app(&mut world) else { return };
        let guests = world.guests.len();
        let guest = world.random.index(guests);
        let (guest, name) = (world.guests[guest].id, format!("Person {guest}"));
        world.note(format_args!("an operator renames {}", guest.0));
        let shared = Shared::clone(&self.world);
        tokio::spawn(async move {
            for _ in 0..RENAMES_MAX {
                let rename =
                    AdminAction::Rename { guest: guest.0.to_string(), name: name.clone(), everywhere: true };
                match app.administer(rename).await {
                    Ok(AdminOutcome::Renamed { failed, .. }) if failed.is_empty() => {
                        let mut world = shared.lock();
                        world.note(format_args!("{} is renamed", guest.0));
                        world.reach("a name replaced everywhere");
                        let now = world.now();
                        world.renamed.insert(guest, now);
                        return;
                    }
                    _ => tokio::time::sleep(Duration::from_secs(1)).await,
                }
            }
        });
    }

    /// A guest ends the sessions of their other devices.
    fn revoke(&self) {
        let mut world = self.world.lock();
        let Some(app) = self.any_app(&mut world) else { return };
        let second: Vec<_> =
            (0..world.clients.len()).filter(|&client| world.clients[client].token.is_some()).collect();
        let Some(&client) = world.random.pick(&second) else { return };
        let guest = world.clients[client].guest.expect("it has a token");
        let token = world.guests[guest].token.clone();
        world.clients[client].was_revoked = true;
        let shared = Shared::clone(&self.world);
        tokio::spawn(async move {
            let Ok(caller) = app.authenticate(token).await else { return };
            let revoked = app.revoke_other_sessions(&caller).await;
            let mut world = shared.lock();
            if revoked.is_ok() && !world.healing {
                world.note(format_args!("the token of client {client} is revoked"));
                world.reach("a token revoked");
                world.clients[client].revoked_at = Some(world.now());
            }
        });
    }

    fn rejoin(&self) {
        self.hub.rejoin();
        for node in 0..NODES {
            self.hub.come_back(node);
        }
    }

    /// Nothing goes wrong any more.
    fn heal(&mut self) {
        self.rejoin();
        for node in 0..NODES {
            self.resume(node);
            if matches!(self.nodes[node], Process::Down) {
                self.start(node);
            }
        }
    }
}

/// A node says that it can serve if nothing has been wrong with it for a while.
fn can_serve(world: &World, node: usize) -> Verdict {
    let (now, state) = (world.now(), &world.nodes[node]);
    let is_well = state.well_since(now).is_some_and(|since| since + RECOVERS_MS < now);
    holds(!is_well || state.serves_since.is_some(), || format!("node {node}"))
}
