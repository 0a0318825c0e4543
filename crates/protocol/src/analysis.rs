//! The computer's analysis of a finished match.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{BySeat, Chances, MatchId, Seat, SideName, Step};

/// The progress of an analysis. New states may be added within this version of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnalysisState {
    /// It is being computed or waits: ask again.
    Pending,
    /// It is complete and stored.
    Ready,
}

/// The computer's analysis of a finished match, turn by turn.
///
/// Luck and loss are, in a single game, in chances of winning, with half of the chances of a
/// draw: from −1 to 1. In a series they are in points: a game is worth 1 to its winner and
/// −1 to the other side, in tavla twice that if it counts double.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Analysis {
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// Its progress.
    pub state: AnalysisState,
    /// The number of analysed turns.
    pub done: u32,
    /// The number of turns played.
    pub turns: u32,
    /// The games analysed so far.
    pub games: Vec<AnalysedGame>,
}

/// An analysed game of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AnalysedGame {
    /// The number of the game in the match, from 1.
    pub game: u16,
    /// Its turns, in order.
    pub turns: Vec<AnalysedTurn>,
    /// The throws with which a side could play nothing: without a choice, but with luck.
    pub passes: Vec<AnalysedPass>,
    /// The totals of each seat.
    pub totals: BySeat<AnalysisTotals>,
    /// The part that neither luck nor loss explains, from the view of seat 1: how much the computer changed its
    /// evaluation when it searched deeper or later. The change of seat 1's value from the start of the game to its
    /// end is seat 1's luck less its loss, less seat 2's luck less its loss, plus this. Records of the first servers
    /// do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<f32>,
}

/// An analysed turn. All values are those of the seat that played it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AnalysedTurn {
    /// The number of the event in which it was played.
    pub seq: u32,
    /// The number of the event that gave it.
    pub answers: u32,
    /// The seat that played it.
    pub seat: Seat,
    /// Its side.
    pub side: SideName,
    /// The turn in notation.
    pub notation: String,
    /// The seat's chances before the throw.
    pub before: Chances,
    /// Its chances after the throw; in tablut the same as `before`.
    pub thrown: Chances,
    /// The best turn.
    pub best: BestTurn,
    /// The seat's chances after its turn.
    pub played: Chances,
    /// The luck of the dice.
    pub luck: f32,
    /// The loss of the turn against the best one: 0 or more.
    pub lost: f32,
    /// Whether every way to play it ends in the same position.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
}

/// The best turn with the dice that were thrown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct BestTurn {
    /// The steps, in an order in which they are legal.
    pub steps: Vec<Step>,
    /// The same in notation.
    pub notation: String,
    /// The seat's chances after it.
    pub value: Chances,
}

/// A throw with which nothing could be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AnalysedPass {
    /// The number of the event `passed`.
    pub seq: u32,
    /// The seat that passed.
    pub seat: Seat,
    /// Its side.
    pub side: SideName,
    /// The seat's chances before the throw.
    pub before: Chances,
    /// Its chances after the throw.
    pub thrown: Chances,
    /// The luck of the dice.
    pub luck: f32,
}

/// The totals of a game for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AnalysisTotals {
    /// Its total luck, including throws that it could not play.
    pub luck: f32,
    /// The total loss of its turns.
    pub lost: f32,
    /// The number of its turns.
    pub turns: u32,
    /// The number of them that lost 0.05 or more; in a series, 0.1 points.
    pub mistakes: u32,
}
