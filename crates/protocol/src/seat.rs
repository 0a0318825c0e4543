//! Seats: 1 is the creator's, 2 the joiner's.

use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

/// A seat, 1 or 2: the creator's or the joiner's, whatever sides they play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Seat {
    /// The creator's.
    One,
    /// The joiner's.
    Two,
}

impl Seat {
    /// The opponent's.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }
}

/// Seats are numbered 1 and 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("seats are numbered 1 and 2")]
pub struct InvalidSeat;

impl TryFrom<u8> for Seat {
    type Error = InvalidSeat;

    fn try_from(number: u8) -> Result<Self, InvalidSeat> {
        match number {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            _ => Err(InvalidSeat),
        }
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::One => 1,
            Seat::Two => 2,
        }
    }
}

impl PartialSchema for Seat {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(1))
            .maximum(Some(2))
            .description(Some("A seat: 1 is the creator's, 2 the joiner's, whatever sides they play."))
            .into()
    }
}

impl ToSchema for Seat {}

/// A value for each seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct BySeat<T> {
    /// Seat 1's.
    #[serde(rename = "1")]
    pub one: T,
    /// Seat 2's.
    #[serde(rename = "2")]
    pub two: T,
}

impl<T> BySeat<T> {
    /// What belongs to a seat.
    pub const fn get(&self, seat: Seat) -> &T {
        match seat {
            Seat::One => &self.one,
            Seat::Two => &self.two,
        }
    }
}

/// Something for seat 1, and for seat 2 once it is taken.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct Seated<T> {
    /// Seat 1's.
    #[serde(rename = "1")]
    pub one: T,
    /// Seat 2's; absent while nobody has joined.
    #[serde(rename = "2", default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub two: Option<T>,
}
