//! A turn of a match that is over, compared with the best ones by playing them on.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{AnalysisState, Chances, MatchId, Step};

/// A turn of a match that is over, compared with those that look best: each is played on by the computer, for
/// both sides, many times, with the same dice for each, and what the dice gave is taken out as far as the
/// computer sees it.
///
/// Differences are, in a single game, in chances of winning, with half of the chances of a draw: from −1 to 1.
/// In a series they are in points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TurnRollout {
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// The event in which the turn was played.
    pub seq: u32,
    /// How far it has come.
    pub state: AnalysisState,
    /// How many games have been played from each turn that may still be the best.
    pub games: u32,
    /// After how many games from each it ends, if none is surely the best before.
    pub games_max: u32,
    /// Whether the first turn is surely better than all others, or the only one.
    pub sure: bool,
    /// The turns, the best first; none before the first games have been played.
    pub turns: Vec<RolledOutTurn>,
}

/// A turn that was played on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RolledOutTurn {
    /// The steps, in an order in which they are legal.
    pub steps: Vec<Step>,
    /// The same as people write it.
    pub notation: String,
    /// Whether it is the one that was played in the match, or ends as that does.
    pub played: bool,
    /// How many games were played from it: fewer than from others if it was surely worse before.
    pub games: u32,
    /// What the seat can hope for after it, as these games went.
    pub value: Chances,
    /// How much less than the first it is worth: 0 or more.
    pub behind: f32,
    /// The standard error of `behind`: 1.96 times as much to both sides is an interval of 95 %.
    pub behind_error: f32,
}
