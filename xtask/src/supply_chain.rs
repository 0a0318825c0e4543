//! Checks third-party crates with cargo-deny: against `deny.toml`, and for known vulnerabilities.

use crate::{
    Outcome,
    commands::{cargo, run, succeeds},
};

/// The server with its tools, and the fuzz targets, which have a lock file of their own.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "fuzz/Cargo.toml"];

/// Checks licences, banned and doubled crates, and where crates come from.
pub(crate) fn check() -> Outcome {
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
    Ok(())
}

/// Looks up known vulnerabilities of third-party crates. Without cargo-deny or without the network it says so, and all is
/// well.
pub(crate) fn look_up_advisories() -> Outcome {
    if !is_installed() {
        eprintln!("known vulnerabilities were not looked up: cargo-deny is not installed");
        return Ok(());
    }
    if let Err(why) = run(cargo().args(["deny", "--manifest-path", MANIFESTS[0], "fetch", "db"])) {
        eprintln!("known vulnerabilities were not looked up, without a list of them: {why}");
        return Ok(());
    }
    for manifest in MANIFESTS {
        run(cargo().args(["deny", "--manifest-path", manifest, "check", "--disable-fetch", "advisories"]))?;
    }
    Ok(())
}

/// Whether cargo-deny is there.
pub(crate) fn is_installed() -> bool {
    succeeds(cargo().args(["deny", "--version"]))
}
