//! A cluster: three nodes on one PostgreSQL and one NATS. Players and watchers are on different nodes while
//! everything between them fails; then what was acknowledged is compared with what every node sends.
//!
//! The players, their records and the comparison are those of the crash trial.

mod check;
mod fault;
mod nodes;
mod playing;
mod proxy;
mod report;
mod watching;

pub use fault::Kind;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use crate::crash::{
    error::{NoAnswer, TrialError},
    pair::{Pair, StepOutcome},
};
use fault::Round;
use nodes::{Addresses, Cluster};
use playing::Playing;
use report::Tally;
use watching::Watchers;

/// The number of nodes.
const NODES: usize = 3;

/// The number of pairs.
const PAIRS: usize = 6;

/// The number of finished matches that are compared after each round. At the end all are.
const PAST_COMPARED: usize = 4;

/// The most steps that a match may take until it is over.
const STEPS_TO_THE_END: u32 = 20_000;

/// How often a node may be unavailable while matches are played to their end, and how long a client waits
/// then.
const UNAVAILABLE_MAX: u32 = 20;
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(200);

/// The command line.
#[derive(Debug, Args)]
pub struct Options {
    /// The server's program
    #[arg(long, value_name = "FILE")]
    server: PathBuf,

    /// The folder of the logs; its contents are removed
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// Number of rounds
    #[arg(long, value_name = "N", default_value_t = 200)]
    rounds: u32,

    /// The seed of the random choices
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// The faults, in turn; all if left out
    #[arg(long = "kind", value_name = "KIND", value_enum)]
    kinds: Vec<Kind>,

    /// A line for each round
    #[arg(long)]
    verbose: bool,
}

/// Runs the rounds and prints a summary. Returns whether every promise was kept.
///
/// # Errors
/// If the trial could not be carried out at all.
pub async fn run(options: &Options) -> Result<bool, String> {
    let kinds = if options.kinds.is_empty() { Kind::value_variants() } else { &options.kinds };
    let began = Instant::now();
    let mut random = StdRng::seed_from_u64(options.seed);
    let cluster = Cluster::start(&options.server, &options.folder).await;
    let cluster = cluster.map_err(|error| format!("the cluster does not start: {error}"))?;
    let mut world = World {
        cluster,
        pairs: (0..PAIRS).map(|number| Pair::new(number, random.random())).collect(),
        tally: Tally::default(),
        random,
    };
    let lived = world.live(options, kinds).await;
    world.tally.count_pairs(&world.pairs);
    println!("{}", world.tally.shown(began.elapsed()));
    if let Err(why) = &lived {
        let (seed, folder) = (options.seed, options.folder.display());
        eprintln!("cluster, seed {seed}, round {}: {why}", world.tally.rounds());
        eprintln!("  the logs of the nodes are in {folder}");
    }
    Ok(lived.is_ok())
}

/// The cluster with its players.
struct World {
    cluster: Cluster,
    pairs: Vec<Pair>,
    tally: Tally,
    random: StdRng,
}

impl World {
    async fn live(&mut self, options: &Options, kinds: &[Kind]) -> Result<(), TrialError> {
        self.cluster.all_ready().await?;
        for &kind in kinds.iter().cycle().take(options.rounds as usize) {
            let began = Instant::now();
            let round = Round::draw(kind, &mut self.random);
            self.tally.began(kind);
            self.round(round).await?;
            if options.verbose {
                let (number, took_ms) = (self.tally.rounds(), began.elapsed().as_millis());
                eprintln!("{number}: {took_ms} ms: {:?}", round.fault);
            }
        }
        self.finish().await
    }

    async fn round(&mut self, round: Round) -> Result<(), TrialError> {
        let watchers = Watchers::begin(&self.pairs, &self.cluster.addresses());
        let pairs = std::mem::take(&mut self.pairs);
        let playing = Playing::begin(pairs, &self.cluster.addresses(), &mut self.random);
        tokio::time::sleep(round.before).await;
        let suffered = self.cluster.suffer(round.fault).await;
        tokio::time::sleep(round.after).await;
        let (pairs, played) = playing.stop().await;
        self.pairs = pairs;
        suffered?;
        played?;
        self.cluster.all_ready().await?;
        watchers.reach_heads(&mut self.pairs, self.cluster.now()).await?;
        self.check(PAST_COMPARED).await
    }

    /// Compares everything with what the nodes send now.
    async fn check(&mut self, past: usize) -> Result<(), TrialError> {
        let judged = self.random.random_range(..self.pairs.len());
        let at = self.cluster.now();
        let pairs = std::mem::take(&mut self.pairs);
        let homes = pairs.iter().map(|_| playing::homes(&mut self.random)).collect();
        let (pairs, checked) = check::all(pairs, at, homes, judged).await;
        self.pairs = pairs;
        self.tally.compared += checked?;
        let over: Vec<_> = self.pairs.iter().flat_map(|pair| &pair.past).collect();
        let from = self.random.random_range(..over.len().max(1));
        for seen in over.iter().cycle().skip(from).take(past.min(over.len())) {
            let node = at[self.random.random_range(..NODES)];
            self.tally.compared += crate::crash::check::past(seen, node, true).await?;
            check::no_claims(seen)?;
        }
        Ok(())
    }

    /// Plays every match to its end, and compares everything a last time.
    async fn finish(&mut self) -> Result<(), TrialError> {
        let at = self.cluster.now();
        for pair in &mut self.pairs {
            let homes = playing::homes(&mut self.random).map(|node| at[node]);
            to_the_end(pair, homes).await?;
        }
        self.check(usize::MAX).await?;
        self.cluster.stop()
    }
}

async fn to_the_end(pair: &mut Pair, at: Addresses<2>) -> Result<(), TrialError> {
    if pair.current.is_none() {
        return Ok(());
    }
    let mut unavailable = 0;
    for _ in 0..STEPS_TO_THE_END {
        match pair.step(at).await {
            Ok(StepOutcome::Left) => {
                pair.hang_up();
                return Ok(());
            }
            Ok(StepOutcome::Turned | StepOutcome::Other) => {}
            // The cluster works, but the machine may stop for a moment.
            Err(TrialError::NoAnswer(NoAnswer::Unavailable(_))) if unavailable < UNAVAILABLE_MAX => {
                unavailable += 1;
                tokio::time::sleep(TRY_AGAIN_AFTER).await;
            }
            Err(why) => return Err(why),
        }
    }
    Err(TrialError::Broken(format!("a match is not over after {STEPS_TO_THE_END} steps")))
}
