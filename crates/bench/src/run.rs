//! A run from beginning to end.

use std::{sync::Arc, sync::atomic::Ordering::Relaxed, time::Duration};

use futures_util::future::BoxFuture;
use lusoria_protocol::{Admission, CreateMatch, PlayAs, Token};
use rand::{SeedableRng, rngs::StdRng};
use tokio::{
    sync::{mpsc, watch},
    task::{JoinError, JoinSet},
    time::{Instant, MissedTickBehavior, interval, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    against_computer::{GuestAgainstComputer, with_computer_opponent},
    arrivals::{TurnScheduler, TurnTimes},
    audience::Audience,
    connection_opener::ConnectionOpener,
    error::{BenchError, ClientError},
    idle,
    load::{Load, Pace, Transport},
    pair::Pair,
    process::{Meter, Watched, files_max},
    report::{Idle, MatchMemory, Parameters, Report},
    run_state::{RunState, Window},
    tally::Tally,
    watcher::Watcher,
};

/// How often the memory is measured; every fourth time the progress is reported.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How long the clients may take to end when all turns are played.
pub(super) const END_WITHIN: Duration = Duration::from_secs(15);

/// How long the server may settle after the sockets are open, before its memory is measured.
const SETTLE: Duration = Duration::from_millis(500);

/// The most turns a second: each one that is not sent takes memory.
const RATE_MAX: f64 = 1_000_000.0;

/// The stage of a run. The stages come in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Connections are opened.
    Open,
    /// The pairs start their first matches.
    SitDown,
    /// Turns are played.
    Play,
}

/// The progress of a run.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Its stage.
    pub stage: Stage,
    /// Whether turns are measured now.
    pub counts: bool,
    /// Clients that are ready.
    pub clients: usize,
    /// Of this many in total.
    pub clients_all: usize,
    /// Turns that opponents have received so far, warm-up included.
    pub turns: u64,
    /// Events that watchers have received so far.
    pub deliveries: u64,
    /// Errors so far.
    pub errors: u64,
}

/// Loads a server and measures it. `stop` ends the run early; what was measured until then is reported.
/// `progress` is called once a second.
///
/// # Errors
/// If the load cannot be set up.
pub fn run<'a>(
    load: Load,
    stop: CancellationToken,
    progress: Box<dyn FnMut(&Progress) + Send + 'a>,
) -> BoxFuture<'a, Result<Report, BenchError>> {
    Box::pin(async move {
        check(&load)?;
        let address = unless(&stop, load.origin.resolve()).await?.map_err(BenchError::Resolve)?;
        let mut run = Run::new(load, address, stop, progress);
        let ended = run.run_to_end().await;
        // All tasks end, however the run ended.
        run.state.end();
        run.over.send_replace(true);
        ended
    })
}

/// Runs the load, unless it is stopped first.
pub(super) async fn unless<T>(
    stop: &CancellationToken,
    work: impl Future<Output = T>,
) -> Result<T, BenchError> {
    stop.run_until_cancelled(work).await.ok_or(BenchError::Stopped)
}

fn check(load: &Load) -> Result<(), BenchError> {
    let share = |share: f64| (0.0..=1.0).contains(&share);
    if load.matches == 0 {
        return Err(BenchError::Load("a load has at least one match"));
    }
    if load.guests.is_some_and(|guests| guests < 2) {
        return Err(BenchError::Load("a match takes two guests"));
    }
    if !share(load.slow_share) || !share(load.silent_share) || !share(load.slow_share + load.silent_share) {
        return Err(BenchError::Load("shares of the watchers lie between 0 and 1, together too"));
    }
    if load.duration.is_none() && load.turns_max.is_none() {
        return Err(BenchError::Load("a run needs a duration or a number of turns"));
    }
    if load.connects_per_s.is_nan() || load.connects_per_s <= 0.0 {
        return Err(BenchError::Load("connections are opened at a rate above 0"));
    }
    if let Pace::Rate { turns_per_s, .. } = load.pace
        && (turns_per_s.is_nan() || turns_per_s <= 0.0 || turns_per_s > RATE_MAX)
    {
        return Err(BenchError::Load("turns are played at a rate above 0, at most a million a second"));
    }
    if load.pid.is_some_and(|pid| Watched::other(pid).memory().is_none()) {
        return Err(BenchError::Load("there is no such process to measure, or this is not Linux"));
    }
    if load.over == Transport::Http && load.computers > 0 {
        return Err(BenchError::Load("guests play against the computer over sockets, not over plain HTTP"));
    }
    let players = match load.over {
        Transport::Socket => load.matches.saturating_mul(2),
        Transport::Http => load.matches.saturating_mul(4),
    };
    let files =
        [players, load.watchers, load.idle, load.computers].into_iter().fold(50, usize::saturating_add);
    if files_max().is_some_and(|max| max < files as u64) {
        return Err(BenchError::Load(
            "this process may not open so many files: raise the limit with ulimit -n",
        ));
    }
    Ok(())
}

