//! Guests.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{DeviceName, GuestId, Handle, Name, OneTimeCode, PlayerKind, SessionId, Token};

/// Creates a guest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CreateGuest {
    /// The guest's name; a name of antiquity if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// Whether a program plays as this guest. It is shown wherever they play, and is permanent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// The name of this device in the list of your sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
}

/// A guest with a token. The token is shown only once: keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Guest {
    /// The guest's id.
    pub id: GuestId,
    /// The guest's name.
    pub name: Name,
    /// A person or a bot.
    #[serde(default)]
    pub kind: PlayerKind,
    /// Send it as `Authorization: Bearer …`.
    pub token: Token,
}

/// You.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Me {
    /// Your id.
    pub id: GuestId,
    /// Your name.
    pub name: Name,
    /// A person or a bot.
    #[serde(default)]
    pub kind: PlayerKind,
    /// The time at which you were created.
    pub created_at: u64,
    /// Your handle, if you have an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<Handle>,
}

/// Renames you. Matches in which you already have a seat keep the old name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RenameGuest {
    /// Your new name.
    pub name: Name,
}

/// A code that adds another device to your guest: valid once, for ten minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct DeviceCode {
    /// The code.
    pub code: OneTimeCode,
    /// The time at which it expires.
    pub expires_at: u64,
}

/// Spends a device code on the other device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SpendDeviceCode {
    /// The code.
    pub code: OneTimeCode,
    /// The name of this device in the list of your sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
}

/// The origin of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SessionOrigin {
    /// Created together with the guest.
    Guest,
    /// Created with a code from another device, or by signing in to the account: then `signed_in_by` has the way.
    DeviceCode,
}

/// The way in which somebody signed in to their account.
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
    /// Its id, which is not secret.
    pub id: SessionId,
    /// The time of its creation.
    pub created_at: u64,
    /// Its origin.
    pub origin: SessionOrigin,
    /// The way of signing in to the account, if it was by that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_in_by: Option<SignedInBy>,
    /// The name of the device, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
    /// When it was last used, to the hour: it may have been used within the hour after that.
    pub seen_at: u64,
    /// Whether it is the session of this request.
    pub current: bool,
}

/// Your sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SessionList {
    /// The newest first; at most 16.
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub sessions: Vec<Session>,
}
