//! Who chooses, and the budget that they are given.

use lusoria_rules::{Family, Game};

use crate::{Budget, Level, tafl};

/// A way of choosing turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Player {
    /// One of the five levels that people play against.
    Level(Level),
    /// Any legal step, one after the other: a yardstick.
    Random,
    /// A yardstick that looks at its own turn only: most pieces off, then fewest pips left,
    /// then fewest blots. In a tafl game: the most men more than the other side three plies on.
    Greedy,
}

impl Player {
    /// What the player is given for a turn of that game where there is no hurry: below the
    /// highest level less than a millisecond on average, at the highest six to fifteen, on one core.
    pub const fn budget(self, game: Game) -> Budget {
        match (game.family(), self) {
            (Family::Tafl(_), Self::Level(level)) => {
                Budget { nodes: tafl::NODES[level.number() as usize - 1] }
            }
            (_, Self::Level(Level::HIGHEST)) => Budget { nodes: highest(game) },
            (_, Self::Level(_) | Self::Random | Self::Greedy) => Budget { nodes: 60_000 },
        }
    }

    /// The most that helps the player: about a second a turn at the highest level.
    pub const fn budget_max(self, game: Game) -> Budget {
        match (game.family(), self) {
            (Family::Tafl(_), Self::Level(Level::HIGHEST)) => Budget { nodes: tafl::NODES_MAX },
            (_, Self::Level(Level::HIGHEST)) => Budget { nodes: 700_000 },
            (_, Self::Level(_) | Self::Random | Self::Greedy) => self.budget(game),
        }
    }
}

/// Positions that the highest level values in a turn of a dice game.
const fn highest(game: Game) -> u32 {
    match game {
        // Their replies are pruned: enough to look two plies ahead in tavla, and to compare more turns by every throw.
        Game::Tavla | Game::Scripta => 24_000,
        Game::Tabula => 18_000,
        _ => 12_000,
    }
}