/// A run and its tasks.
struct Run<'a> {
    load: Load,
    stop: CancellationToken,
    progress: Box<dyn FnMut(&Progress) + Send + 'a>,
    opener: Arc<ConnectionOpener>,
    state: Arc<RunState>,
    stage: watch::Sender<Stage>,
    over: watch::Sender<bool>,
    pairs: JoinSet<Result<Tally, ClientError>>,
    others: JoinSet<Result<Tally, ClientError>>,
    tally: Tally,
    server: Option<Meter>,
    /// The server's memory before the players connected, and when all had started.
    players_came: Option<(u64, u64)>,
    generator: Meter,
}

impl<'a> Run<'a> {
    fn new(
        load: Load,
        address: std::net::SocketAddr,
        stop: CancellationToken,
        progress: Box<dyn FnMut(&Progress) + Send + 'a>,
    ) -> Self {
        Self {
            stop,
            progress,
            opener: Arc::new(ConnectionOpener::new(&load, address)),
            state: Arc::new(RunState::new(load.turns_max)),
            stage: watch::Sender::new(Stage::Open),
            over: watch::Sender::new(false),
            pairs: JoinSet::new(),
            others: JoinSet::new(),
            tally: Tally::default(),
            server: load.pid.map(|pid| Meter::new(Watched::other(pid))),
            players_came: None,
            generator: Meter::new(Watched::own()),
            load,
        }
    }

    async fn run_to_end(&mut self) -> Result<Report, BenchError> {
        let guests = self.load.guests.unwrap_or(2 * self.load.matches);
        let mut tokens = unless(&self.stop, self.opener.guests(guests + self.load.computers))
            .await?
            .map_err(|why| opening("guests of the load", why.into()))?;
        let guests_against_computer = tokens.split_off(guests);
        let idle = self.open_idle_sockets(&tokens[0]).await?;

        let before_players = self.server_memory();

        let (ready, mut told) = mpsc::channel(1);
        let zero = Instant::now();
        let audiences: Vec<_> =
            (0..self.load.matches).map(|nth| Arc::new(Audience::new(self.is_watched(nth), zero))).collect();
        let (scheduler, starts) = TurnScheduler::new(&self.load);
        self.pairs(&tokens, &audiences, starts, &ready);
        self.watchers(&audiences, &ready);
        self.guests_against_computer(guests_against_computer, &ready);
        let clients = self.load.matches + self.load.watchers + self.load.computers;
        self.wait_for_clients(&mut told, clients).await?;
        self.stage.send_replace(Stage::SitDown);
        drop(ready);
        self.wait_for_clients(&mut told, self.load.matches).await?;
        if let Some(before) = before_players {
            unless(&self.stop, tokio::time::sleep(SETTLE)).await?;
            self.players_came = self.server_memory().map(|begun| (before, begun));
        }

        // In whole microseconds, like the times of audiences: a turn that is due then counts for its watchers
        // too.
        let after = zero.elapsed() + self.load.warm_up;
        let from = zero + after - Duration::from_nanos(u64::from(after.subsec_nanos() % 1_000));
        let until = self.load.duration.map(|duration| from + duration);
        self.state.open(Window { from, until });
        scheduler.start(from - self.load.warm_up, &self.state);
        self.stage.send_replace(Stage::Play);
        let ended = self.play(from, until).await;
        self.finish().await;
        Ok(self.report(from, ended, idle))
    }

