//! A rollout: a turn of a finished match, compared with the best ones by playing on.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{AnalysisState, Chances, MatchId, Step};

/// A turn of a finished match, compared with those that look best: the computer plays on many times after each, for
/// both sides, with the same dice for each, and removes the luck as far as it can estimate it.
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
    /// Its progress.
    pub state: AnalysisState,
    /// The number of games played from each turn that may still be the best.
    pub games: u32,
    /// The number of games from each after which it ends, unless one is surely the best before.
    pub games_max: u32,
    /// Whether the first turn is surely better than all others, or the only one.
    pub sure: bool,
    /// The turns, the best first; none before the first games have been played.
    pub turns: Vec<RolledOutTurn>,
}

/// A turn of a rollout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RolledOutTurn {
    /// The steps, in an order in which they are legal.
    pub steps: Vec<Step>,
    /// The same in notation.
    pub notation: String,
    /// Whether it is the turn of the match, or ends in the same position.
    pub played: bool,
    /// The number of games played from it: fewer than from others if it was surely worse.
    pub games: u32,
    /// The seat's chances after it in these games.
    pub value: Chances,
    /// Its loss against the first: 0 or more.
    pub behind: f32,
    /// The standard error of `behind`: 1.96 times as much to both sides is an interval of 95 %.
    pub behind_error: f32,
}
