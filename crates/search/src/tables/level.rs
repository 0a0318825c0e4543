//! The playing style of each level.

use lusoria_rules::Variant;

use super::judge::Judged;
use crate::{Level, Random, games::Shipped};

/// The style of a level: how far it looks, and how much it may lose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Manner {
    /// Whether the best turns are evaluated again one throw ahead.
    pub(super) looks_ahead: bool,
    /// How much less a turn may be worth without look-ahead to be evaluated again.
    pub(super) margin: f32,
    /// The average loss of a turn where there is much to lose, in the chance of winning, 0 to 1. A human
    /// player does not see every turn, and does not always play the best.
    ease: f32,
}

impl Manner {
    /// The style of that level in that game.
    pub(super) fn of(variant: Variant, level: Level) -> Self {
        let Shipped::Tables { eases, .. } = Shipped::of(variant) else {
            unreachable!("{} is played without dice", variant.game())
        };
        let ease = eases.get(usize::from(level.number()) - 1).copied().unwrap_or(0.0);
        Self { looks_ahead: level == Level::HIGHEST, margin: 0.12, ease }
    }

    /// Chooses among turns sorted by worth. How much this turn may lose is drawn first: mostly little, at
    /// most four times the mean. Any turn that loses no more may be chosen; but an immediate win is always
    /// taken.
    pub(super) fn pick(&self, judged: &[Judged], random: &mut Random) -> usize {
        let best = &judged[0];
        if self.ease == 0.0 || best.end.outcome().is_some() {
            return 0;
        }
        let drawn = (-(1.0 - random.unit()).ln()).min(4.0);
        // Worth ranges from -1 to 1, a chance from 0 to 1.
        let slack = 2.0 * self.ease * drawn;
        let close = judged.iter().take_while(|one| one.worth >= best.worth - slack).count();
        random.below(close)
    }
}
