//! A player, as lists, events and records name them.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{GuestId, Level, Name, PlayerKind};

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CardPlayer {
    /// Who.
    pub id: GuestId,
    /// Their name when they sat down.
    pub name: String,
    /// A person, a bot or the computer.
    #[serde(default)]
    pub kind: PlayerKind,
    /// How strong the computer plays; only if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

/// Another person or bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OtherPlayer {
    /// Who.
    pub id: GuestId,
    /// What they are called.
    pub name: Name,
    /// A person or a bot.
    pub kind: PlayerKind,
}
