//! The programs in `tests/browser`, which Node.js runs.

use std::{path::PathBuf, process::Command};

use crate::{
    Outcome,
    commands::{command, root, run, succeeds},
};

/// The oldest Node.js that they run with.
const NODE_MIN: u32 = 20;

/// Where they are.
pub(crate) fn folder() -> PathBuf {
    root().join("tests").join("browser")
}

/// Installs what they need from the package registry, as the lock file names it; nothing if it
/// is there already.
pub(crate) fn install() -> Outcome {
    let is_new_enough = format!("process.exit(parseInt(process.versions.node) < {NODE_MIN} ? 1 : 0)");
    if !succeeds(command("node").args(["-e", &is_new_enough])) || !succeeds(npm().arg("--version")) {
        return Err(format!("Node.js {NODE_MIN} or newer and npm are needed for what checks the page"));
    }
    let lock = std::fs::read(folder().join("package-lock.json"))
        .map_err(|error| format!("cannot read package-lock.json: {error}"))?;
    // A copy beside what was installed says from which lock file that was.
    let installed = folder().join("node_modules").join(".installed-from");
    if std::fs::read(&installed).is_ok_and(|from| from == lock) {
        return Ok(());
    }
    run(npm().args(["ci", "--no-audit", "--no-fund"]))?;
    std::fs::write(&installed, lock).map_err(|error| format!("cannot write {}: {error}", installed.display()))
}

/// One of them.
pub(crate) fn script(name: &str) -> Command {
    let mut script = command("node");
    script.current_dir(folder()).arg(name);
    script
}

/// npm, where their manifest is.
pub(crate) fn npm() -> Command {
    let mut npm = command(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder());
    npm
}
