//! Seeks: finding an opponent; and blocked people.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Clock, Game, Hash, MatchId, OtherPlayer, SeekId};

fn single_game() -> Vec<u16> {
    vec![1]
}

/// Seeks an opponent. You are paired with the oldest open seek that fits yours. If several games, lengths or clocks
/// fit both, the first one in the older seek is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"games": ["zeno", "tavla"], "clocks": [{"kind": "none"}]})))]
pub struct CreateSeek {
    /// The games, with their own options; each once.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 10))]
    pub games: Vec<Game>,
    /// The lengths: points to win the match, 1 for a single game; each once. Only 1 if left out. May be empty beside
    /// `pairs`.
    #[serde(default = "single_game")]
    #[cfg_attr(feature = "schema", schema(max_items = 10))]
    pub points: Vec<u16>,
    /// Whether you accept a pair, too: 2 games with the sides exchanged. It comes after `points`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pairs: bool,
    /// The clocks; each once. All for correspondence, or all for live matches: the former seek is open for two weeks,
    /// the latter for as long as you listen to your own topic, and 30 seconds more.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 10))]
    pub clocks: Vec<Clock>,
    /// Whether your opponent may be a bot.
    #[serde(default)]
    pub bots: bool,
    /// Whether the match changes the ratings of both players: then you need an account, and are paired only with
    /// other rated seeks. Matches that are never rated, such as single games of zeno, are left out. At first your
    /// ratings may differ by 100 points, and by 10 more for each second that the older seek waits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The range of your opponent's rating; any if left out. You need an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingRange>,
    /// The SHA-256 of a seed for the dice, which you reveal in the match. If left out, the server draws one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<Hash>,
}

/// The difference between an opponent's rating and yours in the game and at the pace of the match, in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RatingRange {
    /// The most by which it may be lower.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 4000))]
    pub below: u16,
    /// The most by which it may be higher.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 4000))]
    pub above: u16,
}

/// A seek.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Seek {
    /// Its id.
    pub id: SeekId,
    /// Its player; absent if it is yours.
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
    /// The range of the opponent's rating; absent if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingRange>,
    /// The time of its creation.
    pub created_at: u64,
    /// The time at which it expires, unless you renew it; after it was answered, the time at which it is deleted.
    pub expires_at: u64,
    /// The resulting match; absent while it is open.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<MatchId>,
}

/// Seeks, the newest first: yours that are open or were answered in the last hour, or open ones of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SeekList {
    /// The seeks.
    pub seeks: Vec<Seek>,
}

/// The people you blocked, the latest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct BlockList {
    /// The players.
    pub blocked: Vec<OtherPlayer>,
}
