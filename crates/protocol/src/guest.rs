//! Guests: who plays.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{DeviceName, GuestId, Handle, Name, OneTimeCode, PlayerKind, SessionId, Token};

/// Makes a guest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CreateGuest {
    /// What the guest is called; "Guest" and a number if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// Whether a program plays as this guest. It is shown wherever they play, and stays so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// What this device is called in the list of your sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
}

/// A guest with a token. The token is shown this once: keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
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
    /// What you sign in with, if you have an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<Handle>,
}

/// Renames you. Matches that you sat down to before keep the name you had then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RenameGuest {
    /// What you want to be called.
    pub name: Name,
}

/// A code that makes another device yours: good once, for ten minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct DeviceCode {
    /// The code.
    pub code: OneTimeCode,
    /// When it is no longer good.
    pub expires_at: u64,
}

/// Spends such a code on the other device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SpendDeviceCode {
    /// The code.
    pub code: OneTimeCode,
    /// What this device is called in the list of your sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
}

/// How a session came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SessionOrigin {
    /// Together with the guest.
    Guest,
    /// By a code from another device, or by signing in to the account: then `signed_in_by` says how.
    DeviceCode,
}

/// How somebody signed in to their account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SignedInBy {
    /// With its password.
    Password,
    /// With a recovery code.
    RecoveryCode,
    /// With a passkey.
    Passkey,
}

/// A session: a token of yours, one for each device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Session {
    /// Which. It is no secret, and opens nothing.
    pub id: SessionId,
    /// When it began.
    pub created_at: u64,
    /// How it came about.
    pub origin: SessionOrigin,
    /// How it was signed in to the account, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_in_by: Option<SignedInBy>,
    /// What the device is called, if it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
    /// When it was last used, to the hour: it may have been used within the hour after that.
    pub seen_at: u64,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// Your sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SessionList {
    /// The newest first; there are 16 at most.
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub sessions: Vec<Session>,
}
