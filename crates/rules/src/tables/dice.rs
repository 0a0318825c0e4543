//! Converts a roll to the multiset of dice to play.

use super::rules::Rules;
use crate::{DiceError, Die};

/// The dice still to be played: the count of each value, in four bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Hand(u32);

impl Hand {
    /// No dice.
    pub(super) const EMPTY: Self = Self(0);

    /// The dice that a roll gives: each value once; two alike, that value four times and a third die once;
    /// three alike, as many as the game says.
    ///
    /// # Errors
    ///
    /// The number of dice is wrong for the game.
    pub(super) fn of_roll(rules: &Rules, roll: &[Die]) -> Result<Self, DiceError> {
        let expected = rules.dice();
        if roll.len() != expected {
            return Err(DiceError::Count { game: rules.game(), expected, found: roll.len() });
        }
        let mut hand = Self::EMPTY;
        for value in Die::ALL {
            hand.0 |= match roll.iter().filter(|&&die| die == value).count() {
                0 => 0,
                1 => 1,
                2 => 4,
                _ => u32::from(rules.triple),
            } << shift(value);
        }
        Ok(hand)
    }

    /// How many dice are left.
    pub(super) fn len(self) -> u8 {
        Die::ALL.into_iter().map(|die| self.count(die)).sum()
    }

    /// Whether all dice are played.
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many dice of this value are left.
    pub(super) const fn count(self, die: Die) -> u8 {
        (self.0 >> shift(die) & 15) as u8
    }

    /// The values left, each once, the lowest first.
    pub(super) fn values(self) -> impl Iterator<Item = Die> {
        Die::ALL.into_iter().filter(move |&die| self.count(die) > 0)
    }

    /// The dice left, the lowest first.
    pub(super) fn dice(self) -> Vec<Die> {
        self.values().flat_map(|die| (0..self.count(die)).map(move |_| die)).collect()
    }

    /// The only value left, if all dice left are alike.
    pub(super) fn alike(self) -> Option<Die> {
        let mut values = self.values();
        values.next().filter(|_| values.next().is_none())
    }

    /// One die fewer.
    #[must_use]
    pub(super) const fn without(self, die: Die) -> Self {
        debug_assert!(self.count(die) > 0);
        Self(self.0 - (1 << shift(die)))
    }

    /// The counts as 24 bits.
    pub(super) const fn bits(self) -> u64 {
        self.0 as u64
    }
}

const fn shift(die: Die) -> u32 {
    (die.value() as u32 - 1) * 4
}

/// The distinct rolls of that many dice, each with its lowest die first.
pub(super) fn rolls(dice: usize) -> Vec<Vec<Die>> {
    let mut rolls = vec![Vec::new()];
    for _ in 0..dice {
        rolls = rolls
            .iter()
            .flat_map(|roll: &Vec<Die>| {
                let least = roll.last().copied();
                Die::ALL.into_iter().filter(move |&die| Some(die) >= least).map(|die| {
                    let mut longer = roll.clone();
                    longer.push(die);
                    longer
                })
            })
            .collect();
    }
    rolls
}

#[cfg(test)]
mod tests;
