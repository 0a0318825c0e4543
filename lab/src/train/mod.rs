//! `lusoria-lab train`: trains the computer's networks (docs/training.md).

mod curve;
mod files;
mod parallel;
mod tables;
mod tafl;

use std::{num::NonZero, path::PathBuf, thread};

use clap::Args;
use lusoria_rules::{Family, Variant};

use self::files::Failure;
use super::Verdict;

/// Teaches the computer a game by self-play, and writes the weights that the server embeds. Continues where
/// the last run of the same game stopped.
#[derive(Debug, Args)]
pub(crate) struct Train {
    #[arg(value_name = "GAME", help = list(), value_parser = variant)]
    variant: Variant,

    /// How long to train; Ctrl-C stops earlier, and loses at most a minute
    #[arg(long, value_name = "N", default_value_t = 60)]
    minutes: u64,

    /// Games that are played at the same time; the number of cores if left out
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// The seed of all random choices; a different one begins anew
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// A file of weights of the same dice game, the opponent in the trials instead of the fixed one
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,

    /// Teach the game's pruning network, from nothing, and write it when the time is up
    #[arg(long, conflicts_with = "against")]
    pruning: bool,

    /// Learn by looking one throw ahead at the best ends of a turn; begins with the shipped weights
    #[arg(long, conflicts_with_all = ["against", "pruning"])]
    second_stage: bool,

    /// Play tablut's highest level against itself, and fit the meaning of values to these games and the
    /// earlier ones
    #[arg(long, conflicts_with_all = ["against", "pruning", "second_stage"])]
    chances: bool,
}

impl Train {
    /// Trains until the time is up.
    pub(super) fn run(&self) -> Result<Verdict, super::Failure> {
        let done = match self.variant.family() {
            Family::Tables(_) if self.chances => Err(Failure::NoFit { name: files::name(self.variant) }),
            Family::Tables(_) if self.pruning => tables::train_pruning(self),
            Family::Tables(_) if self.second_stage => tables::train_second_stage(self),
            Family::Tables(_) => tables::train(self),
            Family::Tafl(_) if self.pruning => Err(Failure::NoThrows { name: files::name(self.variant) }),
            Family::Tafl(_) if self.second_stage => {
                Err(Failure::NoSecondStage { name: files::name(self.variant) })
            }
            Family::Tafl(_) if self.chances => tafl::fit_chances(self),
            Family::Tafl(_) => tafl::train(self),
        };
        done.map(|()| Verdict::Good).map_err(|why| super::Failure::Usage(why.to_string()))
    }

    fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.threads.unwrap_or_else(cores).max(1)
    }
}

/// Everything that can be learnt, by name: each game, and each dice game with an option.
fn games() -> impl Iterator<Item = (String, Variant)> {
    let is_taught = |variant: &Variant| match variant.family() {
        Family::Tables(_) => true,
        // Both kinds of throne are learnt together.
        Family::Tafl(_) => *variant == Variant::standard(variant.game()),
    };
    Variant::ALL.iter().copied().filter(is_taught).map(|variant| (files::name(variant), variant))
}

fn list() -> String {
    games().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
}

fn variant(text: &str) -> Result<Variant, String> {
    let found = games().find(|(name, _)| name == text);
    found.map(|(_, variant)| variant).ok_or_else(|| format!("it is one of: {}", list()))
}
