//! Long runs of the simulation (docs/reliability.md): many seeds, or a single one.

use crate::{
    Outcome,
    commands::{cargo, run},
};

/// How many seeds are run by default.
const SEEDS: u64 = 1_000;

/// The tests that run as many seeds as their environment says.
const TEST: &str = "simulation::as_many_seeds_as_asked_for";
const TEST_OF_TOURNAMENTS: &str = "simulation::tournaments::as_many_tournaments_as_asked_for";

/// From this seed on there are three nodes.
const CLUSTER_FROM: u64 = 2_000_000;

const USAGE: &str = "cargo xtask simulate [--nodes 1|3 | --tournaments] [--seeds N] [--from S] | --seed S";

/// Which seeds to run.
#[derive(Debug, PartialEq, Eq)]
struct Seeds {
    from: u64,
    seeds: u64,
}

/// Runs the seeds that the arguments name.
pub(crate) fn simulate(arguments: &[String]) -> Outcome {
    let (of_tournaments, arguments): (Vec<_>, Vec<_>) =
        arguments.iter().cloned().partition(|argument| argument == "--tournaments");
    let Seeds { from, seeds } = Seeds::named(&arguments)?;
    let test = if of_tournaments.is_empty() { TEST } else { TEST_OF_TOURNAMENTS };
    let test = ["test", "--package", "lusoria", "--test", "it", "--", "--exact", test];
    let mut cargo = cargo();
    cargo.env("LUSORIA_SIMULATE_FROM", from.to_string());
    cargo.env("LUSORIA_SIMULATE_SEEDS", seeds.to_string());
    run(cargo.args(test).args(["--ignored", "--nocapture"]))
}

/// Seekers: ten thousand while everything fails, and how long they wait.
pub(crate) fn seekers() -> Outcome {
    let test = ["test", "--release", "--package", "lusoria", "--test", "it", "--", "simulation::seekers"];
    run(cargo().args(test).args(["--ignored", "--nocapture", "--test-threads", "1"]))
}

impl Seeds {
    fn named(arguments: &[String]) -> Result<Self, String> {
        let mut named = Self { from: 1, seeds: SEEDS };
        let mut words = arguments.iter().map(String::as_str);
        while let Some(flag) = words.next() {
            let number = words.next().and_then(|word| word.parse().ok());
            let number: u64 = number.ok_or_else(|| format!("{flag} needs a number\n\n{USAGE}"))?;
            match flag {
                "--from" => named.from = number,
                "--seeds" => named.seeds = number,
                "--nodes" if number == 1 => named.from = 1,
                "--nodes" if number == 3 => named.from = CLUSTER_FROM,
                "--seed" => named = Self { from: number, seeds: 1 },
                unknown => return Err(format!("there is no {unknown}\n\n{USAGE}")),
            }
        }
        Ok(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(words: &str) -> Result<Seeds, String> {
        Seeds::named(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn seeds_are_named_by_flags() {
        assert_eq!(named(""), Ok(Seeds { from: 1, seeds: SEEDS }));
        assert_eq!(named("--seeds 5 --from 7"), Ok(Seeds { from: 7, seeds: 5 }));
        assert_eq!(named("--seed 9"), Ok(Seeds { from: 9, seeds: 1 }));
        assert_eq!(named("--nodes 3"), Ok(Seeds { from: CLUSTER_FROM, seeds: SEEDS }));
        assert!(named("--nodes 2").is_err());
        assert!(named("--seed").is_err());
        assert!(named("--speed 3").is_err());
    }
}
