//! Turns.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Die, Position, SideName, Step};

/// Plays a whole turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayTurn {
    /// The number of the event that gave the turn: `to_play.seq` of the snapshot.
    #[cfg_attr(feature = "schema", schema(minimum = 1, example = 4))]
    pub seq: u32,
    /// The steps, in order.
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub steps: Vec<Step>,
}

/// Shows others the turn being built. It has no effect until it is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Building {
    /// The number of the event that gave the turn.
    #[cfg_attr(feature = "schema", schema(minimum = 1, example = 4))]
    pub seq: u32,
    /// The steps so far.
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub steps: Vec<Step>,
}

/// Asks for the legal next steps of the present turn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LegalQuestion {
    /// The steps so far.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub steps: Vec<Step>,
}

/// A place that a piece reaches with two or more dice, played one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Reach {
    /// The place of the piece now, as in a step.
    pub from: String,
    /// The place that it reaches, as in a step.
    pub to: String,
    /// The steps, legal in this order. Of several orders of the same dice, the one that hits the fewest pieces on the
    /// way, and then the one that plays lower dice first.
    pub steps: Vec<Step>,
}

/// The legal next steps of the present turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Legal {
    /// The number of the event that gave the turn, which `turn` must name.
    pub seq: u32,
    /// The side to play.
    pub to_play: SideName,
    /// The dice not yet played, from the lowest. Not all of them need be playable.
    pub dice_left: Vec<Die>,
    /// Whether the turn can be played as it is.
    pub complete: bool,
    /// The legal next steps.
    pub steps: Vec<Step>,
    /// The places that a piece reaches with several dice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<Reach>,
    /// The steps of the whole rest of the turn, if every way to play it ends in the same position; absent if there is
    /// a choice, if nothing is left to play, and in the rare case that it would take long to compute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<Vec<Step>>,
    /// The position after the steps so far.
    pub position: Position,
    /// The steps so far in notation.
    pub notation: String,
}
