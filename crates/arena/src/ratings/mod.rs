//! What games between players of known strength show about ratings in a game: the advantage of a side, the
//! distances between players, the slope of longer matches, and after how many games the better of two is
//! known.
//!
//! [`play`] lets everybody play everybody, including themselves, in pairs of games with the same dice. The
//! result depends only on the [`RoundRobin`], except the time it takes.
//!
//! The intervals, of 95 %, are from the bootstrap over pairs: 400 times, as many pairs of each pairing are
//! drawn with replacement, and everything is fitted again.

mod fit;
mod games;
mod held_out;
mod known;
mod series;
mod side_taker;

use std::{
    num::NonZeroUsize,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use lusoria_rules::Variant;
use lusoria_search::{Player, Random, edition};
use serde::Serialize;

use self::{
    fit::Fit,
    games::Games,
    known::{Known, known},
    series::slopes,
};
use super::{ArenaError, Entrant, Estimate, Interval, estimate::RESAMPLES};

pub use games::RoundRobinProgress;
pub use held_out::{Foretold, HeldOut};
pub use known::GamesUntilKnown;
pub use series::MatchSlope;
pub use side_taker::SideTaker;

/// The match lengths whose slopes are fitted, in points.
const LENGTHS: [u16; 6] = [2, 3, 4, 5, 6, 7];

/// The players and the number of games.
#[derive(Debug, Clone)]
pub struct RoundRobin {
    /// The game and its options.
    pub variant: Variant,
    /// The players, weaker ones first.
    pub players: Vec<Player>,
    /// How many pairs of games each two players play, and each against themselves.
    pub pairs: u32,
    /// The seed of the dice, of players' random choices and of the bootstrap.
    pub seed: u64,
    /// After how many turns of both sides together, passes included, a game counts as drawn.
    pub turns_max: u32,
    /// How many games are played at the same time.
    pub threads: NonZeroUsize,
}

/// The result of a round robin. Its fields are stable: programs read it as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratings {
    /// The game and its options.
    #[serde(flatten)]
    pub variant: Variant,
    /// The edition of the search, as 16 hexadecimal digits.
    pub edition: String,
    /// The seed.
    pub seed: u64,
    /// The number of games between each two players.
    pub games_each: u32,
    /// The total number of games.
    pub games: u32,
    /// The advantage of White, in a tafl game the defenders, in rating points.
    pub advantage: Estimate,
    /// The same in each player's games against themselves.
    pub advantage_alike: Vec<AdvantageAlike>,
    /// The strength of the players.
    pub players: Vec<PlayerRating>,
    /// The slopes of matches to several points, relative to one game.
    pub slopes: Vec<MatchSlope>,
    /// How many games show which of two players is better.
    pub known: Vec<GamesUntilKnown>,
    /// How well unused results are predicted.
    pub held_out: HeldOut,
    /// Whether always taking the same side gains points.
    pub side_taker: SideTaker,
    /// How long the games took, in seconds.
    pub elapsed_s: f64,
}

/// The advantage of a side between equally strong players.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AdvantageAlike {
    /// The player who played themselves.
    pub player: String,
    /// In rating points.
    #[serde(flatten)]
    pub advantage: Estimate,
}

/// The strength of a player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerRating {
    /// The player.
    pub player: String,
    /// In rating points; the mean of all players is 1500.
    pub points: f64,
    /// How many points they are better than the previous player; none for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better_by: Option<Estimate>,
}

/// Plays a round robin; none if `stop` became true before its end.
///
/// # Errors
/// As [`run`](super::run): never without outside engines.
pub fn play(
    asked: &RoundRobin,
    stop: &AtomicBool,
    report: impl FnMut(RoundRobinProgress),
) -> Result<Option<Ratings>, ArenaError> {
    let begun = Instant::now();
    let Some(games) = Games::play(asked, stop, report)? else { return Ok(None) };
    Ok(Some(Ratings::of(asked, &games, begun.elapsed())))
}

/// All fitted values as a flat list, so that intervals for all of them are computed together.
struct Fitted {
    whole: Fit,
    /// The advantage in each player's games against themselves.
    alike: Vec<f64>,
    /// One for each of [`LENGTHS`].
    slopes: Vec<f64>,
    known: Vec<Known>,
}

impl Fitted {
    fn of(games: &Games, players: usize) -> Self {
        Self {
            whole: Fit::of(games, players),
            alike: (0..players).map(|player| fit::advantage_alike(games, player)).collect(),
            slopes: slopes(games, &LENGTHS),
            known: known(games),
        }
    }

    fn better_by(&self) -> impl Iterator<Item = f64> {
        self.whole.points.windows(2).map(|two| two[1] - two[0])
    }
}

impl Ratings {
    fn of(asked: &RoundRobin, games: &Games, took: Duration) -> Self {
        let count = asked.players.len();
        let fitted = Fitted::of(games, count);
        let mut random = Random::new(asked.seed);
        let again: Vec<Fitted> =
            (0..RESAMPLES).map(|_| Fitted::of(&games.resampled(&mut random), count)).collect();
        let estimate = |value: f64, of: &dyn Fn(&Fitted) -> f64| Estimate {
            value,
            interval: Interval::middle(again.iter().map(of).collect()),
        };
        let names: Vec<String> =
            asked.players.iter().map(|&player| Entrant::Computer(player).to_string()).collect();
        let better_by: Vec<f64> = fitted.better_by().collect();
        Self {
            variant: asked.variant,
            edition: format!("{:016x}", edition(asked.variant)),
            seed: asked.seed,
            games_each: asked.pairs * 2,
            games: games.count(),
            advantage: estimate(fitted.whole.advantage, &|fitted| fitted.whole.advantage),
            advantage_alike: fitted
                .alike
                .iter()
                .enumerate()
                .map(|(nth, &alike)| AdvantageAlike {
                    player: names[nth].clone(),
                    advantage: estimate(alike, &|fitted| fitted.alike[nth]),
                })
                .collect(),
            players: names
                .iter()
                .enumerate()
                .map(|(nth, name)| PlayerRating {
                    player: name.clone(),
                    points: fitted.whole.points[nth],
                    better_by: nth.checked_sub(1).map(|before| {
                        estimate(better_by[before], &|fitted| {
                            fitted.whole.points[nth] - fitted.whole.points[before]
                        })
                    }),
                })
                .collect(),
            slopes: LENGTHS
                .iter()
                .enumerate()
                .map(|(nth, &points)| {
                    MatchSlope::new(points, estimate(fitted.slopes[nth], &|fitted| fitted.slopes[nth]))
                })
                .collect(),
            known: fitted
                .known
                .iter()
                .enumerate()
                .map(|(nth, known)| GamesUntilKnown {
                    better: names[known.better].clone(),
                    other: names[known.other].clone(),
                    share: estimate(known.share, &|fitted| fitted.known[nth].share),
                    games: estimate(known.games, &|fitted| fitted.known[nth].games),
                    games_of_pairs: estimate(known.games_of_pairs, &|fitted| {
                        fitted.known[nth].games_of_pairs
                    }),
                })
                .collect(),
            held_out: HeldOut::of(games, asked),
            side_taker: SideTaker::of(games, asked, &names[count - 1], &fitted.whole),
            elapsed_s: took.as_secs_f64(),
        }
    }
}
