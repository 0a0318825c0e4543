//! The server on virtual time, from one seed: real matches, real conversations and the
//! real application over a store that stalls, refuses and forgets to say what it did, and
//! over lines that lose, delay, repeat and reorder. What must hold is checked after every
//! event; a seed that fails fails again in the same way (docs/reliability.md).

mod asked;
mod behaviour;
mod client;
mod cluster;
mod cluster_plan;
mod guest;
mod heal;
mod invariants;
mod ledger;
mod life;
mod mind;
mod network;
mod node;
mod nodes;
mod plan;
mod run;
mod seekers;
mod store;
mod tournaments;
mod trace;
mod turns;
mod weather;
mod world;

use std::collections::BTreeMap;

use plan::{CLUSTER_FROM, KEEPS_BACK_FROM};
use run::{Outcome, run};

/// What every handful of seeds must reach, or they have become tame.
const REACHED: [&str; 12] = [
    "Credited",
    "RematchAgreed",
    "aborted: NoShow",
    "aborted: SeedNotRevealed",
    "ending silent",
    "ending stuck",
    "ending unavailable",
    "game ended: Agreed",
    "game ended: Time",
    "refusal already_answered",
    "refusal unavailable",
    "turned without its position",
];

/// How often runs have reached what.
type Reached = BTreeMap<String, u64>;

/// Plays a seed and notes what it has reached.
fn run_noting(seed: u64, reached: &mut Reached) -> Outcome {
    let outcome = run(seed);
    for (what, times) in &outcome.world.lock().reached {
        *reached.entry(what.clone()).or_default() += times;
    }
    outcome
}

/// Plays a seed and tells everything about it if it fails.
fn play(seed: u64, reached: &mut Reached) {
    let Outcome { world, failure } = run_noting(seed, reached);
    if let Some(failure) = failure {
        let world = world.lock();
        panic!(
            "seed {seed}, so many ms after the beginning:\n{}\n{failure}\n\n{:?}\n\n\
             To see it again: cargo xtask simulate --seed {seed}\n",
            world.trace, world.plan,
        );
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// A long run, for `cargo xtask simulate`.
#[test]
#[ignore = "a long run: cargo xtask simulate"]
fn as_many_seeds_as_asked_for() {
    let from = number("LUSORIA_SIMULATE_FROM").unwrap_or(1);
    let seeds = number("LUSORIA_SIMULATE_SEEDS").unwrap_or(1_000);
    let (mut occurrences, mut failed) = (0, Vec::new());
    let mut reached = Reached::new();
    for seed in from..from + seeds {
        let Outcome { world, failure } = run_noting(seed, &mut reached);
        occurrences += world.lock().trace.digest().1;
        if let Some(failure) = failure {
            let shown: String = failure.to_string().chars().take(300).collect();
            println!("seed {seed}: {shown}");
            failed.push(seed);
        }
        let played = seed + 1 - from;
        if played.is_multiple_of(100) {
            println!("{played} seeds, {} failed", failed.len());
        }
    }
    for (what, times) in &reached {
        println!("{times:>9} {what}");
    }
    println!("{seeds} seeds from {from}: {occurrences} lines of trace, {} failed", failed.len());
    if let Some(&seed) = failed.first() {
        play(seed, &mut reached);
    }
}

#[test]
fn the_first_seeds() {
    let mut reached = Reached::new();
    for seed in 1..=30 {
        play(seed, &mut reached);
    }
    for what in REACHED {
        assert!(reached.contains_key(what), "none of these seeds has reached {what:?}");
    }
}

/// What runs of several nodes must reach.
const REACHED_BY_SEVERAL: [&str; 11] = [
    "Credited",
    "Turned",
    "a name replaced everywhere",
    "a node is killed",
    "a node is told to stop",
    "a node stands still",
    "a token revoked",
    "all nodes go down",
    "another history",
    "claim granted",
    "refusal ahead_of_journal",
];

#[test]
fn several_nodes() {
    let mut reached = Reached::new();
    for seed in CLUSTER_FROM..CLUSTER_FROM + 56 {
        play(seed, &mut reached);
    }
    for what in REACHED_BY_SEVERAL {
        assert!(reached.contains_key(what), "none of these seeds has reached {what:?}");
    }
}

#[test]
fn turns_in_the_last_moment() {
    let mut reached = Reached::new();
    for seed in KEEPS_BACK_FROM..KEEPS_BACK_FROM + 30 {
        play(seed, &mut reached);
    }
    let judged_late = reached.get("a turn played after its deadline").copied().unwrap_or_default();
    assert!(judged_late >= 3, "{judged_late}");
}

#[test]
fn a_seed_makes_the_same_run_again() {
    for seed in [3, 17, 42, CLUSTER_FROM + 4, CLUSTER_FROM + 7] {
        let (first, second) = (run(seed), run(seed));
        assert_eq!(first.world.lock().trace.digest(), second.world.lock().trace.digest(), "seed {seed}");
    }
}
