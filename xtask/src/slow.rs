//! Slow readers at the real server: the package `trials` has them.

use crate::{
    Outcome,
    commands::{self, cargo, command, target},
};

/// Builds the server and the trials and lets the readers read, by default for six minutes.
pub(crate) fn run(options: &[String]) -> Outcome {
    let mut build = cargo();
    build.args(["build", "--package", "lusoria", "--package", "lusoria-trials"]);
    commands::run(&mut build)?;
    let program = |name: &str| target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut slow = command(program("lusoria-trials"));
    slow.arg("slow").arg("--server").arg(program("lusoria"));
    slow.arg("--folder").arg(target().join("xtask").join("slow")).args(options);
    commands::run(&mut slow)
}
