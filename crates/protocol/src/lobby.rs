//! What streams outside of matches carry: the lobby's and a player's own.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::MatchCard;

/// The matches that wait for somebody to join, the newest first; at most 100.
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
    /// The matches in which it is your turn, or a seed of yours is to be revealed.
    pub waiting: Vec<MatchCard>,
    /// The others in which a draw is offered to you or, among your last 100 that are over, another match.
    #[serde(default)]
    pub offered: Vec<MatchCard>,
}
