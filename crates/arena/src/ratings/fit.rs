//! Fits the ratings of players and the advantage of a side by maximum likelihood.
//!
//! White wins a game with the probability 1/(1 + exp(−(μ − μⱼ + a))), in units of 173.7178 points; a draw is
//! half a win and half a loss. Newton's method finds the maximum of the likelihood. Players who never lost,
//! or never won, would be infinitely far apart: a weak prior with a deviation of [`LOOSE`] points keeps every
//! rating near the mean.

use super::games::{Games, Single};

/// One unit of the logistic curve, in points: 400/ln 10.
pub(super) const SCALE: f64 = 173.717_792_761;

/// The deviation of the prior, in points.
const LOOSE: f64 = 1_000.0;

/// The most steps of Newton's method; five are usually enough.
const STEPS: usize = 30;

/// The mean of all players.
const MEAN: f64 = 1_500.0;

/// The fitted values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fit {
    /// The ratings of the players.
    pub(super) points: Vec<f64>,
    /// White's advantage, in points.
    pub(super) advantage: f64,
}

/// Games of the same two players with the same sides.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    games: f64,
    /// White's score, draws counting half.
    won: f64,
}

/// A game's score for White: 1, ½ or 0.
pub(super) fn score(game: Single) -> f64 {
    f64::midpoint(f64::from(game.for_white.signum()), 1.0)
}

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Fit {
    pub(super) fn of(games: &Games, players: usize) -> Self {
        Self::of_singles(games.singles(), players)
    }

    pub(super) fn of_singles(games: impl Iterator<Item = Single>, players: usize) -> Self {
        let mut counts = vec![Count::default(); players * players];
        for game in games {
            let count = &mut counts[game.white * players + game.black];
            count.games += 1.0;
            count.won += score(game);
        }
        // The players, followed by the advantage.
        let size = players + 1;
        let mut at = vec![0.0; size];
        let hold = (SCALE / LOOSE).powi(2);
        for _ in 0..STEPS {
            let mut slope = vec![0.0; size];
            let mut curve = vec![0.0; size * size];
            for nth in 0..size {
                slope[nth] = -hold * at[nth];
                curve[nth * size + nth] = hold;
            }
            for white in 0..players {
                for black in 0..players {
                    let Count { games, won } = counts[white * players + black];
                    let expected = logistic(at[white] - at[black] + at[players]);
                    let (pull, weight) = (won - games * expected, games * expected * (1.0 - expected));
                    let signs = [(white, 1.0), (black, -1.0), (players, 1.0)];
                    for (row, sign) in signs {
                        slope[row] += sign * pull;
                        for (column, other) in signs {
                            curve[row * size + column] += sign * other * weight;
                        }
                    }
                }
            }
            let step = solved(curve, slope);
            let moved = step.iter().map(|part| part.abs()).fold(0.0, f64::max);
            // Large steps overshoot.
            let share = (2.0 / moved).min(1.0);
            for (value, part) in at.iter_mut().zip(step) {
                *value += share * part;
            }
            if moved < 1e-9 {
                break;
            }
        }
        let mean = at[..players].iter().sum::<f64>() / f64::from(u32::try_from(players).unwrap_or(u32::MAX));
        Self {
            points: at[..players].iter().map(|value| MEAN + (value - mean) * SCALE).collect(),
            advantage: at[players] * SCALE,
        }
    }

    /// White's expected score, 0 to 1.
    #[cfg(test)]
    fn expected(&self, white: usize, black: usize) -> f64 {
        logistic((self.points[white] - self.points[black] + self.advantage) / SCALE)
    }
}

/// The advantage in a player's games against themselves.
pub(super) fn advantage_alike(games: &Games, player: usize) -> f64 {
    let alike = games.singles().filter(|game| (game.white, game.black) == (player, player));
    Fit::of_singles(alike.map(|game| Single { white: 0, black: 0, ..game }), 1).advantage
}

/// Solves a symmetric system of equations by Gaussian elimination with the greatest pivot.
fn solved(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|a, b| matrix[a * size + column].abs().total_cmp(&matrix[b * size + column].abs()))
            .unwrap_or(column);
        for other in 0..size {
            matrix.swap(column * size + other, pivot * size + other);
        }
        right.swap(column, pivot);
        for row in column + 1..size {
            let factor = matrix[row * size + column] / matrix[column * size + column];
            for other in column..size {
                matrix[row * size + other] -= factor * matrix[column * size + other];
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|other| matrix[row * size + other] * right[other]).sum();
        right[row] = (right[row] - known) / matrix[row * size + row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    fn singles(white: usize, black: usize, won: u32, drawn: u32, lost: u32) -> Vec<Single> {
        let times = |count: u32, for_white| {
            std::iter::repeat_n(Single { white, black, for_white }, usize::try_from(count).expect("few"))
        };
        times(won, 1).chain(times(drawn, 0)).chain(times(lost, -1)).collect()
    }

    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found}, not {expected}");
    }

    #[test]
    fn shares_of_two_players_give_their_difference_and_the_advantage() {
        // As White the second wins 75 %, the first 50 %: in units of ln 3, they are ½ apart, and a side is
        // worth ½.
        let mut games = singles(1, 0, 7_500, 0, 2_500);
        games.extend(singles(0, 1, 4_000, 2_000, 4_000));
        let fit = Fit::of_singles(games.into_iter(), 2);
        let half = 3_f64.ln() / 2.0 * SCALE;
        close(fit.points[1] - fit.points[0], half, 0.1);
        close(fit.advantage, half, 0.1);
        close(f64::midpoint(fit.points[0], fit.points[1]), 1_500.0, 1e-6);
        close(fit.expected(1, 0), 0.75, 1e-4);
    }

    #[test]
    fn a_player_who_never_lost_is_far_ahead_but_not_infinitely() {
        let mut games = singles(1, 0, 100, 0, 0);
        games.extend(singles(0, 1, 0, 0, 100));
        let fit = Fit::of_singles(games.into_iter(), 2);
        let ahead = fit.points[1] - fit.points[0];
        assert!((600.0..3_000.0).contains(&ahead), "{ahead}");
        close(fit.advantage, 0.0, 1e-6);
    }

    #[test]
    fn a_system_of_equations_is_solved() {
        let right = solved(vec![0.0, 2.0, 1.0, 2.0, 1.0, 0.0, 1.0, 0.0, 3.0], vec![7.0, 4.0, 10.0]);
        for (found, expected) in right.into_iter().zip([1.0, 2.0, 3.0]) {
            close(found, expected, 1e-12);
        }
    }
}
