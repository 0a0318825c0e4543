//! Teaches the computer its games: builds the package `training` and runs it.

use crate::{
    Outcome,
    commands::{cargo, run},
};

/// Hands the options on.
pub(crate) fn run_training(options: &[String]) -> Outcome {
    run(cargo().args(["run", "--release", "--package", "lusoria-training", "--"]).args(options))
}
