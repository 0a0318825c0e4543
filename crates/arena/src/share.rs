//! Shares and their intervals, computed from pairs of games.
//!
//! Both games of a pair have the same dice, so their results are dependent: pairs are the independent units,
//! and the variance is that over pairs.

use serde::Serialize;

use crate::estimate::Z;

/// With fewer pairs than this there is no interval: their variance would be too uncertain.
const PAIRS_MIN: usize = 10;

/// A share between 0 and 1 with its interval of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// The share itself.
    pub share: f64,
    /// The interval of 95 %; none with fewer than ten pairs.
    #[serde(flatten)]
    pub interval: Option<Interval>,
}

/// The bounds of an interval of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The contribution of a pair of games to a share: the count, and out of how much.
pub(super) type Part = (f64, f64);

/// The share over all pairs: a ratio of sums, with the linearised variance over pairs, as Wilson's interval
/// for the number of independent games with the same variance (Korn and Graubard 1998), so that its bounds
/// stay between 0 and 1. None if the total is zero.
pub(super) fn share(pairs: &[Part]) -> Option<Share> {
    let (counted, of) = pairs.iter().fold((0.0, 0.0), |sum: Part, part| (sum.0 + part.0, sum.1 + part.1));
    if of <= 0.0 {
        return None;
    }
    let share = counted / of;
    if pairs.len() < PAIRS_MIN {
        return Some(Share { share, interval: None });
    }
    let pairs_n = count(pairs.len());
    let squares: f64 = pairs.iter().map(|part| (part.0 - share * part.1).powi(2)).sum();
    let variance = pairs_n / (pairs_n - 1.0) * squares / (of * of);
    let games = if variance > 0.0 {
        share * (1.0 - share) / variance
    } else {
        // Nothing varies; but all that is known is that so many pairs had the same result.
        count(pairs.iter().filter(|part| part.1 > 0.0).count())
    };
    Some(Share { share, interval: Some(wilson(share, games)) })
}

/// A mean over games with its interval: `pairs` are sums of two games each.
pub(super) fn mean(pairs: &[f64]) -> Option<(f64, Option<Interval>)> {
    let pairs_n = count(pairs.len());
    if pairs.is_empty() {
        return None;
    }
    let mean = pairs.iter().sum::<f64>() / pairs_n / 2.0;
    if pairs.len() < PAIRS_MIN {
        return Some((mean, None));
    }
    let squares: f64 = pairs.iter().map(|sum| (sum / 2.0 - mean).powi(2)).sum();
    let error = (squares / (pairs_n - 1.0) / pairs_n).sqrt();
    Some((mean, Some(Interval { low: mean - Z * error, high: mean + Z * error })))
}

/// The Elo difference for a score; none for a score of 0 or 1, which no difference explains.
pub(super) fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// Wilson's interval. A bound at an end of the scale is exactly that end, which rounding could miss.
fn wilson(share: f64, games: f64) -> Interval {
    let shrink = 1.0 + Z * Z / games;
    let centre = (share + Z * Z / (2.0 * games)) / shrink;
    let half = Z / shrink * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
    Interval {
        low: if share <= 0.0 { 0.0 } else { (centre - half).max(0.0) },
        high: if share >= 1.0 { 1.0 } else { (centre + half).min(1.0) },
    }
}

#[expect(clippy::cast_precision_loss, reason = "there are fewer pairs than 2 to the 52")]
const fn count(pairs: usize) -> f64 {
    pairs as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "{found}, not {expected}");
    }

    #[test]
    fn elo_differences_of_known_scores() {
        for (score, difference) in
            [(0.5, 0.0), (0.75, 190.8485), (0.64, 99.950_99), (0.909_090_9, 400.0), (0.25, -190.8485)]
        {
            close(elo(score).expect("a difference"), difference);
        }
        assert_eq!((elo(0.0), elo(1.0)), (None, None));
    }

    /// By hand: 50 pairs won twice, 25 halved, 25 lost twice. The share is 0.625, the sum of squares 68.75,
    /// the variance 100/99 · 68.75/200², which is that of 135 games.
    #[test]
    fn the_interval_is_that_of_the_variance_over_pairs() {
        let pairs: Vec<Part> =
            [(50, 2.0), (25, 1.0), (25, 0.0)].iter().flat_map(|&(n, won)| vec![(won, 2.0); n]).collect();
        let found = share(&pairs).expect("a share");
        let interval = found.interval.expect("an interval");
        close(found.share, 0.625);
        close(interval.low, 0.54094);
        close(interval.high, 0.70214);
    }

    /// Wilson's interval of 81 of 263 is in Newcombe (1998):
    /// 0.2553 to 0.3662. Pairs of which only one game counts are independent games.
    #[test]
    fn independent_games_have_wilsons_interval() {
        let mut pairs = vec![(1.0, 1.0); 81];
        pairs.extend(vec![(0.0, 1.0); 182]);
        let interval = share(&pairs).and_then(|share| share.interval).expect("an interval");
        assert!(
            (interval.low - 0.2553).abs() < 2e-4 && (interval.high - 0.3662).abs() < 2e-4,
            "{interval:?}"
        );
    }

    #[test]
    fn the_ends_of_the_scale() {
        assert_eq!(share(&[]), None);
        assert_eq!(share(&[(0.0, 0.0); 40]), None, "nothing was decided");
        assert_eq!(share(&[(2.0, 2.0); 9]), Some(Share { share: 1.0, interval: None }), "too few pairs");
    }

    #[test]
    fn a_swept_contest_has_a_bound_at_the_end_of_the_scale() {
        for pairs in [10, 15, 50, 100, 200, 500] {
            for (won, end) in [(0.0, 0.0), (2.0, 1.0)] {
                let swept = share(&vec![(won, 2.0); pairs]).and_then(|share| share.interval);
                let Interval { low, high } = swept.expect("an interval");
                let (at_end, inside) = if won > 0.0 { (high, 1.0 - low) } else { (low, high) };
                assert_eq!(at_end.to_bits(), f64::to_bits(end), "{pairs} pairs");
                // z² / (n + z²), as for n games that all went one way.
                close(inside, Z * Z / (count(pairs) + Z * Z));
                assert_eq!(elo(at_end), None, "{pairs} pairs");
            }
        }
    }

    /// Players who play alike split every pair; that is as much evidence as the number of pairs.
    #[test]
    fn pairs_that_all_went_alike_are_so_many_games() {
        let alike = share(&[(1.0, 2.0); 10]).and_then(|share| share.interval).expect("an interval");
        // Wilson's interval of 5 of 10.
        close(alike.low, 0.23659);
        close(alike.high, 0.76341);
        let undecided = [vec![(1.0, 2.0); 10], vec![(0.0, 0.0); 30]].concat();
        let decided = share(&undecided).and_then(|share| share.interval);
        assert_eq!(decided, Some(alike), "pairs that decided nothing tell nothing");
    }

    #[test]
    fn the_mean_of_points_and_its_interval() {
        let pairs: Vec<f64> = (0..100).map(|n| if n % 2 == 0 { 2.0 } else { -1.0 }).collect();
        let (found, interval) = mean(&pairs).expect("a mean");
        let interval = interval.expect("an interval");
        close(found, 0.25);
        // The standard deviation of the pairs' means is 0.75 · √(100/99).
        close(interval.high - interval.low, 2.0 * Z * 0.075_377_8);
    }
}
