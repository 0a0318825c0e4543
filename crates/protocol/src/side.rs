//! The sides of the games.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// A side by its name in the game: `white` and `black`, in tafl games `defenders` (the
/// king's) and `attackers`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// White, in the dice games.
    White,
    /// Black, in the dice games.
    Black,
    /// In a tafl game: the king's side.
    Defenders,
    /// In a tafl game: the side that besieges the king.
    Attackers,
}

/// The side that the creator plays in the first game, by its name in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlayAs {
    /// Drawn at random when the first game starts.
    #[default]
    Lot,
    /// White, in the dice games.
    White,
    /// Black, in the dice games.
    Black,
    /// In a tafl game: the king's side.
    Defenders,
    /// In a tafl game: the side that besieges the king.
    Attackers,
}
