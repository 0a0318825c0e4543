//! How the levels play: how far ahead they look, and what they let pass.

use super::search::DEPTH_MAX;
use crate::{Level, Random};

/// The positions that each level may look at for a turn. The highest needs 20 ms for them on
/// one core of 2020.
pub(crate) const NODES: [u32; 5] = [500, 2_000, 6_000, 16_000, 40_000];

/// What the highest level may look at for a turn: a second even on a core that is shared.
pub(crate) const NODES_MAX: u32 = 1_500_000;

/// Who does not think of the answer plays one of the better turns: one in so many.
pub(super) const CARELESS_SHARE: usize = 3;

/// A level's way of playing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Manner {
    /// The plies that it looks ahead at most.
    pub(super) depth_max: i32,
    /// What a turn loses of the chance to win, on the average of the worst that is tolerated.
    pub(super) loss_mean: f32,
    /// What it loses at most.
    pub(super) loss_max: f32,
    /// How often it does not think of the answer at all.
    pub(super) careless: f32,
}

impl Manner {
    pub(super) const fn of(level: Level) -> Self {
        let (depth_max, loss_mean, loss_max, careless) = match level.number() {
            1 => (1, 0.08, 0.25, 0.12),
            2 => (2, 0.075, 0.2, 0.0),
            3 => (4, 0.055, 0.16, 0.0),
            4 => (DEPTH_MAX, 0.035, 0.1, 0.0),
            _ => (DEPTH_MAX, 0.0, 0.0, 0.0),
        };
        Self { depth_max, loss_mean, loss_max, careless }
    }

    /// What this turn may lose: exponentially distributed, and capped.
    pub(super) fn loss(&self, random: &mut Random) -> f32 {
        (-self.loss_mean * (1.0 - random.unit()).ln()).min(self.loss_max)
    }
}
