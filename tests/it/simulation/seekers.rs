//! People who seek an opponent, on several nodes whose way to the store is bad, which are killed, and over lines
//! that break: nobody is paired twice, with themselves or with somebody they have blocked, nobody waits while
//! somebody else would do, and no seek that was acknowledged is lost.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use lusoria::{
    app::{App, Caller},
    live::Mailbox,
};
use lusoria_play::{Clock, MatchId, PlayerId, PlayerKind, SeekId, SeekTerms, Seeker};
use lusoria_protocol::{CreateGuest, CreateSeek};
use lusoria_rules::Game;
use lusoria_store::{MatchFilter, WaitingSeek};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, sleep_until, timeout},
};

use super::{
    cluster_plan::NODES,
    life::Life,
    node::Pace,
    nodes::{self, Nodes, Open},
    weather,
    world::EPOCH,
};
use crate::support::random::Random;

/// How long after its maker asked a seek may reach the store, and how long a node may think of what it has read.
const TOLERANCE_MS: u64 = 60_000;

/// Two who come within so many milliseconds, to two nodes, may be paired by one of them before the other has looked who
/// has waited longer.
const AT_ONCE_MS: u64 = 20;

/// Two seeks that a match answered, the older first.
#[derive(Debug, Clone)]
pub(super) struct Pairing {
    of: MatchId,
    at: u64,
    seeks: [WaitingSeek; 2],
    /// Those that waited longer than the older of them.
    older: Vec<WaitingSeek>,
}

impl Pairing {
    /// The pairing of two seeks by a match that begins at `at`, when these were `waiting`, the oldest first.
    pub(super) fn of(of: MatchId, at: u64, seeks: [SeekId; 2], waiting: &[WaitingSeek]) -> Self {
        let place = |id| waiting.iter().position(|waiting| waiting.seek.id == id).expect("it was answered");
        let mut places = seeks.map(place);
        places.sort_unstable();
        Self {
            of,
            at,
            seeks: places.map(|place| waiting[place].clone()),
            older: waiting[..places[0]].to_vec(),
        }
    }
}

/// What may go wrong in a run, and who comes.
struct Course {
    seed: u64,
    people: usize,
    /// Within so many milliseconds they come.
    come_within_ms: u64,
    /// Whether nodes are killed and lines break.
    is_rough: bool,
}

/// A person who seeks an opponent once.
struct Person {
    caller: Caller,
    request: CreateSeek,
    comes_at_ms: u64,
    random: Random,
    has_bad_line: bool,
}

/// What became of somebody: their seek, and the match that answered it.
struct Outcome {
    player: PlayerId,
    seek: SeekId,
    answered: Option<MatchId>,
    was_lost: bool,
}

fn wish(random: &mut Random) -> CreateSeek {
    let games = [Game::Zeno, Game::Tavla, Game::Scripta, Game::Tabula, Game::Tablut];
    let first = random.index(games.len());
    let count = 1 + random.index(3);
    let clocks = if random.permille(150) { vec![Clock::Days { days: 3 }] } else { vec![Clock::None {}] };
    CreateSeek {
        games: (0..count).map(|n| games[(first + n) % games.len()]).collect(),
        points: if random.permille(250) { vec![3, 1] } else { vec![1] },
        pairs: random.permille(200),
        clocks,
        bots: random.permille(500),
        rated: false,
        rating: None,
        seed_hash: None,
    }
}

impl Person {
    async fn seek(mut self, open: Arc<Open>, until: Instant) -> Outcome {
        sleep(Duration::from_millis(self.comes_at_ms)).await;
        let player = self.caller.id();
        let mut outcome = self.acknowledged(&open).await;
        while outcome.answered.is_none() && !outcome.was_lost && Instant::now() < until {
            let app = open.any(&mut self.random).await;
            let mailbox = Arc::new(Mailbox::default());
            let line = app.live().subscribe_personal(&mailbox, player);
            // What is told at the beginning of a stream.
            if let Ok(Ok(list)) = timeout(Duration::from_secs(5), app.seeks(&self.caller)).await {
                match list.seeks.iter().find(|seek| seek.id == outcome.seek) {
                    Some(seek) => outcome.answered = seek.answered,
                    None => outcome.was_lost = true,
                }
            }
            if outcome.answered.is_none() && !outcome.was_lost {
                outcome.answered = self.listen(&app, &mailbox, outcome.seek, until).await;
            }
            drop(line);
            if outcome.answered.is_none() {
                sleep(Duration::from_millis(self.random.below(8_000))).await;
            }
        }
        outcome
    }

