//! A second of every flood on a server with low limits: checks that it ends as it must, and that honest
//! players get responses meanwhile.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio_util::sync::CancellationToken;

use super::{
    Options, flood::Ready, floods::Flood, fresh_address, honest, prepared, report::Row, tally::Tally,
    wire::Target,
};
use crate::server::Program;

/// Low enough that a second of each flood exceeds them, and high enough for honest players.
const LIMITS: [&str; 20] = [
    "--guest-requests-per-s",
    "20",
    "--guest-burst",
    "60",
    "--address-requests-per-s",
    "20",
    "--address-burst",
    "60",
    "--address-total-per-s",
    "300",
    "--unfinished-matches",
    "12",
    "--sockets-per-address",
    "120",
    "--connections-per-address",
    "300",
    "--watches-per-socket",
    "10",
    "--costly-per-address",
    "4",
];

/// How long each flood lasts at first.
const FLOODS_FOR: Duration = Duration::from_millis(500);

/// How often a flood that has not met its limit yet is repeated, longer each time: a slow machine floods
/// slowly.
const ATTEMPTS: u32 = 8;

/// Open matches, and turns of the long one, for the floods.
const MATCHES: usize = 12;
const LONG_TURNS: usize = 12;

/// How long honest players may wait for a turn to be played.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);

/// Directs every flood at one server.
///
/// # Errors
/// If the trial could not be carried out.
pub(super) async fn all(options: &Options, floods: &[&'static Flood]) -> Result<Vec<Row>, String> {
    let server = Program::start_anew(&options.server, &options.folder, &LIMITS)?;
    let stage =
        prepared::prepare(server.address, MATCHES, LONG_TURNS).await.map_err(|error| error.to_string())?;
    let stop = CancellationToken::new();
    let turns = Arc::new(AtomicU64::new(0));
    let told = Arc::clone(&turns);
    let players =
        tokio::spawn(honest::play(honest::background(server.address), stop.clone(), move |progress| {
            told.store(progress.turns, Ordering::Relaxed);
        }));
    let mut rows = Vec::new();
    for (nth, &flood) in floods.iter().enumerate() {
        let stage = prepared::afresh(server.address, &stage).await.map_err(|error| error.to_string())?;
        let before = turns.load(Ordering::Relaxed);
        let (mut ends, mut missing) = (Tally::default(), Vec::new());
        for attempt in 1..=ATTEMPTS {
            // From another address, so that the last flood does not count against its limits.
            let from = fresh_address(nth * ATTEMPTS as usize + attempt as usize);
            let target = Target { address: server.address, from, echoes: false };
            let ready = Ready::start(flood, target, &stage, FLOODS_FOR * attempt).await;
            let mut ready = ready.map_err(|error| error.to_string())?;
            ready.go().await.map_err(|error| error.to_string())?;
            ends.add(ready.end().await.map_err(|error| error.to_string())?);
            let late = |end: &&str| flood.patience_s == 0 && !ends.has(end);
            missing = flood.ends.iter().copied().filter(late).collect();
            if missing.is_empty() {
                break;
            }
        }
        let mut errors = BTreeMap::new();
        if !advances(&turns, before).await {
            errors.insert("silence".to_owned(), 1);
        }
        rows.push(Row { flood: flood.name, does: flood.does, ends, missing, errors, measured: None });
    }
    stop.cancel();
    let report = players.await.map_err(|error| error.to_string())??;
    if let Some(last) = rows.last_mut() {
        last.errors.extend(report.errors);
    }
    Ok(rows)
}

/// Whether a turn has been played since, or is soon.
async fn advances(turns: &AtomicU64, before: u64) -> bool {
    let look = async {
        while turns.load(Ordering::Relaxed) == before {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(ANSWERED_WITHIN, look).await.is_ok()
}
