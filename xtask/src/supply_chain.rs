//! Checks third-party crates against `deny.toml` with cargo-deny.

use std::process::Command;

use crate::{
    Outcome,
    commands::{cargo, run, succeeds},
};

/// The server with its tools, and the fuzz targets, which have a lock file of their own.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "fuzz/Cargo.toml"];

/// Checks licences, banned and doubled crates, and where crates come from; with
/// `--advisories`, which needs the network, known vulnerabilities too.
pub(crate) fn check(arguments: &[String]) -> Outcome {
    let advisories = match arguments {
        [] => false,
        [flag] if flag == "--advisories" => true,
        other => return Err(format!("supply-chain [--advisories], not {}", other.join(" "))),
    };
    if !is_installed() {
        return Err("cargo-deny is not installed: cargo install cargo-deny --locked".to_owned());
    }
    for manifest in MANIFESTS {
        // Also those for other systems, which a build here does without. A lock file that
        // does not know a new dependency of the other's yet learns it.
        run(cargo().args(["fetch", "--quiet", "--manifest-path", manifest]))?;
        let deny = ["deny", "--offline", "--manifest-path", manifest, "--config", "deny.toml", "check"];
        let unmet = ["--allow", "license-exception-not-encountered"];
        run(cargo().args(deny).args(unmet).args(["licenses", "bans", "sources"]))?;
    }
    if !advisories {
        eprintln!("known vulnerabilities were not looked up: --advisories does, over the network");
        return Ok(());
    }
    run(&mut fetch_advisories())?;
    find_advisories()
}

/// Looks up known vulnerabilities of third-party crates. Without cargo-deny or without the network it says so, and all is
/// well.
pub(crate) fn look_up_advisories() -> Outcome {
    if !is_installed() {
        eprintln!("known vulnerabilities were not looked up: cargo-deny is not installed");
        return Ok(());
    }
    if let Err(why) = run(&mut fetch_advisories()) {
        eprintln!("known vulnerabilities were not looked up, without a list of them: {why}");
        return Ok(());
    }
    find_advisories()
}

/// Fetches the list of known vulnerabilities.
fn fetch_advisories() -> Command {
    let mut fetch = cargo();
    fetch.args(["deny", "--manifest-path", MANIFESTS[0], "fetch", "db"]);
    fetch
}

/// Compares the lock files with the list that has been fetched.
fn find_advisories() -> Outcome {
    for manifest in MANIFESTS {
        run(cargo().args(["deny", "--manifest-path", manifest, "check", "--disable-fetch", "advisories"]))?;
    }
    Ok(())
}

/// Whether cargo-deny is there.
pub(crate) fn is_installed() -> bool {
    succeeds(cargo().args(["deny", "--version"]))
}
