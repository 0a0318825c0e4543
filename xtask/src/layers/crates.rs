//! Checks what pure crates must not use. Their manifests say which crate may depend on which.

use crate::{
    commands::{cargo, output},
    source::{files, placed, read, shown, tokens},
};

/// The crates without clock, random source, input or output.
const PURE: [&str; 7] = [
    "lusoria-dice",
    "lusoria-fair-play",
    "lusoria-play",
    "lusoria-rating",
    "lusoria-rules",
    "lusoria-search",
    "lusoria-tournament",
];

/// The same, except that they depend on `getrandom` through `ring`. `passkey` makes no keys, and callers of
/// `push` hand randomness in.
const PURE_BUT_FOR_RING: [&str; 2] = ["lusoria-passkey", "lusoria-push"];

/// Crates that must not depend on [`BANNED`] crates, not even indirectly.
const PLAIN: [&str; 3] = ["lusoria-protocol", "lusoria-records", "lusoria-wire"];

/// Crates that none of them may depend on, even indirectly.
const BANNED: [&str; 12] = [
    "async-std",
    "axum",
    "fastrand",
    "getrandom",
    "hyper",
    "mio",
    "rand",
    "rand_core",
    "smol",
    "sqlx",
    "tokio",
    "tracing",
];

/// Modules of the standard library that a pure crate must not mention.
const IMPURE_MODULES: [&str; 6] = ["env", "fs", "io", "net", "process", "thread"];
const IMPURE_TYPES: [&str; 2] = ["Instant", "SystemTime"];

/// All faults of the crates.
pub(super) fn faults() -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for package in PURE.into_iter().chain(PLAIN) {
        let banned = needs(package)?.into_iter().filter(|name| BANNED.contains(&name.as_str()));
        faults.extend(
            banned.map(|name| format!("{package} may not bring in {name}, not even through another")),
        );
    }
    for package in PURE.into_iter().chain(PURE_BUT_FOR_RING) {
        let folder = format!("crates/{}/src", package.trim_start_matches("lusoria-"));
        for path in files(&folder, &[".rs"])? {
            let impure = impure(&read(&path)?).into_iter();
            let impure = impure.map(|(line, what)| (line, format!("{package} is pure: no {what}"))).collect();
            faults.extend(placed(&shown(&path), impure));
        }
    }
    Ok(faults)
}

/// The dependencies of a package, without itself.
fn needs(package: &str) -> Result<Vec<String>, String> {
    let mut command = cargo();
    command.args(["tree", "--package", package, "--edges", "normal,build", "--prefix", "none"]);
    command.args(["--format", "{p}"]);
    let tree = output(&mut command)?;
    let mut names: Vec<_> =
        tree.lines().skip(1).filter_map(|line| line.split(' ').next().map(str::to_owned)).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// The lines that mention a clock, a file, a socket and the like.
fn impure(rust: &str) -> Vec<(usize, String)> {
    let tokens = tokens(rust);
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let text = |ahead: usize| tokens.get(index + ahead).map_or("", |token| token.text.as_str());
        if IMPURE_TYPES.contains(&text(0)) {
            found.push((token.line, token.text.clone()));
        }
        if text(0) == "std" && text(1) == "::" {
            found.extend(
                crate::layers::folders::first_segments(&tokens[index + 2..])
                    .into_iter()
                    .filter(|segment| IMPURE_MODULES.contains(&segment.text.as_str()))
                    .map(|segment| (segment.line, format!("std::{}", segment.text))),
            );
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_files_are_impure_durations_are_not() {
        assert_eq!(impure("use std::time::Duration;"), []);
        assert_eq!(impure("use std::time::Instant;"), [(1, "Instant".to_owned())]);
        assert_eq!(impure("use std::{fmt,\n fs::File};"), [(2, "std::fs".to_owned())]);
        assert_eq!(impure("std::env::var(\"X\")"), [(1, "std::env".to_owned())]);
    }
}