    /// Seeks until that is acknowledged. If the outcome is unknown, lists the seeks first.
    async fn acknowledged(&mut self, open: &Open) -> Outcome {
        let patience = Duration::from_secs(10);
        loop {
            let app = open.any(&mut self.random).await;
            let found = match timeout(patience, app.seek(&self.caller, &self.request)).await {
                Ok(Ok(seek)) => Some(seek),
                Ok(Err(_)) | Err(_) => loop {
                    sleep(Duration::from_millis(self.random.between(500, 2_000))).await;
                    let app = open.any(&mut self.random).await;
                    if let Ok(Ok(list)) = timeout(patience, app.seeks(&self.caller)).await {
                        break list.seeks.into_iter().next();
                    }
                },
            };
            if let Some(seek) = found {
                let player = self.caller.id();
                return Outcome { player, seek: seek.id, answered: seek.answered, was_lost: false };
            }
        }
    }

    /// Listens until the seek is answered, the line breaks or the node is gone.
    async fn listen(&mut self, app: &App, mailbox: &Mailbox, id: SeekId, until: Instant) -> Option<MatchId> {
        let breaks_after_ms = if self.has_bad_line { self.random.between(1_000, 90_000) } else { 3_600_000 };
        let breaks_at = (Instant::now() + Duration::from_millis(breaks_after_ms)).min(until);
        loop {
            let mail = tokio::select! {
                () = app.live().stopping().cancelled() => return None,
                () = tokio::time::sleep_until(breaks_at) => return None,
                mail = mailbox.take() => mail,
            };
            for notice in mail.notices {
                let notice: serde_json::Value = serde_json::from_slice(&notice).expect("JSON");
                if notice["notice"] == "seek" && notice["seek"]["id"] == id.to_string() {
                    return notice["seek"]["match"].as_str().map(|id| id.parse().expect("an id"));
                }
            }
        }
    }
}

/// A run of it.
struct Run {
    course: Course,
    nodes: Nodes,
    blocks: BTreeSet<(PlayerId, PlayerId)>,
}

impl Run {
    async fn people(&mut self, life: &Life) -> Vec<Person> {
        let mut random = Random::new(self.course.seed ^ 0x5eed);
        let mut people: Vec<Person> = Vec::new();
        for n in 0..self.course.people {
            let request = CreateGuest { bot: random.permille(50), ..CreateGuest::default() };
            let guest =
                life.app.create_guest(request, crate::support::server::ADDRESS).await.expect("a guest");
            let caller = life.app.authenticate(guest.token).await.expect("a good token");
            if n > 0 && random.permille(300) {
                let other = people[random.index(n)].caller.id();
                self.nodes.kept.add_block(caller.id(), other, 0).await.expect("blocked");
                self.blocks.insert((caller.id(), other));
            }
            people.push(Person {
                caller,
                request: wish(&mut random),
                comes_at_ms: random.below(self.course.come_within_ms),
                has_bad_line: self.course.is_rough && random.permille(400),
                random: Random::new(self.course.seed ^ (n as u64) << 20),
            });
        }
        people
    }

    /// Kills nodes and spoils the weather until nobody comes any more; then all is well.
    async fn trouble(&self, mut lives: Vec<Life>, random: &mut Random) {
        let until = Instant::now() + Duration::from_millis(self.course.come_within_ms);
        while self.course.is_rough && Instant::now() < until {
            sleep(Duration::from_millis(random.between(2_000, 15_000))).await;
            let node = random.index(NODES);
            if random.permille(500) {
                self.nodes.kill(node, &lives[node]);
                sleep(Duration::from_millis(random.below(6_000))).await;
                lives[node] = self.nodes.start(node).await;
            } else {
                let (kind, for_ms) = weather::foul(random);
                let mut world = self.nodes.world.lock();
                let now = world.now();
                world.nodes[node].weather.turn(kind, now, now + for_ms);
            }
        }
        {
            let mut world = self.nodes.world.lock();
            let now = world.now();
            world.nodes.iter_mut().for_each(|node| node.weather.clear(now));
        }
        // Those who wait have time to be found, and are heard of until shortly before the end.
        sleep_until(until + Duration::from_mins(3)).await;
        for life in &lives {
            assert_eq!(life.gate().pace(), Pace::Runs);
        }
    }

