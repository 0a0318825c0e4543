//! After how many games the better of two players leads.

use serde::Serialize;

use super::{course::Course, sample::Sample};
use crate::Estimate;

/// How much better the better one is, in what they score in a game above the half of it, on average of both sides.
const BETTER_BY: [f64; 4] = [0.01, 0.02, 0.05, 0.1];

/// The normal quantile of 19 in 20.
const CERTAIN: f64 = 1.644_853_627;

/// After how many games, with dice of their own and the sides exchanged, the better player has scored more than the
/// other with a chance of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Lead {
    /// How much more than a half the better one scores in a game.
    pub better_by: f64,
    /// So many games.
    pub games: Estimate,
    /// So many if what the throws gave is taken out of every result; none in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_luck: Option<Estimate>,
}

impl Lead {
    /// For each of [`BETTER_BY`].
    pub(super) fn all(sample: &Sample, has_dice: bool) -> Vec<Self> {
        let games = |of: fn(&Course) -> f64, better_by: f64| {
            let Estimate { value, interval } = sample.deviation(of);
            let [value, low, high] =
                [value, interval.low, interval.high].map(|deviation| games_until(deviation, better_by));
            Estimate { value, interval: crate::Interval { low, high } }
        };
        let lead = |better_by| Self {
            better_by,
            games: games(|course| course.white, better_by),
            without_luck: has_dice.then(|| games(Course::white_without_luck, better_by)),
        };
        BETTER_BY.map(lead).to_vec()
    }
}

/// After so many games that vary so much the sum of them is above the half 19 times in 20: they are expected to add
/// up to `better_by` each, and the standard deviation of their sum grows with the root of their number.
fn games_until(deviation: f64, better_by: f64) -> f64 {
    (CERTAIN * deviation / better_by).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_player_leads_sooner_the_better_they_are() {
        // A fair coin that falls for one of them 55 times in 100: 1.645² · 0.25 / 0.05².
        assert!((games_until(0.5, 0.05) - 270.554).abs() < 1e-3);
        assert!((games_until(0.5, 0.01) - 25.0 * games_until(0.5, 0.05)).abs() < 1e-9);
        // Half the spread, a quarter of the games.
        assert!((games_until(0.25, 0.05) - games_until(0.5, 0.05) / 4.0).abs() < 1e-9);
    }
}
