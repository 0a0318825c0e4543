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
    /// How strong the player seems, in points: everybody starts at 1500.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 4000))]
    pub points: u16,
    /// How unsure the points are, as their standard deviation.
    #[cfg_attr(feature = "schema", schema(minimum = 30, maximum = 500))]
    pub deviation: u16,
    /// Whether the rating says little yet: its deviation is 110 or more.
    pub provisional: bool,
}

/// What a rated match did to the rating of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatedSeat {
    /// Which rated match of the player in this game and at this pace it is: 1, 2, 3 … without gaps.
    #[cfg_attr(feature = "schema", schema(minimum = 1))]
    pub number: u32,
    /// The rating before it.
    pub before: Rating,
    /// The rating after it.
    pub after: Rating,
}

/// What a match did to the ratings of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct MatchRatings {
    /// Which constants were used (docs/ratings.md).
    pub constants: u16,
    /// Of each seat.
    pub seats: BySeat<RatedSeat>,
    /// Why the operator took it back; absent if it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_back: Option<UnratedReason>,
}

/// A rating of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PlayerRating {
    /// Of which game.
    pub game: Game,
    /// Of matches in one go, or by days.
    pub pace: Pace,
    /// The rating.
    pub rating: Rating,
    /// How many rated matches it rests on.
    pub matches: u32,
    /// When the last of them ended.
    pub played_at: u64,
}

/// How a player's rating has changed: a page, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatingCurve {
    /// What it is now; before the first rated match, what everybody begins with.
    pub rating: Rating,
    /// What it was after each rated match.
    pub changes: Vec<RatedMatch>,
    /// Where the next page begins: `after` of the next request. Left out on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
}

/// What a rated match was for the rating of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatedMatch {
    /// Which rated match of the player in this game and at this pace it was: 1 is the first. Those that were taken back are
    /// left out.
    pub number: u32,
    /// The match; left out if it is in no list.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, format = "uuid"))]
    pub id: Option<MatchId>,
    /// When it ended.
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
    /// In one go, or by days.
    pub pace: Pace,
    /// The highest first.
    pub places: Vec<LeaderboardPlace>,
}

/// A place on a leaderboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct LeaderboardPlace {
    /// 1 for the first; players with the same points, as they are shown, have the same.
    pub rank: u32,
    /// What they sign in with; it is in the address of their page.
    pub handle: Handle,
    /// Who.
    pub id: GuestId,
    /// What they are called now.
    pub name: Name,
    /// Their rating.
    pub rating: Rating,
    /// How many rated matches it rests on.
    pub matches: u32,
    /// When the last of them ended.
    pub played_at: u64,
}
