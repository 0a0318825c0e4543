//! The data of a dice game for the search: its network, and its throws.

use std::sync::OnceLock;

use lusoria_rules::{Die, Variant, tables};

use super::{
    net::Net,
    pruning::PruningNet,
    throws::{Throw, throws},
    weights::Weights,
};
use crate::games::Shipped;

/// The data of one game with its options.
#[derive(Debug)]
pub(super) struct Mind {
    pub(super) net: Net,
    /// Selects the replies to evaluate; not every game has one.
    pub(super) pruning: Option<PruningNet>,
    /// The game's throws, the likeliest first.
    pub(super) throws: Vec<Throw>,
}

impl Mind {
    /// The data of a dice game with its options.
    pub(super) fn of(rules: &tables::Rules) -> &'static Self {
        static MINDS: [OnceLock<Mind>; Variant::ALL.len()] = [const { OnceLock::new() }; Variant::ALL.len()];
        let variant = rules.variant();
        MINDS[variant.index()].get_or_init(|| {
            let shipped = Shipped::of(variant);
            let fits = "the weights that are shipped fit the program";
            Self {
                net: Net::new(Weights::read(shipped.bytes()).expect(fits).phases),
                pruning: shipped.pruning().map(|bytes| PruningNet::read(bytes).expect(fits)),
                throws: throws(rules.dice()),
            }
        })
    }

    /// The index of the throw with these dice, in any order.
    pub(super) fn throw(&self, dice: &[Die]) -> usize {
        let mut dice = dice.to_vec();
        dice.sort_unstable();
        let known = self.throws.iter().position(|throw| throw.dice == dice);
        known.expect("the dice are a throw of the game")
    }

    /// In how many ways the dice can show that throw.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "there are at most six ways")]
    pub(super) fn ways(&self, throw: &Throw) -> usize {
        let all = self.throws.iter().map(|throw| throw.chance).fold(1.0, f32::min).recip();
        (throw.chance * all).round() as usize
    }

    /// The number of distinct throws.
    pub(super) fn throws_count(&self) -> u32 {
        u32::try_from(self.throws.len()).expect("there are at most 56")
    }
}