    fn is_watched(&self, nth: usize) -> bool {
        (0..self.load.watchers.min(self.load.matches)).any(|watcher| self.load.match_of(watcher) == nth)
    }

    /// Opens the idle sockets. Returns how much memory they cost the server.
    async fn open_idle_sockets(&mut self, token: &Token) -> Result<Option<Idle>, BenchError> {
        let sockets = self.load.idle;
        if sockets == 0 {
            return Ok(None);
        }
        let quiet = unless(&self.stop, idle::quiet_match(&self.opener, token, self.terms()))
            .await?
            .map_err(|why| opening("the match on which nothing happens", why))?;
        unless(&self.stop, tokio::time::sleep(SETTLE)).await?;
        let before = self.server_memory();
        let (ready, mut told) = mpsc::channel(1);
        for _ in 0..sockets {
            let (opener, run_state) = (Arc::clone(&self.opener), Arc::clone(&self.state));
            let over = self.over.subscribe();
            self.others.spawn(idle::watch_nothing(opener, run_state, quiet, ready.clone(), over));
        }
        drop(ready);
        self.wait_for_clients(&mut told, sockets).await?;
        unless(&self.stop, tokio::time::sleep(SETTLE)).await?;
        let memory_bytes_each =
            self.server_memory().zip(before).and_then(|(after, before)| grown_each(before, after, sockets));
        Ok(Some(Idle { sockets, memory_bytes_each }))
    }

    fn server_memory(&self) -> Option<u64> {
        self.server.as_ref()?.watched.memory()
    }

    /// The server's memory for each match. Unknown if watchers or guests against the computer connected at
    /// the same time.
    fn match_memory(&self) -> Option<MatchMemory> {
        let (before, begun) = self.players_came.filter(|_| self.load.watchers + self.load.computers == 0)?;
        let after = self.server.as_ref()?.summary()?.memory.after_bytes;
        Some(MatchMemory {
            begun_bytes_each: grown_each(before, begun, self.load.matches)?,
            played_bytes_each: grown_each(before, after, self.load.matches)?,
        })
    }

    fn pairs(
        &mut self,
        tokens: &[Token],
        audiences: &[Arc<Audience>],
        starts: Vec<TurnTimes>,
        ready: &mpsc::Sender<()>,
    ) {
        for (nth, (audience, starts)) in audiences.iter().zip(starts).enumerate() {
            let pair = Pair {
                opener: Arc::clone(&self.opener),
                run_state: Arc::clone(&self.state),
                audience: Arc::clone(audience),
                stage: self.stage.subscribe(),
                ready: Some(ready.clone()),
                tokens: [2 * nth, 2 * nth + 1].map(|guest| tokens[guest % tokens.len()].clone()),
                terms: self.terms(),
                starts,
                random: StdRng::seed_from_u64(self.load.seed.wrapping_add(nth as u64)),
                tally: Tally::default(),
                ended: None,
            };
            self.pairs.spawn(pair.play());
        }
    }

    fn guests_against_computer(&mut self, tokens: Vec<Token>, ready: &mpsc::Sender<()>) {
        for (nth, token) in tokens.into_iter().enumerate() {
            let against_computer = GuestAgainstComputer {
                opener: Arc::clone(&self.opener),
                run_state: Arc::clone(&self.state),
                stage: self.stage.subscribe(),
                over: self.over.subscribe(),
                ready: ready.clone(),
                token,
                terms: with_computer_opponent(&self.terms()),
                random: StdRng::seed_from_u64(self.load.seed.wrapping_sub(1 + nth as u64)),
            };
            self.others.spawn(against_computer.play());
        }
    }

