//! `lusoria-lab bench`: loads a running server and measures it.

use std::{
    io::{self, BufRead, BufReader, IsTerminal, Write},
    net::{IpAddr, SocketAddr},
    process::{Child, Command, Stdio},
    time::Duration,
};

use clap::{Args, ValueEnum, value_parser};
use lusoria_bench::{self as bench, Arrival, BenchError, Load, Pace, Progress, Stage, Transport};
use lusoria_client::Origin;
use lusoria_protocol::{Clock, Game, socket::OnLag};
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;

use super::{
    Failure, Verdict, say,
    stopping::{INTERRUPTED, when_asked},
};

/// The long help after the flags.
const MORE: &str = "\
Every latency counts from when the turn was due: at a fixed rate from its place in the schedule, \
even if the match was still busy then; otherwise from when its player could play it.

A server with nothing set allows a client 100 requests a second, 200 sockets an address and 1000 \
new guests an hour and address. For more load than the default start it with higher limits:

  lusoria serve --guest-requests-per-s 1000000 --guest-burst 1000000 \\
    --address-requests-per-s 1000000 --address-burst 1000000 --new-guests-per-hour 1000000 \\
    --unfinished-matches 10000 --connections 60000 --sockets-per-address 60000 \\
    --connections-per-address 60000

The exit code is 0 if all went well, 1 if events were missing, repeated or changed, more than one \
turn of a thousand was due and not sent, or there were other errors, 2 if the load could not be brought into place.";

/// The longest warm-up or measurement, in seconds: a week. Much longer times would overflow a clock.
const SECONDS_MAX: f64 = 7.0 * 24.0 * 60.0 * 60.0;

/// What to measure, and under which load.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are the flags of a command line")]
#[command(after_long_help = MORE)]
pub(super) struct Bench {
    /// The server: `http://HOST:PORT`
    #[arg(value_name = "URL")]
    origin: Origin,

    #[arg(long, value_name = "GAME", default_value_t = Game::ALL[0], value_parser = named::<Game>,
        help = format!("What is played: {}", Game::list("or")))]
    game: Game,
    /// Points to win a match; more than 1 is a series, in which no turn waits for a new match
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=99))]
    points: u16,
    /// The clock: none, or minutes and seconds a turn such as 10+5
    #[arg(long, value_name = "CLOCK", default_value = "none", value_parser = clock)]
    clock: Clock,
    /// How players talk to the server; watchers use sockets
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Over::Socket)]
    over: Over,
    /// Matches played at the same time
    #[arg(long, value_name = "N", default_value_t = 10)]
    matches: usize,
    /// Guests who play them; two for each match if left out
    #[arg(long, value_name = "N")]
    guests: Option<usize>,

    /// Turns a second over all matches
    #[arg(long, value_name = "N", default_value_t = 200.0)]
    rate: f64,
    /// How turns at that rate are distributed
    #[arg(long, value_name = "HOW", value_enum, default_value_t = ArrivalArg::Even)]
    arrival: ArrivalArg,
    /// Instead, play each match's next turn as soon as its player learns of it
    #[arg(long, conflicts_with_all = ["rate", "arrival"])]
    closed_loop: bool,
    /// Turns to play in total, warm-up included
    #[arg(long, value_name = "N")]
    turns: Option<u64>,
    /// How many seconds the load runs before anything is counted
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    warm_up: f64,
    /// How many seconds are measured; 0 measures until all --turns are played
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    duration: f64,
    /// The seed of the choice of turns
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Watchers, spread over the matches
    #[arg(long, value_name = "N", default_value_t = 20)]
    watchers: usize,
    /// Put all watchers on one match
    #[arg(long)]
    watch_one: bool,
    /// The share of the watchers who pause after every message, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    slow_share: f64,
    /// How many milliseconds they pause
    #[arg(long, value_name = "MS", default_value_t = 250)]
    slow_pause: u64,
    /// The share of the watchers who stop reading, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    silent_share: f64,
    /// What the server does for watchers who fall behind: journal or snapshot
    #[arg(long, value_name = "HOW", default_value = "journal", value_parser = named::<OnLag>)]
    on_lag: OnLag,
    /// Sockets that watch an idle match
    #[arg(long, value_name = "N", default_value_t = 0)]
    idle: usize,

    /// Matches that guests play at the same time against the computer at its highest level, each turn as soon
    /// as possible
    #[arg(long, value_name = "N", default_value_t = 0)]
    computers: usize,

    /// Connections that are opened in a second
    #[arg(long, value_name = "N", default_value_t = 100.0)]
    connect_rate: f64,
    /// Addresses of this machine to connect from in turn, separated by commas
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',')]
    from: Vec<IpAddr>,
    /// Threads of this program; as many as there are cores if left out
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// The server's process on this machine, to measure its memory and CPU (Linux only)
    #[arg(long, value_name = "PID")]
    pid: Option<u32>,
    /// Afterwards measure a bare echo under the same load of players, over sockets or plain HTTP as they use,
    /// as the upper limit
    #[arg(long)]
    echo: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Print progress every second even if standard error is not a terminal
    #[arg(long)]
    progress: bool,
}

