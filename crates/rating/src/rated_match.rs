//! The input of a rating: a match, its players and its result.

use std::{ops::RangeInclusive, time::Duration};

use crate::rating::{OutOfRange, Rating, within};

/// The result of a game or match for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Score 1.
    Won,
    /// Score ½.
    Drawn,
    /// Score 0.
    Lost,
}

impl Outcome {
    /// The result for the opponent.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Won => Self::Lost,
            Self::Drawn => Self::Drawn,
            Self::Lost => Self::Won,
        }
    }

    /// The score: 1, ½ or 0.
    pub const fn score(self) -> f64 {
        match self {
            Self::Won => 1.0,
            Self::Drawn => 0.5,
            Self::Lost => 0.0,
        }
    }
}

/// The advantage of a side, in points: −1000 to 1000, 0 if the sides are even.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Advantage(f64);

impl Advantage {
    /// No advantage.
    pub const NONE: Self = Self(0.0);

    const RANGE: RangeInclusive<f64> = -1000.0..=1000.0;

    /// An advantage of this many points, as fitted from games.
    ///
    /// # Errors
    ///
    /// The number is not in −1000 to 1000.
    pub fn new(points: f64) -> Result<Self, OutOfRange> {
        Ok(Self(within("advantage", points, &Self::RANGE)?))
    }

    /// In points.
    pub const fn points(self) -> f64 {
        self.0
    }

    /// The advantage of the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self(-self.0)
    }
}

/// How much the better player's strength shows in a match: the slope `k` of the chance of winning against the
/// difference in rating, 0.05 to 20. 1 is the slope of one game that counts one point.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Slope(f64);

impl Slope {
    /// The slope of a single game.
    pub const ONE: Self = Self(1.0);

    const RANGE: RangeInclusive<f64> = 0.05..=20.0;

    /// The greatest length for which the slope is computed; longer matches have the same.
    const POINTS_MAX: u16 = 300;

    /// This slope, as fitted from matches.
    ///
    /// # Errors
    ///
    /// The number is not in 0.05 to 20.
    pub fn new(slope: f64) -> Result<Self, OutOfRange> {
        Ok(Self(within("slope", slope, &Self::RANGE)?))
    }

    /// The slope of a match of `points` points whose games count one point each: k(n) = (2n − 1)·C(2n − 2, n
    /// − 1)/4ⁿ⁻¹, that is 1, 1.5, 1.875, 2.19, 2.46, 2.71, 2.93 for 1 to 7 points. 0 points count as 1, more
    /// than 300 as 300.
    ///
    /// It is the derivative of the chance to be the first to win n games with respect to the chance to win
    /// one, where both are ½; there, the chance to win a game has the derivative ¼.
    pub fn of_points(points: u16) -> Self {
        let points = points.clamp(1, Self::POINTS_MAX);
        // C(2n − 2, n − 1)/4ⁿ⁻¹ is the product of (2i − 1)/(2i) for i from 1 to n − 1.
        let product = (1..points).fold(1.0, |product, i| product * f64::from(2 * i - 1) / f64::from(2 * i));
        Self(f64::from(2 * points - 1) * product)
    }

    /// The number itself.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// Whether a person or a program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A person.
    Person,
    /// A bot.
    Bot,
}

/// A player of a rated match, as they were before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// Their rating after their previous match, or the rating at the start.
    pub rating: Rating,
    /// The time from the end of their last rated match of this game and pace to the end of this one; zero
    /// if it is their first. It counts in milliseconds.
    pub idle: Duration,
    /// The kind of player.
    pub kind: Kind,
}

/// The result of a match, as the first player sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// A single game or a match of several points: only its end counts.
    Match {
        /// The result for the first player.
        outcome: Outcome,
        /// The advantage of the first player's side; [`Advantage::NONE`] if the sides changed.
        advantage: Advantage,
        /// The slope of the match.
        slope: Slope,
    },
    /// Two games with sides exchanged, each with its own result; both are one update.
    Pair {
        /// The results of the first and the second game for the first player.
        outcomes: [Outcome; 2],
        /// The advantage of the first player's side in the first game, and of the second player's in the
        /// second.
        advantage: Advantage,
        /// The slope of each game.
        slope: Slope,
    },
}

impl Verdict {
    /// The result as the second player sees it.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Match { outcome, advantage, slope } => {
                Self::Match { outcome: outcome.reversed(), advantage: advantage.reversed(), slope }
            }
            Self::Pair { outcomes, advantage, slope } => Self::Pair {
                outcomes: outcomes.map(Outcome::reversed),
                advantage: advantage.reversed(),
                slope,
            },
        }
    }
}

/// How many matches of the same two players count in full on one day, in one game and at one pace. The weight
/// of each further one is half that of the previous one, so that repeated wins against the same player gain
/// little.
pub const FULL_MATCHES_A_DAY: u32 = 4;

/// A finished match that changes ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedMatch {
    /// The players.
    pub players: [Player; 2],
    /// The result, as the first of the players sees it.
    pub verdict: Verdict,
    /// How many rated matches of the same game and pace the two have ended earlier on the same day.
    pub earlier_today: u32,
}

impl RatedMatch {
    /// The weight of the match, as a factor of k² in 1/v: 1, then ½, ¼ and so on, but never 0.
    pub(crate) fn weight(&self) -> f64 {
        let halvings = (self.earlier_today.saturating_add(1)).saturating_sub(FULL_MATCHES_A_DAY).min(20);
        1.0 / f64::from(1_u32 << halvings)
    }
}
