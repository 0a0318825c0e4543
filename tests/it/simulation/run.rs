//! A run: the lives of the server one after another, and what happens in each.

use std::{sync::Arc, time::Duration};

use lusoria_store::Store;
use parking_lot::Mutex;
use tokio::runtime::Builder;

use super::{
    client::Client,
    cluster,
    guest::Guest,
    heal::Stage,
    invariants::{end, journal},
    life::Life,
    network::Link,
    plan::{CLUSTER_FROM, Plan},
    store::weathered,
    weather,
    world::{Failure, Occurrence, Shared, World},
};

/// The most things that happen in a run.
pub(super) const OCCURRENCES_MAX: u32 = 150_000;

/// The most lives that a server has: three times as many as the shortest have room, on average, in the
/// longest run.
const LIVES_MAX: u32 = 180;

/// How many frames may be on their way to a client that does not read.
const WINDOW: usize = 24;

/// What came of a run.
pub(super) struct Outcome {
    pub(super) world: Shared,
    pub(super) failure: Option<Failure>,
}

/// Why a life ended.
enum After {
    /// The server went down.
    Down { killed: bool },
    /// The server did not start.
    NotStarted,
    /// All has been seen.
    Over,
}

struct Run {
    world: Shared,
    kept: Arc<Store>,
    occurrences: u32,
    /// How much longer things go wrong while the server runs, in milliseconds.
    wrong_for_ms: u64,
}

/// Plays a seed to its end.
pub(super) fn run(seed: u64) -> Outcome {
    let (plan, random) = Plan::drawn(seed);
    if seed >= CLUSTER_FROM {
        return cluster::run(plan, random);
    }
    let wrong_for_ms = plan.lasts_ms;
    let mut world = World::new(plan.clone(), random);
    world.note(format_args!("{plan:?}"));
    let world = Arc::new(Mutex::new(world));
    let mut run = Run { world, kept: Arc::new(Store::in_memory()), occurrences: 0, wrong_for_ms };
    run.lives();
    let failure = run.world.lock().failure.clone();
    Outcome { world: run.world, failure }
}

impl Run {
    fn lives(&mut self) {
        for _ in 0..LIVES_MAX {
            let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
            let runtime = runtime.expect("a runtime without a network");
            let after = runtime.block_on(self.life());
            // All tasks of the server are gone with it, wherever they were.
            drop(runtime);
            match after {
                After::Over => return,
                After::NotStarted => self.world.lock().pass(1_000),
                After::Down { killed } => self.down(killed),
            }
        }
        self.world.lock().must("a_run_ends", Err("too many lives".to_owned()));
    }

    async fn life(&mut self) -> After {
        let now = {
            let mut world = self.world.lock();
            world.runtime_started();
            world.now()
        };
        let store = weathered(&self.kept, &self.world, 0, &Arc::default());
        let Ok(life) = Life::start_alone(&self.world, store).await else {
            let mut world = self.world.lock();
            world.note("the server does not start");
            world.runtime_ends();
            return After::NotStarted;
        };
        if self.world.lock().guests.is_empty() {
            people(&self.world, &life).await;
        }
        self.up();
        let after = self.happen(&life).await;
        let mut world = self.world.lock();
        self.wrong_for_ms = self.wrong_for_ms.saturating_sub(world.now() - now);
        world.nodes[0].up_since = None;
        // Outside of the runtime nobody could tell its time.
        world.runtime_ends();
        after
    }

    /// The server runs: what is to happen in this life.
    fn up(&self) {
        let mut world = self.world.lock();
        world.nodes[0].up_since = Some(world.now());
        world.nodes[0].stopping = false;
        world.note("the server runs");
        // From when on the server counts time again, by its own clock.
        let counts_from = world.ledger.outages.last().map_or(0, |outage| outage.1);
        if let Some(last) = world.ledger.down.last_mut() {
            last.1 = counts_from.max(last.0);
        }
        for client in 0..world.clients.len() {
            let in_ms = world.random.below(3_000);
            world.later(in_ms, Occurrence::Think { client });
        }
        if world.healing {
            // It was told to stop before the faults had ended.
            return world.begin_to_heal();
        }
        world.later(self.wrong_for_ms, Occurrence::Heal);
        if let Some(fair_ms) = world.plan.fair_ms {
            let in_ms = world.random.below(fair_ms * 2);
            world.later(in_ms, Occurrence::Weather { node: 0 });
        }
        if let Some(runs_ms) = world.plan.runs_ms {
            let (in_ms, killed) = (world.random.below(runs_ms * 2), world.random.permille(700));
            world.later(in_ms, Occurrence::Down { killed });
        }
    }

