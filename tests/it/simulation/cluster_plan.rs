//! What a seed decides beforehand about several nodes: what may happen to them, and to what they tell each other.

use std::time::Duration;

use super::plan::Plan;
use crate::support::random::Random;

/// How many nodes there are.
pub(super) const NODES: usize = 3;

/// The plan of a cluster.
#[derive(Debug, Clone)]
pub(super) struct ClusterPlan {
    /// What becomes of what nodes tell each other.
    pub(super) hints: Hints,
    /// How long a node runs until it is killed, told to stop, or made to stand still, in milliseconds; none
    /// if nothing of the kind ever happens.
    pub(super) struck_ms: Option<u64>,
    /// How long it takes until two nodes do not hear each other any more, or one hears nobody, in milliseconds;
    /// none if they always do.
    pub(super) parts_ms: Option<u64>,
    /// How long it takes until all nodes go down at once, in milliseconds; none if they never do.
    pub(super) all_down_ms: Option<u64>,
    /// When a name is replaced, a token revoked, and another history begins, if that happens.
    pub(super) rename_ms: Option<u64>,
    pub(super) revoke_ms: Option<u64>,
    pub(super) history_ms: Option<u64>,
    /// Whether the run is long enough to claim a game: then nobody ends one otherwise.
    pub(super) is_long: bool,
    /// Whether the guest who goes away in other runs stays connected and does nothing.
    pub(super) sleeps: bool,
}

/// What becomes of what nodes tell each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hints {
    /// It takes at most so long.
    latency_ms: u64,
    /// So many of a thousand are lost; all, also when all other faults have ended, if it is a thousand.
    lost_permille: u64,
    /// So many of a thousand come twice.
    twice_permille: u64,
    /// So many of a thousand take much longer.
    late_permille: u64,
}

impl ClusterPlan {
    /// Draws it, and changes the plan of the run if it is a long one.
    pub(super) fn drawn(random: &mut Random, plan: &mut Plan) -> Self {
        let now_and_then = |random: &mut Random, least: u64, most: u64| {
            (!random.permille(400)).then(|| random.between(least, most))
        };
        let is_long = random.permille(150);
        if is_long {
            plan.lasts_ms = random.between(850_000, 1_000_000);
            plan.deserted_at_ms = Some(random.between(60_000, 120_000));
            plan.pace_ms = random.between(1_000, 3_000);
            plan.matches = 4;
            // Whenever a node cannot beat, it counts as lost, and everybody may have been connected to it.
            plan.fair_ms = plan.fair_ms.filter(|_| random.permille(200));
        }
        let drawn = Self {
            hints: Hints::drawn(random),
            struck_ms: now_and_then(random, 10_000, 120_000),
            parts_ms: now_and_then(random, 10_000, 120_000),
            all_down_ms: random.permille(300).then(|| random.between(30_000, 200_000)),
            rename_ms: random.permille(400).then(|| random.between(15_000, 100_000)),
            revoke_ms: random.permille(400).then(|| random.between(15_000, 100_000)),
            history_ms: random.permille(200).then(|| random.between(15_000, 100_000)),
            is_long,
            sleeps: is_long && random.permille(500),
        };
        if is_long { Self { struck_ms: None, all_down_ms: None, revoke_ms: None, ..drawn } } else { drawn }
    }

    /// Whether hints arrive, in order and once, whenever nothing else is wrong.
    pub(super) const fn is_orderly(&self) -> bool {
        let Hints { lost_permille, twice_permille, late_permille, latency_ms } = self.hints;
        lost_permille + twice_permille + late_permille + latency_ms == 0
    }

    /// Whether hints may come twice.
    pub(super) const fn repeats(&self) -> bool {
        self.hints.twice_permille > 0
    }

    /// Whether hints arrive when the faults have ended.
    pub(super) const fn heals(&self) -> bool {
        self.hints.lost_permille < 1_000
    }

    /// Whether nothing ever happens to a node or between nodes.
    pub(super) const fn is_calm(&self) -> bool {
        self.struck_ms.is_none() && self.parts_ms.is_none() && self.all_down_ms.is_none()
    }
}

impl Hints {
    fn drawn(random: &mut Random) -> Self {
        let fault =
            |random: &mut Random, most: u64| if random.permille(400) { 0 } else { random.between(1, most) };
        let none = Self { latency_ms: 0, lost_permille: 0, twice_permille: 0, late_permille: 0 };
        match random.below(10) {
            0..2 => none,
            2..4 => Self { lost_permille: 1_000, ..none },
            _ => Self {
                latency_ms: *random.pick(&[1, 3, 20, 200]).expect("there are some"),
                lost_permille: fault(random, 300),
                twice_permille: fault(random, 200),
                late_permille: fault(random, 200),
            },
        }
    }

    /// After which delays the copies of a message arrive.
    pub(super) fn fate(&self, random: &mut Random, has_healed: bool) -> Vec<Duration> {
        if self.lost_permille == 1_000 {
            return Vec::new();
        }
        if has_healed || self.latency_ms == 0 {
            return vec![Duration::ZERO];
        }
        let copies = match random.below(1_000) {
            drawn if drawn < self.lost_permille => 0,
            drawn if drawn < self.lost_permille + self.twice_permille => 2,
            _ => 1,
        };
        let delay = |_| {
            let late = random.permille(self.late_permille);
            let most_ms = if late { self.latency_ms * 20 + 3_000 } else { self.latency_ms };
            Duration::from_millis(random.below(most_ms + 1))
        };
        (0..copies).map(delay).collect()
    }
}
