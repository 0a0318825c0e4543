//! The load on a server.

use std::{net::IpAddr, time::Duration};

use lusoria_protocol::{Clock, Game, socket::OnLag};

use lusoria_client::Origin;
use serde::{Deserialize, Serialize};

/// The load on a server.
#[derive(Debug, Clone)]
pub struct Load {
    /// The server.
    pub origin: Origin,
    /// The local addresses that connections use in turn; empty to let the system choose.
    pub from: Vec<IpAddr>,
    /// Connections opened per second.
    pub connects_per_s: f64,
    /// The game.
    pub game: Game,
    /// Points to win a match; 1 is a single game.
    pub points: u16,
    /// The clock of every match.
    pub clock: Clock,
    /// How the pairs connect to the server. All others use sockets.
    pub over: Transport,
    /// Matches played at the same time, each by a pair of clients.
    pub matches: usize,
    /// Guests who play them; two a match if left out. At least two.
    pub guests: Option<usize>,
    /// The pace of turns.
    pub pace: Pace,
    /// Turns to play in total, including the warm-up; without a limit if left out.
    pub turns_max: Option<u64>,
    /// How long the load runs before anything is counted.
    pub warm_up: Duration,
    /// How long to measure; until all turns are played if left out.
    pub duration: Option<Duration>,
    /// Watchers, spread over the matches.
    pub watchers: usize,
    /// Whether they all watch the same match instead.
    pub watch_one: bool,
    /// The share of the watchers who pause after every message, from 0 to 1.
    pub slow_share: f64,
    /// How long those pause.
    pub slow_pause: Duration,
    /// The share of the watchers who stop reading once they watch a match, from 0 to 1.
    pub silent_share: f64,
    /// What the server should do for watchers who fall behind.
    pub on_lag: OnLag,
    /// Sockets that watch an idle match.
    pub idle: usize,
    /// Matches that guests play at the same time against the computer at its highest level, each turn as soon
    /// as possible.
    pub computers: usize,
    /// The seed from which turns and Poisson arrivals are chosen.
    pub seed: u64,
    /// The server's process, to measure its memory and CPU; only on Linux.
    pub pid: Option<u32>,
}

/// How the players of a pair connect to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// By WebSocket.
    #[default]
    Socket,
    /// Plain HTTP with two reused connections for each player: one for requests, one for the stream of
    /// events.
    Http,
}

/// The pace of turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// Each turn as soon as its player learns that it is their turn.
    Closed,
    /// A fixed rate of turns over all matches, whether or not the server keeps up.
    Rate {
        /// Turns a second.
        turns_per_s: f64,
        /// Their distribution in time.
        arrival: Arrival,
    },
}

/// The distribution of turns in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// At equal intervals, one match after the other.
    Even,
    /// At random, as people arrive: each match independently.
    Poisson,
}

impl Load {
    /// A few matches and watchers for ten seconds, within a server's default limits.
    pub fn modest(origin: Origin) -> Self {
        Self {
            origin,
            from: Vec::new(),
            connects_per_s: 100.0,
            game: Game::ALL[0],
            points: 1,
            clock: Clock::None {},
            over: Transport::Socket,
            matches: 10,
            guests: None,
            pace: Pace::Rate { turns_per_s: 200.0, arrival: Arrival::Even },
            turns_max: None,
            warm_up: Duration::from_secs(1),
            duration: Some(Duration::from_secs(10)),
            watchers: 20,
            watch_one: false,
            slow_share: 0.0,
            slow_pause: Duration::from_millis(250),
            silent_share: 0.0,
            on_lag: OnLag::Journal,
            idle: 0,
            computers: 0,
            seed: 1,
            pid: None,
        }
    }

    /// The number of the match that a watcher watches.
    pub(super) fn match_of(&self, watcher: usize) -> usize {
        if self.watch_one { 0 } else { watcher % self.matches.max(1) }
    }

    /// The kind of that watcher. The kinds are mixed as evenly as the shares allow.
    pub(super) fn kind_of(&self, watcher: usize) -> WatcherKind {
        let comes_up = |share: f64, nth: usize| {
            // Exact for small numbers.
            #[expect(clippy::cast_precision_loss, reason = "there are not so many watchers")]
            let so_far = |n: usize| (n as f64 * share + 1e-9).floor();
            so_far(nth + 1) > so_far(nth)
        };
        if comes_up(self.silent_share + self.slow_share, watcher) {
            let before = (0..watcher).filter(|&nth| comes_up(self.silent_share + self.slow_share, nth));
            let silent = self.silent_share / (self.silent_share + self.slow_share);
            if comes_up(silent, before.count()) { WatcherKind::Silent } else { WatcherKind::Slow }
        } else {
            WatcherKind::Reading
        }
    }
}

/// How a watcher reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WatcherKind {
    Reading,
    Slow,
    Silent,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_of_watchers_are_mixed_by_their_shares() {
        let mut load = Load::modest("http://127.0.0.1:1".parse().expect("an origin"));
        (load.slow_share, load.silent_share) = (0.2, 0.1);
        let kinds: Vec<_> = (0..100).map(|watcher| load.kind_of(watcher)).collect();
        let count = |kind| kinds.iter().filter(|&&other| other == kind).count();
        assert_eq!(
            (count(WatcherKind::Reading), count(WatcherKind::Slow), count(WatcherKind::Silent)),
            (70, 20, 10)
        );
        (load.slow_share, load.silent_share) = (0.0, 1.0);
        assert!((0..100).all(|watcher| load.kind_of(watcher) == WatcherKind::Silent));
        load.silent_share = 0.0;
        assert!((0..100).all(|watcher| load.kind_of(watcher) == WatcherKind::Reading));
    }
}
