//! All checks, in order: those that fail fast come first. And what a package of its own does: training.

use crate::{
    Outcome, browser,
    commands::{cargo, run, tests},
    database, examples, layers, page, tidy, trials,
};

/// Runs every check, or the integration tests on another database.
pub(crate) fn test(options: &[String]) -> Outcome {
    match options {
        [] => every_check(),
        [option, name] if option == "--database" && name == "postgres" => database::postgres(),
        _ => Err("the only option is --database postgres".to_owned()),
    }
}

fn every_check() -> Outcome {
    lint()?;
    run(tests().args(["--workspace", "--lib", "--bins", "--tests"]))?;
    run(cargo().args(["test", "--workspace", "--doc", "--quiet"]))?;
    page::check(&[])?;
    browser::play()?;
    examples::play()?;
    trials::smoke()?;
    eprintln!("\nxtask test: all green");
    Ok(())
}

/// Runs the checks that do not run the project.
pub(crate) fn lint() -> Outcome {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    tidy::check()?;
    layers::check()?;
    run(cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))?;
    run(cargo().args(["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// Teaches the computer its games: builds the package `training` and runs it.
pub(crate) fn train(options: &[String]) -> Outcome {
    run(cargo().args(["run", "--release", "--package", "lusoria-training", "--"]).args(options))
}

/// Finds the chances of a game's last pieces: another program of the package `training`.
pub(crate) fn endings(options: &[String]) -> Outcome {
    let program = ["--package", "lusoria-training", "--bin", "lusoria-endings"];
    run(cargo().args(["run", "--release"]).args(program).arg("--").args(options))
}

/// Trains a dictionary for journals: another program of the package `training`.
pub(crate) fn dictionary(options: &[String]) -> Outcome {
    let program = ["--package", "lusoria-training", "--bin", "lusoria-dictionary"];
    run(cargo().args(["run", "--release"]).args(program).arg("--").args(options))
}
