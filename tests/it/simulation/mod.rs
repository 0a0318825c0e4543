//! The server on virtual time, from one seed: real matches, real conversations and the
//! real application over a store that stalls, refuses and forgets to say what it did, and
//! over lines that lose, delay, repeat and reorder. What must hold is checked after every
//! event; a seed that fails fails again in the same way (docs/reliability.md).

mod asked;
mod behaviour;
mod client;
mod guest;
mod heal;
mod invariants;
mod ledger;
mod life;
mod network;
mod plan;
mod random;
mod run;
mod store;
mod trace;
mod turns;
mod weather;
mod world;

use run::{Outcome, run};

/// Plays a seed and tells everything about it if it fails.
fn play(seed: u64) {
    let Outcome { world, failure } = run(seed);
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
    for seed in from..from + seeds {
        let Outcome { world, failure } = run(seed);
        occurrences += world.lock().trace.digest().1;
        if let Some(failure) = failure {
            let shown: String = failure.to_string().chars().take(300).collect();
            println!("seed {seed}: {shown}");
            failed.push(seed);
        }
    }
    println!("{seeds} seeds from {from}: {occurrences} lines of trace, {} failed", failed.len());
    if let Some(&seed) = failed.first() {
        play(seed);
    }
}

/// Some seeds on every run of the tests, in parts that can run beside each other.
macro_rules! seeds {
    ($($name:ident: $from:literal to $to:literal,)*) => {$(
        #[test]
        fn $name() {
            ($from..=$to).for_each(play);
        }
    )*};
}

seeds! {
    the_first_seeds: 1 to 25,
    the_second_seeds: 26 to 50,
    the_third_seeds: 51 to 75,
    the_fourth_seeds: 76 to 100,
}

#[test]
fn a_seed_makes_the_same_run_again() {
    for seed in [3, 17, 42] {
        let (first, second) = (run(seed), run(seed));
        assert_eq!(first.world.lock().trace.digest(), second.world.lock().trace.digest(), "seed {seed}");
    }
}
