//! A database with its server and all its players.

use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use lusoria_services::sqlite::File;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::task::JoinSet;

use super::{
    Engine, TrialError,
    check::{self, Compared, Patience, UNAVAILABLE_MAX},
    clocks::Outage,
    content::SavedFiles,
    disk::{Disk, LostWrites, SmallDisk},
    error::{broken, promised},
    pair::Pair,
    playing::{Ended, Load, Playing},
    postgres::PostgresDatabase,
};
use crate::{
    server::{NotStarted, Process, Program, now_ms},
    web::{self, Ready},
};

/// The numbers of pairs that play at the same time: from a few, each with its own commits, to many, which
/// share commits. The first five play one of the games each, the others a random one.
const PAIRS: [usize; 3] = [3, 6, 12];

/// The number of finished matches that are compared after each round. At the end all are.
const PAST_COMPARED: usize = 2;

/// How long players may take to fill the remaining space of a disk.
const FILLED_WITHIN: Duration = Duration::from_mins(1);

/// How often to poll the server's readiness.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The number of runs of a server in which a checkpoint is left to chance.
const LIVES_TO_COPY: usize = 10;

/// Counts of packed matches; packing happens at the start of a server.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Packing {
    /// Matches that are packed.
    pub(super) packed: u64,
    /// Starts that were killed while there were matches to pack.
    pub(super) killed_before: u64,
    /// Starts that were killed after they had packed some.
    pub(super) killed_after: u64,
}

/// The counts of a world.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    pub(super) compared: Compared,
    pub(super) resent: u64,
    pub(super) answers: u64,
    pub(super) unavailable: u64,
    pub(super) matches: u64,
    pub(super) restarts: Vec<Duration>,
    /// Runs of a server in which a checkpoint was made.
    pub(super) copied: u64,
    /// Losses that the server reported.
    pub(super) noticed: u64,
    /// How often the server reported a full disk.
    pub(super) filled: u64,
    pub(super) packing: Packing,
    pub(super) lost: LostWrites,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.compared += other.compared;
        self.resent += other.resent;
        self.answers += other.answers;
        self.unavailable += other.unavailable;
        self.matches += other.matches;
        self.restarts.extend(other.restarts);
        self.copied += other.copied;
        self.noticed += other.noticed;
        self.filled += other.filled;
        self.packing.packed += other.packing.packed;
        self.packing.killed_before += other.packing.killed_before;
        self.packing.killed_after += other.packing.killed_after;
        self.lost += other.lost;
    }
}

/// The database that stores the matches.
pub(super) enum Database {
    /// A file, which may be on a disk of the trial.
    File { disk: Option<Disk>, small_disk: Option<SmallDisk> },
    /// A database in a PostgreSQL of its own.
    Postgres(PostgresDatabase),
}

/// A database with its server and all its players.
pub(super) struct World {
    pub(super) folder: PathBuf,
    pub(super) program: Program,
    database: Database,
    /// When the database file was last written, at the start of the server.
    written: Option<SystemTime>,
    server: Option<Process>,
    pairs: Vec<Pair>,
    pub(super) tally: Tally,
    /// When the last server certainly ran, and when certainly none did any more.
    ran: Option<(u64, u64)>,
    outage: Option<Outage>,
    random: StdRng,
}