    async fn play(mut self) -> usize {
        let mut lives = Vec::new();
        for node in 0..NODES {
            lives.push(self.nodes.start(node).await);
        }
        let people = self.people(&lives[0]).await;
        let whole = Duration::from_millis(self.course.come_within_ms) + Duration::from_secs(170);
        let until = Instant::now() + whole;
        let mut seeking = JoinSet::new();
        for person in people {
            seeking.spawn(person.seek(Arc::clone(&self.nodes.open), until));
        }
        self.trouble(lives, &mut Random::new(self.course.seed ^ 0x7a0b)).await;
        let outcomes = seeking.join_all().await;
        self.judge(&outcomes).await;
        2 * self.nodes.world.lock().pairings.len()
    }

    async fn judge(&self, outcomes: &[Outcome]) {
        let seed = self.course.seed;
        let pairings = self.nodes.world.lock().pairings.clone();
        let mut paired = BTreeMap::new();
        for Pairing { of, at, seeks, older } in &pairings {
            let [one, other] = seeks.each_ref().map(seeker);
            assert!(one.terms_with(&other, *at).is_some(), "seed {seed}: {of}: {seeks:?} do not fit");
            assert!(!self.has_block(&one, &other), "seed {seed}: {of}: one has blocked the other");
            for WaitingSeek { seek, .. } in seeks {
                let before = paired.insert(seek.guest, *of);
                assert_eq!(before, None, "seed {seed}: {} was paired twice", seek.guest);
            }
            let tolerance_ms = if self.course.is_rough { TOLERANCE_MS } else { 0 };
            let come_at_once = *at < seeks[0].seek.created_at + AT_ONCE_MS;
            let overlooked = older.iter().find(|waiting| {
                let third = seeker(waiting);
                let is_seen_by_one = third.terms_with(&one, *at).is_some() && !self.has_block(&third, &one);
                (is_seen_by_one || !come_at_once)
                    && waiting.seek.created_at + tolerance_ms < *at
                    && third.terms_with(&other, *at).is_some()
                    && !self.has_block(&third, &other)
            });
            assert!(overlooked.is_none(), "seed {seed}: {of}: {seeks:?} while {overlooked:?} waited longer");
        }
        for outcome in outcomes {
            let Outcome { player, seek, answered, was_lost } = outcome;
            assert!(!was_lost, "seed {seed}: {player} had seek {seek} acknowledged, and it was lost");
            assert_eq!(paired.get(player), answered.as_ref(), "seed {seed}: {player} was not told");
            let filter = MatchFilter::Of { player: *player, state: None };
            let page = self.nodes.kept.list(filter, None, 10).await.expect("read");
            assert_eq!(page.rows.len(), usize::from(answered.is_some()), "seed {seed}: matches of {player}");
        }
        let now = EPOCH + self.nodes.world.lock().now();
        let waiting = self.nodes.kept.waiting_seeks(now).await.expect("read");
        assert_eq!(waiting.len() + 2 * pairings.len(), outcomes.len(), "seed {seed}: all are paired or wait");
        let seekers: Vec<_> = waiting.iter().map(seeker).collect();
        for (place, one) in seekers.iter().enumerate() {
            for other in &seekers[..place] {
                let fit = one.terms_with(other, now).is_some() && !self.has_block(one, other);
                assert!(!fit, "seed {seed}: {one:?} and {other:?} wait for nothing");
            }
        }
    }

    fn has_block(&self, one: &Seeker, other: &Seeker) -> bool {
        [(one, other), (other, one)].iter().any(|(by, of)| self.blocks.contains(&(by.player, of.player)))
    }
}

fn seeker(WaitingSeek { seek, player }: &WaitingSeek) -> Seeker {
    let terms: SeekTerms = seek.terms.clone();
    let (is_bot, since) = (player.kind == PlayerKind::Bot, seek.created_at);
    Seeker { player: player.id, is_bot, terms, since, ratings: BTreeMap::new() }
}

