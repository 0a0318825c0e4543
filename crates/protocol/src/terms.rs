//! Who may sit down, and on which side.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who may take seat 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Admission {
    /// Anyone; the match is listed.
    #[default]
    Open,
    /// The first to spend the invitation; the match is not listed.
    Invitation,
    /// The creator takes both seats, for trying out; the match is not listed.
    BothSeats,
}

/// The side that the creator plays in the first game, by its name in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayAs {
    /// Drawn by lot when the first game starts.
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
