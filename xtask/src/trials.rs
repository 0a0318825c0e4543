//! The trials of the real server, which the package `trials` runs.

use crate::{
    Outcome, build,
    commands::{cargo, command, run, target},
    simulate,
};

/// The trials of the test command: a few rounds of every kind of crash, also on a disk that lies and on
/// PostgreSQL; a kill at the end of a rated match for each way of ending except the clock; each fault of a
/// cluster; a part of a second of each flood, which needs Linux, where every address of 127.0.0.0/8 is this
/// machine.
const SHORT: [&[&str]; 6] = [
    &["crash", "--rounds", "2"],
    &["crash", "--rounds", "4", "--lying-disk", "log"],
    &["crash", "--database", "postgres", "--rounds", "1"],
    &["rated", "--rounds", "5"],
    &["cluster", "--rounds", "7", "--verbose"],
    &["hostile", "--short"],
];

/// The trials before a release, with the release profile (docs/reliability.md).
const LONG: [&[&str]; 9] = [
    &["crash", "--rounds", "200"],
    &["crash", "--rounds", "10", "--lying-disk", "everything"],
    &["crash", "--rounds", "10", "--lying-disk", "log"],
    &["crash", "--rounds", "10", "--lying-disk", "database"],
    &["crash", "--database", "postgres", "--rounds", "50"],
    &["rated", "--rounds", "200"],
    &["cluster", "--rounds", "200"],
    &["slow"],
    &["hostile"],
];

/// The short form of each trial, with the programs of the tests.
pub(crate) fn short() -> Outcome {
    let made_here = SHORT.iter().filter(|trial| cfg!(target_os = "linux") || trial[0] != "hostile");
    all(made_here.map(|trial| make("debug", trial)))
}

/// The long forms, one after the other, or the trial that the options name, with its own options.
pub(crate) fn trials(options: &[String]) -> Outcome {
    let (debug, options): (Vec<&str>, Vec<&str>) =
        options.iter().map(String::as_str).partition(|&option| option == "--debug");
    let (profile, flag) = if debug.is_empty() { ("release", Some("--release")) } else { ("debug", None) };
    run(cargo().args(["build", "--package", "lusoria", "--package", "lusoria-trials"]).args(flag))?;
    if !options.is_empty() {
        return make(profile, &options);
    }
    let trials = LONG.iter().map(|trial| make(profile, trial));
    let seeds = [&["--seeds", "5000"][..], &["--nodes", "3", "--seeds", "5000"]];
    let simulations = seeds
        .iter()
        .map(|seeds| simulate::simulate(&seeds.iter().map(|&word| word.to_owned()).collect::<Vec<_>>()));
    all(trials.chain(simulations))
}

/// Runs all of them, so that one run shows all failures.
fn all(made: impl Iterator<Item = Outcome>) -> Outcome {
    let failures: Vec<String> = made.filter_map(Result::err).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("; ")) }
}

/// Runs a trial with the programs of a profile.
fn make(profile: &str, trial: &[&str]) -> Outcome {
    let (&name, options) = trial.split_first().expect("a trial has a name");
    let mut made = command(build::program(profile, "lusoria-trials"));
    made.args([name, "--server"]).arg(build::program(profile, "lusoria"));
    run(made.arg("--folder").arg(target().join("xtask").join(trial.join("_"))).args(options))
}
