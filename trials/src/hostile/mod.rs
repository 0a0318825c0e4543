//! Hostile clients: each flood must end in its documented limit, and must not disturb
//! honest players more than the same flood against a bare echo port does.
//!
//! A *flood* is a process of many *lanes*, which send bytes at a fixed pace from an address
//! of their own. Honest players play on the server, at a fixed rate, whether the flood is
//! poured on the server or on the echo port: the same machine is loaded by the same client
//! in both, and what differs is what the server does with the flood.

mod echo;
mod flood;
mod floods;
mod honest;
mod lane;
mod measured;
pub(crate) mod prepared;
mod report;
mod said;
mod shortly;
mod tally;
pub(crate) mod wire;

pub use echo::echo;
pub use flood::{FloodOptions, flood};

use std::{
    fs,
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
};

use clap::Args;

use floods::Flood;

use crate::server::{Process, Program};

/// What to try.
#[derive(Debug, Args)]
pub struct Options {
    /// The server's program
    #[arg(long, value_name = "FILE")]
    server: PathBuf,

    /// Where databases and logs are put; what lies there is removed
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// Which flood; all if left out
    #[arg(long = "flood", value_name = "FLOOD", value_parser = floods::parser())]
    floods: Vec<&'static Flood>,

    /// How often each is poured on the server and on the echo port, in turn
    #[arg(long, value_name = "N", default_value_t = 3)]
    repetitions: u32,

    /// How long the players are measured each time; floods that end by a time-out take
    /// longer than that
    #[arg(long, value_name = "SECONDS", default_value_t = 6)]
    seconds: u64,

    /// Turns that the honest players play in a second
    #[arg(long, value_name = "N", default_value_t = 200)]
    turns_per_s: u32,

    /// A second of each, on a server with narrow limits: whether it ends as it must, and
    /// whether honest players are answered meanwhile; nothing is measured
    #[arg(long)]
    short: bool,

    /// The summary as JSON
    #[arg(long)]
    json: bool,
}

/// Tries every flood that was asked for and prints a summary. Whether every promise was kept.
///
/// # Errors
/// If a trial could not be made at all.
pub async fn run(options: &Options) -> Result<bool, String> {
    let floods = if options.floods.is_empty() { floods::all().collect() } else { options.floods.clone() };
    let mut rows = Vec::new();
    if options.short {
        rows = shortly::all(options, &floods).await?;
    } else {
        for flood in floods {
            let row = measured::one(options, flood).await.map_err(|why| format!("{}: {why}", flood.name))?;
            eprintln!("{row}");
            rows.push(row);
        }
    }
    if options.json {
        println!("{}", serde_json::to_string_pretty(&rows).expect("a row is plain data"));
    } else {
        print!("{}", report::table(&rows));
    }
    Ok(rows.iter().all(report::Row::is_good))
}

/// A server with a new database.
fn start(options: &Options, limits: &[&str]) -> Result<Process, String> {
    let said = |error: std::io::Error| format!("{}: {error}", options.folder.display());
    if options.folder.exists() {
        fs::remove_dir_all(&options.folder).map_err(said)?;
    }
    fs::create_dir_all(&options.folder).map_err(said)?;
    let program = Program {
        binary: options.server.clone(),
        database: options.folder.join("lusoria.db"),
        log: options.folder.join("log"),
        arguments: Vec::new(),
        environment: Vec::new(),
    };
    program.start_within(limits).map_err(|error| error.to_string())
}

/// An address of this machine that nothing has come from yet: the limits of earlier floods
/// do not count for it.
fn fresh_address(nth: usize) -> IpAddr {
    let [high, low] = u16::try_from(nth + 1).unwrap_or(u16::MAX).to_be_bytes();
    Ipv4Addr::new(127, 1, high, low).into()
}
