//! Levels of the computer.

use std::{fmt, str::FromStr};

/// A level, from 1 for beginners to 5, the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// The five levels, the weakest first.
    pub const ALL: [Self; 5] = [Self(1), Self(2), Self(3), Self(4), Self(5)];
    /// The strongest.
    pub const HIGHEST: Self = Self(5);

    /// 1 to 5.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// There is no such level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no level {0}; the levels are 1 to 5")]
pub struct NoSuchLevel(pub String);

impl TryFrom<u8> for Level {
    type Error = NoSuchLevel;

    fn try_from(number: u8) -> Result<Self, NoSuchLevel> {
        Self::ALL.into_iter().find(|level| level.0 == number).ok_or_else(|| NoSuchLevel(number.to_string()))
    }
}

impl FromStr for Level {
    type Err = NoSuchLevel;

    fn from_str(text: &str) -> Result<Self, NoSuchLevel> {
        Self::ALL
            .into_iter()
            .find(|level| level.to_string() == text)
            .ok_or_else(|| NoSuchLevel(text.to_owned()))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
