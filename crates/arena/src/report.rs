//! The result of a contest.

use std::{collections::BTreeMap, time::Duration};

use lusoria_rules::{Game, Side, Variant};
use lusoria_search::edition;
use serde::{Serialize, Serializer};

use super::{
    Bucket, ByEntrant, Contest, EntrantId, Forfeit, Interval, Score, Share,
    share::{elo, mean, share},
    tally::{PairSum, PlayerTally, Sums, Tally},
};

/// The result of a contest. Its fields are stable: programs read it as JSON. Only the times differ from one
/// run of the same contest to the next.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The settings.
    pub contest: Settings,
    /// The number of games played, in whole pairs.
    pub games: u32,
    /// The reason for fewer games than requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
    /// The results of the first player.
    pub score: Score,
    /// The same of their games as White; in a tafl game as the defenders.
    pub score_as_white: Score,
    /// The same of their games as Black; in a tafl game as the attackers.
    pub score_as_black: Score,
    /// The first player's mean points in a game, minus points lost.
    pub points: Option<Mean>,
    /// The first player's share of the decided games.
    pub decided: Option<Share>,
    /// The first player's share of all games, a draw counting half.
    pub share: Option<Share>,
    /// How much stronger the first player is.
    pub elo: Option<Elo>,
    /// Turns of a game, of both sides together, without passes.
    pub turns: Spread,
    /// The number of games by the reason of their end: codes of the rules, `forfeit`, `turn_limit`.
    pub ends: BTreeMap<&'static str, u32>,
    /// The turns of the first player.
    pub a: Player,
    /// The turns of the other player.
    pub b: Player,
    /// The first ten forfeits.
    pub forfeits: Vec<Forfeit>,
    /// The elapsed time, in seconds.
    pub elapsed_s: f64,
}

/// The settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// The game and its options.
    #[serde(flatten)]
    pub variant: Variant,
    /// The edition of the search, as 16 hexadecimal digits: another one has other weights or another search,
    /// and its results may differ.
    pub edition: String,
    /// The first player.
    pub a: String,
    /// The other player.
    pub b: String,
    /// The first player's budget for a turn, in positions; absent for an outside engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_a: Option<u32>,
    /// The other player's budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_b: Option<u32>,
    /// The number of games.
    pub games: u32,
    /// The seed.
    pub seed: u64,
    /// `game`, or `points` if a double win counted two.
    pub stakes: &'static str,
    /// After how many turns a game counted as drawn.
    pub turns_max: u32,
    /// How many games were played at the same time.
    pub threads: usize,
}

/// The reason that a contest ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Stopped {
    /// It was interrupted.
    Interrupted,
    /// An outside engine forfeited too many games in a row.
    Forfeits {
        /// The player.
        player: EntrantId,
    },
}

/// A mean with its interval of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The interval of 95 %; none with fewer than ten pairs.
    #[serde(flatten)]
    pub interval: Option<Interval>,
}

/// An Elo difference with its interval of 95 %. A missing bound is infinite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Elo {
    /// The difference; none if all games were won, or all lost.
    pub difference: Option<f64>,
    /// The lower bound.
    pub low: Option<f64>,
    /// The upper bound.
    pub high: Option<f64>,
}

/// The play of one player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Player {
    /// How many turns they played.
    pub turns: u64,
    /// The time of a turn, in microseconds.
    pub time_us: Spread,
    /// The evaluated positions of a turn; none for an outside engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Spread>,
    /// Games that they forfeited.
    pub forfeits: u32,
    /// Their expected score after each of their turns, against the actual one; none for an outside engine.
    /// Chances are against an opponent as strong as the player.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calibration: Vec<Bucket>,
}

/// Statistics of numbers: the mean, the 95 % quantile to three digits, and the maximum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// 95 % of them are no greater.
    pub p95: u64,
    /// The greatest.
    pub max: u64,
}

impl Report {
    pub(super) fn of(contest: &Contest, tally: &Tally, stopped: Option<Stopped>, took: Duration) -> Self {
        let parts =
            |part: fn(PairSum) -> (f64, f64)| tally.pairs.iter().copied().map(part).collect::<Vec<_>>();
        let points: Vec<f64> = tally.pairs.iter().map(|pair| f64::from(pair.points)).collect();
        let all = share(&parts(PairSum::scored));
        Self {
            contest: Settings::of(contest),
            games: (tally.as_white + tally.as_black).games(),
            stopped,
            score: tally.as_white + tally.as_black,
            score_as_white: tally.as_white,
            score_as_black: tally.as_black,
            points: mean(&points).map(|(mean, interval)| Mean { mean, interval }),
            decided: share(&parts(PairSum::decided)),
            share: all,
            elo: all.map(Elo::of),
            turns: Spread::of(&tally.turns),
            ends: tally.ends.clone(),
            a: Player::of(&tally.players.a),
            b: Player::of(&tally.players.b),
            forfeits: tally.forfeits.clone(),
            elapsed_s: took.as_secs_f64(),
        }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.contest.variant.game()
    }

    /// The name of each side in the game, with the first player's result.
    pub fn sides(&self) -> [(&'static str, Score); 2] {
        let name = |side| self.game().side_name(side);
        [(name(Side::White), self.score_as_white), (name(Side::Black), self.score_as_black)]
    }

    /// Each player's name and play.
    pub fn players(&self) -> [(EntrantId, &str, &Player); 2] {
        [(EntrantId::A, &self.contest.a, &self.a), (EntrantId::B, &self.contest.b, &self.b)]
    }
}

impl Settings {
    fn of(contest: &Contest) -> Self {
        let ByEntrant { a, b } = &contest.entrants;
        let nodes = |entrant| contest.budget(entrant).map(|budget| budget.nodes);
        Self {
            variant: contest.variant,
            edition: format!("{:016x}", edition(contest.variant)),
            a: a.to_string(),
            b: b.to_string(),
            nodes_a: nodes(EntrantId::A),
            nodes_b: nodes(EntrantId::B),
            games: contest.pairs * 2,
            seed: contest.seed,
            stakes: contest.stakes_name(),
            turns_max: contest.turns_max,
            threads: contest.threads.get(),
        }
    }
}

impl PairSum {
    /// Its contribution to the share of the decided games.
    fn decided(self) -> (f64, f64) {
        (f64::from(self.wins), f64::from(self.wins + self.losses))
    }

    /// Its contribution to the share of all games.
    fn scored(self) -> (f64, f64) {
        ((2.0 + f64::from(self.wins) - f64::from(self.losses)) / 2.0, 2.0)
    }
}

impl Elo {
    fn of(share: Share) -> Self {
        Self {
            difference: elo(share.share),
            low: share.interval.and_then(|interval| elo(interval.low)),
            high: share.interval.and_then(|interval| elo(interval.high)),
        }
    }
}

impl Player {
    fn of(tally: &PlayerTally) -> Self {
        Self {
            turns: tally.time_us.values.len(),
            time_us: Spread::of(&tally.time_us),
            nodes: (!tally.nodes.values.is_empty()).then(|| Spread::of(&tally.nodes)),
            forfeits: tally.forfeits,
            calibration: tally.expected.told(),
        }
    }
}

impl Spread {
    #[expect(clippy::cast_precision_loss, reason = "a mean has no 52 bits that matter")]
    fn of(sums: &Sums) -> Self {
        Self {
            mean: sums.sum as f64 / sums.values.len().max(1) as f64,
            p95: sums.values.value_at_quantile(0.95),
            max: sums.values.max(),
        }
    }
}

impl Serialize for EntrantId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::A => "a",
            Self::B => "b",
        })
    }
}