/// Does something in a world of its own.
fn in_world<T>(course: Course, does: impl AsyncFnOnce(Run) -> T) -> T {
    let seed = course.seed;
    nodes::in_world(seed, async |nodes| does(Run { course, nodes, blocks: BTreeSet::new() }).await)
}

/// Plays a run to its end. Returns how many were paired.
fn run(course: Course) -> usize {
    in_world(course, Run::play)
}

#[test]
fn the_one_who_waits_longest_comes_first() {
    for seed in 1..=10 {
        let paired = run(Course { seed, people: 150, come_within_ms: 120_000, is_rough: false });
        assert!(paired > 120, "seed {seed}: {paired}");
    }
}

#[test]
fn nobody_is_paired_twice_and_no_seek_is_lost() {
    for seed in 1..=30 {
        let paired = run(Course { seed, people: 80, come_within_ms: 180_000, is_rough: true });
        assert!(paired > 50, "seed {seed}: {paired}");
    }
}

/// A long run, for `cargo xtask seekers`.
#[test]
#[ignore = "a long run: cargo xtask seekers"]
fn ten_thousand_seekers() {
    let paired = run(Course { seed: 7, people: 10_000, come_within_ms: 1_800_000, is_rough: true });
    println!(
        "10000 seekers, nodes killed and lines broken: {paired} were paired, and all that must hold does"
    );
}

/// How long people are there, and how long they wait at most.
const EVENING_MS: u64 = 4 * 3_600_000;
const PATIENCE_MS: u64 = 10 * 60_000;

/// A person who seeks, plays five to twenty minutes, rests for two at most, and seeks again. After waiting for ten
/// minutes they stay away for as long. Returns how long each seek took, in milliseconds; none if it was given up.
async fn evening(mut person: Person, app: Arc<App>, ends: Instant) -> Vec<Option<u64>> {
    let mut waited = Vec::new();
    sleep(Duration::from_millis(person.comes_at_ms)).await;
    while Instant::now() < ends {
        let mailbox = Arc::new(Mailbox::default());
        let line = app.live().subscribe_personal(&mailbox, person.caller.id());
        let began = Instant::now();
        person.request = CreateSeek { clocks: vec![Clock::None {}], ..wish(&mut person.random) };
        let seek = app.seek(&person.caller, &person.request).await.expect("all is well");
        let until = began + Duration::from_millis(PATIENCE_MS);
        let answered = match seek.answered {
            Some(of) => Some(of),
            None => person.listen(&app, &mailbox, seek.id, until).await,
        };
        drop(line);
        if answered.is_none() {
            app.withdraw_seek(&person.caller, seek.id).await.expect("it waits");
        }
        let took_ms = u64::try_from(began.elapsed().as_millis()).expect("an evening");
        waited.push(answered.map(|_| took_ms));
        let away_ms =
            if answered.is_some() { person.random.between(300_000, 1_200_000) } else { PATIENCE_MS };
        sleep(Duration::from_millis(away_ms + person.random.below(120_000))).await;
    }
    waited
}

/// For docs/performance.md, by `cargo xtask seekers`.
#[test]
#[ignore = "prints a table: cargo xtask seekers"]
fn waiting_times() {
    println!("| people | seeks | median s | nine of ten within s | at once | given up after 10 min |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for people in [5, 50, 500] {
        let course = Course { seed: 11, people, come_within_ms: 600_000, is_rough: false };
        let waited = in_world(course, async |mut run: Run| {
            let life = run.nodes.start(0).await;
            let ends = Instant::now() + Duration::from_millis(EVENING_MS);
            let mut evenings = JoinSet::new();
            for person in run.people(&life).await {
                evenings.spawn(evening(person, Arc::clone(&life.app), ends));
            }
            evenings.join_all().await.concat()
        });
        let mut paired: Vec<u64> = waited.iter().flatten().copied().collect();
        paired.sort_unstable();
        let within = |permille: usize| paired[(paired.len() - 1) * permille / 1_000] / 1_000;
        let percent = |count: usize| 100 * count / waited.len();
        let at_once = percent(paired.iter().filter(|ms| **ms < 1_000).count());
        println!(
            "| {people} | {} | {} | {} | {at_once} % | {} % |",
            waited.len(),
            within(500),
            within(900),
            percent(waited.len() - paired.len()),
        );
    }
}
