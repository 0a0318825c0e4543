//! Ratings of players.

use lusoria_play::UnratedReason;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::BySeat;

/// A rating of a player, in one game at one pace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rating {
    /// How strong the player seems, in points: everybody starts at 1500.
    #[schema(minimum = 0, maximum = 4000)]
    pub points: u16,
    /// How unsure the points are, as their standard deviation.
    #[schema(minimum = 30, maximum = 500)]
    pub deviation: u16,
    /// Whether the rating says little yet: its deviation is 110 or more.
    pub provisional: bool,
}

/// What a rated match did to the rating of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatedSeat {
    /// Which rated match of the player in this game and at this pace it is: 1, 2, 3 … without gaps.
    #[schema(minimum = 1)]
    pub number: u32,
    /// The rating before it.
    pub before: Rating,
    /// The rating after it.
    pub after: Rating,
}

/// What a match did to the ratings of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MatchRatings {
    /// Which constants were used (docs/ratings.md).
    pub constants: u16,
    /// Of each seat.
    pub seats: BySeat<RatedSeat>,
    /// Why the operator took it back; absent if it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_back: Option<UnratedReason>,
}
