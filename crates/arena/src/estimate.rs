//! Estimates with their intervals.

use serde::Serialize;

use crate::Interval;

/// How many standard errors an interval of 95 % has on each side.
pub(crate) const Z: f64 = 1.959_963_985;

/// The number of bootstrap samples, of games drawn with replacement from the played ones.
pub(crate) const RESAMPLES: usize = 400;

/// A number with its interval of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The interval of 95 %.
    #[serde(flatten)]
    pub interval: Interval,
}

impl Estimate {
    /// An estimate whose interval has this width on both sides.
    pub(crate) const fn within(value: f64, error: f64) -> Self {
        Self { value, interval: Interval { low: value - error, high: value + error } }
    }

    /// The mean of independent numbers.
    pub(crate) fn mean(numbers: &[f64]) -> Self {
        let count = f64::from(u32::try_from(numbers.len()).unwrap_or(u32::MAX));
        let value = numbers.iter().sum::<f64>() / count;
        let variance = numbers.iter().map(|one| (one - value).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Self::within(value, Z * (variance / count).sqrt())
    }

    /// The ratio of two sums over games: what is counted, and out of how much. The turns of a game are
    /// dependent, so games are the independent units.
    pub(crate) fn ratio(games: &[(f64, f64)]) -> Self {
        let (counted, of) = games.iter().fold((0.0, 0.0), |sum, game| (sum.0 + game.0, sum.1 + game.1));
        let count = f64::from(u32::try_from(games.len()).unwrap_or(u32::MAX));
        let value = counted / of;
        let squares: f64 = games.iter().map(|game| (game.0 - value * game.1).powi(2)).sum();
        Self::within(value, Z * (count / (count - 1.0).max(1.0) * squares).sqrt() / of)
    }
}

impl Interval {
    /// The middle 95 % of bootstrap results.
    pub(crate) fn middle(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let cut = values.len() / 40;
        let at = |nth: usize| values.get(nth).copied().unwrap_or(f64::NAN);
        Self { low: at(cut), high: at(values.len().saturating_sub(cut + 1)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_over_games_of_one_turn_is_their_mean() {
        let numbers = [0.0, 1.0, 1.0, 4.0];
        let mean = Estimate::mean(&numbers);
        assert_eq!(Estimate::ratio(&numbers.map(|number| (number, 1.0))), mean);
        assert!((mean.value - 1.5).abs() < 1e-12 && (mean.interval.high - 3.1974).abs() < 1e-3, "{mean:?}");
    }

    #[test]
    fn the_turns_of_a_game_are_dependent() {
        // Two games that do not differ, whatever their length, have no variance.
        let alike = Estimate::ratio(&[(10.0, 100.0), (1.0, 10.0)]);
        assert!((alike.value - 0.1).abs() < 1e-12 && (alike.interval.high - 0.1).abs() < 1e-9, "{alike:?}");
    }

    #[test]
    fn the_middle_leaves_one_in_forty_on_each_side() {
        let middle = Interval::middle((0..400).map(f64::from).rev().collect());
        assert_eq!(middle, Interval { low: 10.0, high: 389.0 });
    }
}
