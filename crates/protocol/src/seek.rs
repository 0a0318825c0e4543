//! Seeks: finding an opponent; and people whom one does not want to meet.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Clock, Game, Hash, MatchId, OtherPlayer, SeekId};

fn single_game() -> Vec<u16> {
    vec![1]
}

/// Seeks an opponent. You are paired with somebody who seeks what you would play: of several, with the one who waits longest. Of
/// several games, lengths and clocks that both would play, that is taken which the one who waits longer names first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"games": ["zeno", "tavla"], "clocks": [{"kind": "none"}]})))]
pub struct CreateSeek {
    /// The games that you would play, with their own options; each once.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 10))]
    pub games: Vec<Game>,
    /// How long: points to win the match, 1 for a single game; each once. Only 1 if left out. May be empty
    /// beside `pairs`.
    #[serde(default = "single_game")]
    #[cfg_attr(feature = "schema", schema(max_items = 10))]
    pub points: Vec<u16>,
    /// Whether you would play a pair, too: 2 games with the sides exchanged. It comes after `points`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pairs: bool,
    /// The clocks; each once. All by days, or none: the former waits for two weeks, the latter for as long as you
    /// listen to your own topic, and 30 seconds more.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 10))]
    pub clocks: Vec<Clock>,
    /// Whether your opponent may be a bot.
    #[serde(default)]
    pub bots: bool,
    /// Whether the match changes the ratings of both players: then you need an account, and are paired with those
    /// who seek rated matches, too. What is never rated is left out, such as zeno in single games. At first your
    /// ratings may be 100 points apart, and 10 more each second that the first of you waits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Which ratings your opponent may have; any if left out. You need an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingRange>,
    /// The SHA-256 of a seed for the dice, which you reveal in the match. If left out, the server draws one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<Hash>,
}

/// How far an opponent's rating may be from yours in the game and at the pace that is played, in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RatingRange {
    /// At most so much lower.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 4000))]
    pub below: u16,
    /// At most so much higher.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 4000))]
    pub above: u16,
}

/// A seek.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Seek {
    /// Its id.
    pub id: SeekId,
    /// Whose it is; absent if it is yours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<OtherPlayer>,
    /// The games.
    pub games: Vec<Game>,
    /// The lengths.
    pub points: Vec<u16>,
    /// Whether a pair is one of them; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pairs: bool,
    /// The clocks.
    pub clocks: Vec<Clock>,
    /// Whether the opponent may be a bot.
    pub bots: bool,
    /// Whether the match is rated; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Which ratings the opponent may have; absent if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingRange>,
    /// When it was made.
    pub created_at: u64,
    /// When it ends, unless you are heard of before; once it was answered, when it is forgotten.
    pub expires_at: u64,
    /// The match that came of it; absent while it waits.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<MatchId>,
}

/// Seeks, the newest first: yours that wait or were answered in the last hour, or those of others that wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SeekList {
    /// The seeks.
    pub seeks: Vec<Seek>,
}

/// Those whom you have blocked, the latest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct BlockList {
    /// Them.
    pub blocked: Vec<OtherPlayer>,
}
