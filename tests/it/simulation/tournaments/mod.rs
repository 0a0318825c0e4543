//! Tournaments on several nodes whose way to the store is bad, which are killed between any two commits or all at once,
//! with entrants who come late, go away, pause, leave or are erased: every tournament ends, nobody is paired twice, no
//! result is lost or counted twice, and nothing that is due waits.

mod course;
mod entrants;
mod log;
mod officials;
mod trouble;
mod verdicts;
mod watch;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use lusoria::app::{Caller, ClientAddress, Table};
use lusoria_play::{PlayerId, TournamentId};
use lusoria_protocol::CreateGuest;
use parking_lot::Mutex;
use serde_json::{Value, from_slice, from_value};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use super::{
    Reached,
    cluster_plan::NODES,
    life::Life,
    nodes::{self, Nodes},
    number,
    world::{EPOCH, Shared},
};
use crate::support::{random::Random, server};
use course::{Course, Habits};
use entrants::Person;
use log::Log;
use officials::Officials;
use verdicts::Ended;
use watch::Watch;

/// How long a tournament may take at most, in milliseconds.
const LASTS_MAX_MS: u64 = 3 * 3_600_000;

/// How often it is looked at, and how long after its end everything has come to rest, in milliseconds.
const LOOKS_EVERY_MS: u64 = 500;
const RESTS_MS: u64 = 6_000;

/// A tournament that is played.
struct Run {
    course: Course,
    nodes: Nodes,
    id: TournamentId,
    gone: Arc<Mutex<BTreeMap<PlayerId, u64>>>,
    reliable: Vec<PlayerId>,
    /// When nodes were started again.
    started: Mutex<Vec<Instant>>,
    /// Whether nothing more need befall anybody.
    is_over: AtomicBool,
}

/// A guest with an account.
async fn member(nodes: &Nodes, life: &Life, n: usize) -> Caller {
    let caller = server::guest(&life.app, CreateGuest::default()).await.0;
    server::open_account(&nodes.kept, caller.id(), &format!("Player{n}"), EPOCH).await;
    caller
}

impl Run {
    /// Plays it to its end, and judges it.
    async fn play(seed: u64, nodes: Nodes, log: &Log) -> Result<(), String> {
        let (course, habits) = Course::drawn(seed, EPOCH);
        let mut lives = Vec::new();
        for node in 0..NODES {
            lives.push(nodes.start(node).await);
        }
        let organiser = member(&nodes, &lives[0], course.entrants).await;
        let request = from_value(course.settings.clone()).expect("a request");
        let created =
            lives[0].app.create_tournament(&organiser, &request, None).await.expect("good settings");
        let created: Value = from_slice(&created).expect("JSON");
        let id = from_value(created["id"].clone()).expect("an id");
        let mut run = Self {
            course,
            nodes,
            id,
            gone: Arc::default(),
            reliable: Vec::new(),
            started: Mutex::default(),
            is_over: AtomicBool::default(),
        };
        let mut all = JoinSet::new();
        run.come(&mut all, &lives[0], organiser, habits).await;
        let mut watch = Watch::of(&run.nodes, id).await?;
        let ((), verdict) = tokio::join!(run.trouble(&mut lives), run.watch(&mut watch));
        let verdict = match verdict {
            Ok(()) => run.judge(log).await,
            unseen => unseen,
        };
        verdict.map_err(|why| {
            let events = watch.events.iter().map(|event| format!("{event:?}\n"));
            format!("{}seed {seed}: {why}", events.collect::<String>())
        })
    }

    /// Lets everybody come who plays or directs.
    async fn come(&mut self, all: &mut JoinSet<()>, life: &Life, organiser: Caller, habits: Vec<Habits>) {
        let begins_in_ms = self.course.begins_in_ms;
        let (mut unreliable, mut vanished) = (Vec::new(), Vec::new());
        for (n, habits) in habits.into_iter().enumerate() {
            let caller = member(&self.nodes, life, n).await;
            if habits.is_reliable(begins_in_ms) {
                self.reliable.push(caller.id());
            } else {
                unreliable.push(caller.id());
            }
            if habits.away_ms.is_some_and(|(_, back)| back == u64::MAX) {
                vanished.push(caller.id());
            }
            let person = Person {
                caller,
                habits,
                random: Random::new(self.course.seed ^ (n as u64 + 1) << 20),
                world: Shared::clone(&self.nodes.world),
                open: Arc::clone(&self.nodes.open),
                gone: Arc::clone(&self.gone),
            };
            all.spawn(person.play(self.id));
        }
        let officials = Officials {
            organiser,
            id: self.id,
            random: Random::new(self.course.seed ^ 0x00ff_1c1a),
            world: Shared::clone(&self.nodes.world),
            open: Arc::clone(&self.nodes.open),
            gone: Arc::clone(&self.gone),
            unreliable,
            vanished,
            until_ms: if self.course.is_directed { self.course.trouble_ms } else { 0 },
            correspondence: self.course.correspondence,
        };
        all.spawn(officials.direct(begins_in_ms));
    }

