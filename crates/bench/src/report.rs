//! The results of a run.

use std::{collections::BTreeMap, fmt};

use lusoria_protocol::Game;
use serde::{Deserialize, Serialize};

use super::{
    error::advice_on,
    load::{Load, Pace, Transport},
};

/// The results of a run. Its fields are stable: programs read it as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The parameters of the run.
    pub load: Parameters,
    /// How long was measured, in seconds.
    pub measured_s: f64,
    /// What the players did.
    pub players: Players,
    /// What the watchers received.
    pub watchers: Watchers,
    /// The idle sockets, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle: Option<Idle>,
    /// The matches against the computer, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computer: Option<Computer>,
    /// Events that players and reading watchers should have received and did not.
    pub missing: u64,
    /// Events that came again.
    pub repeated: u64,
    /// Events that did not read the same for everybody.
    pub changed: u64,
    /// Other errors, from beginning to end: codes of refusals, and `closed_…`, `refused_…`, `broken`,
    /// `unreachable`, `unreadable`, `silence`, `stuck`, `task`.
    pub errors: BTreeMap<String, u64>,
    /// A bare echo under the same load of players, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub echo: Option<Echo>,
    /// The server's process, if it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<Process>,
    /// The server's memory for each match, if its process was named and nothing else was connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_memory: Option<MatchMemory>,
    /// This process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generator: Option<Process>,
}

/// The parameters of a run that determine its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// The game.
    pub game: Game,
    /// Points to win a match.
    pub points: u16,
    /// How the players connected to the server.
    #[serde(default)]
    pub over: Transport,
    /// Matches at the same time.
    pub matches: usize,
    /// Turns a second; none in a closed loop.
    pub turns_per_s: Option<f64>,
    /// Watchers.
    pub watchers: usize,
    /// Whether they all watched the same match.
    pub watch_one: bool,
    /// The share of them who paused after every message.
    pub slow_share: f64,
    /// The share of them who read nothing.
    pub silent_share: f64,
    /// Idle sockets.
    pub idle: usize,
    /// The seed of all random choices.
    pub seed: u64,
}

impl From<&Load> for Parameters {
    fn from(load: &Load) -> Self {
        Self {
            game: load.game,
            points: load.points,
            over: load.over,
            matches: load.matches,
            turns_per_s: match load.pace {
                Pace::Closed => None,
                Pace::Rate { turns_per_s, .. } => Some(turns_per_s),
            },
            watchers: load.watchers,
            watch_one: load.watch_one,
            slow_share: load.slow_share,
            silent_share: load.silent_share,
            idle: load.idle,
            seed: load.seed,
        }
    }
}

/// The results of the players. Turns count if they were due during the measurement. Turns that were not sent
/// are included in the durations with the time they had waited at the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Players {
    /// Turns that were sent.
    pub turns_sent: u64,
    /// Those of them that got a good response.
    pub turns_acknowledged: u64,
    /// Those of them that the opponent received.
    pub turns_received: u64,
    /// Turns that were due and not sent, because the matches could not keep up.
    pub turns_unsent: u64,
    /// Turns that the opponent received, per second.
    pub turns_per_s: f64,
    /// From when a turn was due until its response.
    pub acknowledged: Option<Latency>,
    /// From when a turn was due until the opponent received it.
    pub received: Option<Latency>,
    /// From when a turn was due until it was sent.
    pub late: Option<Latency>,
    /// The bytes that a player receives unasked for a turn, on average.
    pub bytes_per_turn: u64,
    /// Matches that were played to their end, warm-up included.
    pub matches_finished: u64,
    /// Matches that were given up after an error.
    pub matches_abandoned: u64,
}

/// What the watchers received.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Watchers {
    /// Turns multiplied by the watchers of the match when they were sent.
    pub turns_shown: u64,
    /// Those of them that a watcher received.
    pub turns_delivered: u64,
    /// Events of every kind that were received during the measurement.
    pub deliveries: u64,
    /// The same per second.
    pub deliveries_per_s: f64,
    /// From when a turn was due until a watcher received it.
    pub delivered: Option<Latency>,
    /// From when a turn was due until the last watcher received it.
    pub delivered_to_all: Option<Latency>,
    /// Events that slow watchers received.
    pub slow_deliveries: u64,
    /// Events that slow watchers were told they had missed.
    pub skipped: u64,
    /// How often the server closed the connection of a slow or silent watcher.
    pub sent_away: u64,
}

/// A server that only sends back what a player sends, to them and to their opponent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Echo {
    /// The bytes of a message: as many as a player hears for a turn.
    pub message_bytes: u64,
    /// Messages that the opponent received, a second.
    pub turns_per_s: f64,
    /// From when a message was due until it had come back.
    pub acknowledged: Option<Latency>,
    /// From when a message was due until the opponent had it.
    pub received: Option<Latency>,
}

