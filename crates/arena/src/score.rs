//! Counts of results.

use serde::Serialize;

use super::EntrantId;

/// Games won, drawn and lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Score {
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
}

/// A game that an outside engine forfeited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Forfeit {
    /// The game, from 1.
    pub game: u32,
    /// The player.
    pub player: EntrantId,
    /// A stable code.
    pub code: &'static str,
    /// The reason in words, partly the engine's own.
    pub why: String,
}

impl Score {
    /// The number of games.
    pub const fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Adds a game with these points.
    pub(super) fn add(&mut self, points: i8) {
        match points.signum() {
            1 => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

impl std::ops::Add for Score {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}
