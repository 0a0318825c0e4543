//! Builds everything that the test command runs, once, and runs the tests in Rust.

use std::{path::PathBuf, process::Command};

use crate::{
    Outcome,
    commands::{cargo, run, target},
};

/// The profiles of tests (`.config/nextest.toml`): each reports in a file of its own.
const PROFILES: [&str; 2] = ["default", "postgres"];

/// Builds the tests and, because they start them, all programs. The other steps run the same programs: built by
/// themselves they would have other features, and so would everything below them.
pub(crate) fn everything() -> Outcome {
    run(nextest(PROFILES[0]).arg("--no-run"))
}

/// The server alone, for tasks that need no tests.
pub(crate) fn server() -> Outcome {
    run(cargo().args(["build", "--package", "lusoria"]))
}

/// Runs all tests.
pub(crate) fn test() -> Outcome {
    run(&mut nextest(PROFILES[0]))?;
    run(cargo().args(["test", "--workspace", "--doc", "--quiet"]))
}

/// Runs the integration tests of the server in which the database makes a difference, on PostgreSQL.
pub(crate) fn test_on_postgres() -> Outcome {
    run(nextest(PROFILES[1]).env("LUSORIA_TEST_DATABASE", "postgres"))
}

/// Where the tests are reported in the form of JUnit.
pub(crate) fn reports() -> Vec<PathBuf> {
    PROFILES.iter().map(|profile| target().join("nextest").join(profile).join("junit.xml")).collect()
}

/// A program of the workspace, as it was built with a profile.
pub(crate) fn program(profile: &str, name: &str) -> PathBuf {
    target().join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Always the same selection, so that each runs what another has built.
fn nextest(profile: &str) -> Command {
    let mut nextest = cargo();
    nextest.args(["nextest", "run", "--profile", profile]);
    nextest.args(["--workspace", "--lib", "--bins", "--tests"]);
    nextest
}
