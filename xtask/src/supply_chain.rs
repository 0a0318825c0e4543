//! Checks third-party crates against `deny.toml` with cargo-deny.

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
        if advisories {
            run(cargo().args(["deny", "--manifest-path", manifest, "check", "advisories"]))?;
        }
    }
    if !advisories {
        eprintln!("known vulnerabilities were not looked up: --advisories does, over the network");
    }
    Ok(())
}

/// Whether cargo-deny is there.
pub(crate) fn is_installed() -> bool {
    succeeds(cargo().args(["deny", "--version"]))
}