/// The idle sockets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Idle {
    /// Their number.
    pub sockets: usize,
    /// The growth of the server's resident memory while they were opened, for each of them, in bytes.
    pub memory_bytes_each: Option<i64>,
}

/// Matches of guests against the computer at its highest level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Computer {
    /// Their number, at the same time.
    pub matches: usize,
    /// Turns that the computer played.
    pub turns: u64,
    /// The same per second.
    pub turns_per_s: f64,
    /// From when a guest learnt that it was the computer's turn until they received the turn.
    pub answered: Option<Latency>,
    /// The computer's mean budget for a turn, in positions.
    pub budget_mean: u64,
}

/// Durations, in microseconds. Quantiles are exact to three digits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Their number.
    pub count: u64,
    /// The mean.
    pub mean_us: f64,
    /// Half of them were no longer.
    pub p50_us: u64,
    /// 90 % were no longer.
    pub p90_us: u64,
    /// 99 % were no longer.
    pub p99_us: u64,
    /// 99.9 % were no longer.
    pub p999_us: u64,
    /// The longest.
    pub max_us: u64,
}

/// The resources of a process.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Process {
    /// CPU time during the measurement, which began at most a quarter of a second late, in seconds.
    pub cpu_s: f64,
    /// The same per second: how many cores it kept busy.
    pub cores: f64,
    /// Its resident memory.
    pub memory: Memory,
}

/// The growth of the server's resident memory for each match, with its two players and their connections, in
/// bytes. Growth that does not depend on matches is divided among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchMemory {
    /// When all pairs had started their first match.
    pub begun_bytes_each: i64,
    /// At the end of the load.
    pub played_bytes_each: i64,
}

/// Resident memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Before the first connection.
    pub before_bytes: u64,
    /// The peak during the load, from four measurements a second.
    pub peak_bytes: u64,
    /// At the end of the load, with all connections open.
    pub after_bytes: u64,
}

impl Report {
    /// Whether every event arrived once, in order and unchanged, every turn that was sent got a response, was
    /// received and delivered, the matches kept up with the pace, and there were no other errors. What
    /// happens to watchers who do not read is no error.
    pub fn is_clean(&self) -> bool {
        let Players { turns_sent, turns_acknowledged, turns_received, .. } = self.players;
        let Watchers { turns_shown, turns_delivered, .. } = self.watchers;
        self.missing == 0
            && self.repeated == 0
            && self.changed == 0
            && self.errors.is_empty()
            && turns_acknowledged >= turns_sent
            && turns_received >= turns_sent
            && turns_delivered >= turns_shown
            && self.keeps_up()
    }

    /// Writes the resources of the processes, and the server's cost of a turn and a match.
    fn write_costs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, process) in [("server", &self.server), ("generator", &self.generator)] {
            if let Some(process) = process {
                writeln!(f, "{what:<13}{process}")?;
            }
        }
        if let Some(Process { cpu_s, .. }) = self.server
            && self.players.turns_received > 0
        {
            #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
            let turn_ms = 1_000.0 * cpu_s / self.players.turns_received as f64;
            writeln!(f, "a turn       {turn_ms:.3} ms of the server's CPU, with all else that it did")?;
        }
        if let Some(MatchMemory { begun_bytes_each, played_bytes_each }) = self.match_memory {
            writeln!(
                f,
                "a match      {begun_bytes_each} bytes of the server's memory at first, {played_bytes_each} at the end"
            )?;
        }
        Ok(())
    }

    /// Whether at most one due turn was not sent, or one in a thousand.
    fn keeps_up(&self) -> bool {
        let Players { turns_sent, turns_unsent, .. } = self.players;
        turns_unsent <= (turns_sent + turns_unsent).div_ceil(1_000)
    }
}

