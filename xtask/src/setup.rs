//! Programs that the tasks need from the machine: the only place that knows them. Installs missing ones where
//! no password is needed.

use crate::{
    Outcome,
    commands::{cargo, command, find, node_folder, python, run, succeeds},
    node::{self, npm, script},
};

/// The oldest Node.js that the programs in `tests/browser` run with.
const NODE_MIN: u32 = 20;

/// Folders in which PostgreSQL is installed, besides `PATH`: one for each version.
const POSTGRES_FOLDERS: [&str; 3] =
    ["/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt/postgresql"];

/// Without self-update, and unoptimised: it only waits for the tests that it runs.
const NEXTEST: [&str; 7] = [
    "install",
    "--locked",
    "--debug",
    "--no-default-features",
    "--features",
    "default-no-update",
    "cargo-nextest",
];

/// Debian's packages of Chromium. Ubuntu's is a snap, which not every machine can run: there Playwright
/// installs its own, with the libraries that it needs.
const CHROMIUM: &[&str] = &["chromium", "chromium-headless-shell", "fonts-dejavu-core"];
const PLAYWRIGHT: [&str; 3] = ["install", "--with-deps", "chromium"];

/// A program that tasks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    /// The linker. xtask itself is built with it, but may have been built elsewhere.
    Compiler,
    Python,
    Npm,
    Node,
    Chromium,
    Postgres,
    Nats,
    Openssl,
    Kill,
    Rustfmt,
    Clippy,
    Nextest,
}

/// Everything that `cargo xtask test` needs.
pub(crate) const EVERYTHING: [Tool; 12] = [
    Tool::Compiler,
    Tool::Python,
    Tool::Npm,
    Tool::Node,
    Tool::Chromium,
    Tool::Postgres,
    Tool::Nats,
    Tool::Openssl,
    Tool::Kill,
    Tool::Rustfmt,
    Tool::Clippy,
    Tool::Nextest,
];

/// The source of a tool.
enum Source {
    /// Packages of Debian and Ubuntu.
    Apt(&'static [&'static str]),
    /// A component of the Rust toolchain.
    Rustup(&'static str),
    /// Built by cargo.
    Cargo(&'static [&'static str]),
    /// A package of npm, in the target folder.
    Npm(&'static str),
}

impl Tool {
    const fn name(self) -> &'static str {
        match self {
            Self::Compiler => "a C compiler",
            Self::Python => "Python 3.11",
            Self::Npm => "npm",
            Self::Node => "Node.js 20",
            Self::Chromium => "Chromium",
            Self::Postgres => "PostgreSQL",
            Self::Nats => "nats-server",
            Self::Openssl => "openssl",
            Self::Kill => "kill",
            Self::Rustfmt => "rustfmt",
            Self::Clippy => "clippy",
            Self::Nextest => "cargo-nextest",
        }
    }

    const fn source(self) -> Source {
        match self {
            Self::Compiler => Source::Apt(&["gcc", "libc6-dev"]),
            Self::Python => Source::Apt(&["python3"]),
            Self::Npm => Source::Apt(&["nodejs", "npm"]),
            Self::Node => Source::Npm("node@20"),
            Self::Chromium => Source::Apt(CHROMIUM),
            Self::Postgres => Source::Apt(&["postgresql"]),
            Self::Nats => Source::Apt(&["nats-server"]),
            Self::Openssl => Source::Apt(&["openssl"]),
            Self::Kill => Source::Apt(&["procps"]),
            Self::Rustfmt => Source::Rustup("rustfmt"),
            Self::Clippy => Source::Rustup("clippy"),
            Self::Nextest => Source::Cargo(&NEXTEST),
        }
    }

    /// Whether it is installed, in a sufficient version.
    fn is_installed(self) -> bool {
        match self {
            Self::Compiler => find("cc").is_some(),
            Self::Python => python().is_ok(),
            Self::Npm => find("npm").is_some(),
            Self::Node => node_is_new_enough(),
            Self::Chromium => succeeds(&mut script("support/chromium.js")),
            Self::Postgres => {
                find("initdb").is_some() || POSTGRES_FOLDERS.iter().any(|folder| holds_initdb(folder))
            }
            Self::Nats => find("nats-server").is_some(),
            Self::Openssl => find("openssl").is_some(),
            Self::Kill => find("kill").is_some(),
            Self::Rustfmt => succeeds(cargo().args(["fmt", "--version"])),
            Self::Clippy => succeeds(cargo().args(["clippy", "--version"])),
            Self::Nextest => succeeds(cargo().args(["nextest", "--version"])),
        }
    }
}

/// Installs those of these tools that are missing, and the Node.js packages if they are among them.
pub(crate) fn ensure(tools: &[Tool]) -> Outcome {
    install_missing(tools)?;
    if tools.contains(&Tool::Node) && !node::packages_are_installed() {
        node::install_packages()?;
    }
    Ok(())
}

