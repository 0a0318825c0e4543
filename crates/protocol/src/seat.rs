//! Values for seats: 1 is the creator's, 2 the joiner's.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::Seat;

/// A value for each seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct BySeat<T> {
    /// Seat 1's.
    #[serde(rename = "1")]
    pub one: T,
    /// Seat 2's.
    #[serde(rename = "2")]
    pub two: T,
}

impl<T> BySeat<T> {
    /// The value of a seat.
    pub const fn get(&self, seat: Seat) -> &T {
        match seat {
            Seat::One => &self.one,
            Seat::Two => &self.two,
        }
    }
}

/// A value for seat 1, and for seat 2 once it is taken.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Seated<T> {
    /// Seat 1's.
    #[serde(rename = "1")]
    pub one: T,
    /// Seat 2's; absent while nobody has joined.
    #[serde(rename = "2", default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub two: Option<T>,
}
