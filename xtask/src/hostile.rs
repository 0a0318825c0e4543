//! Hostile clients against the real server: the package `trials` has them.

use crate::{
    Outcome,
    commands::{self, cargo, command, target},
};

/// Builds the server and the trials and runs the requested floods: with the release profile, unless it is
/// only a second of each.
pub(crate) fn run(options: &[String]) -> Outcome {
    let is_short = options.iter().any(|option| option == "--short");
    let profile = if is_short { "debug" } else { "release" };
    let mut build = cargo();
    build.args(["build", "--package", "lusoria", "--package", "lusoria-trials"]);
    build.args((!is_short).then_some("--release"));
    commands::run(&mut build)?;
    let program = |name: &str| target().join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut hostile = command(program("lusoria-trials"));
    hostile.arg("hostile").arg("--server").arg(program("lusoria"));
    hostile.arg("--folder").arg(target().join("xtask").join("hostile")).args(options);
    commands::run(&mut hostile)
}

/// A second of each flood: it needs Linux, where every address of 127.0.0.0/8 is this machine.
pub(crate) fn smoke() -> Outcome {
    if cfg!(target_os = "linux") { run(&["--short".to_owned()]) } else { Ok(()) }
}
