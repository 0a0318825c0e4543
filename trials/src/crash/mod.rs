//! Crashes: clients play on the server, it is disturbed at a random moment and started again, and its state
//! is compared with everything that was acknowledged to a client.
//!
//! A *pair* of players plays one match after another and keeps every byte that it receives; a *world* is a
//! database with a server and its pairs; a *kind* is what happens to the server. The players' choices come
//! from a seed. The moments depend on the machine.

pub(crate) mod check;
mod clocks;
mod content;
mod current;
mod disk;
pub(crate) mod error;
mod kinds;
pub(crate) mod pair;
pub(crate) mod player;
mod playing;
mod postgres;
mod report;
pub(crate) mod seen;
mod wal;
pub(crate) mod wish;
mod world;

pub use disk::Lie;
use error::TrialError;
pub use kinds::Kind;

use std::{
    io,
    path::{Path, PathBuf},
    time::Instant,
};

use clap::{Args, ValueEnum};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use disk::{Disk, Shim, SmallDisk};
use postgres::PostgresDatabase;
use report::Report;
use world::{Tally, World};

/// The rounds after which a new database is begun, so that small ones are tried as well as large ones.
const ROUNDS_OF_A_WORLD: u32 = 40;

/// The database that stores the matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// A file of SQLite
    File,
    /// PostgreSQL, which the trial starts
    Postgres,
}

/// The command line.
#[derive(Debug, Args)]
pub struct Options {
    /// The server's program
    #[arg(long, value_name = "FILE")]
    server: PathBuf,

    /// The folder of databases and logs; its contents are removed
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// The database that stores the matches
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Engine::File)]
    database: Engine,

    /// Number of rounds of each kind
    #[arg(long, value_name = "N", default_value_t = 20)]
    rounds: u32,

    /// The seed of the random choices
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// What happens to the server; everything that can happen on that database if left out
    #[arg(long = "kind", value_name = "KIND", value_enum)]
    kinds: Vec<Kind>,

    /// A disk that reports syncs it has not done: the trial must find losses, and fails if it does not
    #[arg(long, value_name = "WHAT", value_enum)]
    lying_disk: Option<Lie>,

    /// A line for each round
    #[arg(long)]
    verbose: bool,

    /// The summary as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the requested trials and prints a summary. Returns whether every promise was kept; on a lying
/// disk, whether a loss was found.
///
/// # Errors
/// If a trial could not be carried out at all.
pub async fn run(options: &Options) -> Result<bool, String> {
    let engine = options.database;
    if let Some(lie) = options.lying_disk {
        if engine != Engine::File {
            return Err("--lying-disk is a disk under a file: it needs --database file".to_owned());
        }
        return find_out(lie, options).await;
    }
    if let Some(kind) = options.kinds.iter().find(|kind| !kind.runs_on(engine)) {
        let (kind, engine) = (name_of(kind), name_of(&engine));
        return Err(format!("--kind {kind} cannot happen with --database {engine}"));
    }
    let kinds = if options.kinds.is_empty() { Kind::value_variants() } else { &options.kinds };
    let shim = Shim::build(&options.folder);
    let small_disk = SmallDisk::mount(&options.folder.join("mounted")).map(drop);
    let mut reports = Vec::new();
    for &kind in kinds.iter().filter(|kind| kind.runs_on(engine)) {
        let cannot = if kind.needs_small_disk(engine) {
            small_disk.as_ref().err().map(ToString::to_string)
        } else if kind.needs_disk(engine) {
            shim.as_ref().err().map(ToString::to_string)
        } else {
            None
        };
        match cannot {
            None => reports.push(try_kind(kind, options, shim.as_ref().ok()).await?),
            // A kind requested by name must not be skipped silently.
            Some(why) if !options.kinds.is_empty() => return Err(format!("{}: {why}", name_of(&kind))),
            Some(why) => eprintln!("crash: {} IS SKIPPED: {why}", name_of(&kind)),
        }
    }
    if options.json {
        println!("{}", serde_json::to_string_pretty(&reports).expect("a report is plain data"));
    } else {
        print!("{}", report::table(&reports));
    }
    Ok(reports.iter().all(Report::is_good))
}

