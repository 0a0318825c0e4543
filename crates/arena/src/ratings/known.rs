//! After how many games it is known which of two players is better.
//!
//! So many that the interval of 95 % of their score is above ½ in four of five such contests: (1.96 + 0.84)²
//! times the variance of a game's score, divided by the square of the better player's score minus ½. Fewer
//! than 1.96² = 3.84 games are never enough: even if all are won, the interval of three reaches below ½.

use serde::Serialize;

use super::games::Games;
use crate::{Estimate, estimate::Z};

/// The normal quantiles of an interval of 95 % and of four in five.
const CERTAIN: f64 = Z + 0.841_621_234;
/// How many games show which of two players is better.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GamesUntilKnown {
    /// The better one.
    pub better: String,
    /// The other.
    pub other: String,
    /// The better one's score in a game, a draw counting half.
    pub share: Estimate,
    /// The number of games with separate dice, the sides exchanged from game to game.
    pub games: Estimate,
    /// The number of games in pairs with the same dice.
    pub games_of_pairs: Estimate,
}

/// The same by the players' indices, without intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Known {
    pub(super) better: usize,
    pub(super) other: usize,
    pub(super) share: f64,
    pub(super) games: f64,
    pub(super) games_of_pairs: f64,
}

/// For all pairs of players; the later one in the list counts as the better one.
pub(super) fn known(games: &Games) -> Vec<Known> {
    let pairings = games.0.iter().filter(|pairing| pairing.first != pairing.second);
    pairings
        .map(|pairing| {
            let scores: Vec<[f64; 2]> = pairing
                .pairs
                .iter()
                .map(|pair| pair.of_first().map(|points| f64::midpoint(1.0, -f64::from(points.signum()))))
                .collect();
            // With separate dice, games vary around the expectation for their side.
            let of_sides = [0, 1].map(|which| moments(scores.iter().map(|pair| pair[which])));
            let share = f64::midpoint(of_sides[0].mean, of_sides[1].mean);
            let variance = f64::midpoint(of_sides[0].variance, of_sides[1].variance);
            let of_pairs = moments(scores.iter().map(|pair| f64::midpoint(pair[0], pair[1])));
            let games = |variance: f64| {
                let ahead = share - 0.5;
                if ahead > 0.0 {
                    (CERTAIN * CERTAIN * variance / (ahead * ahead)).max(Z * Z)
                } else {
                    f64::INFINITY
                }
            };
            Known {
                better: pairing.second,
                other: pairing.first,
                share,
                games: games(variance),
                games_of_pairs: games(2.0 * of_pairs.variance),
            }
        })
        .collect()
}

struct Moments {
    mean: f64,
    variance: f64,
}

fn moments(values: impl Iterator<Item = f64> + Clone) -> Moments {
    let (mut count, mut sum) = (0.0, 0.0);
    for value in values.clone() {
        count += 1.0;
        sum += value;
    }
    let mean = sum / count;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    Moments { mean, variance: squares / (count - 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::games::{MirroredPair, Pairing};

    #[test]
    fn dependent_games_need_fewer() {
        // The second player wins both games of 20 pairs in 100; the dice decide the others.
        let mut pairs = vec![MirroredPair { first_white: -1, second_white: 1 }; 20];
        pairs.extend(vec![MirroredPair { first_white: 1, second_white: 1 }; 40]);
        pairs.extend(vec![MirroredPair { first_white: -1, second_white: -1 }; 40]);
        let found = known(&Games(vec![Pairing { first: 0, second: 1, pairs }]))[0];
        assert_eq!((found.better, found.other), (1, 0));
        assert!((found.share - 0.6).abs() < 1e-12, "{found:?}");
        // Each game: 0.6 · 0.4 · 100/99; each pair's mean: 0.2 · 0.5² − 0.1² = 0.04.
        assert!((found.games - CERTAIN.powi(2) * 0.24 / 0.01 * 100.0 / 99.0).abs() < 1e-9, "{found:?}");
        assert!(
            (found.games_of_pairs - CERTAIN.powi(2) * 0.08 / 0.01 * 100.0 / 99.0).abs() < 1e-9,
            "{found:?}"
        );
    }
}