/// Installs missing tools; prints how, where that is not possible.
fn install_missing(tools: &[Tool]) -> Outcome {
    let missing = missing(tools);
    if missing.is_empty() {
        return Ok(());
    }
    let mut packages = packages(&missing);
    let as_root = as_root();
    if as_root.is_none() && !packages.is_empty() {
        return Err(format!("missing: {}; install with: {}", names(&missing), by_hand(&missing)));
    }
    eprintln!("setup: installs {}", names(&missing));
    if let (Some(as_root), false) = (as_root, packages.is_empty()) {
        let apt = |arguments: &[&str]| {
            let words =
                [as_root, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"], arguments].concat();
            run(command(words[0]).args(&words[1..]))
        };
        apt(&["update"])?;
        if !apt_has_chromium() {
            packages.retain(|package| !CHROMIUM.contains(package));
        }
        apt(&[&["install", "--yes", "--no-install-recommends"], &packages[..]].concat())?;
    }
    for tool in &missing {
        match tool.source() {
            Source::Apt(CHROMIUM) if !apt_has_chromium() => {
                node::install_packages()?;
                run(script("node_modules/playwright-core/cli.js").args(PLAYWRIGHT))?;
            }
            Source::Apt(_) => {}
            Source::Rustup(component) => run(command("rustup").args(["component", "add", component]))?,
            Source::Cargo(arguments) => run(cargo().args(arguments))?,
            // The one that npm installed may be new enough.
            Source::Npm(_) if tool.is_installed() => {}
            Source::Npm(package) => {
                let install = ["install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix"];
                run(npm().args(install).arg(node_folder()).arg(package))?;
            }
        }
    }
    let missing = self::missing(tools);
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("still missing: {}; install with: {}", names(&missing), by_hand(&missing)))
    }
}

fn missing(tools: &[Tool]) -> Vec<Tool> {
    tools.iter().copied().filter(|tool| !tool.is_installed()).collect()
}

fn names(tools: &[Tool]) -> String {
    tools.iter().map(|tool| tool.name()).collect::<Vec<_>>().join(", ")
}

/// The packages of Debian and Ubuntu that hold these tools.
fn packages(tools: &[Tool]) -> Vec<&'static str> {
    let of = |tool: &Tool| match tool.source() {
        Source::Apt(packages) => packages,
        Source::Rustup(_) | Source::Cargo(_) | Source::Npm(_) => &[],
    };
    tools.iter().flat_map(of).copied().collect()
}

/// The commands that install these tools, in one line.
fn by_hand(tools: &[Tool]) -> String {
    let packages = packages(tools);
    let mut commands = Vec::new();
    if !packages.is_empty() {
        commands.push(format!("sudo apt-get update && sudo apt-get install --yes {}", packages.join(" ")));
    }
    for tool in tools {
        match tool.source() {
            // npm packages are installed automatically once npm is there.
            Source::Apt(_) | Source::Npm(_) => {}
            Source::Rustup(component) => commands.push(format!("rustup component add {component}")),
            Source::Cargo(arguments) => commands.push(format!("cargo {}", arguments.join(" "))),
        }
    }
    commands.join(" && ")
}

/// The prefix of a command for root; `None` where apt is missing or would need a password.
fn as_root() -> Option<&'static [&'static str]> {
    find("apt-get")?;
    if succeeds(command("sh").args(["-c", "test $(id -u) -eq 0"])) {
        return Some(&[]);
    }
    succeeds(command("sudo").args(["-n", "true"])).then_some(&["sudo", "-n"])
}

fn apt_has_chromium() -> bool {
    succeeds(command("apt-cache").args(["show", "chromium-headless-shell"]))
}

fn node_is_new_enough() -> bool {
    let is_new_enough = format!("process.exit(parseInt(process.versions.node) < {NODE_MIN} ? 1 : 0)");
    succeeds(command("node").args(["-e", &is_new_enough]))
}

fn holds_initdb(folder: &str) -> bool {
    let versions = std::fs::read_dir(folder).into_iter().flatten().flatten();
    versions.map(|version| version.path()).any(|version| version.join("bin").join("initdb").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_what_is_missing_and_how_to_install_it() {
        let missing = [Tool::Chromium, Tool::Nats, Tool::Clippy];
        assert_eq!(names(&missing), "Chromium, nats-server, clippy");
        assert_eq!(
            by_hand(&missing),
            "sudo apt-get update && sudo apt-get install --yes chromium chromium-headless-shell fonts-dejavu-core nats-server \
             && rustup component add clippy"
        );
        assert_eq!(by_hand(&[Tool::Rustfmt]), "rustup component add rustfmt");
    }
}
