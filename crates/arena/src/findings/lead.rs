//! After how many games the better of two players leads.

use serde::Serialize;

use super::{course::Course, sample::Sample};
use crate::Estimate;

/// How much better the better player is: the excess of their score in a game over a half, on average of both
/// sides.
const BETTER_BY: [f64; 4] = [0.01, 0.02, 0.05, 0.1];

/// The normal quantile of 19 in 20.
const CERTAIN: f64 = 1.644_853_627;

/// After how many games, each with its own dice and the sides exchanged, the better player has the higher
/// score with a probability of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Lead {
    /// The excess of the better player's score over a half.
    pub better_by: f64,
    /// The number of games.
    pub games: Estimate,
    /// The number with luck removed from every result; none in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_luck: Option<Estimate>,
}

impl Lead {
    /// One for each of [`BETTER_BY`].
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

/// The number of games after which their sum exceeds a half of it 19 times in 20: the expected excess is
/// `better_by` for each game, and the standard deviation of the sum grows with the square root of their
/// number.
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
        // Half the deviation, a quarter of the games.
        assert!((games_until(0.25, 0.05) - games_until(0.5, 0.05) / 4.0).abs() < 1e-9);
    }
}
