//! What a contest has shown.

use std::{collections::BTreeMap, time::Duration};

use lusoria_rules::{Game, Side, Variant};
use lusoria_search::edition;
use serde::{Serialize, Serializer};

use super::{
    Bucket, ByEntrant, Contest, EntrantId, Forfeit, Interval, Score, Share,
    share::{elo, mean, share},
    tally::{PairSum, PlayerTally, Sums, Tally},
};

/// What a contest has shown. Its fields are stable: programs read it as JSON. Only the times
/// differ from one run of the same contest to the next.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What was asked for.
    pub contest: Settings,
    /// How many games were played, in whole pairs.
    pub games: u32,
    /// Why there are fewer than were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
    /// What the first player won, drew and lost.
    pub score: Score,
    /// The same of their games as White; in a tafl game as the defenders.
    pub score_as_white: Score,
    /// The same of their games as Black; in a tafl game as the attackers.
    pub score_as_black: Score,
    /// The points that the first player made in a game, on average, minus those that they lost.
    pub points: Option<Mean>,
    /// The share of the decided games that the first player won.
    pub decided: Option<Share>,
    /// The share of all games that the first player won, a draw counting half.
    pub share: Option<Share>,
    /// By how much the first player is stronger.
    pub elo: Option<Elo>,
    /// Turns of a game, those of both sides together; passes are none.
    pub turns: Spread,
    /// How many games ended how: codes of the rules, `forfeit`, `turn_limit`.
    pub ends: BTreeMap<&'static str, u32>,
    /// What turns cost the first player.
    pub a: Player,
    /// What turns cost the other.
    pub b: Player,
    /// The first ten forfeits.
    pub forfeits: Vec<Forfeit>,
    /// How long all of it took, in seconds.
    pub elapsed_s: f64,
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// The game and its options.
    #[serde(flatten)]
    pub variant: Variant,
    /// Which judge of the game the levels are, as 16 hexadecimal digits: another has other
    /// weights or searches in another way, and what one has shown need not hold of it.
    pub edition: String,
    /// The first player.
    pub a: String,
    /// The other.
    pub b: String,
    /// How many positions the first may look at in a turn; absent for an outside engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_a: Option<u32>,
    /// The same of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_b: Option<u32>,
    /// How many games.
    pub games: u32,
    /// What chance began with.
    pub seed: u64,
    /// `game`, or `points` if a double win counted two.
    pub stakes: &'static str,
    /// After how many turns a game counted as drawn.
    pub turns_max: u32,
    /// How many games were played at the same time.
    pub threads: usize,
}

/// Why a contest ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Stopped {
    /// It was interrupted.
    Interrupted,
    /// An outside engine forfeited too many games, one after the other.
    Forfeits {
        /// Whose.
        player: EntrantId,
    },
}

/// A mean with its interval of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Where it lies with 95 % certainty; none with fewer than ten pairs.
    #[serde(flatten)]
    pub interval: Option<Interval>,
}

/// An Elo difference with its interval of 95 %. A bound that is not there is infinite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Elo {
    /// The difference; none if all games were won, or all lost.
    pub difference: Option<f64>,
    /// The lower bound.
    pub low: Option<f64>,
    /// The upper bound.
    pub high: Option<f64>,
}

/// How one player played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Player {
    /// How many turns they played.
    pub turns: u64,
    /// What a turn took, in microseconds.
    pub time_us: Spread,
    /// How many positions they valued for a turn; none of an outside engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Spread>,
    /// Games that they forfeited.
    pub forfeits: u32,
    /// What they expected to score after each of their turns, against what they scored; none of an outside
    /// engine. Chances are meant against an opponent as strong as the player.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calibration: Vec<Bucket>,
}

/// Numbers: their mean, what 95 % of them do not exceed, to three digits, and the greatest.
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

    /// The name that a side has in the game, and what the first player made of it.
    pub fn sides(&self) -> [(&'static str, Score); 2] {
        let name = |side| self.game().side_name(side);
        [(name(Side::White), self.score_as_white), (name(Side::Black), self.score_as_black)]
    }

    /// Each player's name and how they played.
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
    /// What it adds to the share of the decided games.
    fn decided(self) -> (f64, f64) {
        (f64::from(self.wins), f64::from(self.wins + self.losses))
    }

    /// What it adds to the share of all games.
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
