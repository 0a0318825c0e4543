//! Seeded chance for sequences of matches.

use std::time::Duration;

use lusoria_rating::{Advantage, Kind, Outcome, Player, Rating, Slope, Verdict};

/// `SplitMix64`.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `end`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next() % u64::from(end)).expect("less than a u32")
    }

    pub(crate) fn outcome(&mut self) -> Outcome {
        [Outcome::Won, Outcome::Drawn, Outcome::Lost][self.below(3) as usize]
    }
}

/// A person in their first match, or without idle time.
pub(crate) fn person(rating: Rating) -> Player {
    Player { rating, idle: Duration::ZERO, kind: Kind::Person }
}

/// A single game without advantage.
pub(crate) fn single(outcome: Outcome) -> Verdict {
    Verdict::Match { outcome, advantage: Advantage::NONE, slope: Slope::ONE }
}

pub(crate) fn rating(points: f64, deviation: f64, volatility: f64) -> Rating {
    Rating::new(points, deviation, volatility).expect("in the ranges")
}
