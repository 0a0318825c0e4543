//! Kinds of players: person, bot, computer.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Player, PlayerId};

/// The kind of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// A person.
    #[default]
    Person,
    /// Somebody's program that plays as a guest.
    Bot,
    /// The server's own player, at one of its strengths.
    Computer(Level),
}

/// How strong the computer plays: 1 for a beginner's strength to 5 for the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "u8")]
pub struct Level(u8);

impl PlayerKind {
    /// Whether it is a person.
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }

    /// The computer's level; none if it is not the computer.
    pub const fn level(self) -> Option<Level> {
        match self {
            Self::Computer(level) => Some(level),
            Self::Person | Self::Bot => None,
        }
    }
}

impl Level {
    /// The five levels, the weakest first.
    pub const ALL: [Self; 5] = [Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// 1 to 5.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The level of a computer player; none for others.
    pub fn of(player: PlayerId) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.player_id() == player)
    }

    /// The player id of this level, the same on every server.
    pub const fn player_id(self) -> PlayerId {
        // A UUID of version 7 with time 0: no guest ever gets one like it.
        PlayerId(Uuid::from_u128(0x7000_8000_0000_0000_0000 | self.0 as u128))
    }
}

impl Player {
    /// The computer at that level.
    pub fn computer(level: Level) -> Self {
        Self {
            id: level.player_id(),
            name: format!("Computer {}", level.number()),
            kind: PlayerKind::Computer(level),
        }
    }
}

/// There is no such level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the levels are 1 to 5, not {0}")]
pub struct NoSuchLevel(pub i64);

impl TryFrom<i64> for Level {
    type Error = NoSuchLevel;

    fn try_from(number: i64) -> Result<Self, NoSuchLevel> {
        Self::ALL.into_iter().find(|level| i64::from(level.0) == number).ok_or(NoSuchLevel(number))
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level.0
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Level {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(1))
            .maximum(Some(5))
            .description(Some("A strength of the computer: 1 for a beginner's to 5 for the most."))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Level {}