/// For people, within 80 columns.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Players { turns_received, turns_per_s, turns_unsent, .. } = self.players;
        let Players { matches_finished, matches_abandoned, .. } = self.players;
        let Parameters { game, matches, watchers, turns_per_s: asked, .. } = self.load;
        let pace = asked.map_or("as fast as they go".to_owned(), |rate| format!("{rate} turns/s"));
        let game = format!("{game:?}").to_lowercase();
        let over = match self.load.over {
            Transport::Socket => "",
            Transport::Http => "; over HTTP",
        };
        writeln!(f, "load         {matches} matches of {game}, {pace}; {watchers} watchers{over}")?;
        writeln!(f, "measured     {:.1} s", self.measured_s)?;
        writeln!(
            f,
            "turns        {turns_received} played, {turns_per_s:.0}/s; {turns_unsent} due and not sent"
        )?;
        writeln!(f, "matches      {matches_finished} finished, {matches_abandoned} given up")?;
        if self.watchers.deliveries > 0 {
            let Watchers { deliveries, deliveries_per_s, turns_shown, turns_delivered, .. } = self.watchers;
            writeln!(
                f,
                "deliveries   {deliveries} events, {deliveries_per_s:.0}/s; {turns_delivered} of {turns_shown} turns"
            )?;
        }
        let Watchers { slow_deliveries, skipped, sent_away, .. } = self.watchers;
        if slow_deliveries + skipped + sent_away > 0 {
            writeln!(
                f,
                "slow         {slow_deliveries} events; {skipped} left out; {sent_away} times sent away"
            )?;
        }
        writeln!(f)?;
        writeln!(
            f,
            "{:<21}{:>11}{:>11}{:>11}{:>11}{:>11}",
            "in milliseconds", "p50", "p90", "p99", "p99.9", "max"
        )?;
        for (what, latency) in [
            ("turn acknowledged", &self.players.acknowledged),
            ("opponent has heard", &self.players.received),
            ("a watcher has heard", &self.watchers.delivered),
            ("the last watcher has", &self.watchers.delivered_to_all),
            ("the computer's turn", &self.computer.and_then(|computer| computer.answered)),
            ("sent late by", &self.players.late),
            ("bare echo, back", &self.echo.and_then(|echo| echo.acknowledged)),
            ("bare echo, opponent", &self.echo.and_then(|echo| echo.received)),
        ] {
            if let Some(latency) = latency {
                writeln!(f, "{what:<21}{latency}")?;
            }
        }
        if !self.keeps_up() {
            write!(f, "overload     the matches could not keep up")?;
            write_folded(
                f,
                "of the turns that were not sent the times hold how long they had waited in the end; they would \
                 have taken longer",
            )?;
            writeln!(f)?;
        }
        writeln!(f)?;
        if let Some(Echo { message_bytes, turns_per_s: bare, .. }) = self.echo {
            write!(f, "bare echo    {bare:.0} messages/s of {message_bytes} bytes")?;
            // At a fixed rate both do what is requested, and the share says nothing.
            if asked.is_none() && bare > 0.0 {
                write!(f, "; turns are {:.0} % of that", 100.0 * turns_per_s / bare)?;
            }
            writeln!(f)?;
        }
        if let Some(Idle { sockets, memory_bytes_each }) = self.idle {
            let each = memory_bytes_each.map(|bytes| format!(", {bytes} bytes of memory each"));
            writeln!(f, "idle         {sockets} sockets{}", each.unwrap_or_default())?;
        }
        if let Some(Computer { matches, turns, turns_per_s, budget_mean, .. }) = self.computer {
            writeln!(
                f,
                "computer     {matches} matches, {turns} turns, {turns_per_s:.0}/s, of {budget_mean} positions each"
            )?;
        }
        self.write_costs(f)?;
        let Self { missing, repeated, changed, .. } = self;
        writeln!(f, "events       {missing} missing, {repeated} repeated, {changed} changed")?;
        let errors: Vec<String> = self.errors.iter().map(|(name, count)| format!("{count} {name}")).collect();
        write!(f, "errors       {}", if errors.is_empty() { "none".to_owned() } else { errors.join(", ") })?;
        for advice in self.errors.keys().filter_map(|name| advice_on(name)) {
            write_folded(f, advice)?;
        }
        Ok(())
    }
}

/// Writes a text in lines of its own, indented.
fn write_folded(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    const INDENT: usize = 13;
    const WIDTH: usize = 80;
    let mut column = WIDTH;
    for word in text.split(' ') {
        if column + 1 + word.len() > WIDTH {
            write!(f, "\n{:INDENT$}{word}", "")?;
            column = INDENT + word.len();
        } else {
            write!(f, " {word}")?;
            column += 1 + word.len();
        }
    }
    Ok(())
}

/// The quantiles in milliseconds, each in eleven columns.
impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for micros in [self.p50_us, self.p90_us, self.p99_us, self.p999_us, self.max_us] {
            write!(f, "{:>7}.{:03}", micros / 1000, micros % 1000)?;
        }
        Ok(())
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
        let [before, peak, after] =
            [self.memory.before_bytes, self.memory.peak_bytes, self.memory.after_bytes]
                .map(|bytes| bytes as f64 / f64::from(1 << 20));
        write!(
            f,
            "{:.2} cores; memory {before:.1} MiB before, {peak:.1} at most, {after:.1} at the end",
            self.cores
        )
    }
}