/// Cuts the power on a disk that lies: the trial must find broken promises.
async fn find_out(lie: Lie, options: &Options) -> Result<bool, String> {
    let shim = match Shim::build(&options.folder) {
        Ok(shim) => shim,
        Err(why) => {
            eprintln!("crash: the lying disk IS SKIPPED: {why}");
            return Ok(true);
        }
    };
    let report = try_kind(Kind::Power, options, Some(&shim)).await?;
    // A fault on a disk that has lost nothing has another cause.
    let found_out = !report.is_good() && report.lost_anything();
    if found_out {
        println!("a disk that lies about {lie:?} is found out, as it must be");
    } else {
        println!("A DISK THAT LIES about {lie:?} IS NOT FOUND OUT: this trial shows nothing");
    }
    Ok(found_out)
}

/// All rounds of a kind, up to the first fault.
async fn try_kind(kind: Kind, options: &Options, shim: Option<&Shim>) -> Result<Report, String> {
    let began = Instant::now();
    let mut tally = Tally::default();
    // Each kind has its own random choices, so that short runs differ.
    let mut random = StdRng::seed_from_u64(options.seed ^ (kind as u64) << 32);
    let (mut made, mut faults) = (0, Vec::new());
    while made < options.rounds && faults.is_empty() {
        let rounds = ROUNDS_OF_A_WORLD.min(options.rounds - made);
        let folder = options.folder.join(name_of(&kind));
        let mut world = world(kind, &folder, random.random(), options, shim)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let lived = live(kind, &mut world, rounds, &mut random, &mut made, options.verbose).await;
        tally += world.tally;
        if let Err(why) = lived {
            faults.push(format!("{why}"));
            tell(kind, options.seed, made, &why, &folder);
        }
    }
    let report = Report::new(name_of(&kind), made, &mut tally, began.elapsed(), faults);
    Ok(report.must_have_tried(kind, options.database))
}

/// Creates a world, on a disk of its own if it needs one.
fn world(kind: Kind, folder: &Path, seed: u64, options: &Options, shim: Option<&Shim>) -> io::Result<World> {
    let mut world = World::new(folder, &options.server, seed)?;
    if options.database == Engine::Postgres {
        world.put_in(tokio::task::block_in_place(|| PostgresDatabase::start(kind.on_small_disk()))?);
        return Ok(world);
    }
    if let Some(shim) = shim.filter(|_| kind.needs_disk(Engine::File)) {
        let (logs, database) = (world.folder.join("disk"), world.program.database.clone());
        world.put_on(Disk::new(shim.clone(), logs, database, options.lying_disk)?);
    }
    if kind == Kind::SmallDisk {
        let folder = world.folder.join("mounted");
        let disk = SmallDisk::mount(&folder)?;
        world.program.database = folder.join("lusoria.db");
        world.put_on_small_disk(disk);
    }
    Ok(world)
}

/// Runs all rounds of one world.
async fn live(
    kind: Kind,
    world: &mut World,
    rounds: u32,
    random: &mut StdRng,
    made: &mut u32,
    verbose: bool,
) -> Result<(), TrialError> {
    world.start()?;
    for _ in 0..rounds {
        let began = Instant::now();
        *made += 1;
        kind.round(world, random).await?;
        if verbose {
            let (compared, took_ms) = (world.tally.compared.events, began.elapsed().as_millis());
            eprintln!("{} {made}: {took_ms} ms, {compared} events compared so far", name_of(&kind));
        }
    }
    world.finish().await
}

/// Its name on the command line.
fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().expect("none is hidden").get_name().to_owned()
}

fn tell(kind: Kind, seed: u64, round: u32, why: &TrialError, folder: &Path) {
    eprintln!("crash {}, seed {seed}, round {round}: {why}", name_of(&kind));
    eprintln!("  the remaining files are in {}", folder.display());
}
