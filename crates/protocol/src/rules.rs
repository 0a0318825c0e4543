//! The rules without a match.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Die, GameEnd, Notation, Options, Position, Reach, SideName, Step};

/// Asks about a turn, or a part of one, in any position.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"dice": [3, 1, 5], "steps": []})))]
pub struct RulesQuestion {
    /// The game's options.
    #[serde(default)]
    pub options: Options,
    /// The position at the start of the turn; the start of the game if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The dice thrown, in any order; none in tablut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_items = 3))]
    pub dice: Option<Vec<Die>>,
    /// The steps so far.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub steps: Vec<Step>,
    /// The steps so far in notation, instead of `steps`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notation: Option<Notation>,
    /// Whether to list the positions in which the turn can end.
    #[serde(default)]
    pub ends: bool,
}

/// The legal steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RulesAnswer {
    /// The position after the steps so far, the mover still to move.
    pub position: Position,
    /// The legal next steps.
    pub steps: Vec<Step>,
    /// The places that a piece reaches with several dice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<Reach>,
    /// The steps of the whole rest of the turn, if there is no choice, as in `Legal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<Vec<Step>>,
    /// Whether the turn can end as it is.
    pub complete: bool,
    /// The dice not yet played, from the lowest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice_left: Option<Vec<Die>>,
    /// How many dice the turn must play in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice_playable: Option<u8>,
    /// The steps so far in notation.
    pub notation: String,
    /// The positions in which the turn can end, at most 200, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<Vec<Position>>,
    /// Whether there are more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The result of the game, if the turn is complete and ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The board drawn as text, for a terminal.
    pub drawing: String,
}

/// The result of a game by its own rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Outcome {
    /// The winner; absent for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<SideName>,
    /// The winner's score.
    pub points: u8,
    /// The reason.
    pub reason: GameEnd,
}
