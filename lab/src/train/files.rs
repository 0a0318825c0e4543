//! The files of training.

use std::{
    error::Error,
    fs, io,
    path::{Path, PathBuf},
};

use lusoria_rules::{Family, Variant};
use serde_json::Value;

use crate::train::curve::Opponent;

/// Why training cannot continue.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A file could not be read or written.
    #[error("{path}: {source}", path = .path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A saved state cannot be used.
    #[error("{path}: {source}; remove it to begin anew", path = .path.display())]
    Kept {
        /// Its path.
        path: PathBuf,
        /// The error of the reader.
        source: Box<dyn Error>,
    },
    /// A line of the learning curve has another form than this program writes.
    #[error("{path}: line {line} is no point of a learning curve", path = .path.display())]
    Curve {
        /// Its path.
        path: PathBuf,
        /// Its number, from 1.
        line: usize,
    },
    /// The game has no throws whose replies could be pruned.
    #[error("{name} is searched move by move: --pruning is for the games with dice")]
    NoThrows {
        /// The game's name.
        name: String,
    },
    /// The game's network gives chances itself.
    #[error("{name} is evaluated by a network that gives chances itself: --chances is for tablut")]
    NoFit {
        /// The game's name.
        name: String,
    },
    /// The game has no throws for a look-ahead.
    #[error("{name} is searched move by move: --second-stage is for the games with dice")]
    NoSecondStage {
        /// The game's name.
        name: String,
    },
    /// The game's trials have a fixed opponent.
    #[error("{name} is tried against the weights chosen by hand: --against is for the games with dice")]
    FixedOpponent {
        /// The game's name.
        name: String,
    },
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in the workspace")
}

/// The name of a game with its options in file names: `scripta-row_a_gate-false`; the game's name alone if
/// the options are the defaults.
pub(crate) fn name(variant: Variant) -> String {
    let mut parts = vec![variant.game().to_string()];
    if variant != Variant::standard(variant.game()) {
        let options = serde_json::to_value(variant.options());
        for (option, value) in
            options.ok().as_ref().and_then(Value::as_object).expect("options are an object")
        {
            parts.extend([option.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)]);
        }
    }
    parts.join("-")
}

/// The saved state from which training continues. It is not in the repository.
pub(crate) fn student(variant: Variant, seed: u64) -> PathBuf {
    root().join(format!("target/training/{}-{seed}.student", name(variant)))
}

/// The saved state from which the second stage continues.
pub(crate) fn second_stage(variant: Variant, seed: u64) -> PathBuf {
    student(variant, seed).with_extension("second-stage")
}

/// The weights that the second stage began from.
pub(crate) fn first_stage(variant: Variant, seed: u64) -> PathBuf {
    student(variant, seed).with_extension("first-stage")
}

/// The weights that the program embeds.
pub(crate) fn weights(variant: Variant) -> PathBuf {
    let ending = match variant.family() {
        Family::Tables(_) => "bin",
        Family::Tafl(_) => "txt",
    };
    root().join(format!("crates/search/weights/{}.{ending}", name(variant)))
}

/// The chances of a tafl game, which the program embeds.
pub(crate) fn chances(variant: Variant) -> PathBuf {
    weights(variant).with_extension("chances")
}

/// The games that the chances are fitted to. They are not in the repository.
pub(crate) fn games(variant: Variant, seed: u64) -> PathBuf {
    student(variant, seed).with_extension("games")
}

/// The weights of the pruning network that the program embeds.
pub(crate) fn pruning(variant: Variant) -> PathBuf {
    weights(variant).with_extension("pruning")
}

/// The learning curve, as numbers or as a picture.
pub(crate) fn curve(variant: Variant, opponent: Opponent, ending: &str) -> PathBuf {
    let name = match opponent {
        Opponent::Fixed(_) => name(variant),
        Opponent::Before => format!("{}-against-before", name(variant)),
        Opponent::FirstStage => format!("{}-second-stage", name(variant)),
    };
    root().join(format!("docs/training/{name}.{ending}"))
}

/// The file's bytes; none if there is no such file.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Failure::File { path: path.to_owned(), source }),
    }
}

/// Writes the file next to its place first, so that a kill never leaves half of one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let beside = path.with_extension("new");
    let write = || {
        fs::create_dir_all(path.parent().expect("every file is in a folder"))?;
        fs::write(&beside, bytes)?;
        fs::rename(&beside, path)
    };
    write().map_err(|source| Failure::File { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use lusoria_rules::{Game, Shift};

    use super::*;

    #[test]
    fn an_option_is_in_the_name() {
        assert_eq!(name(Variant::standard(Game::Zeno)), "zeno");
        assert_eq!(name(Variant::Zeno { shift: Shift::Die }), "zeno-shift-die");
        assert_eq!(name(Variant::Scripta { row_a_gate: false }), "scripta-row_a_gate-false");
    }
}
