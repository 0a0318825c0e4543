//! Why a step is refused, in either family of games.

use crate::{tables, tafl};

/// Why a step is not legal: words for a person, a code and parameters for programs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// In a dice game.
    #[error(transparent)]
    Tables(#[from] tables::Illegal),
    /// In a tafl game.
    #[error(transparent)]
    Tafl(#[from] tafl::Illegal),
}

impl Illegal {
    /// A stable code, in `snake_case`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Tables(illegal) => illegal.code(),
            Self::Tafl(illegal) => illegal.code(),
        }
    }

    /// What the words name, for translations.
    pub fn params(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Tables(illegal) => illegal.params(),
            Self::Tafl(illegal) => illegal.params(),
        }
    }
}

/// Why a text is not the turn, or the part of a turn, that it says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// In a dice game.
    #[error(transparent)]
    Tables(#[from] tables::NotationError),
    /// In a tafl game.
    #[error(transparent)]
    Tafl(#[from] tafl::NotationError),
}
