//! How each level plays.

use lusoria_rules::Variant;

use super::judge::Judged;
use crate::{Level, Random, games::Shipped};

/// What makes a level: how far it looks, and what it lets pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Manner {
    /// Whether the best turns are looked at again, a throw ahead.
    pub(super) looks_ahead: bool,
    /// How much less a turn may be worth at a glance to be looked at again.
    pub(super) margin: f32,
    /// What a turn loses on average where there is much to lose, in the chance of winning, 0 to
    /// 1. A player of flesh and blood does not see every turn, and not always the best.
    ease: f32,
}

impl Manner {
    /// The manner of that level in that game.
    pub(super) fn of(variant: Variant, level: Level) -> Self {
        let Shipped::Tables { eases, .. } = Shipped::of(variant) else {
            unreachable!("{} is played without dice", variant.game())
        };
        let ease = eases.get(usize::from(level.number()) - 1).copied().unwrap_or(0.0);
        Self { looks_ahead: level == Level::HIGHEST, margin: 0.12, ease }
    }

    /// Which of the turns, sorted by worth, is played. How much this turn may lose is drawn
    /// first: mostly little, at most four times the mean. Any turn that loses no more will do;
    /// but a win at once is always taken.
    pub(super) fn pick(&self, judged: &[Judged], random: &mut Random) -> usize {
        let best = &judged[0];
        if self.ease == 0.0 || best.end.outcome().is_some() {
            return 0;
        }
        let drawn = (-(1.0 - random.unit()).ln()).min(4.0);
        // Worth runs from -1 to 1 where a chance runs from 0 to 1.
        let slack = 2.0 * self.ease * drawn;
        let close = judged.iter().take_while(|one| one.worth >= best.worth - slack).count();
        random.below(close)
    }
}
