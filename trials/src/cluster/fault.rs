//! The faults of a round, drawn from a seed.

use std::time::Duration;

use clap::ValueEnum;
use rand::{RngExt, rngs::StdRng};

use super::{
    NODES,
    proxy::{Flow, Line},
};

/// How long a node is paused: longer than anything waits for it.
const PAUSE: Duration = Duration::from_secs(20);

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum)]
pub enum Kind {
    /// A node is killed (SIGKILL) and started again
    Kill,
    /// A node is paused for 20 s (SIGSTOP, SIGCONT)
    Pause,
    /// The connection of a node to NATS is cut, stalled or slow
    NatsLine,
    /// The connection of a node to PostgreSQL is cut, stalled or slow
    PostgresLine,
    /// PostgreSQL is killed and started again
    Postgres,
    /// NATS is killed and started again
    Nats,
    /// All nodes are stopped (SIGTERM) and started again, one after the other
    Rolling,
}

/// A fault and its duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The node is killed and started again after that time.
    Kill { node: usize, gone: Duration },
    /// The node is paused.
    Pause { node: usize, lasting: Duration },
    /// The node's connection to NATS is disturbed.
    NatsLine { node: usize, line: Line, lasting: Duration },
    /// The node's connection to PostgreSQL is disturbed.
    PostgresLine { node: usize, line: Line, lasting: Duration },
    /// PostgreSQL is killed and started again after that time.
    Postgres { gone: Duration },
    /// NATS is killed and started again after that time.
    Nats { gone: Duration },
    /// The nodes are stopped and started again, this one first.
    Rolling { first: usize },
}

/// A round: a time without faults, the fault, and another time without faults before the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) before: Duration,
    pub(super) fault: Fault,
    pub(super) after: Duration,
}

impl Kind {
    /// Its name on the command line.
    pub(super) fn name(self) -> String {
        self.to_possible_value().expect("no kind is hidden").get_name().to_owned()
    }
}

impl Round {
    /// Draws a round of that kind.
    pub(super) fn draw(kind: Kind, random: &mut StdRng) -> Self {
        let before = Duration::from_millis(random.random_range(200..1_500));
        let after = Duration::from_millis(random.random_range(0..1_500));
        Self { before, fault: Fault::draw(kind, random), after }
    }
}

impl Fault {
    fn draw(kind: Kind, random: &mut StdRng) -> Self {
        let node = random.random_range(..NODES);
        match kind {
            Kind::Kill => Self::Kill { node, gone: short(random) },
            Kind::Pause => Self::Pause { node, lasting: PAUSE },
            Kind::NatsLine => Self::NatsLine { node, line: line(random), lasting: long(random) },
            Kind::PostgresLine => Self::PostgresLine { node, line: line(random), lasting: long(random) },
            Kind::Postgres => Self::Postgres { gone: long(random) },
            Kind::Nats => Self::Nats { gone: long(random) },
            Kind::Rolling => Self::Rolling { first: node },
        }
    }
}

/// Often zero, at most 2 s.
fn short(random: &mut StdRng) -> Duration {
    if random.random_ratio(1, 3) {
        return Duration::ZERO;
    }
    Duration::from_millis(random.random_range(0..2_000))
}

/// Shorter and longer than the 2, 3 and 5 s after which nodes react.
fn long(random: &mut StdRng) -> Duration {
    Duration::from_millis(random.random_range(100..8_000))
}

/// Draws a disturbance of a connection.
fn line(random: &mut StdRng) -> Line {
    let slow = Flow::Slow(Duration::from_millis(random.random_range(20..400)));
    match random.random_range(0..6) {
        0 | 1 => Line::Cut,
        2 => Line::Up { there: Flow::Stalled, back: Flow::Stalled },
        3 => Line::Up { there: Flow::Stalled, back: Flow::Free },
        4 => Line::Up { there: Flow::Free, back: Flow::Stalled },
        _ => Line::Up { there: slow, back: slow },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;

    use super::*;

    fn drawn(seed: u64, kinds: &[Kind], rounds: usize) -> Vec<(Kind, Round)> {
        let mut random = StdRng::seed_from_u64(seed);
        let kinds = kinds.iter().cycle().take(rounds);
        kinds.map(|&kind| (kind, Round::draw(kind, &mut random))).collect()
    }

    #[test]
    fn a_seed_names_all_rounds() {
        let all = Kind::value_variants();
        assert_eq!(drawn(1, all, 50), drawn(1, all, 50));
        assert_ne!(drawn(1, all, 50), drawn(2, all, 50));
    }

    #[test]
    fn two_hundred_rounds_have_every_fault_of_every_node() {
        let rounds = drawn(1, Kind::value_variants(), 200);
        for kind in Kind::value_variants() {
            assert!(rounds.iter().any(|(drawn, _)| drawn == kind), "{kind:?}");
        }
        let mut nodes = HashSet::new();
        let mut cuts = [0; 2];
        for (_, Round { fault, .. }) in rounds {
            match fault {
                Fault::Kill { node, .. } | Fault::Pause { node, .. } | Fault::Rolling { first: node } => {
                    nodes.insert((std::mem::discriminant(&fault), node));
                }
                Fault::NatsLine { line, .. } => cuts[0] += u32::from(line == Line::Cut),
                Fault::PostgresLine { line, .. } => cuts[1] += u32::from(line == Line::Cut),
                Fault::Postgres { .. } | Fault::Nats { .. } => {}
            }
        }
        assert_eq!(nodes.len(), 3 * NODES);
        assert!(cuts.iter().all(|&cuts| cuts > 0));
    }
}
