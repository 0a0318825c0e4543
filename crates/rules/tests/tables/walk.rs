//! Random play: where the laws are tried.

use lusoria_rules::{
    Die, Mother, Shift, Variant,
    tables::{Position, Turn},
};
use proptest::prelude::*;

use crate::support::of;

pub(crate) const VARIANTS: [Variant; 7] = [
    Variant::Zeno { shift: Shift::Throw },
    Variant::Zeno { shift: Shift::Die },
    Variant::Tavla { mother: Mother::PlayOn },
    Variant::Tavla { mother: Mother::DoubleLoss },
    Variant::Scripta { row_a_gate: true },
    Variant::Scripta { row_a_gate: false },
    Variant::Tabula,
];

/// Random numbers that a failing case can be replayed with.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % end
    }

    pub(crate) fn roll(&mut self, variant: Variant) -> Vec<Die> {
        (0..variant.game().dice()).map(|_| Die::ALL[self.below(6)]).collect()
    }
}

/// A turn somewhere in a game: random play for some turns, then a roll.
pub(crate) fn somewhere(variant: Variant, turns: usize, chance: &mut Chance) -> (Turn, Vec<Die>) {
    let mut position = Position::start(of(variant));
    for _ in 0..turns {
        let mut turn = Turn::new(position, &chance.roll(variant)).unwrap();
        while !turn.is_complete() {
            let steps = turn.steps();
            turn.play(&steps[chance.below(steps.len())]).unwrap();
        }
        let end = turn.end().unwrap();
        if end.outcome.is_some() {
            break;
        }
        position = end.position;
    }
    let roll = chance.roll(variant);
    (Turn::new(position, &roll).unwrap(), roll)
}

pub(crate) fn cases() -> impl Strategy<Value = (Variant, usize, Chance)> {
    let variant = prop::sample::select(VARIANTS.to_vec());
    (variant, 0usize..160, 1u64..).prop_map(|(variant, turns, seed)| (variant, turns, Chance(seed)))
}
