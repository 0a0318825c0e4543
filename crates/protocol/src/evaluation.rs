//! Evaluations of positions, and of variations in a finished match.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{BestTurn, Chances, Die, HintedTurn, Options, Outcome, Position, SideName, Step};

/// The most turns that a variation can have.
pub const VARIATION_TURNS_MAX: usize = 40;

/// Asks for the evaluation of a variation: it begins with the position after an event of the match, and continues
/// with turns for both sides, with any dice.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"seq": 4, "turns": [], "dice": [3, 1]})))]
pub struct EvaluationQuestion {
    /// The event after which the variation begins.
    pub seq: u32,
    /// Its turns, in order, alternately of the side to move and the other one.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 40))]
    pub turns: Vec<TriedTurn>,
    /// The next throw of the side to move; left out before the throw, and in tablut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_items = 3))]
    pub dice: Option<Vec<Die>>,
}

/// Asks for the evaluation of any position, and of a variation that begins with it, as [`EvaluationQuestion`] does.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"turns": [], "dice": [3, 1, 5]})))]
pub struct PositionQuestion {
    /// The game's options.
    #[serde(default)]
    pub options: Options,
    /// The position at the start of a turn; the start of the game if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The turns of the variation, in order, alternately of the side to move and the other one.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 40))]
    pub turns: Vec<TriedTurn>,
    /// The next throw of the side to move; left out before the throw, and in tablut.
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
    /// The throw; none in tablut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_items = 3))]
    pub dice: Option<Vec<Die>>,
    /// The steps of the whole turn; none if nothing can be played.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub steps: Vec<Step>,
}

/// The evaluation of a variation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Evaluation {
    /// The position after it.
    pub position: Position,
    /// The side to move; absent if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_play: Option<SideName>,
    /// The chances of that side: before the throw; with dice in the request, after its best turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Chances>,
    /// Its best turns with the dice asked about, the best first, at most 5; in tablut always.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<HintedTurn>,
    /// The result of the game, if the variation ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Its last turn, in the form of an analysis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<EvaluatedTurn>,
}

/// The last turn of a variation. All values are those of the side that played it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct EvaluatedTurn {
    /// The best turn with those dice.
    pub best: BestTurn,
    /// The side's chances after the turn.
    pub played: Chances,
    /// The luck of the dice.
    pub luck: f32,
    /// The loss of the turn against the best one: 0 or more, as in an analysis.
    pub lost: f32,
    /// Whether every way to play it ends in the same position.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
}
