//! The dice and other random numbers of a pair of games.

use lusoria_rules::{Die, Side};
use lusoria_search::Random;

/// The random numbers of one pair of games: the same in both.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairRandomness {
    seed: u64,
    pair: u32,
}

/// The use of a random number. Each use has its own numbers.
#[derive(Debug, Clone, Copy)]
enum RandomUse {
    Opening,
    Throw(Side),
    Choice(Side),
    Engine(Side),
    Keeping,
}

impl PairRandomness {
    pub(super) const fn new(seed: u64, pair: u32) -> Self {
        Self { seed, pair }
    }

    /// The two dice of an opening throw, White's and Black's.
    pub(super) fn opening(self, number: u32) -> [Die; 2] {
        let mut random = self.random(RandomUse::Opening, number);
        [die(&mut random), die(&mut random)]
    }

    /// That throw of that side, by the side's own count, so that the throws stay the same in a game that
    /// takes another course.
    pub(super) fn throw(self, side: Side, number: u32, dice: usize) -> Vec<Die> {
        let mut random = self.random(RandomUse::Throw(side), number);
        (0..dice).map(|_| die(&mut random)).collect()
    }

    /// The seed for the choice of that turn of that side.
    pub(super) fn choice(self, side: Side, number: u32) -> u64 {
        self.random(RandomUse::Choice(side), number).bits()
    }

    /// The seed for an outside engine: 53 bits, which every JSON reader has exactly.
    pub(super) fn engine(self, side: Side) -> u64 {
        self.random(RandomUse::Engine(side), 0).bits() >> 11
    }

    /// Selects the kept turns of a game; games count from 0.
    pub(super) fn keeping(self, game: u32) -> Random {
        self.random(RandomUse::Keeping, game)
    }

    fn random(self, used: RandomUse, number: u32) -> Random {
        let used = match used {
            RandomUse::Opening => 0,
            RandomUse::Throw(Side::White) => 1,
            RandomUse::Throw(Side::Black) => 2,
            RandomUse::Choice(Side::White) => 3,
            RandomUse::Choice(Side::Black) => 4,
            RandomUse::Engine(Side::White) => 5,
            RandomUse::Engine(Side::Black) => 6,
            RandomUse::Keeping => 7,
        };
        [u64::from(self.pair), used, u64::from(number)]
            .into_iter()
            .fold(Random::new(self.seed), |mut random, part| Random::new(random.bits() ^ part))
    }
}

fn die(random: &mut Random) -> Die {
    Die::ALL[random.below(Die::ALL.len())]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn throws_follow_from_seed_pair_side_and_number_and_from_nothing_else() {
        let throws = |seed, pair, side| -> Vec<_> {
            (0..20).map(|number| PairRandomness::new(seed, pair).throw(side, number, 3)).collect()
        };
        assert_eq!(throws(1, 0, Side::White), throws(1, 0, Side::White));
        let others = [
            throws(1, 0, Side::White),
            throws(1, 0, Side::Black),
            throws(1, 1, Side::White),
            throws(2, 0, Side::White),
        ];
        assert_eq!(others.iter().collect::<HashSet<_>>().len(), others.len());
    }

    /// χ² over the six values with five degrees of freedom: above 20.5 once in a thousand.
    #[test]
    fn every_value_comes_as_often_as_the_others() {
        let mut counts = [0_u32; 6];
        for pair in 0..1_000 {
            for number in 0..10 {
                for die in PairRandomness::new(7, pair).throw(Side::Black, number, 3) {
                    counts[usize::from(die.value() - 1)] += 1;
                }
            }
        }
        let expected = 5_000.0;
        let chi: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        assert!(chi < 20.5, "{counts:?}");
    }
}