impl World {
    /// Creates a world with a file in a folder of its own. Nothing runs yet.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub(super) fn new(folder: &Path, binary: &Path, seed: u64) -> io::Result<Self> {
        let program = Program::in_folder(binary, folder)?;
        // SQLite identifies its files by their absolute paths.
        let folder = folder.canonicalize()?;
        let mut random = StdRng::seed_from_u64(seed);
        let pairs = new_pairs(&mut random);
        Ok(Self {
            folder,
            program,
            database: Database::File { disk: None, small_disk: None },
            written: None,
            server: None,
            pairs,
            tally: Tally::default(),
            ran: None,
            outage: None,
            random,
        })
    }

    /// Starts the server.
    pub(super) fn start(&mut self) -> Result<(), TrialError> {
        let mut program = self.program.clone();
        // Then there is something to pack when a later start is killed.
        if self.random.random_ratio(1, 2) {
            program.environment.push(("LUSORIA_PACK_AFTER", "86400".into()));
        }
        let started = tokio::task::block_in_place(|| program.start());
        let server = started.map_err(|why| match why {
            NotStarted::Ended(status) => broken!("the server does not start again: {status}; see its log"),
            other => broken!("{other}"),
        })?;
        self.started(server);
        Ok(())
    }

    /// Starts the server and compares everything.
    pub(super) async fn start_and_check(&mut self) -> Result<(), TrialError> {
        self.start()?;
        self.check().await
    }

    /// Notes that a server has started.
    fn started(&mut self, server: Process) {
        self.tally.restarts.push(server.took);
        self.written = self.last_written();
        self.outage = self.ran.map(|(ran_until, ended_by)| Outage {
            ran_until,
            ended_by,
            started_at: server.spawned_at,
            listened_at: now_ms(),
        });
        self.server = Some(server);
    }

    fn last_written(&self) -> Option<SystemTime> {
        fs::metadata(&self.program.database).and_then(|found| found.modified()).ok()
    }

    /// Checks that a server on a full disk, or without its database, starts, or says that it may start later.
    pub(super) fn start_without_room(&mut self) -> Result<(), TrialError> {
        match tokio::task::block_in_place(|| self.program.start()) {
            Ok(server) => server.kill(),
            Err(NotStarted::Ended(status)) if status.code() == Some(75) => {}
            Err(why) => return Err(broken!("without space or without its database: {why}")),
        }
        self.ended_again();
        Ok(())
    }

    /// Starts all pairs.
    pub(super) fn play(&mut self) -> Playing {
        Playing::begin(std::mem::take(&mut self.pairs), self.server().address)
    }

    /// Waits until the load has ended because the server has.
    pub(super) async fn wait_for(&mut self, playing: Playing) -> Result<Vec<Ended>, TrialError> {
        let load = playing.end(&mut self.pairs).await;
        self.count(&load)?;
        Ok(load.ended)
    }

    /// Ends the load. Fails if a client lost the server before.
    pub(super) async fn stop(&mut self, playing: Playing) -> Result<u64, TrialError> {
        let load = self.stop_cut_off(playing).await?;
        let cut_off = load.cut_off;
        promised!(cut_off == 0, "the server closed {cut_off} sockets that it need not close");
        Ok(load.unavailable)
    }

    /// Ends the load on a server that was cut off from its database, and then closes its sockets.
    pub(super) async fn stop_cut_off(&mut self, playing: Playing) -> Result<Load, TrialError> {
        let load = playing.stop(&mut self.pairs).await;
        let gone = load.ended.iter().find(|ended| matches!(ended, Ended::Gone(_)));
        promised!(gone.is_none(), "the server dropped a client that it could have kept: {gone:?}");
        self.count(&load)?;
        Ok(load)
    }

    fn count(&mut self, load: &Load) -> Result<(), TrialError> {
        self.tally.unavailable += load.unavailable;
        let broken = load.ended.iter().find_map(|ended| match ended {
            Ended::Broken(what) => Some(what),
            Ended::Stopped | Ended::Gone(_) => None,
        });
        broken.map_or(Ok(()), |what| Err(TrialError::Broken(what.clone())))
    }

    /// Takes the server out, so that the caller can end it.
    pub(super) fn take_server(&mut self) -> Process {
        self.tally.copied += u64::from(self.last_written() != self.written);
        self.server.take().expect("a server runs")
    }

    /// Ends the server at once.
    pub(super) fn kill(&mut self) {
        let server = self.take_server();
        let ran_until = now_ms();
        server.kill();
        self.ran = Some((ran_until, now_ms()));
    }

    /// Stops the server with SIGTERM.
    pub(super) fn end_in_order(&mut self) -> Result<(), TrialError> {
        let (server, ran_until) = (self.take_server(), now_ms());
        let stopped = tokio::task::block_in_place(|| {
            server.ask_to_stop()?;
            server.wait()
        });
        self.ended(ran_until);
        let status = stopped?;
        promised!(status.success(), "the server was told to stop and ended with {status}");
        Ok(())
    }

    /// Whether a checkpoint is overdue.
    pub(super) fn is_copy_due(&self) -> bool {
        self.tally.copied == 0 && self.tally.restarts.len() >= LIVES_TO_COPY
    }

    /// Notes that the server has ended by itself since `ran_until`.
    pub(super) fn ended(&mut self, ran_until: u64) {
        self.ran = Some((ran_until, now_ms()));
    }

    /// Notes that the server ran, but its database was down for long enough to be an outage.
    pub(super) fn was_cut_off(&mut self, outage: Outage) {
        self.outage = Some(outage);
    }

    /// Notes that a server has ended before any client connected; it may have written a heartbeat.
    pub(super) fn ended_again(&mut self) {
        if let Some((_, ended_by)) = &mut self.ran {
            *ended_by = now_ms();
        }
    }

    /// Kills servers during their start: while they recover the WAL, make their first writes, or pack
    /// finished matches. If there is a disk, also cuts its power each time.
    pub(super) async fn kill_some_at_start(&mut self, random: &mut StdRng) -> Result<(), TrialError> {
        while random.random_ratio(1, 2) {
            let (_, packed_before) = self.packing()?;
            let starting = self.program.spawn()?;
            if random.random_ratio(1, 2) {
                tokio::time::sleep(Duration::from_micros(random.random_range(0..40_000))).await;
                starting.kill();
            } else {
                // It packs as soon as it listens.
                let server = tokio::task::block_in_place(|| starting.listening());
                let server = server.map_err(|why| broken!("{why}"))?;
                tokio::time::sleep(Duration::from_micros(random.random_range(0..40_000))).await;
                server.kill();
            }
            self.ended_again();
            let (unpacked, packed) = self.packing()?;
            self.tally.packing.killed_before += u64::from(unpacked > 0);
            self.tally.packing.killed_after += u64::from(packed > packed_before);
            if matches!(self.database, Database::File { disk: Some(_), .. }) {
                self.cut(random)?;
            }
        }
        Ok(())
    }

    /// The number of matches to pack, and of packed ones, while no server runs.
    fn packing(&self) -> Result<(u64, u64), TrialError> {
        if self.engine() == Engine::Postgres {
            // PostgreSQL packs nothing.
            return Ok((0, 0));
        }
        // Of a copy: reading would recover the WAL.
        let copy = SavedFiles::of(&self.program.database)?.copy(&self.folder.join("at-start"))?;
        let copy = File::open(&copy)?;
        let unpacked = copy.value("SELECT COUNT(*) FROM settling")?;
        Ok((unpacked, copy.value("SELECT COUNT(DISTINCT match) FROM packed")?))
    }

    /// Puts the file on a disk whose power can be cut, before the server is started.
    pub(super) fn put_on(&mut self, disk: Disk) {
        self.program.environment = disk.environment();
        self.database = Database::File { disk: Some(disk), small_disk: None };
    }

    /// Puts the small disk under the file, or back there.
    pub(super) fn put_on_small_disk(&mut self, small_disk: SmallDisk) {
        self.database = Database::File { disk: None, small_disk: Some(small_disk) };
    }

    /// Takes the small disk out.
    pub(super) fn take_small_disk(&mut self) -> SmallDisk {
        let Database::File { small_disk, .. } = &mut self.database else { unreachable!("see Kind::runs_on") };
        small_disk.take().expect("the kind that needs one has one")
    }

    /// The disk whose power can be cut.
    pub(super) fn disk(&self) -> &Disk {
        let Database::File { disk, .. } = &self.database else { unreachable!("see Kind::runs_on") };
        disk.as_ref().expect("the kinds that need one have one")
    }

    /// Uses PostgreSQL instead of the file, before the server is started.
    pub(super) fn put_in(&mut self, postgres: PostgresDatabase) {
        self.program.database = postgres.url();
        self.program.arguments = PostgresDatabase::arguments(None);
        self.database = Database::Postgres(postgres);
    }

    /// What kind of database it is.
    pub(super) const fn engine(&self) -> Engine {
        match self.database {
            Database::File { .. } => Engine::File,
            Database::Postgres(_) => Engine::Postgres,
        }
    }

    /// The PostgreSQL, if the matches are stored there.
    pub(super) fn postgres(&mut self) -> Option<&mut PostgresDatabase> {
        match &mut self.database {
            Database::Postgres(postgres) => Some(postgres),
            Database::File { .. } => None,
        }
    }

    /// Cuts the power. The server has been killed already.
    pub(super) fn cut(&mut self, random: &mut StdRng) -> Result<(), TrialError> {
        self.tally.lost += self.disk().cut(random)?;
        Ok(())
    }

    /// Waits until the server reports that it is ready.
    pub(super) async fn until_ready(&mut self, within: Duration) -> Result<(), TrialError> {
        self.until(within, "the server is not ready", |ready| ready.why_not.is_none()).await
    }

    /// Waits until the server reports a full disk.
    pub(super) async fn until_full(&mut self) -> Result<(), TrialError> {
        let is_full = |ready: &Ready| ready.why_not.as_ref().is_some_and(|why| why.contains("disk"));
        self.until(FILLED_WITHIN, "the server does not report a full disk", is_full).await?;
        self.tally.filled += 1;
        Ok(())
    }

    /// Waits until the server reports that. It must not end by itself.
    async fn until(
        &mut self,
        within: Duration,
        otherwise: &str,
        is_so: impl Fn(&Ready) -> bool,
    ) -> Result<(), TrialError> {
        let began = Instant::now();
        loop {
            let server = self.server.as_mut().expect("a server runs");
            let ended = server.ended()?;
            promised!(ended.is_none(), "the server has ended by itself: {ended:?}; see its log");
            let said = web::ready(server.address).await?;
            if is_so(&said) {
                return Ok(());
            }
            promised!(began.elapsed() <= within, "{otherwise} after {} s: {said:?}", within.as_secs());
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Compares everything with what the server sends now.
    pub(super) async fn check(&mut self) -> Result<(), TrialError> {
        let at = self.server().address;
        self.check_on([at; 2]).await
    }

    /// Compares everything with what two servers send now; each pair's players play on one each.
    pub(super) async fn check_on(&mut self, servers: [SocketAddr; 2]) -> Result<(), TrialError> {
        let (at, outage) = (servers[0], self.outage);
        let unavailable_max = match self.engine() {
            Engine::File => 0,
            Engine::Postgres => UNAVAILABLE_MAX,
        };
        let lost = web::ready(at).await?.lost_commits;
        promised!(lost == 0, "the server says that {lost} commits are lost");
        let judged = self.random.random_range(0..self.pairs.len());
        let mut checks = JoinSet::new();
        for mut pair in std::mem::take(&mut self.pairs) {
            checks.spawn(async move {
                let judged = pair.number() == judged;
                let mut patience = Patience(unavailable_max);
                let checked = loop {
                    let checked = check::check(&mut pair, servers, outage.as_ref(), judged).await;
                    if !patience.lasts(&checked).await {
                        break checked;
                    }
                };
                (pair, checked)
            });
        }
        let mut wrong = None;
        while let Some(checked) = checks.join_next().await {
            let (mut pair, checked) = checked.expect("a check does not panic");
            pair.hang_up();
            self.pairs.push(pair);
            match checked {
                Ok(compared) => self.tally.compared += compared,
                Err(why) => wrong = wrong.or(Some(why)),
            }
        }
        self.pairs.sort_by_key(Pair::number);
        if let Some(why) = wrong {
            return Err(broken!("{why}"));
        }
        self.check_past(PAST_COMPARED).await
    }

    /// Compares some of the finished matches.
    async fn check_past(&mut self, most: usize) -> Result<(), TrialError> {
        let at = self.server().address;
        let past: Vec<_> = self.pairs.iter().flat_map(|pair| &pair.past).collect();
        let judged = most >= past.len();
        let from = self.random.random_range(0..past.len().max(1));
        for seen in past.iter().cycle().skip(from).take(most.min(past.len())) {
            self.tally.compared +=
                check::past(seen, at, judged).await.map_err(|why| broken!("a finished match: {why}"))?;
        }
        Ok(())
    }

    /// Compares everything a last time, stops the server, and makes SQLite or PostgreSQL check the database.
    pub(super) async fn finish(&mut self) -> Result<(), TrialError> {
        self.check().await?;
        self.check_past(usize::MAX).await?;
        self.count_pairs();
        self.end_in_order()?;
        self.tally.packing.packed += self.packing()?.1;
        self.integrity()
    }

    fn count_pairs(&mut self) {
        for pair in &self.pairs {
            self.tally.resent += pair.resent;
            self.tally.answers += pair.answers;
            self.tally.matches += pair.past.len() as u64 + u64::from(pair.current.is_some());
        }
    }

    fn integrity(&self) -> Result<(), TrialError> {
        if let Database::Postgres(postgres) = &self.database {
            let damage = tokio::task::block_in_place(|| postgres.damage())?;
            promised!(damage.is_none(), "the database: {damage:?}");
            return Ok(());
        }
        let found = File::open(&self.program.database)?.run("PRAGMA integrity_check")?;
        promised!(found == "ok", "the database: {found}");
        Ok(())
    }

    pub(super) fn server(&self) -> &Process {
        self.server.as_ref().expect("a server runs")
    }
}

fn new_pairs(random: &mut StdRng) -> Vec<Pair> {
    let pairs = PAIRS[random.random_range(0..PAIRS.len())];
    (0..pairs).map(|number| Pair::new(number, random.random())).collect()
}
