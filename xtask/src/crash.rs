//! Crashes of the real server: the package `trials` makes them.

use crate::{
    Outcome,
    commands::{self, cargo, command, target},
};

/// The rounds of each kind that the tests make.
const ROUNDS_IN_TESTS: &str = "4";

/// Builds the server and the trials and runs the requested rounds. `--release` is for this program,
/// everything else for the trials.
pub(crate) fn run(options: &[String]) -> Outcome {
    let (mine, theirs): (Vec<_>, Vec<_>) = options.iter().partition(|&option| option == "--release");
    let profile = if mine.is_empty() { "debug" } else { "release" };
    let mut build = cargo();
    build.args(["build", "--package", "lusoria", "--package", "lusoria-trials"]).args(mine);
    commands::run(&mut build)?;
    let program = |name: &str| target().join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut crash = command(program("lusoria-trials"));
    crash.arg("crash").arg("--server").arg(program("lusoria"));
    crash.arg("--folder").arg(target().join("xtask").join("crash")).args(theirs);
    commands::run(&mut crash)
}

/// A few rounds of every kind. Also tries the trial itself on a disk that lies.
pub(crate) fn smoke() -> Outcome {
    run(&["--rounds", ROUNDS_IN_TESTS].map(str::to_owned))?;
    run(&["--rounds", ROUNDS_IN_TESTS, "--lying-disk", "log"].map(str::to_owned))
}
