//! A player in lists, events and records.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{GuestId, Level, Name, PlayerKind};

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CardPlayer {
    /// Their id.
    pub id: GuestId,
    /// Their name when they took the seat.
    pub name: String,
    /// A person, a bot or the computer.
    #[serde(default)]
    pub kind: PlayerKind,
    /// The level of the computer; only if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

/// Another person or bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OtherPlayer {
    /// Their id.
    pub id: GuestId,
    /// Their name.
    pub name: Name,
    /// A person or a bot.
    pub kind: PlayerKind,
}