    /// Lets things happen, each at its time, until the life ends.
    async fn happen(&mut self, life: &Life) -> After {
        let changed = Arc::clone(&self.world.lock().changed);
        let mut stopped = None;
        loop {
            let (what, wait_ms) = {
                let mut world = self.world.lock();
                if world.failure.is_some() {
                    return After::Over;
                }
                let wait_ms = world.next_at().map(|at| at.saturating_sub(world.now()));
                (world.next(), wait_ms)
            };
            if stopped.as_ref().is_some_and(tokio::task::JoinHandle::is_finished) {
                return After::Down { killed: false };
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
            if self.occurrences > OCCURRENCES_MAX {
                self.world.lock().must("a_run_ends", Err("too much has happened".to_owned()));
                return After::Over;
            }
            match what {
                Occurrence::Down { .. } if self.world.lock().healing => {}
                Occurrence::Down { killed: true } => return After::Down { killed: true },
                Occurrence::Down { killed: false } => {
                    let mut world = self.world.lock();
                    world.note("the server is told to stop");
                    world.nodes[0].stopping = true;
                    let stopping = life.stopped();
                    drop(world);
                    stopped = Some(tokio::spawn(stopping));
                }
                what => self.world.lock().occur(what),
            }
            self.open_links(life);
            self.check_deadlines();
            if let Some(stage) = self.settled() {
                let verdicts = end::all(&self.world, &[(0, life)], &self.kept, stage).await;
                let mut world = self.world.lock();
                for (invariant, verdict) in verdicts {
                    world.must(invariant, verdict);
                }
                if world.heal_on() {
                    return After::Over;
                }
            }
            let steps = self.world.lock().random.below(3);
            for _ in 0..steps {
                tokio::task::yield_now().await;
            }
        }
    }

    fn open_links(&self, life: &Life) {
        let opened = std::mem::take(&mut self.world.lock().opened);
        for link in opened {
            life.open(&self.world, link);
        }
    }

    fn check_deadlines(&self) {
        self.world.lock().check_deadlines();
    }

    /// The stage of healing, if everything in it has come to rest.
    fn settled(&self) -> Option<Stage> {
        self.world.lock().settled_while_healing()
    }

    /// The server is down: connections are gone, time passes.
    fn down(&self, killed: bool) {
        let mut world = self.world.lock();
        world.note(if killed { "the server is killed" } else { "the server has stopped" });
        world.nodes[0].stopping = false;
        world.clear_agenda();
        for link in 0..world.links.len() {
            if world.links[link].ending.is_none() {
                world.links[link].broken = true;
                let unread = world.links[link].unread.len() as u64;
                let arrive = world.random.below(unread + 1);
                world.links[link].unread.truncate(usize::try_from(arrive).expect("a few"));
            }
            world.occur(Occurrence::HungUp { link });
        }
        let for_ms = match world.random.below(20) {
            0..12 => world.random.between(50, 5_000),
            12..18 => world.random.between(5_000, 120_000),
            _ => world.random.between(120_000, 3 * 86_400_000),
        };
        let since = world.server_time();
        world.ledger.down.push((since, since));
        let now = world.now();
        world.nodes[0].weather.clear(now);
        world.pass(for_ms);
    }
}

/// Guests who have two devices have a token for each.
async fn sign_in_again(shared: &Shared, life: &Life) {
    let second = |world: &World, client: usize| {
        client > 0 && world.clients[client - 1].guest == world.clients[client].guest
    };
    let clients = shared.lock().clients.len();
    for client in 0..clients {
        let guest = {
            let world = shared.lock();
            world.clients[client].guest.filter(|_| second(&world, client))
        };
        let Some(guest) = guest else { continue };
        let token = shared.lock().guests[guest].token.clone();
        let token = life.sign_in_again(token).await;
        shared.lock().clients[client].token = Some(token);
    }
}

/// The people of a run.
pub(super) async fn people(shared: &Shared, life: &Life) {
    let guests = shared.lock().plan.guests;
    for number in 0..guests {
        let lusoria_protocol::Guest { id, token, .. } = life.guest().await;
        let mut world = shared.lock();
        world.guests.push(Guest { id: lusoria_play::PlayerId(id.0), token, seeds: Vec::new() });
        let clients = if world.random.permille(400) { 2 } else { 1 };
        for _ in 0..clients {
            let slowness = *world.random.pick(&[1, 1, 1, 6]).expect("there are some");
            world.clients.push(Client::new(Some(number), slowness));
        }
    }
    if shared.lock().cluster.is_some() {
        sign_in_again(shared, life).await;
    }
    let mut world = shared.lock();
    for _ in 0..world.plan.spectators {
        let slowness = *world.random.pick(&[1, 3]).expect("there are some");
        world.clients.push(Client::new(None, slowness));
    }
}

impl World {
    /// Nothing that is due may wait while a server is well.
    pub(super) fn check_deadlines(&mut self) {
        if let Some(since) = self.one_well_since().filter(|since| *since <= self.now()) {
            let (now, well_ms) = (self.server_time(), self.now() - since);
            let verdict = journal::nothing_is_overdue(&self.ledger, now, now - well_ms);
            self.must("nothing_is_overdue", verdict);
        }
    }

