//! TV: a channel for each game.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Game, MatchCard};

/// The channels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Tv {
    /// One for each game, in the order of the catalogue.
    pub channels: Vec<TvChannel>,
}

/// The channel of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TvChannel {
    /// The game.
    pub game: Game,
    /// Whether the match is in progress. If not, it is the last one that was.
    #[serde(rename = "live")]
    pub is_live: bool,
    /// The match; none if none has been played yet.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub card: Option<Box<MatchCard>>,
}
