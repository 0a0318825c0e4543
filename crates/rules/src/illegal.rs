//! Reasons why a step is refused, in both families of games.

use crate::{tables, tafl};

/// The reason that a step is illegal: words for people, a code and parameters for programs.
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

    /// The values in the words, by name, for translations.
    pub fn params(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Tables(illegal) => illegal.params(),
            Self::Tafl(illegal) => illegal.params(),
        }
    }
}

/// The reason that a text is not a legal turn or part of a turn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// In a dice game.
    #[error(transparent)]
    Tables(#[from] tables::NotationError),
    /// In a tafl game.
    #[error(transparent)]
    Tafl(#[from] tafl::NotationError),
}