    /// The stage of healing, if everything in it has come to rest.
    pub(super) fn settled_while_healing(&mut self) -> Option<Stage> {
        if self.healing { self.settled() } else { None }
    }

    /// The server to which a client connects: of several any that can serve; now and then one that cannot,
    /// as long as it runs.
    fn node_for(&mut self, client: usize) -> usize {
        if self.cluster.is_none() {
            return 0;
        }
        let nodes = 0..self.nodes.len();
        let serving: Vec<_> = nodes.clone().filter(|&node| self.nodes[node].serves_since.is_some()).collect();
        let up: Vec<_> = nodes.filter(|&node| self.is_up(node)).collect();
        let from =
            if serving.is_empty() || !self.healing && self.random.permille(50) { &up } else { &serving };
        let node = self.random.pick(from).copied().unwrap_or(0);
        self.note(format_args!("client {client} takes node {node}"));
        node
    }

    fn is_up(&self, node: usize) -> bool {
        self.nodes[node].up_since.is_some() && !self.nodes[node].stopping
    }

    /// Whether there is a server to connect to.
    pub(super) fn is_any_up(&self) -> bool {
        (0..self.nodes.len()).any(|node| self.is_up(node))
    }

    /// A client connects.
    pub(super) fn connect(&mut self, client: usize) {
        let link = self.links.len();
        let node = self.node_for(client);
        self.note(format_args!("client {client} connects: {link}"));
        let now = self.now();
        let guest = self.clients[client].guest;
        self.links.push(Link::new(client, guest, node, WINDOW, now));
        self.opened.push(link);
        self.clients[client].link = Some(link);
        if self.healing || !self.random.permille(30) {
            self.say_hello(client);
        }
    }

    /// Something happens.
    pub(super) fn occur(&mut self, what: Occurrence) {
        match what {
            Occurrence::ToServer { link, text } => {
                if !self.links[link].broken {
                    self.links[link].arrive(text);
                }
            }
            Occurrence::ToClient { link } => self.client_may_read(link),
            Occurrence::HungUp { link } => self.hung_up(link),
            Occurrence::Cut { link } => self.links[link].cut(),
            Occurrence::Think { client } => {
                if self.healing {
                    self.heal(client);
                } else {
                    self.think(client);
                }
            }
            Occurrence::LastMoment { client, id, seq } => {
                if !self.healing {
                    self.last_moment(client, id, seq);
                }
            }
            Occurrence::Weather { node } => self.weather_changes(node),
            Occurrence::Heal => self.begin_to_heal(),
            Occurrence::Down { .. } | Occurrence::Node { .. } | Occurrence::Cluster(_) => {}
        }
    }

    fn client_may_read(&mut self, link: usize) {
        let reader = self.links[link].client;
        if self.clients[reader].link != Some(link) {
            return;
        }
        let (now, until) = (self.now(), self.clients[reader].stalled_until);
        if until > now {
            self.links[link].stalls += 1;
            return self.later(until - now, Occurrence::ToClient { link });
        }
        if let Some(frame) = self.links[link].read() {
            self.client_reads(link, frame);
        }
    }

    fn hung_up(&mut self, link: usize) {
        let reader = self.links[link].client;
        if self.clients[reader].link != Some(link) {
            return;
        }
        let stalled = self.clients[reader].stalled_until > self.now();
        while !stalled && let Some(frame) = self.links[link].read() {
            self.client_reads(link, frame);
        }
        self.note(format_args!("client {reader} has lost {link}"));
        self.clients[reader].disconnected();
    }

    fn weather_changes(&mut self, node: usize) {
        let Some(fair_ms) = self.plan.fair_ms.filter(|_| !self.healing) else { return };
        let now = self.now();
        let (kind, for_ms) = weather::foul(&mut self.random);
        if self.cluster.is_some() {
            self.note(format_args!("at node {node}:"));
        }
        self.note(format_args!("the weather: {kind:?} for {for_ms} ms"));
        self.nodes[node].weather.turn(kind, now, now + for_ms);
        let in_ms = for_ms + self.random.below(fair_ms * 2);
        self.later(in_ms, Occurrence::Weather { node });
    }
}
