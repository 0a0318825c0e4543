//! Checks third-party crates with cargo-deny: against `deny.toml`, and for known vulnerabilities.

use crate::{
    Outcome,
    commands::{cargo, run, succeeds},
};

/// The server with its tools, and the fuzz targets, which have their own lock file.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "fuzz/Cargo.toml"];

/// Checks licences, banned and duplicate crates, and the sources of crates.
pub(crate) fn check() -> Outcome {
    if !is_installed() {
        return Err("cargo-deny is not installed: cargo install cargo-deny --locked".to_owned());
    }
    for manifest in MANIFESTS {
        // Also those for other systems, which a build here does not need. Updates a lock file that does not
        // know a new dependency yet.
        run(cargo().args(["fetch", "--quiet", "--manifest-path", manifest]))?;
        let deny = ["deny", "--offline", "--manifest-path", manifest, "--config", "deny.toml", "check"];
        let unmet = ["--allow", "license-exception-not-encountered"];
        run(cargo().args(deny).args(unmet).args(["licenses", "bans", "sources"]))?;
    }
    Ok(())
}

/// Looks up known vulnerabilities of third-party crates. Without cargo-deny or the network it says so and
/// succeeds.
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

/// Whether cargo-deny is installed.
pub(crate) fn is_installed() -> bool {
    succeeds(cargo().args(["deny", "--version"]))
}
