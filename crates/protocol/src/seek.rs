//! Seeks: finding an opponent; and people whom one does not want to meet.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Clock, Game, Hash, MatchId, OtherPlayer, SeekId};

fn single_game() -> Vec<u16> {
    vec![1]
}

/// Seeks an opponent. You are paired with somebody who seeks what you would play: of several, with the one who waits longest. Of
/// several games, lengths and clocks that both would play, that is taken which the one who waits longer names first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"games": ["zeno", "tavla"], "clocks": [{"kind": "none"}]}))]
pub struct CreateSeek {
    /// The games that you would play, with their own options; each once.
    #[schema(min_items = 1, max_items = 10)]
    pub games: Vec<Game>,
    /// How long: points to win the match, 1 for a single game; each once. Only 1 if left out.
    #[serde(default = "single_game")]
    #[schema(min_items = 1, max_items = 10)]
    pub points: Vec<u16>,
    /// The clocks; each once. All by days, or none: the former waits for two weeks, the latter for as long as you
    /// listen to your own topic, and 30 seconds more.
    #[schema(min_items = 1, max_items = 10)]
    pub clocks: Vec<Clock>,
    /// Whether your opponent may be a bot.
    #[serde(default)]
    pub bots: bool,
    /// The SHA-256 of a seed for the dice, which you reveal in the match. If left out, the server draws one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<Hash>,
}

/// A seek of yours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seek {
    /// Its id.
    pub id: SeekId,
    /// The games.
    pub games: Vec<Game>,
    /// The lengths.
    pub points: Vec<u16>,
    /// The clocks.
    pub clocks: Vec<Clock>,
    /// Whether the opponent may be a bot.
    pub bots: bool,
    /// When it was made.
    pub created_at: u64,
    /// When it ends, unless you are heard of before; once it was answered, when it is forgotten.
    pub expires_at: u64,
    /// The match that came of it; absent while it waits.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<MatchId>,
}

/// Your seeks, the newest first: those that wait, and those that were answered in the last hour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeekList {
    /// The seeks.
    pub seeks: Vec<Seek>,
}

/// Those whom you have blocked, the latest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BlockList {
    /// Them.
    pub blocked: Vec<OtherPlayer>,
}
