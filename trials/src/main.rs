//! The command line of the trials.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lusoria_trials::{cluster, crash, hostile, levels, rated, slow};

/// Tests the server's promises on the real server.
#[derive(Debug, Parser)]
#[command(name = "lusoria-trials", version, max_term_width = 100)]
struct Line {
    #[command(subcommand)]
    trial: Trial,
}

#[derive(Debug, Subcommand)]
enum Trial {
    /// Crashes: what was acknowledged must be there afterwards
    Crash(crash::Options),
    /// Three nodes on PostgreSQL and NATS, while everything between them fails
    Cluster(cluster::Options),
    /// Hostile clients: each must end in its limit and must not disturb others
    Hostile(hostile::Options),
    /// Slow readers: those that read at all stay connected and miss nothing
    Slow(slow::Options),
    /// Kills at the end of rated matches: each changes both ratings exactly once
    Rated(rated::Options),
    /// The levels of the computer as accounts: their ratings come out in their order
    Levels(levels::Options),
    /// One flood, as the trial starts it
    #[command(hide = true)]
    HostileFlood(hostile::FloodOptions),
    /// The echo port that floods are compared with
    #[command(hide = true)]
    HostileEcho,
}

/// Exits with 0 if every promise was kept, 1 if one was broken, 2 if the trial itself could not be carried
/// out.
fn main() -> ExitCode {
    let made = tokio::runtime::Runtime::new().map_err(|error| error.to_string()).and_then(|runtime| {
        match Line::parse().trial {
            Trial::Crash(options) => runtime.block_on(crash::run(&options)),
            Trial::Cluster(options) => runtime.block_on(cluster::run(&options)),
            Trial::Hostile(options) => runtime.block_on(hostile::run(&options)),
            Trial::Slow(options) => runtime.block_on(slow::run(&options)),
            Trial::Rated(options) => runtime.block_on(rated::run(&options)),
            Trial::Levels(options) => runtime.block_on(levels::run(&options)),
            Trial::HostileFlood(options) => runtime.block_on(hostile::flood(&options)),
            Trial::HostileEcho => runtime.block_on(hostile::echo()),
        }
    });
    match made {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("lusoria-trials: {why}");
            ExitCode::from(2)
        }
    }
}
