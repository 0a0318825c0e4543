//! The Node.js programs in `tests/browser`.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    Outcome,
    commands::{command, root, run},
};

/// Their folder.
fn folder() -> PathBuf {
    root().join("tests").join("browser")
}

/// A copy of the lock file beside the installed packages: it says which version they are from.
fn installed_from() -> PathBuf {
    folder().join("node_modules").join(".installed-from")
}

fn lock_file() -> PathBuf {
    folder().join("package-lock.json")
}

/// Whether the packages that they need are installed as the lock file names them.
pub(crate) fn packages_are_installed() -> bool {
    let (installed, named) = (std::fs::read(installed_from()), std::fs::read(lock_file()));
    installed.is_ok_and(|installed| named.is_ok_and(|named| installed == named))
}

/// Installs the packages that they need.
pub(crate) fn install_packages() -> Outcome {
    run(npm().args(["ci", "--no-audit", "--no-fund"]))?;
    let copied = std::fs::copy(lock_file(), installed_from());
    copied.map(drop).map_err(|error| format!("cannot copy package-lock.json: {error}"))
}

/// One of them.
pub(crate) fn script(name: &str) -> Command {
    let mut script = command("node");
    script.current_dir(folder()).arg(name);
    script
}

/// Tests that are shown as they run, and reported to a file in the form of JUnit.
pub(crate) fn tests(arguments: &[&str], report: &Path) -> Command {
    // Where this fails, Node.js says that it cannot write there.
    let _ = report.parent().map(std::fs::create_dir_all);
    let mut tests = command("node");
    tests.current_dir(folder());
    tests.args(["--test-reporter=spec", "--test-reporter-destination=stdout", "--test-reporter=junit"]);
    tests.arg(format!("--test-reporter-destination={}", report.display())).args(arguments);
    tests
}

/// npm, where their manifest is.
pub(crate) fn npm() -> Command {
    let mut npm = command(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder());
    npm
}