    /// Watches until it has ended or a fault is seen.
    async fn watch(&self, watch: &mut Watch) -> Result<(), String> {
        let verdict = self.look_on(watch).await;
        self.is_over.store(true, Ordering::Relaxed);
        verdict
    }

    async fn look_on(&self, watch: &mut Watch) -> Result<(), String> {
        loop {
            watch.look(&self.nodes).await?;
            if watch.state.ended().is_some() {
                return Ok(());
            }
            if self.nodes.world.lock().now() > LASTS_MAX_MS {
                return Err(format!("it does not end: {:?}", watch.state));
            }
            sleep(Duration::from_millis(LOOKS_EVERY_MS)).await;
        }
    }

    async fn judge(&self, log: &Log) -> Result<(), String> {
        sleep(Duration::from_millis(RESTS_MS)).await;
        let watch = Watch::of(&self.nodes, self.id).await?;
        let mut shown = Vec::new();
        for app in self.nodes.open.all() {
            let table = app.tournament_table(self.id, Table::Standings, ClientAddress(server::ADDRESS)).await;
            shown.push(from_slice(&table.map_err(|why| format!("{why:?}"))?).expect("JSON"));
        }
        if shown.len() != NODES {
            return Err("not all nodes run".to_owned());
        }
        let mut world = self.nodes.world.lock();
        for recorded in &watch.events {
            let event = serde_json::to_value(&recorded.event).expect("plain data");
            let kind = event["type"].as_str().expect("a kind");
            let more = [&event["by"], &event["why"]].into_iter().find_map(Value::as_str);
            world.reach(more.map_or_else(|| kind.to_owned(), |more| format!("{kind} {more}")));
            for bye in event["byes"].as_array().into_iter().flatten() {
                world.reach(format!("bye {}", bye["why"]));
            }
            if let Some(end) = event["end"].as_object() {
                world.reach(format!("match {}", end.keys().next().expect("one")));
            }
        }
        world.reach(self.course.format);
        if self.course.correspondence {
            world.reach("by correspondence");
        }
        let (reliable, gone) = (self.reliable.clone(), self.gone.lock().clone());
        Ended { watch: &watch, ledger: &world.ledger, shown, reliable, gone }.all_holds()?;
        log.says_nothing_too_often(&self.started.lock())
    }
}

/// Plays a seed and notes what it has reached.
fn play(seed: u64, reached: &mut Reached) -> Result<(), String> {
    nodes::in_world(seed, async |nodes| {
        let log = Log::default();
        let _here = log.listen();
        let world = Shared::clone(&nodes.world);
        let verdict = Run::play(seed, nodes, &log).await;
        let world = world.lock();
        for (what, times) in &world.reached {
            *reached.entry(what.clone()).or_default() += times;
        }
        verdict.map_err(|why| {
            format!(
                "{}\n{why}\n\nTo see it again: cargo xtask simulate --tournaments --seed {seed}\n",
                world.trace
            )
        })
    })
}

/// What the seeds of the suite must reach, or they have become tame.
const REACHED: [&str; 26] = [
    "again",
    "arena",
    "blocked",
    "by correspondence",
    "commit LostUnknown",
    "commit MadeUnknown",
    "credited",
    "entered",
    "erased",
    "excluded organiser",
    "excluded server",
    "forfeited",
    "killed after a commit",
    "killed while a round was paired",
    "knockout",
    "match no_show",
    "paused",
    "result_set",
    "round_paired",
    "round_robin",
    "all nodes go down",
    "stopped",
    "swiss",
    "withdraw while they play",
    "withdrew",
    "bye \"absent\"",
];

#[test]
fn tournaments_end_and_lose_nothing() {
    let mut reached = Reached::new();
    for seed in 1..=20 {
        play(seed, &mut reached).unwrap_or_else(|why| panic!("{why}"));
    }
    for what in REACHED {
        assert!(reached.contains_key(what), "none of these seeds has reached {what:?}: {reached:#?}");
    }
}

/// A long run, for `cargo xtask simulate --tournaments`.
#[test]
#[ignore = "a long run: cargo xtask simulate --tournaments"]
fn as_many_tournaments_as_asked_for() {
    let from = number("LUSORIA_SIMULATE_FROM").unwrap_or(1);
    let seeds = number("LUSORIA_SIMULATE_SEEDS").unwrap_or(1_000);
    let (mut reached, mut failed) = (Reached::new(), Vec::new());
    for seed in from..from + seeds {
        if let Err(why) = play(seed, &mut reached) {
            assert_ne!(seeds, 1, "{why}");
            let why = why.lines().find(|line| line.starts_with("seed")).unwrap_or_default();
            println!("{}", why.chars().take(400).collect::<String>());
            failed.push(seed);
        }
        let played = seed + 1 - from;
        if played.is_multiple_of(100) {
            println!("{played} seeds, {} failed", failed.len());
        }
    }
    for (what, times) in &reached {
        println!("{times:>9} {what}");
    }
    println!("{seeds} seeds from {from}, {} failed", failed.len());
    assert!(failed.is_empty(), "seeds {failed:?}");
}
