//! Players, and their budgets.

use lusoria_rules::{Family, Game};

use crate::{Budget, Level, tafl};

/// A way of choosing turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Player {
    /// One of the five levels that people play against.
    Level(Level),
    /// Plays any legal step: a yardstick.
    Random,
    /// A yardstick that considers only its own turn: most pieces off, then fewest pips left, then fewest
    /// blots. In a tafl game: the greatest lead in men three plies ahead.
    Greedy,
}

impl Player {
    /// The player's usual budget for a turn of that game: below the highest level less than a millisecond on
    /// average, at the highest six to fifteen, on one core.
    pub const fn budget(self, game: Game) -> Budget {
        match (game.family(), self) {
            (Family::Tafl(_), Self::Level(level)) => {
                Budget { nodes: tafl::NODES[level.number() as usize - 1] }
            }
            (_, Self::Level(Level::HIGHEST)) => Budget { nodes: highest(game) },
            (_, Self::Level(_) | Self::Random | Self::Greedy) => Budget { nodes: 60_000 },
        }
    }

    /// The largest budget that makes the player stronger: about a second a turn at the highest level.
    pub const fn budget_max(self, game: Game) -> Budget {
        match (game.family(), self) {
            (Family::Tafl(_), Self::Level(Level::HIGHEST)) => Budget { nodes: tafl::NODES_MAX },
            (_, Self::Level(Level::HIGHEST)) => Budget { nodes: 700_000 },
            (_, Self::Level(_) | Self::Random | Self::Greedy) => self.budget(game),
        }
    }
}

/// How many positions the highest level evaluates in a turn of a dice game.
const fn highest(game: Game) -> u32 {
    match game {
        // Their replies are pruned: enough to look two plies ahead in tavla, and to compare more turns over
        // every throw.
        Game::Tavla | Game::Scripta => 24_000,
        Game::Tabula => 18_000,
        _ => 12_000,
    }
}
