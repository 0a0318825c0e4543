//! The lobby, and a player's own topic.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::MatchCard;

/// The matches that wait for an opponent, the newest first; at most 100.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OpenMatches {
    /// The matches.
    pub open: Vec<MatchCard>,
}

/// The matches that wait for you.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Waiting {
    /// The matches in which it is your turn, or you must reveal a seed.
    pub waiting: Vec<MatchCard>,
    /// The others in which you are offered a draw or, among your last 100 finished ones, a rematch.
    #[serde(default)]
    pub offered: Vec<MatchCard>,
}
