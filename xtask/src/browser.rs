//! Browser tests: Chromium against the real server.

use std::path::PathBuf;

use crate::{
    Outcome, build,
    commands::{cargo, run, target},
    node::{self, npm},
};

/// Runs the browser tests, on the server that was built.
pub(crate) fn play() -> Outcome {
    run(node::tests(&["all.js"], &report()).env("LUSORIA", build::program("debug", "lusoria")))
}

/// The path of the tests' JUnit report.
pub(crate) fn report() -> PathBuf {
    target().join("xtask").join("browser.xml")
}

/// Builds the server as it is shipped and runs Lighthouse on the page.
pub(crate) fn lighthouse() -> Outcome {
    run(cargo().args(["build", "--release", "--package", "lusoria"]))?;
    run(npm().args(["run", "--silent", "lighthouse"]).env("LUSORIA", build::program("release", "lusoria")))
}
