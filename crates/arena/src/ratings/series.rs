//! The slopes of matches: how much more of the difference between two players a match to several points shows
//! than one game.
//!
//! The distribution of points in the games between two players determines exactly how often each would win a
//! match to so many points. The slope `k` says how much steeper that is on the logistic curve: the `k` with
//! which k·logit(games won) is closest to logit(matches won) in all pairings, weighted by their precision.

use lusoria_rating::Slope;
use serde::Serialize;

use super::{
    Estimate,
    games::{Games, Pairing},
};

/// The slope of matches of a length.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MatchSlope {
    /// The points of a match.
    pub points: u16,
    /// The slope; a single game has 1.
    pub slope: Estimate,
    /// The slope if every game counted one point ([`Slope::of_points`]).
    pub of_one_point_games: f64,
}

impl MatchSlope {
    pub(super) fn new(points: u16, slope: Estimate) -> Self {
        Self { points, slope, of_one_point_games: Slope::of_points(points).get() }
    }
}

/// The share of games that end with each number of points for the first player: −2 to 2, by index.
type Shares = [f64; 5];

/// The slopes of matches of these lengths.
pub(super) fn slopes(games: &Games, lengths: &[u16]) -> Vec<f64> {
    let pairings: Vec<Shares> =
        games.0.iter().filter(|pairing| pairing.first != pairing.second).map(shares).collect();
    lengths.iter().map(|&points| slope(&pairings, points)).collect()
}

fn shares(pairing: &Pairing) -> Shares {
    let mut counts = [0.0; 5];
    for points in pairing.pairs.iter().flat_map(|pair| pair.of_first()) {
        counts[usize::try_from(points + 2).expect("a game scores at most 2")] += 1.0;
    }
    let games: f64 = counts.iter().sum();
    counts.map(|count| count / games)
}

fn slope(pairings: &[Shares], points: u16) -> f64 {
    let (mut both, mut alone) = (0.0, 0.0);
    for shares in pairings {
        let game = (shares[3] + shares[4]) / (1.0 - shares[2]);
        let won = won(shares, points);
        // A player who never lost says nothing about the slope.
        if !(game > 0.0 && game < 1.0 && won > 0.0 && won < 1.0) {
            continue;
        }
        let [x, y] = [game, won].map(|share| (share / (1.0 - share)).ln());
        let weight = won * (1.0 - won);
        both += weight * x * y;
        alone += weight * x * x;
    }
    both / alone
}

/// How often the first player is the first to score this many points.
fn won(shares: &Shares, points: u16) -> f64 {
    let to = usize::from(points);
    // The chance of winning from each score; 0 once the opponent needs nothing more.
    let mut chances = vec![vec![0.0; to + 1]; to + 1];
    let decided = 1.0 - shares[2];
    for own in (0..=to).rev() {
        for other in (0..=to).rev() {
            chances[own][other] = if own == to {
                1.0
            } else if other == to {
                0.0
            } else {
                let own_by = |points: usize| chances[(own + points).min(to)][other];
                let other_by = |points: usize| chances[own][(other + points).min(to)];
                (shares[3] * own_by(1)
                    + shares[4] * own_by(2)
                    + shares[1] * other_by(1)
                    + shares[0] * other_by(2))
                    / decided
            };
        }
    }
    chances[0][0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::games::MirroredPair;

    #[test]
    fn matches_of_single_points_are_won_as_often_as_reckoned_by_hand() {
        // To 2 with 60 %: 0.6² · (1 + 2 · 0.4).
        let found = won(&[0.0, 0.4, 0.0, 0.6, 0.0], 2);
        assert!((found - 0.648).abs() < 1e-12, "{found}");
        // Draws are replayed; a double game wins at once.
        let found = won(&[0.0, 0.2, 0.5, 0.0, 0.3], 2);
        assert!((found - (1.0 - 0.4 * 0.4)).abs() < 1e-12, "{found}");
    }

    #[test]
    fn between_players_of_nearly_the_same_strength_the_slope_is_that_of_the_formula() {
        for (points, expected) in [(1, 1.0), (2, 1.5), (3, 1.875), (7, 2.93)] {
            let found = slope(&[[0.0, 0.499, 0.0, 0.501, 0.0]], points);
            assert!((found - expected).abs() < 0.01, "{points} points: {found}");
        }
    }

    #[test]
    fn a_pairing_in_which_one_won_all_is_ignored() {
        let all = Pairing {
            first: 0,
            second: 1,
            pairs: vec![MirroredPair { first_white: 1, second_white: -1 }; 9],
        };
        let alike =
            Pairing { first: 0, second: 0, pairs: vec![MirroredPair { first_white: 1, second_white: 1 }; 9] };
        let some = Pairing {
            first: 1,
            second: 2,
            pairs: [vec![MirroredPair { first_white: 1, second_white: 1 }; 9], all.pairs.clone()].concat(),
        };
        let without = slopes(&Games(vec![some.clone()]), &[3]);
        assert_eq!(slopes(&Games(vec![all, alike, some]), &[3]), without);
    }
}
