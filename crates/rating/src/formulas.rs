//! The formulas, on Glickman's scale.

use std::f64::consts::PI;

use crate::rating::Rating;

/// The points of one unit on Glickman's scale.
pub(crate) const SCALE: f64 = 173.7178;

/// The precision of Glickman's iteration, and its most steps. It takes about ten.
const TOLERANCE: f64 = 1e-10;
const STEPS_MAX: u32 = 100;

/// The greatest certainty of a game, as the exponent of the odds: without a limit an upset would make
/// anything possible.
const EXPONENT_MAX: f64 = 32.0;

/// The uncertainty of a player's rating.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unsureness {
    /// φ.
    pub phi: f64,
    /// σ.
    pub sigma: f64,
}

/// The change that games make to a player's rating.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    /// μ′ − μ. Not μ′, because converting the scale back and forth would change the last bit of ratings.
    pub change: f64,
    /// φ′ and σ′.
    pub after: Unsureness,
}

/// One game of a player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Game {
    /// 1, ½ or 0.
    pub score: f64,
    /// k.
    pub slope: f64,
    /// μ − μⱼ + a.
    pub difference: f64,
    /// φⱼ.
    pub opponent_phi: f64,
}

/// The evidence of games about a player's strength.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evidence {
    /// 1/v, always positive.
    information: f64,
    /// Γ.
    pull: f64,
}

impl Evidence {
    /// The evidence of at least one game.
    pub(crate) fn of(games: &[Game]) -> Self {
        games.iter().fold(Self { information: 0.0, pull: 0.0 }, |sum, game| {
            let steepness = game.slope * g(game.opponent_phi);
            let (win, loss) = chances(steepness * game.difference);
            // Equals s − E, without losing precision in 1 − E.
            let surprise = game.score * loss - (1.0 - game.score) * win;
            Self {
                information: sum.information + steepness * steepness * win * loss,
                pull: sum.pull + steepness * surprise,
            }
        })
    }

    /// The player after these games. `t` is the time since the previous match, with which φ grows to at most
    /// `phi_max`; `weight` is the weight of the games, more than 0 and at most 1.
    pub(crate) fn update(self, player: Unsureness, tau: f64, t: f64, phi_max: f64, weight: f64) -> Update {
        let information = weight * self.information;
        // The weight of v and that of Γ cancel each other.
        let delta = self.pull / self.information;
        let sigma = volatility(player, delta * delta, 1.0 / information, tau)
            .clamp(*Rating::VOLATILITY.start(), *Rating::VOLATILITY.end());
        let before = grown(player.phi, t, sigma).min(phi_max);
        let phi_squared = 1.0 / (1.0 / (before * before) + information);
        Update {
            change: phi_squared * weight * self.pull,
            after: Unsureness { phi: phi_squared.sqrt(), sigma },
        }
    }
}

/// √(φ² + tσ²): the uncertainty of a rating after the time `t` without matches; both on the same scale.
pub(crate) fn grown(phi: f64, t: f64, sigma: f64) -> f64 {
    (phi * phi + t * sigma * sigma).sqrt()
}

/// The factor by which an opponent's uncertainty `phi` reduces a difference.
pub(crate) fn g(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt()
}

/// The chances of winning and losing at these logarithmic odds.
pub(crate) fn chances(odds: f64) -> (f64, f64) {
    let odds = odds.clamp(-EXPONENT_MAX, EXPONENT_MAX);
    let logistic = |x: f64| 1.0 / (1.0 + libm::exp(-x));
    (logistic(odds), logistic(-odds))
}

/// σ′: Glickman's iteration, step 5 of the paper (the Illinois algorithm). `start` is its a, `near` and `far` its A
/// and B.
fn volatility(player: Unsureness, delta_squared: f64, v: f64, tau: f64) -> f64 {
    let phi_squared = player.phi * player.phi;
    let start = libm::log(player.sigma * player.sigma);
    let excess = delta_squared - phi_squared - v;
    let f = |x: f64| {
        let exp = libm::exp(x);
        let sum = phi_squared + v + exp;
        exp * (excess - exp) / (2.0 * sum * sum) - (x - start) / (tau * tau)
    };
    let mut near = start;
    // The first term of f is never less than −½, so one step of τ is enough for any τ up to 2.
    let mut far = if excess > 0.0 { libm::log(excess) } else { start - tau };
    let (mut f_near, mut f_far) = (f(near), f(far));
    for _ in 0..STEPS_MAX {
        if (far - near).abs() <= TOLERANCE {
            break;
        }
        let next = near + (near - far) * f_near / (f_far - f_near);
        let f_next = f(next);
        if f_next * f_far <= 0.0 {
            (near, f_near) = (far, f_far);
        } else {
            f_near /= 2.0;
        }
        (far, f_far) = (next, f_next);
    }
    libm::exp(near / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Glickman's paper: three opponents in one period.
    #[test]
    fn the_papers_example() {
        let player = Unsureness { phi: 200.0 / SCALE, sigma: 0.06 };
        let game = |score, points: f64, deviation: f64| Game {
            score,
            slope: 1.0,
            difference: (1500.0 - points) / SCALE,
            opponent_phi: deviation / SCALE,
        };
        let games = [game(1.0, 1400.0, 30.0), game(0.0, 1550.0, 100.0), game(0.0, 1700.0, 300.0)];
        let Update { change, after } = Evidence::of(&games).update(player, 0.5, 1.0, 500.0 / SCALE, 1.0);
        assert!((1500.0 + change * SCALE - 1464.0507).abs() < 5e-5);
        assert!((after.phi * SCALE - 151.5165).abs() < 5e-5);
        assert!((after.sigma - 0.059_996_0).abs() < 5e-8);
    }
}
