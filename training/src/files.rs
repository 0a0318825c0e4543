//! The files of training.

use std::{
    error::Error,
    fs, io,
    path::{Path, PathBuf},
};

use lusoria_rules::{Family, Game};

use crate::curve::Opponent;

/// Why training cannot go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A file could not be read or written.
    #[error("{path}: {source}", path = .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A saved state cannot be used.
    #[error("{path}: {source}; remove it to begin anew", path = .path.display())]
    Kept {
        /// Where.
        path: PathBuf,
        /// Why.
        source: Box<dyn Error>,
    },
    /// A line of the learning curve is not what this program writes.
    #[error("{path}: line {line} is no point of a learning curve", path = .path.display())]
    Curve {
        /// Where.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
    /// The trials of a game have an opponent that cannot be chosen.
    #[error("{game} is tried against the weights chosen by hand: --against is for the games with dice")]
    FixedOpponent {
        /// Which game.
        game: Game,
    },
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package stands in the workspace")
}

/// The saved state from which training goes on. It is not in the repository.
pub(crate) fn student(game: Game, seed: u64) -> PathBuf {
    root().join(format!("target/training/{game}-{seed}.student"))
}

/// The weights that the program embeds.
pub(crate) fn weights(game: Game) -> PathBuf {
    let ending = match game.family() {
        Family::Tables(_) => "bin",
        Family::Tafl(_) => "txt",
    };
    root().join(format!("crates/search/weights/{game}.{ending}"))
}

/// The learning curve, as numbers or as a picture.
pub(crate) fn curve(game: Game, opponent: Opponent, ending: &str) -> PathBuf {
    let name = match opponent {
        Opponent::Fixed(_) => game.to_string(),
        Opponent::Before => format!("{game}-against-before"),
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

/// Writes the file beside its place first, so that a kill never leaves half of one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let beside = path.with_extension("new");
    let write = || {
        fs::create_dir_all(path.parent().expect("every file stands in a folder"))?;
        fs::write(&beside, bytes)?;
        fs::rename(&beside, path)
    };
    write().map_err(|source| Failure::File { path: path.to_owned(), source })
}