/// How players talk to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Over {
    /// A WebSocket for each player
    Socket,
    /// Plain HTTP, two connections for each player: one posts turns, one reads the events
    Http,
}

impl From<Over> for Transport {
    fn from(over: Over) -> Self {
        match over {
            Over::Socket => Self::Socket,
            Over::Http => Self::Http,
        }
    }
}

/// The distribution of turns in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ArrivalArg {
    /// At equal intervals
    Even,
    /// At random, as people arrive
    Poisson,
}

impl Bench {
    /// Prints the report. Bad if turns were missing or failed.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let load = self.load()?;
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        if let Some(threads) = self.threads {
            runtime.worker_threads(threads.into());
        }
        let runtime = runtime
            .enable_all()
            .build()
            .map_err(|why| Failure::Io { what: "the runtime".to_owned(), why })?;
        let stop = CancellationToken::new();
        let stopping = stop.clone();
        when_asked(move || stopping.cancel(), || std::process::exit(INTERRUPTED))?;
        let talks = self.progress || io::stderr().is_terminal();
        let mut before = None;
        let told = move |progress: &Progress| {
            if talks {
                tell(progress, before.as_ref());
                before = Some(*progress);
            }
        };
        let failed = |error: BenchError| Failure::Usage(error.to_string());
        let mut report =
            runtime.block_on(bench::run(load.clone(), stop.clone(), Box::new(told))).map_err(failed)?;
        if self.echo && !stop.is_cancelled() {
            let server = EchoServer::start(self.over)?;
            let bytes = report.players.bytes_per_turn;
            let measured = bench::echo::measure(&load, server.address, bytes, &stop);
            report.echo = match runtime.block_on(measured) {
                // Print what was measured until then.
                Err(BenchError::Stopped) => None,
                measured => Some(measured.map_err(failed)?),
            };
        }
        if self.json {
            say(out, serde_json::to_string(&report).expect("a report is plain data"))?;
        } else {
            say(out, &report)?;
        }
        Ok(if report.is_clean() { Verdict::Good } else { Verdict::Bad })
    }

    fn load(&self) -> Result<Load, Failure> {
        let seconds = |flag: &str, seconds: f64| {
            if seconds > SECONDS_MAX {
                return Err(Failure::Usage(format!("--{flag} {seconds}: at most {SECONDS_MAX}, a week")));
            }
            Duration::try_from_secs_f64(seconds)
                .map_err(|why| Failure::Usage(format!("--{flag} {seconds}: {why}")))
        };
        let duration = seconds("duration", self.duration)?;
        let arrival = match self.arrival {
            ArrivalArg::Even => Arrival::Even,
            ArrivalArg::Poisson => Arrival::Poisson,
        };
        let pace =
            if self.closed_loop { Pace::Closed } else { Pace::Rate { turns_per_s: self.rate, arrival } };
        Ok(Load {
            origin: self.origin.clone(),
            from: self.from.clone(),
            connects_per_s: self.connect_rate,
            game: self.game,
            points: self.points,
            clock: self.clock,
            over: self.over.into(),
            matches: self.matches,
            guests: self.guests,
            pace,
            turns_max: self.turns,
            warm_up: seconds("warm-up", self.warm_up)?,
            duration: (!duration.is_zero()).then_some(duration),
            watchers: self.watchers,
            watch_one: self.watch_one,
            slow_share: self.slow_share,
            slow_pause: Duration::from_millis(self.slow_pause),
            silent_share: self.silent_share,
            on_lag: self.on_lag,
            idle: self.idle,
            computers: self.computers,
            seed: self.seed,
            pid: self.pid,
        })
    }
}

