//! Which crate may depend on which, and what the pure ones may not know.

use crate::{
    crew::{cargo, output},
    source::{files, read, shown, tokens},
};

/// A crate of ours and everything that it may name in its `[dependencies]`.
struct Allowed {
    package: &'static str,
    direct: &'static [&'static str],
    reach: Reach,
}

/// How much of the world a crate may know.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// No clock, no random source, no input or output.
    Pure,
    /// Not even through another crate may it bring in what is [`BANNED`].
    Plain,
    /// Processes, files and sockets are what it is about.
    World,
}

const CRATES: [Allowed; 7] = [
    Allowed { package: "lusoria-rules", direct: &["serde", "serde_json", "thiserror"], reach: Reach::Pure },
    Allowed {
        package: "lusoria-play",
        direct: &["lusoria-rules", "serde", "thiserror", "uuid"],
        reach: Reach::Pure,
    },
    Allowed { package: "lusoria-search", direct: &["lusoria-rules", "thiserror"], reach: Reach::Pure },
    Allowed { package: "lusoria-dice", direct: &["hmac", "sha2", "uuid"], reach: Reach::Pure },
    Allowed {
        package: "lusoria-protocol",
        direct: &["serde", "serde_json", "thiserror", "utoipa", "uuid"],
        reach: Reach::Plain,
    },
    Allowed {
        package: "lusoria-training",
        direct: &["clap", "lusoria-rules", "lusoria-search", "thiserror"],
        reach: Reach::World,
    },
    // It knows the server as a process and a client, not its rooms.
    Allowed {
        package: "lusoria-trials",
        direct: &[
            "clap",
            "futures-util",
            "lusoria",
            "lusoria-protocol",
            "rand",
            "serde",
            "serde_json",
            "sha2",
            "sqlx",
            "thiserror",
            "tokio",
            "tokio-util",
        ],
        reach: Reach::World,
    },
];

/// What none of them may bring in, however far down.
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

/// Of the standard library, what a pure crate may not mention.
const IMPURE_MODULES: [&str; 6] = ["env", "fs", "io", "net", "process", "thread"];
const IMPURE_TYPES: [&str; 2] = ["Instant", "SystemTime"];

/// Everything that is wrong with the crates.
pub(super) fn faults() -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for allowed in &CRATES {
        let (direct, all) = (tree(allowed.package, Some("1"))?, tree(allowed.package, None)?);
        let package = allowed.package;
        faults.extend(
            direct
                .iter()
                .filter(|name| !allowed.direct.contains(&name.as_str()))
                .map(|name| format!("{package} may not depend on {name}")),
        );
        faults.extend(
            all.iter()
                .filter(|name| allowed.reach != Reach::World && BANNED.contains(&name.as_str()))
                .map(|name| format!("{package} may not bring in {name}, not even through another crate")),
        );
        if allowed.reach == Reach::Pure {
            let folder = format!("crates/{}/src", package.trim_start_matches("lusoria-"));
            for path in files(&folder, &[".rs"])? {
                let impure = impure(&read(&path)?);
                faults.extend(
                    impure
                        .iter()
                        .map(|(line, what)| format!("{}:{line}: {package} is pure: no {what}", shown(&path))),
                );
            }
        }
    }
    Ok(faults)
}

/// The crates that a package needs to be built, without itself.
fn tree(package: &str, depth: Option<&str>) -> Result<Vec<String>, String> {
    let mut command = cargo();
    command.args([
        "tree",
        "--package",
        package,
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    if let Some(depth) = depth {
        command.args(["--depth", depth]);
    }
    let mut names: Vec<String> = output(&mut command)?
        .lines()
        .skip(1)
        .filter_map(|line| line.split(' ').next().map(str::to_owned))
        .collect();
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
