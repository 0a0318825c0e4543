//! Training: runs the programs of the package `training`, optimised.

use crate::{
    Outcome,
    commands::{cargo, run},
};

/// Trains the computer's networks.
pub(crate) fn train(options: &[String]) -> Outcome {
    program("lusoria-training", options)
}

/// Computes the chances of a game's last pieces.
pub(crate) fn endings(options: &[String]) -> Outcome {
    program("lusoria-endings", options)
}

/// Trains a dictionary for journals.
pub(crate) fn dictionary(options: &[String]) -> Outcome {
    program("lusoria-dictionary", options)
}

fn program(name: &str, options: &[String]) -> Outcome {
    run(cargo()
        .args(["run", "--release", "--package", "lusoria-training", "--bin", name, "--"])
        .args(options))
}