/// A bare echo in a process of its own, which ends with this value.
struct EchoServer {
    child: Child,
    address: SocketAddr,
}

impl EchoServer {
    fn start(over: Over) -> Result<Self, Failure> {
        let failed = |why| Failure::Io { what: "the bare echo".to_owned(), why };
        let program = std::env::current_exe().map_err(failed)?;
        let mut child = Command::new(program)
            .arg("echo")
            .args((over == Over::Http).then_some("--http"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mut line = String::new();
        let stdout = child.stdout.take().expect("standard output is piped");
        let read = BufReader::new(stdout).read_line(&mut line);
        let address = read.and_then(|_| line.trim().parse().map_err(io::Error::other));
        match address {
            Ok(address) => Ok(Self { child, address }),
            Err(why) => {
                end(&mut child);
                Err(failed(why))
            }
        }
    }
}

impl Drop for EchoServer {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

fn end(child: &mut Child) {
    // It may have ended already.
    let _ = child.kill();
    let _ = child.wait();
}

/// Prints a line of progress on standard error.
fn tell(now: &Progress, before: Option<&Progress>) {
    let line = match now.stage {
        Stage::Open => format!("{} of {} clients are in place", now.clients, now.clients_all),
        Stage::SitDown => format!("{} of {} pairs have sat down", now.clients, now.clients_all),
        Stage::Play => {
            let (turns, deliveries) = before.map_or((0, 0), |before| (before.turns, before.deliveries));
            format!(
                "{} turns/s, {} deliveries/s, {} errors{}",
                now.turns - turns,
                now.deliveries - deliveries,
                now.errors,
                if now.counts { "" } else { " (warming up)" }
            )
        }
    };
    eprintln!("lusoria-lab bench: {line}");
}

/// A word of the protocol.
fn named<T: DeserializeOwned>(word: &str) -> Result<T, String> {
    serde_json::from_value(word.into()).map_err(|error| error.to_string())
}

fn clock(text: &str) -> Result<Clock, String> {
    if text == "none" {
        return Ok(Clock::None {});
    }
    let wrong = || "a clock is none, or minutes and seconds a turn such as 10+5".to_owned();
    let (minutes, seconds) = text.split_once('+').ok_or_else(wrong)?;
    let (minutes, seconds): (u32, u32) =
        (minutes.parse().map_err(|_| wrong())?, seconds.parse().map_err(|_| wrong())?);
    Ok(Clock::Fischer { base_ms: u64::from(minutes) * 60_000, increment_ms: u64::from(seconds) * 1_000 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_names_are_read() {
        assert_eq!(clock("none"), Ok(Clock::None {}));
        assert_eq!(clock("10+5"), Ok(Clock::Fischer { base_ms: 600_000, increment_ms: 5_000 }));
        assert!(clock("10").is_err() && clock("a+b").is_err() && clock("").is_err());
        for game in Game::ALL {
            assert_eq!(named(game.id()), Ok(game));
        }
        assert!(named::<Game>("chess").unwrap_err().contains("chess"));
    }

    #[test]
    fn times_beyond_all_measure_are_refused() {
        #[derive(clap::Parser)]
        struct Program {
            #[command(flatten)]
            bench: Bench,
        }
        let load = |more: &[&str]| {
            let line = ["bench", "http://127.0.0.1:1"].iter().chain(more);
            <Program as clap::Parser>::parse_from(line).bench.load()
        };
        assert!(load(&["--warm-up", "604800", "--duration", "604800"]).is_ok());
        for flag in ["--warm-up", "--duration"] {
            for wrong in ["1e18", "inf", "nan"] {
                assert!(matches!(load(&[flag, wrong]), Err(Failure::Usage(_))), "{flag} {wrong}");
            }
        }
    }
}
