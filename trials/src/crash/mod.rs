//! Crashes: the server is played on, treated badly at a random instant, started again,
//! and compared with what every client saw acknowledged.
//!
//! A *pair* of players plays one match after another and keeps every byte that it is
//! told; a *world* is a database with a server and its pairs; a *kind* is what happens to
//! the server. The players' choices come from a seed. The instants are what the machine
//! makes of them.

mod check;
mod clocks;
mod current;
mod kinds;
mod pair;
mod player;
mod playing;
mod report;
mod seen;
mod trouble;
mod wal;
mod world;

pub use kinds::Kind;
use trouble::Trouble;

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Args;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use report::Report;
use world::{Tally, World};

/// After how many rounds a new database is begun, so that small ones are tried as well as
/// those that have grown.
const ROUNDS_OF_A_WORLD: u32 = 40;

/// What to try.
#[derive(Debug, Args)]
pub struct Options {
    /// The server's program
    #[arg(long, value_name = "FILE")]
    server: PathBuf,

    /// Where databases and logs are put; what lies there is removed
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// How many rounds of each kind
    #[arg(long, value_name = "N", default_value_t = 20)]
    rounds: u32,

    /// Where the random choices come from
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// What happens to the server; everything if left out
    #[arg(long = "kind", value_name = "KIND", value_enum)]
    kinds: Vec<Kind>,

    /// A line for each round
    #[arg(long)]
    verbose: bool,

    /// The summary as JSON
    #[arg(long)]
    json: bool,
}

/// Tries everything that was asked for and prints a summary. Whether every promise was kept.
///
/// # Errors
/// If a trial could not be made at all.
pub async fn run(options: &Options) -> Result<bool, String> {
    let kinds = if options.kinds.is_empty() { &Kind::ALL[..] } else { &options.kinds };
    let mut reports = Vec::new();
    for &kind in kinds {
        let report = try_kind(kind, options).await?;
        reports.push(report);
    }
    if options.json {
        println!("{}", serde_json::to_string_pretty(&reports).expect("a report is plain data"));
    } else {
        print!("{}", report::table(&reports));
    }
    Ok(reports.iter().all(Report::is_good))
}

/// All rounds of a kind, up to the first fault.
async fn try_kind(kind: Kind, options: &Options) -> Result<Report, String> {
    let began = Instant::now();
    let mut tally = Tally::default();
    let mut random = StdRng::seed_from_u64(options.seed);
    let (mut made, mut faults) = (0, Vec::new());
    while made < options.rounds && faults.is_empty() {
        let rounds = ROUNDS_OF_A_WORLD.min(options.rounds - made);
        let folder = options.folder.join(kind.name());
        let mut world = World::new(folder.clone(), &options.server, random.random())
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let lived = live(kind, &mut world, rounds, &mut random, &mut made, options.verbose).await;
        tally += world.tally;
        if let Err(why) = lived {
            faults.push(format!("{why}"));
            tell(kind, options.seed, made, &why, &folder);
        }
    }
    Ok(Report::new(kind.name(), made, &mut tally, began.elapsed(), faults))
}

/// The life of one world.
async fn live(
    kind: Kind,
    world: &mut World,
    rounds: u32,
    random: &mut StdRng,
    made: &mut u32,
    verbose: bool,
) -> Result<(), Trouble> {
    world.start()?;
    for _ in 0..rounds {
        let began = Instant::now();
        *made += 1;
        kind.round(world, random).await?;
        if verbose {
            let (compared, took_ms) = (world.tally.compared.events, began.elapsed().as_millis());
            eprintln!("{} {made}: {took_ms} ms, {compared} events compared so far", kind.name());
        }
    }
    world.finish().await
}

fn tell(kind: Kind, seed: u64, round: u32, why: &Trouble, folder: &Path) {
    eprintln!("crash {}, seed {seed}, round {round}: {why}", kind.name());
    eprintln!("  what is left lies in {}", folder.display());
}
