//! The playing style of each level: how far it looks ahead, and how much it may lose.

use super::search::DEPTH_MAX;
use crate::{Level, Random};

/// The budget of each level for a turn, in positions. The highest needs 20 ms for it on one core of 2020.
pub(crate) const NODES: [u32; 5] = [500, 2_000, 6_000, 16_000, 40_000];

/// The largest budget of the highest level for a turn: a second even on a shared core.
pub(crate) const NODES_MAX: u32 = 1_500_000;

/// A careless turn is chosen at random from the best third of the turns: one part in this many.
pub(super) const CARELESS_SHARE: usize = 3;

/// A level's style.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Manner {
    /// The greatest depth, in plies.
    pub(super) depth_max: i32,
    /// The mean of the greatest tolerated loss of a turn, in chances of winning.
    pub(super) loss_mean: f32,
    /// The maximum of that loss.
    pub(super) loss_max: f32,
    /// How often it ignores the opponent's reply.
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

    /// The tolerated loss of this turn: exponentially distributed, and capped.
    pub(super) fn loss(&self, random: &mut Random) -> f32 {
        (-self.loss_mean * (1.0 - random.unit()).ln()).min(self.loss_max)
    }
}