    fn watchers(&mut self, audiences: &[Arc<Audience>], ready: &mpsc::Sender<()>) {
        for nth in 0..self.load.watchers {
            let watcher = Watcher {
                opener: Arc::clone(&self.opener),
                run_state: Arc::clone(&self.state),
                audience: Arc::clone(&audiences[self.load.match_of(nth)]),
                ready: Some(ready.clone()),
                kind: self.load.kind_of(nth),
                on_lag: self.load.on_lag,
                pause: self.load.slow_pause,
                tally: Tally::default(),
            };
            self.others.spawn(watcher.watch());
        }
    }

    fn terms(&self) -> CreateMatch {
        CreateMatch {
            game: self.load.game,
            options: lusoria_protocol::Options::default(),
            points: self.load.points,
            games: None,
            clock: self.load.clock,
            side: PlayAs::Lot,
            opponent: None,
            stand_in: None,
            admission: Admission::Open,
            rated: false,
            seed_hash: None,
        }
    }

    /// Waits until this many clients are ready.
    async fn wait_for_clients(
        &mut self,
        told: &mut mpsc::Receiver<()>,
        count: usize,
    ) -> Result<(), BenchError> {
        let mut second = interval(4 * LOOK_EVERY);
        second.set_missed_tick_behavior(MissedTickBehavior::Delay);
        second.reset();
        let mut clients = 0;
        while clients < count {
            tokio::select! {
                Some(()) = told.recv() => clients += 1,
                Some(ended) = self.pairs.join_next() => return Err(too_early("a player", ended)),
                Some(ended) = self.others.join_next() => return Err(too_early("a watcher", ended)),
                () = self.stop.cancelled() => return Err(BenchError::Stopped),
                _ = second.tick() => self.tell_progress(false, clients, count),
            }
        }
        Ok(())
    }

