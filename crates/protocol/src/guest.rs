//! Guests: who plays.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{GuestId, Name, OneTimeCode, PlayerKind, Token};

/// Makes a guest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateGuest {
    /// What the guest is called; "Guest" and a number if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// Whether a program plays as this guest. It is shown wherever he plays, and stays so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
}

/// A guest with a token. The token is shown this once: keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Guest {
    /// Who.
    pub id: GuestId,
    /// What the guest is called.
    pub name: Name,
    /// A person or a bot.
    #[serde(default)]
    pub kind: PlayerKind,
    /// Send it as `Authorization: Bearer …`.
    pub token: Token,
}

/// Who you are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// Who.
    pub id: GuestId,
    /// What you are called.
    pub name: Name,
    /// A person or a bot.
    #[serde(default)]
    pub kind: PlayerKind,
    /// When you came.
    pub created_at: u64,
}

/// Renames you. Matches that you sat down to before keep the name you had then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameGuest {
    /// What you want to be called.
    pub name: Name,
}

/// A code that makes another device yours: good once, for ten minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeviceCode {
    /// The code.
    pub code: OneTimeCode,
    /// When it is no longer good.
    pub expires_at: u64,
}

/// Spends such a code on the other device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpendDeviceCode {
    /// The code.
    pub code: OneTimeCode,
}
