//! A measured flood: how it ends, and how much it disturbs honest players.

use std::{collections::BTreeMap, net::SocketAddr, time::Duration};

use lusoria_bench::{Report, resident_bytes};
use tokio_util::sync::CancellationToken;

use super::{
    Options,
    echo::Echo,
    flood::Ready,
    floods::Flood,
    fresh_address, honest,
    lane::Stage,
    prepared,
    report::{Measured, Row},
    tally::Tally,
    wire::Target,
};
use crate::server::Program;

/// The matches that honest players play at the same time.
const HONEST_MATCHES: usize = 25;

/// More matches than a socket may watch.
const MATCHES: usize = 210;

/// The turns of the long match.
const LONG_TURNS: usize = 120;

/// How long to wait after a flood before measuring the server's memory.
const SETTLE: Duration = Duration::from_secs(1);

/// Directs one flood at the server and at the echo port, alternately.
///
/// # Errors
/// If the trial could not be carried out.
pub(super) async fn one(options: &Options, flood: &'static Flood) -> Result<Row, String> {
    let server = Program::start_anew(&options.server, &options.folder, &[])?;
    let echo = Echo::start().map_err(|error| error.to_string())?;
    let stage = prepared::prepare(server.address, MATCHES, LONG_TURNS).await;
    let stage = stage.map_err(|error| error.to_string())?;
    let seconds = Duration::from_secs(options.seconds);
    let duration = seconds.max(Duration::from_secs(flood.patience_s));
    let trial = Trial { options, flood, server: server.address, pid: server.id(), duration };
    let memory_before_bytes = resident_bytes(server.id()).unwrap_or_default();
    let alone = trial.players(None).await?.0;
    let (mut ends, mut errors) = (Tally::default(), BTreeMap::new());
    let (mut on_server, mut on_echo, mut memory_peak_bytes) = (Vec::new(), Vec::new(), 0);
    for repetition in 0..options.repetitions as usize {
        for (nth, address) in [server.address, echo.address].into_iter().enumerate() {
            let from = fresh_address(2 * repetition + nth);
            let target = Target { address, from, echoes: address == echo.address };
            let (report, tally) = trial.with(target, &stage).await?;
            for (error, times) in &report.errors {
                *errors.entry(error.clone()).or_default() += times;
            }
            let p99 = p99_us(&report)?;
            if target.echoes {
                on_echo.push(p99);
            } else {
                on_server.push(p99);
                ends.add(tally);
                let peak = report.server.as_ref().map_or(0, |server| server.memory.peak_bytes);
                memory_peak_bytes = memory_peak_bytes.max(peak);
            }
        }
    }
    tokio::time::sleep(SETTLE).await;
    Ok(Row {
        flood: flood.name,
        does: flood.does,
        missing: flood.ends.iter().copied().filter(|end| !ends.has(end)).collect(),
        ends,
        errors,
        measured: Some(Measured {
            alone_p99_us: p99_us(&alone)?,
            server_p99_us: median(&on_server),
            echo_p99_us: median(&on_echo),
            server_all_us: on_server,
            echo_all_us: on_echo,
            memory_before_bytes,
            memory_peak_bytes,
            memory_after_bytes: resident_bytes(server.id()).unwrap_or_default(),
        }),
    })
}

struct Trial<'a> {
    options: &'a Options,
    flood: &'static Flood,
    server: SocketAddr,
    pid: u32,
    duration: Duration,
}

impl Trial<'_> {
    /// Makes the players play during the flood.
    async fn with(&self, target: Target, stage: &Stage) -> Result<(Report, Tally), String> {
        let stage = prepared::afresh(self.server, stage).await.map_err(|error| error.to_string())?;
        let floods_for = self.duration + honest::WARM_UP;
        let ready = Ready::start(self.flood, target, &stage, floods_for).await;
        let (report, tally) = self.players(Some(ready.map_err(|error| error.to_string())?)).await?;
        Ok((report, tally.unwrap_or_default()))
    }

    /// Starts the players, and then the flood.
    async fn players(&self, flood: Option<Ready>) -> Result<(Report, Option<Tally>), String> {
        let mut load = honest::load(self.server, self.options.turns_per_s, HONEST_MATCHES, self.duration);
        load.pid = Some(self.pid);
        let (begin, mut told) = tokio::sync::mpsc::channel(1);
        let flooding = async {
            let Some(mut flood) = flood else { return Ok(None) };
            if told.recv().await.is_some() {
                flood.go().await?;
            }
            flood.end().await.map(Some)
        };
        let playing = honest::play(load, CancellationToken::new(), move |_| {
            // Once is enough.
            let _ = begin.try_send(());
        });
        let (report, tally) = tokio::join!(playing, flooding);
        Ok((report?, tally.map_err(|error| error.to_string())?))
    }
}

/// The time until the opponent has received a turn, the 99th percentile, in microseconds.
fn p99_us(report: &Report) -> Result<u64, String> {
    let received = report.players.received.as_ref().ok_or("no turn was played at all")?;
    Ok(received.p99_us)
}

fn median(values: &[u64]) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
