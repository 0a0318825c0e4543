//! Ratings.

use std::ops::RangeInclusive;

/// A number outside its range, or not a number.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} is {value}, not in {least} to {greatest}")]
pub struct OutOfRange {
    /// The name of the number, such as `deviation`.
    pub what: &'static str,
    /// The number.
    pub value: f64,
    /// The smallest valid value.
    pub least: f64,
    /// The greatest valid value.
    pub greatest: f64,
}

/// The number, if it is in the range.
pub(crate) fn within(what: &'static str, value: f64, range: &RangeInclusive<f64>) -> Result<f64, OutOfRange> {
    if range.contains(&value) {
        // Negative zero becomes zero, because databases have only one form of it.
        return Ok(value + 0.0);
    }
    Err(OutOfRange { what, value, least: *range.start(), greatest: *range.end() })
}

/// How well a player plays one game at one pace, as far as is known. All numbers are always within their
/// ranges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    points: f64,
    deviation: f64,
    volatility: f64,
}

impl Rating {
    /// The range of [`points`](Self::points).
    pub const POINTS: RangeInclusive<f64> = 0.0..=4000.0;

    /// The range of [`deviation`](Self::deviation). Below the minimum, which is Glickman's of 1999, a rating
    /// would hardly follow a player who improves.
    pub const DEVIATION: RangeInclusive<f64> = 30.0..=500.0;

    /// The range of [`volatility`](Self::volatility).
    pub const VOLATILITY: RangeInclusive<f64> = 0.01..=0.2;

    /// The deviation from which a rating is [provisional](Self::is_provisional), in points.
    pub const PROVISIONAL_DEVIATION: f64 = 110.0;

    /// The deviation up to which a rating is [settled](Self::is_settled), in points.
    pub const SETTLED_DEVIATION: f64 = 75.0;

    /// The starting rating in games with dice. There a few matches say little, and players differ less than
    /// in games without dice: the deviation is smaller than Glickman's.
    pub const START_WITH_DICE: Self = Self { points: 1500.0, deviation: 250.0, volatility: 0.06 };

    /// The starting rating in tablut and other games without dice.
    pub const START_WITHOUT_DICE: Self = Self { points: 1500.0, deviation: 350.0, volatility: 0.06 };

    /// The rating with these stored numbers.
    ///
    /// # Errors
    ///
    /// A number is outside its range.
    pub fn new(points: f64, deviation: f64, volatility: f64) -> Result<Self, OutOfRange> {
        Ok(Self {
            points: within("points", points, &Self::POINTS)?,
            deviation: within("deviation", deviation, &Self::DEVIATION)?,
            volatility: within("volatility", volatility, &Self::VOLATILITY)?,
        })
    }

    /// The rating within all ranges that is closest to these numbers. None of them may be NaN.
    pub(crate) fn nearest(points: f64, deviation: f64, volatility: f64) -> Self {
        let clamp = |value: f64, range: RangeInclusive<f64>| value.clamp(*range.start(), *range.end()) + 0.0;
        Self {
            points: clamp(points, Self::POINTS),
            deviation: clamp(deviation, Self::DEVIATION),
            volatility: clamp(volatility, Self::VOLATILITY),
        }
    }

    /// The player's estimated strength, in points: 1500 at the start, 0 to 4000. Of two players with certain
    /// ratings that are 173.7178 points apart, the better one wins 73 of 100 games of slope 1.
    pub const fn points(self) -> f64 {
        self.points
    }

    /// The uncertainty of the points, as their standard deviation in points: 30 to 500. The player's strength
    /// is within two of them with 95 % probability.
    pub const fn deviation(self) -> f64 {
        self.deviation
    }

    /// How much the player's strength changes, as the standard deviation on Glickman's scale in 4.67 days:
    /// 0.01 to 0.2.
    pub const fn volatility(self) -> f64 {
        self.volatility
    }

    /// Whether the rating is still too uncertain to say much: its deviation is 110 or more.
    pub const fn is_provisional(self) -> bool {
        self.deviation >= Self::PROVISIONAL_DEVIATION
    }

    /// Whether the rating is certain enough to be compared with others, as on a leaderboard: its deviation is
    /// 75 or less.
    pub const fn is_settled(self) -> bool {
        self.deviation <= Self::SETTLED_DEVIATION
    }
}
