//! Hostile clients: each flood must end in its documented limit, and must not disturb
//! honest players more than the same flood against a bare echo port does.
//!
//! A *flood* is a process of many *lanes*, which send bytes at a fixed pace from an address of their own.
//! Honest players play on the server at a fixed rate, whether the flood goes to the server or to the echo
//! port: in both cases the same client loads the same machine, and the only difference is what the server
//! does with the flood.

mod echo;
mod flood;
mod floods;
mod honest;
mod lane;
mod measured;
pub(crate) mod prepared;
mod refusals;
mod report;
mod smoke;
mod tally;
pub(crate) mod wire;

pub use echo::echo;
pub use flood::{FloodOptions, flood};

use std::{
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
};

use clap::Args;

use floods::Flood;

/// The command line.
#[derive(Debug, Args)]
pub struct Options {
    /// The server's program
    #[arg(long, value_name = "FILE")]
    server: PathBuf,

    /// The folder of databases and logs; its contents are removed
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// The floods; all if left out
    #[arg(long = "flood", value_name = "FLOOD", value_parser = floods::parser())]
    floods: Vec<&'static Flood>,

    /// How often each goes to the server and to the echo port, alternately
    #[arg(long, value_name = "N", default_value_t = 3)]
    repetitions: u32,

    /// How long the players are measured each time; floods that end by a time-out take
    /// longer than that
    #[arg(long, value_name = "SECONDS", default_value_t = 6)]
    seconds: u64,

    /// Turns that the honest players play in a second
    #[arg(long, value_name = "N", default_value_t = 200)]
    turns_per_s: u32,

    /// A second of each, on a server with low limits: checks that each ends as it must and that honest
    /// players get responses meanwhile; measures nothing
    #[arg(long)]
    short: bool,

    /// The summary as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the requested floods and prints a summary. Returns whether every promise was kept.
///
/// # Errors
/// If a trial could not be carried out at all.
pub async fn run(options: &Options) -> Result<bool, String> {
    let floods = if options.floods.is_empty() { floods::all().collect() } else { options.floods.clone() };
    let mut rows = Vec::new();
    if options.short {
        rows = smoke::all(options, &floods).await?;
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

/// An address of this machine that has not been used yet, so that earlier floods do not count against its
/// limits.
fn fresh_address(nth: usize) -> IpAddr {
    let [high, low] = u16::try_from(nth + 1).unwrap_or(u16::MAX).to_be_bytes();
    Ipv4Addr::new(127, 1, high, low).into()
}
