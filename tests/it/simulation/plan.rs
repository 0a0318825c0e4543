//! What a seed decides beforehand: the guests, the quality of their connections, and the possible faults.

use crate::support::random::Random;

/// The plan of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    /// How many guests there are.
    pub(super) guests: usize,
    /// How many clients only watch.
    pub(super) spectators: usize,
    /// How many matches the guests make by themselves; rematches come on top.
    pub(super) matches: usize,
    /// How long things go wrong, in milliseconds.
    pub(super) lasts_ms: u64,
    /// A frame takes at most so long, usually.
    pub(super) latency_ms: u64,
    /// So many of a thousand frames take much longer, and may be overtaken.
    pub(super) late_permille: u64,
    /// So many of a thousand of the clients' messages are lost.
    pub(super) lost_permille: u64,
    /// So many of a thousand of them come twice.
    pub(super) twice_permille: u64,
    /// At so many of a thousand of its thoughts a client loses its connection.
    pub(super) cut_permille: u64,
    /// At so many of them it stops reading.
    pub(super) stall_permille: u64,
    /// How long it is fair between two spells of foul weather; none if it always is.
    pub(super) fair_ms: Option<u64>,
    /// How long the server runs until it goes down; none if it never does.
    pub(super) runs_ms: Option<u64>,
    /// How long a client takes between two thoughts, in milliseconds.
    pub(super) pace_ms: u64,
    /// When a guest goes away until the faults have ended; none if nobody does.
    pub(super) deserted_at_ms: Option<u64>,
    /// How many turns each match is played on when the faults have ended, before it is
    /// given up.
    pub(super) turns_after: u32,
    /// Whether turns are kept back until the clock has all but run out.
    pub(super) keeps_back: bool,
}

/// From this seed on turns are kept back; what other seeds mean stays the same.
pub(super) const KEEPS_BACK_FROM: u64 = 1_000_000;

/// From this seed on there are several nodes.
pub(super) const CLUSTER_FROM: u64 = 2_000_000;

impl Plan {
    pub(super) fn drawn(seed: u64) -> (Self, Random) {
        let mut random = Random::new(seed);
        let fault = |random: &mut Random, most: u64| {
            if random.permille(400) { 0 } else { random.between(1, most) }
        };
        // Long enough to claim a game whose player has gone.
        let long = random.permille(100);
        let plan = Self {
            guests: usize::try_from(random.between(2, 4)).expect("a few"),
            spectators: usize::try_from(random.between(1, 3)).expect("a few"),
            matches: usize::try_from(random.between(1, 4)).expect("a few"),
            lasts_ms: if long { random.between(750_000, 950_000) } else { random.between(60_000, 300_000) },
            latency_ms: *random.pick(&[1, 5, 30, 150]).expect("there are some"),
            late_permille: fault(&mut random, 120),
            lost_permille: fault(&mut random, 60),
            twice_permille: fault(&mut random, 80),
            cut_permille: fault(&mut random, 40),
            stall_permille: fault(&mut random, 30),
            fair_ms: (!random.permille(250)).then(|| random.between(2_000, 40_000)),
            runs_ms: (!long && !random.permille(400)).then(|| random.between(5_000, 90_000)),
            pace_ms: *random.pick(&[300, 800, 2_000, 5_000]).expect("there are some"),
            deserted_at_ms: random
                .permille(if long { 700 } else { 200 })
                .then(|| random.between(10_000, 90_000)),
            turns_after: if random.permille(30) { 300 } else { 6 },
            keeps_back: (KEEPS_BACK_FROM..CLUSTER_FROM).contains(&seed),
        };
        (plan, random)
    }
}
