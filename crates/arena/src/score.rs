//! Results of games, counted.

use serde::Serialize;

use super::EntrantId;

/// Games that were won, drawn and lost.
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
    /// Who.
    pub player: EntrantId,
    /// A stable code.
    pub code: &'static str,
    /// Why, in words, the engine's own among them.
    pub why: String,
}

impl Score {
    /// How many games these are.
    pub const fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// A game with so many points.
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
