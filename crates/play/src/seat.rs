//! Players, and the two seats of a match.

use serde::{Deserialize, Serialize};

use crate::{PlayerId, PlayerKind};

/// A player as the match knows them, with the name that they had when they took the seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Their id.
    pub id: PlayerId,
    /// Their name when they took the seat.
    pub name: String,
    /// Their kind.
    #[serde(default, skip_serializing_if = "PlayerKind::is_person")]
    pub kind: PlayerKind,
}

/// Seat 1 is the creator's, seat 2 the joiner's, whatever colours they play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Seat {
    /// The creator's.
    One,
    /// The joiner's.
    Two,
}

impl Seat {
    /// Both seats, the creator's first.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The other seat.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// 1 or 2.
    pub const fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

/// Seats are numbered 1 and 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("seats are numbered 1 and 2, not {0}")]
pub struct NoSuchSeat(u8);

impl TryFrom<u8> for Seat {
    type Error = NoSuchSeat;

    fn try_from(number: u8) -> Result<Self, NoSuchSeat> {
        match number {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            other => Err(NoSuchSeat(other)),
        }
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.number()
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Seat {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(1))
            .maximum(Some(2))
            .description(Some("A seat: 1 is the creator's, 2 the joiner's, whatever sides they play."))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Seat {}

/// A value for each seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct BySeat<T>(
    /// Seat 1's.
    pub T,
    /// Seat 2's.
    pub T,
);

impl<T> BySeat<T> {
    /// The value of that seat.
    pub const fn get(&self, seat: Seat) -> &T {
        match seat {
            Seat::One => &self.0,
            Seat::Two => &self.1,
        }
    }

    /// The value of that seat, to change.
    pub const fn get_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::One => &mut self.0,
            Seat::Two => &mut self.1,
        }
    }
}
