//! Ratings of players.

use lusoria_play::{MatchId, Pace, UnratedReason};
use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{BySeat, Game, GuestId, Handle, Name};

/// A rating of a player, in one game at one pace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Rating {
    /// The estimated strength, in points: everybody starts at 1500.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 4000))]
    pub points: u16,
    /// The uncertainty of the points, as their standard deviation.
    #[cfg_attr(feature = "schema", schema(minimum = 30, maximum = 500))]
    pub deviation: u16,
    /// Whether the rating is still provisional: its deviation is 110 or more.
    pub provisional: bool,
}

/// The change of a seat's rating by a rated match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatedSeat {
    /// The number of the player's rated match in this game and at this pace: 1, 2, 3 … without gaps.
    #[cfg_attr(feature = "schema", schema(minimum = 1))]
    pub number: u32,
    /// The rating before it.
    pub before: Rating,
    /// The rating after it.
    pub after: Rating,
}

/// The changes of the players' ratings by a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct MatchRatings {
    /// The version of the constants (docs/ratings.md).
    pub constants: u16,
    /// The change of each seat.
    pub seats: BySeat<RatedSeat>,
    /// The reason why the operator revoked it; absent if it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_back: Option<UnratedReason>,
}

/// A rating of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PlayerRating {
    /// The game.
    pub game: Game,
    /// The pace: live or correspondence.
    pub pace: Pace,
    /// The rating.
    pub rating: Rating,
    /// The number of rated matches behind it.
    pub matches: u32,
    /// The end of the last of them.
    pub played_at: u64,
}

/// The changes of a player's rating: a page, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatingCurve {
    /// The present rating; before the first rated match, the initial one.
    pub rating: Rating,
    /// The rating after each rated match.
    pub changes: Vec<RatedMatch>,
    /// The beginning of the next page: `after` of the next request. Left out on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
}

/// A change of a player's rating by a rated match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatedMatch {
    /// The number of the player's rated match in this game and at this pace, from 1. Revoked ones are left out.
    pub number: u32,
    /// The match; left out if it is not listed.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, format = "uuid"))]
    pub id: Option<MatchId>,
    /// The time of its end.
    pub at: u64,
    /// The rating before.
    pub before: Rating,
    /// The rating after.
    pub after: Rating,
}

/// The best players of a game at a pace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Leaderboard {
    /// The game.
    pub game: Game,
    /// The pace: live or correspondence.
    pub pace: Pace,
    /// The highest first.
    pub places: Vec<LeaderboardPlace>,
}

/// A place on a leaderboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct LeaderboardPlace {
    /// 1 for the first; players with the same points, as shown, share a place.
    pub rank: u32,
    /// Their handle; it is in the address of their page.
    pub handle: Handle,
    /// Their id.
    pub id: GuestId,
    /// Their name now.
    pub name: Name,
    /// Their rating.
    pub rating: Rating,
    /// The number of rated matches behind it.
    pub matches: u32,
    /// The end of the last of them.
    pub played_at: u64,
}
