//! The rating system of a game.

use std::{ops::RangeInclusive, time::Duration};

use crate::{
    formulas::{Evidence, Game, SCALE, Unsureness, Update, chances, g, grown},
    rated_match::{Advantage, Kind, Player, RatedMatch, Slope, Verdict},
    rating::{OutOfRange, Rating, within},
};

/// Glickman's periods per day: one is 4.67 days. The deviation of a player at 60 grows to that of a beginner
/// within some years.
const PERIODS_A_DAY: f64 = 0.21436;

const MILLIS_A_DAY: f64 = 86_400_000.0;

/// How ratings of a game change: the starting rating, and how easily volatilities change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct System {
    start: Rating,
    tau: f64,
}

impl System {
    /// The system of games with dice.
    pub const WITH_DICE: Self = Self { start: Rating::START_WITH_DICE, tau: 0.5 };

    /// The system of games without dice.
    pub const WITHOUT_DICE: Self = Self { start: Rating::START_WITHOUT_DICE, tau: 0.5 };

    const TAU: RangeInclusive<f64> = 0.2..=1.2;

    /// A system in which everybody starts with `start`; `tau`, from 0.2 to 1.2, says how easily volatilities
    /// change.
    ///
    /// # Errors
    ///
    /// `tau` is outside its range.
    pub fn new(start: Rating, tau: f64) -> Result<Self, OutOfRange> {
        Ok(Self { start, tau: within("tau", tau, &Self::TAU)? })
    }

    /// The starting rating. No deviation ever exceeds its deviation.
    pub const fn start(&self) -> Rating {
        self.start
    }

    /// The ratings of both players after their match, in their order.
    ///
    /// The change of a person's rating by a match against a bot is halved. Exchanging the players and
    /// reversing the verdict exchanges the ratings, bit for bit.
    pub fn rate(&self, rated: &RatedMatch) -> [Rating; 2] {
        let [first, second] = &rated.players;
        let weight = rated.weight();
        [
            self.rate_one(first, second, rated.verdict, weight),
            self.rate_one(second, first, rated.verdict.reversed(), weight),
        ]
    }

    /// The rating after this time without a match: its deviation has grown, up to that of the start.
    /// [`rate`](Self::rate) takes ratings without this growth, and the time separately.
    #[must_use]
    pub fn idle(&self, rating: Rating, idle: Duration) -> Rating {
        let grown = grown(rating.deviation(), periods(idle), rating.volatility() * SCALE);
        let greatest = self.start.deviation().max(rating.deviation());
        Rating::nearest(rating.points(), grown.clamp(rating.deviation(), greatest), rating.volatility())
    }

    /// The first player's expected score, 0 to 1, given their advantage and the slope of the match: the chance of
    /// winning if there are no draws. The less certain both ratings are, the closer it is to ½.
    pub fn expected(first: Rating, second: Rating, advantage: Advantage, slope: Slope) -> f64 {
        let (one, two) = (unsureness(first).phi, unsureness(second).phi);
        let both = (one * one + two * two).sqrt();
        chances(slope.get() * g(both) * difference(first, second, advantage)).0
    }

    fn rate_one(&self, player: &Player, opponent: &Player, verdict: Verdict, weight: f64) -> Rating {
        let before = player.rating;
        let game = |score: f64, slope: Slope, advantage| Game {
            score,
            slope: slope.get(),
            difference: difference(before, opponent.rating, advantage),
            opponent_phi: unsureness(opponent.rating).phi,
        };
        let evidence = match verdict {
            Verdict::Match { outcome, advantage, slope } => {
                Evidence::of(&[game(outcome.score(), slope, advantage)])
            }
            Verdict::Pair { outcomes: [first, second], advantage, slope } => Evidence::of(&[
                game(first.score(), slope, advantage),
                game(second.score(), slope, advantage.reversed()),
            ]),
        };
        let phi_max = self.start.deviation() / SCALE;
        let Update { change, after } =
            evidence.update(unsureness(before), self.tau, periods(player.idle), phi_max, weight);
        let after = Rating::nearest(before.points() + change * SCALE, after.phi * SCALE, after.sigma);
        match (player.kind, opponent.kind) {
            (Kind::Person, Kind::Bot) => halfway(before, after),
            (Kind::Person, Kind::Person) | (Kind::Bot, Kind::Person | Kind::Bot) => after,
        }
    }
}

/// μ − μⱼ + a.
fn difference(rating: Rating, opponent: Rating, advantage: Advantage) -> f64 {
    (rating.points() - opponent.points() + advantage.points()) / SCALE
}

fn unsureness(rating: Rating) -> Unsureness {
    Unsureness { phi: rating.deviation() / SCALE, sigma: rating.volatility() }
}

fn halfway(before: Rating, after: Rating) -> Rating {
    let middle = |before: f64, after: f64| before + (after - before) / 2.0;
    Rating::nearest(
        middle(before.points(), after.points()),
        middle(before.deviation(), after.deviation()),
        middle(before.volatility(), after.volatility()),
    )
}

/// t: Glickman's periods in this time.
fn periods(idle: Duration) -> f64 {
    // 2⁵³ ms are longer than any idle time.
    #[allow(clippy::cast_precision_loss, reason = "a time of that length is long enough either way")]
    let millis = idle.as_millis() as f64;
    millis / MILLIS_A_DAY * PERIODS_A_DAY
}
