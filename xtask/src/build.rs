//! Builds everything that the test command runs, once, and runs the Rust tests.

use std::{num::NonZero, path::PathBuf, process::Command};

use crate::{
    Outcome,
    commands::{cargo, root, run, target},
};

/// The test profiles (`.config/nextest.toml`), each with its own report.
const PROFILES: [&str; 2] = ["default", "postgres"];

/// Builds all programs and all tests at once, for all steps. Built separately the programs would have other
/// features, and so would all their dependencies.
pub(crate) fn everything() -> Outcome {
    run(cargo().args(["build", "--workspace", "--bins", "--tests"]))
}

/// The server alone, for tasks that need no tests.
pub(crate) fn server() -> Outcome {
    program_of("lusoria")
}

/// The programs of one package.
pub(crate) fn program_of(package: &str) -> Outcome {
    run(cargo().args(["build", "--package", package]))
}

/// Runs all tests.
pub(crate) fn test() -> Outcome {
    let tests = run(&mut nextest(PROFILES[0]));
    tests.and(run(cargo().args(["test", "--workspace", "--doc", "--quiet"])))
}

/// Runs the integration tests of the server in which the database makes a difference, on PostgreSQL.
pub(crate) fn test_on_postgres() -> Outcome {
    run(nextest(PROFILES[1]).env("LUSORIA_TEST_DATABASE", "postgres"))
}

/// The paths of the JUnit reports: nextest puts them below the workspace, not the target folder.
pub(crate) fn reports() -> Vec<PathBuf> {
    PROFILES
        .iter()
        .map(|profile| root().join("target").join("nextest").join(profile).join("junit.xml"))
        .collect()
}

/// The path of a program of the workspace, built with a profile.
pub(crate) fn program(profile: &str, name: &str) -> PathBuf {
    target().join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Runs what [`everything`] has built.
fn nextest(profile: &str) -> Command {
    let mut nextest = cargo();
    // Many tests wait for a process or for the disk: with two for each core all cores are busy.
    let threads = 2 * std::thread::available_parallelism().map_or(1, NonZero::get);
    nextest.args(["nextest", "run", "--profile", profile, "--test-threads", &threads.to_string()]);
    nextest.args(["--workspace", "--lib", "--bins", "--tests"]);
    nextest
}
