//! What the computer thinks of turns that could have been played in a match that is over.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{BestTurn, Chances, Die, HintedTurn, Outcome, Position, SideName, Step};

/// The most turns that a variation can have.
pub const VARIATION_TURNS_MAX: usize = 40;

/// Asks what the computer thinks of a variation: it begins with what stood on the board after an event
/// of the match, and goes on with turns for both sides, with any dice.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"seq": 4, "turns": [], "dice": [3, 1]})))]
pub struct EvaluationQuestion {
    /// The event after which the variation begins.
    pub seq: u32,
    /// Its turns, in order, by turns for the side to move and the other one.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 40))]
    pub turns: Vec<TriedTurn>,
    /// What the side to move then throws; left out before the throw, and in tablut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_items = 3))]
    pub dice: Option<Vec<Die>>,
}

/// A turn of a variation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    schema(example = json!({"dice": [3, 1], "steps": [{"die": 3, "from": "8", "to": "5"}]}))
)]
pub struct TriedTurn {
    /// What is thrown; none in tablut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_items = 3))]
    pub dice: Option<Vec<Die>>,
    /// The steps of the whole turn; none if nothing can be played.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub steps: Vec<Step>,
}

/// What the computer thinks of a variation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Evaluation {
    /// The position after it.
    pub position: Position,
    /// The side to move; absent if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_play: Option<SideName>,
    /// What that side can hope for: before it throws, with the dice asked about after its best turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Chances>,
    /// Its best turns with the dice asked about, the best first, at most 5; in tablut always.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<HintedTurn>,
    /// How the variation ends the game, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Its last turn, as an analysis judges turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<EvaluatedTurn>,
}

/// The last turn of a variation. All values are those of the side that played it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct EvaluatedTurn {
    /// The best turn with those dice.
    pub best: BestTurn,
    /// What the side can hope for after what was played.
    pub played: Chances,
    /// What the dice gave.
    pub luck: f32,
    /// What the turn loses against the best one: 0 or more, as in an analysis.
    pub lost: f32,
    /// Whether it ends in the same position however it is played.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
}
