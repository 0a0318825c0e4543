//! Slow readers: people on bad connections and slow programs. A client that reads at all stays connected and
//! misses nothing. A client that reads nothing is disconnected in time.
//!
//! A guest plays a match against themselves, faster than the readers read. Each reader is a plain TCP
//! connection with the buffers of the system, and reads no byte before its time.

mod reader;
mod report;
mod served;
mod socket;
mod stream;

use std::{io, net::SocketAddr, path::PathBuf, time::Duration};

use clap::Args;
use lusoria_client::{Connection, Origin};
use lusoria_protocol::{Admission, MatchId};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::{hostile::prepared, server::Program};
use reader::{Reader, Way};
use report::Row;

/// The command line.
#[derive(Debug, Args)]
pub struct Options {
    /// The server's program
    #[arg(long, value_name = "FILE")]
    server: PathBuf,

    /// The folder of the database and the log; its contents are removed
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// How long they read
    #[arg(long, value_name = "SECONDS", default_value_t = 360)]
    seconds: u64,

    /// Turns that are played before they begin to read
    #[arg(long, value_name = "N", default_value_t = 3_500)]
    turns: usize,

    /// Only the readers whose description contains these words
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
}

/// Turns that are played in a second while they read.
const TURNS_PER_S: u64 = 25;

/// High enough for the guest who plays: each turn takes several requests.
const LIMITS: [&str; 6] =
    ["--guest-requests-per-s", "20000", "--guest-burst", "20000", "--address-total-per-s", "20000"];

/// The readers.
const READERS: [Reader; 8] = [
    Reader { way: Way::Socket, pause: Some(Duration::from_millis(100)), asks: false },
    Reader { way: Way::Socket, pause: Some(Duration::from_millis(100)), asks: true },
    Reader { way: Way::Socket, pause: Some(Duration::from_secs(1)), asks: false },
    Reader { way: Way::Socket, pause: Some(Duration::from_secs(9)), asks: false },
    Reader { way: Way::Stream, pause: Some(Duration::from_millis(100)), asks: false },
    Reader { way: Way::Stream, pause: Some(Duration::from_millis(400)), asks: false },
    Reader { way: Way::Socket, pause: None, asks: false },
    Reader { way: Way::Stream, pause: None, asks: false },
];

/// Runs all readers and prints the result of each. Returns whether every promise was kept.
///
/// # Errors
/// If the trial could not be carried out.
pub async fn run(options: &Options) -> Result<bool, String> {
    let server = Program::start_anew(&options.server, &options.folder, &LIMITS)?;
    let address = server.address;
    let said = |error: lusoria_client::RequestError| error.to_string();
    let (mut guest, _) =
        Connection::open_as_guest(&Origin::from(address), address, None).await.map_err(said)?;
    let id = prepared::make(&mut guest, Admission::BothSeats).await.map_err(said)?;
    for _ in 0..options.turns {
        prepared::play(&mut guest, id).await.map_err(said)?;
    }
    let stop = CancellationToken::new();
    let playing = tokio::spawn(play_on(guest, id, stop.clone()));
    let rows = read(options, address, id).await.map_err(|error| error.to_string())?;
    stop.cancel();
    playing.await.map_err(|error| error.to_string())?.map_err(said)?;
    print!("{}", report::table(&rows));
    Ok(rows.iter().all(Row::is_good))
}

/// Runs the readers, all at the same time.
async fn read(options: &Options, server: SocketAddr, id: MatchId) -> io::Result<Vec<Row>> {
    let is_asked_for = |reader: &Reader| {
        options.only.as_ref().is_none_or(|words| reader.to_string().contains(words.as_str()))
    };
    let until = Instant::now() + Duration::from_secs(options.seconds);
    let readers: Vec<_> = READERS
        .into_iter()
        .filter(is_asked_for)
        .map(|reader| (reader, tokio::spawn(reader.read(server, id, until))))
        .collect();
    let mut rows = Vec::new();
    for (reader, reading) in readers {
        let fared = reading.await.map_err(io::Error::other)??;
        rows.push(Row { reader, fared });
    }
    Ok(rows)
}

/// Plays until it is stopped, or the match is over.
async fn play_on(
    mut guest: Connection,
    id: MatchId,
    stop: CancellationToken,
) -> Result<(), lusoria_client::RequestError> {
    let mut beat = interval(Duration::from_millis(1_000 / TURNS_PER_S));
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            _ = beat.tick() => if !prepared::play(&mut guest, id).await? { return Ok(()) },
        }
    }
}
