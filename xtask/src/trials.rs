//! The trials of the real server: the package `trials` makes them.

use crate::{
    Outcome,
    commands::{cargo, command, run, target},
};

/// Crashes, with the options of the trial. `--release` is for this program.
pub(crate) fn crash(options: &[String]) -> Outcome {
    let (mine, theirs): (Vec<_>, Vec<_>) = options.iter().partition(|&option| option == "--release");
    make("crash", !mine.is_empty(), theirs)
}

/// Three nodes on PostgreSQL and NATS: with the release profile, unless `--debug` says otherwise, which is for
/// this program.
pub(crate) fn cluster(options: &[String]) -> Outcome {
    let (mine, theirs): (Vec<_>, Vec<_>) = options.iter().partition(|&option| option == "--debug");
    make("cluster", mine.is_empty(), theirs)
}

/// Hostile clients: with the release profile, unless it is only a second of each flood.
pub(crate) fn hostile(options: &[String]) -> Outcome {
    make("hostile", !options.iter().any(|option| option == "--short"), options)
}

/// Slow readers, by default for six minutes.
pub(crate) fn slow(options: &[String]) -> Outcome {
    make("slow", false, options)
}

/// Kills at the end of rated matches.
pub(crate) fn rated(options: &[String]) -> Outcome {
    make("rated", false, options)
}

/// The levels of the computer as accounts: with the release profile, because they think for as long as on a server,
/// unless `--debug` says otherwise, which is for this program.
pub(crate) fn levels(options: &[String]) -> Outcome {
    let (mine, theirs): (Vec<_>, Vec<_>) = options.iter().partition(|&option| option == "--debug");
    make("levels", mine.is_empty(), theirs)
}

/// A few rounds of every kind of crash, also on a disk that lies, one of each on PostgreSQL, a kill at the end of a
/// rated match by each way of ending but the clock, a short life of a cluster, and a second of each flood, which
/// needs Linux, where every address of 127.0.0.0/8 is this machine.
pub(crate) fn smoke() -> Outcome {
    crash(&["--rounds", "4"].map(str::to_owned))?;
    crash(&["--rounds", "4", "--lying-disk", "log"].map(str::to_owned))?;
    crash(&["--database", "postgres", "--rounds", "1"].map(str::to_owned))?;
    rated(&["--rounds", "5"].map(str::to_owned))?;
    cluster(&["--debug", "--rounds", "7", "--verbose"].map(str::to_owned))?;
    if cfg!(target_os = "linux") { hostile(&["--short".to_owned()]) } else { Ok(()) }
}

/// Builds the server and the trials and makes one.
fn make<'a>(trial: &str, release: bool, options: impl IntoIterator<Item = &'a String>) -> Outcome {
    let mut build = cargo();
    build.args(["build", "--package", "lusoria", "--package", "lusoria-trials"]);
    run(build.args(release.then_some("--release")))?;
    let folder = target().join(if release { "release" } else { "debug" });
    let program = |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut made = command(program("lusoria-trials"));
    made.args([trial, "--server"]).arg(program("lusoria"));
    run(made.arg("--folder").arg(target().join("xtask").join(trial)).args(options))
}
