//! The computer as a player: its hints.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Level, Step};

/// The kind of a player. New kinds may be added within this version of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// A person.
    #[default]
    Person,
    /// A program.
    Bot,
    /// The server's own player.
    Computer,
}

/// The computer at a level, to play in a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"computer": 3})))]
pub struct Computer {
    /// Its level.
    pub computer: Level,
}

/// Asks for hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct HintQuestion {}

/// The turns that the strongest level would play in your place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Hint {
    /// The number of the event that gave the turn, which `turn` must name.
    pub seq: u32,
    /// The best turns, the best first; at most 5. Turns that end in the same position count
    /// as one.
    pub turns: Vec<HintedTurn>,
}

/// A turn and its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct HintedTurn {
    /// The steps, in an order in which they are legal.
    pub steps: Vec<Step>,
    /// The same in notation.
    pub notation: String,
    /// Your chances after it.
    pub value: Chances,
    /// Its loss against the best of them, 0 or more: in chances of winning, where a draw counts half; in a series in
    /// points, where a won game is worth 1, a lost one −1, a drawn one 0, and in tavla twice that if it counts
    /// double.
    pub lost: f32,
}

/// The computer's estimate of how a game ends: chances from 0 to 1. The rest to 1 is the chance of losing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Chances {
    /// Of winning, double or not.
    pub win: f32,
    /// Of winning double (tavla).
    pub win_double: f32,
    /// Of losing double.
    pub lose_double: f32,
    /// Of a draw.
    pub draw: f32,
}
