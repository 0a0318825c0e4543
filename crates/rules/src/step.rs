//! Steps as people and programs write them: by the names of cells.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a die shows, 1 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Die(u8);

impl Die {
    /// The six values.
    pub const ALL: [Self; 6] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// The die showing `value`; none outside 1 to 6.
    pub const fn new(value: u8) -> Option<Self> {
        match value {
            1..=6 => Some(Self(value)),
            _ => None,
        }
    }

    /// 1 to 6.
    pub const fn value(self) -> u8 {
        self.0
    }
}

/// A die shows 1 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a die shows 1 to 6")]
pub struct NotADie;

impl TryFrom<u8> for Die {
    type Error = NotADie;

    fn try_from(value: u8) -> Result<Self, NotADie> {
        Self::new(value).ok_or(NotADie)
    }
}

impl From<Die> for u8 {
    fn from(die: Die) -> Self {
        die.0
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Die {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(1))
            .maximum(Some(6))
            .description(Some("What a die shows."))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Die {}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One step of a turn: a die played with one piece, or tablut's move.
// It may have any text for its places: the engine says whether it is legal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(example = json!({"die": 3, "from": "supply", "to": "3"})))]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The die played; none in tablut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub die: Option<Die>,
    /// The cell the piece comes from, by the mover's own path, or `supply` or `bar`.
    #[cfg_attr(feature = "schema", schema(max_length = 16, example = "supply"))]
    pub from: String,
    /// The cell it goes to, or `off`.
    #[cfg_attr(feature = "schema", schema(max_length = 16, example = "3"))]
    pub to: String,
}

/// What a step did to the enemy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Played {
    /// The step sent an enemy blot away.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hit: bool,
    /// The step pinned an enemy blot.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pin: bool,
    /// The cells whose pieces were captured, sorted; the king's included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub captures: Vec<String>,
}
