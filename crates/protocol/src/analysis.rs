//! A match that is over, as the computer sees it afterwards.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{BySeat, Chances, MatchId, Seat, SideName, Step};

/// How far an analysis has come. New states may be added within this version of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnalysisState {
    /// It is being worked out, or waits for that: ask again.
    Pending,
    /// It is there, and stays.
    Ready,
}

/// A match that is over, turn by turn as the computer sees it afterwards.
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
    /// How far it has come.
    pub state: AnalysisState,
    /// How many turns have been looked at.
    pub done: u32,
    /// How many turns were played.
    pub turns: u32,
    /// The games, as far as they have been looked at.
    pub games: Vec<AnalysedGame>,
}

/// A game of a match with hindsight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AnalysedGame {
    /// Which game of the match, from 1.
    pub game: u16,
    /// Its turns, in order.
    pub turns: Vec<AnalysedTurn>,
    /// The throws with which a side could play nothing: nobody chose, but the dice gave.
    pub passes: Vec<AnalysedPass>,
    /// What it comes to for each seat.
    pub totals: BySeat<AnalysisTotals>,
    /// What neither luck nor loss explains, as seat 1 sees it: how far the computer came to think
    /// otherwise of what it had looked at before, the deeper or the later it looked. The way from
    /// the start of the game to its end is seat 1's luck less its loss, less seat 2's luck less its
    /// loss, and this. Records of the first servers do not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<f32>,
}

/// A turn with hindsight. All values are those of the seat that played it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AnalysedTurn {
    /// The number of the event in which it was played.
    pub seq: u32,
    /// The number of the event that gave it.
    pub answers: u32,
    /// Who played it.
    pub seat: Seat,
    /// As which side.
    pub side: SideName,
    /// What was played, as people write it.
    pub notation: String,
    /// What the seat could hope for before it threw.
    pub before: Chances,
    /// What it could hope for once it had thrown; in tablut the same as `before`.
    pub thrown: Chances,
    /// The best turn.
    pub best: BestTurn,
    /// What the seat could hope for after what it played.
    pub played: Chances,
    /// What the dice gave.
    pub luck: f32,
    /// What the turn lost against the best one: 0 or more.
    pub lost: f32,
    /// Whether it ends in the same position however it is played.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
}

/// The best turn with the dice that were thrown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct BestTurn {
    /// The steps, in an order in which they are legal.
    pub steps: Vec<Step>,
    /// The same as people write it.
    pub notation: String,
    /// What the seat could have hoped for after it.
    pub value: Chances,
}

/// A throw with which nothing could be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AnalysedPass {
    /// The number of the event `passed`.
    pub seq: u32,
    /// Who passed.
    pub seat: Seat,
    /// As which side.
    pub side: SideName,
    /// What the seat could hope for before it threw.
    pub before: Chances,
    /// What it could hope for once it had thrown.
    pub thrown: Chances,
    /// What the dice gave.
    pub luck: f32,
}

/// What a game comes to for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AnalysisTotals {
    /// What the dice gave in all, with the throws that it could not play.
    pub luck: f32,
    /// What its turns lost in all.
    pub lost: f32,
    /// How many turns it played.
    pub turns: u32,
    /// How many of them lost 0.05 or more; in a series, 0.1 points.
    pub mistakes: u32,
}