    /// Waits until the time is over, all turns are played, or the run is stopped. Returns that moment.
    async fn play(&mut self, from: Instant, until: Option<Instant>) -> Instant {
        let mut look = interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut looks = 0_u32;
        let end = async {
            match until {
                Some(until) => tokio::time::sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        tokio::pin!(end);
        loop {
            tokio::select! {
                () = &mut end => break,
                () = self.stop.cancelled() => break,
                Some(ended) = self.pairs.join_next() => {
                    self.take(ended);
                    // At a fixed rate the last turn is due a little before the time is over.
                    if self.pairs.is_empty() && (until.is_none() || self.state.is_played_out()) {
                        break;
                    }
                }
                Some(ended) = self.others.join_next() => self.take(ended),
                _ = look.tick() => {
                    let now = Instant::now();
                    for meter in self.meters() {
                        meter.look(now >= from);
                    }
                    looks += 1;
                    if looks.is_multiple_of(4) {
                        let clients = self.load.matches + self.load.watchers + self.load.computers;
                        self.tell_progress(now >= from, clients, clients);
                    }
                }
            }
        }
        let now = Instant::now();
        for meter in self.meters() {
            meter.end();
        }
        self.state.end();
        until.map_or(now, |until| until.min(now))
    }

    /// Waits until all tasks have ended.
    async fn finish(&mut self) {
        let deadline = Instant::now() + END_WITHIN;
        self.over.send_replace(true);
        while let Ok(Some(ended)) = timeout(deadline - Instant::now(), self.pairs.join_next()).await {
            self.take(ended);
        }
        while let Ok(Some(ended)) = timeout(deadline - Instant::now(), self.others.join_next()).await {
            self.take(ended);
        }
        let left = self.pairs.len() + self.others.len();
        for _ in 0..left {
            self.tally.count_error(&ClientError::Silence(END_WITHIN.as_secs()), &self.state);
        }
    }

    fn take(&mut self, ended: Result<Result<Tally, ClientError>, JoinError>) {
        match ended.unwrap_or_else(|error| Err(error.into())) {
            Ok(tally) => self.tally.add(&tally),
            Err(error) => self.tally.count_error(&error, &self.state),
        }
    }

    fn meters(&mut self) -> impl Iterator<Item = &mut Meter> {
        self.server.iter_mut().chain(std::iter::once(&mut self.generator))
    }

    fn tell_progress(&mut self, counts: bool, clients: usize, clients_all: usize) {
        (self.progress)(&Progress {
            stage: *self.stage.borrow(),
            counts,
            clients,
            clients_all,
            turns: self.state.turns.load(Relaxed),
            deliveries: self.state.deliveries.load(Relaxed),
            errors: self.state.errors.load(Relaxed),
        });
    }

    fn report(&mut self, from: Instant, ended: Instant, idle: Option<Idle>) -> Report {
        let measured_s = ended.saturating_duration_since(from).as_secs_f64();
        Report {
            load: Parameters::from(&self.load),
            measured_s,
            players: self.tally.players(measured_s, &self.state.given_up(ended)),
            watchers: self.tally.watchers(measured_s),
            idle,
            computer: self.tally.computer(self.load.computers, measured_s),
            missing: self.tally.missing,
            repeated: self.tally.repeated,
            changed: self.tally.changed,
            errors: std::mem::take(&mut self.tally.errors),
            echo: None,
            server: self.server.as_ref().and_then(Meter::summary),
            match_memory: self.match_memory(),
            generator: self.generator.summary(),
        }
    }
}

/// The growth in bytes for each of `count`.
fn grown_each(before: u64, after: u64, count: usize) -> Option<i64> {
    after.checked_signed_diff(before)?.checked_div(i64::try_from(count).ok()?)
}

fn opening(who: &'static str, why: ClientError) -> BenchError {
    BenchError::Opening { who, why }
}

fn too_early(who: &'static str, ended: Result<Result<Tally, ClientError>, JoinError>) -> BenchError {
    match ended {
        Ok(Err(why)) => opening(who, why),
        Ok(Ok(_)) => opening(who, ClientError::Stuck),
        Err(error) => BenchError::Task(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_that_make_no_sense_are_refused() {
        let modest = || Load::modest("http://127.0.0.1:1".parse().expect("an origin"));
        assert!(check(&modest()).is_ok());
        let refused = |change: fn(&mut Load)| {
            let mut load = modest();
            change(&mut load);
            assert!(matches!(check(&load), Err(BenchError::Load(_))), "{load:?}");
        };
        refused(|load| load.matches = 0);
        refused(|load| load.guests = Some(1));
        refused(|load| (load.slow_share, load.silent_share) = (0.6, 0.6));
        refused(|load| load.duration = None);
        refused(|load| load.connects_per_s = 0.0);
        refused(|load| {
            load.pace = Pace::Rate { turns_per_s: f64::NAN, arrival: super::super::Arrival::Even }
        });
        refused(|load| load.idle = usize::MAX / 2);
        refused(|load| load.pid = Some(u32::MAX));
        refused(|load| (load.over, load.computers) = (Transport::Http, 1));
    }

    /// A run that is never stopped and reports no progress.
    fn quiet(load: Load) -> Run<'static> {
        Run::new(load, ([127, 0, 0, 1], 1).into(), CancellationToken::new(), Box::new(|_| {}))
    }

    #[test]
    fn kinds_are_spread_over_the_matches() {
        let mut load = Load::modest("http://127.0.0.1:1".parse().expect("an origin"));
        load.watchers = 4;
        let mut run = quiet(load);
        assert!((0..4).all(|nth| run.is_watched(nth)) && !run.is_watched(4));
        run.load.watch_one = true;
        assert!(run.is_watched(0) && !run.is_watched(1));
    }

    #[tokio::test]
    async fn a_task_that_fails_is_an_error_of_the_report() {
        let mut run = quiet(Load::modest("http://127.0.0.1:1".parse().expect("an origin")));
        run.pairs.spawn(std::future::pending());
        run.pairs.abort_all();
        let ended = run.pairs.join_next().await.expect("a task");
        run.take(ended);
        let report = run.report(Instant::now(), Instant::now(), None);
        assert_eq!((report.errors["task"], report.is_clean()), (1, false));
    }
}
