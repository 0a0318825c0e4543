//! Accounts: guests who can sign in anywhere.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{DeviceName, GuestId, Handle, NewPasskey, OneTimeCode, PasskeyAnswer, Password, Token};

/// Opens your account. You stay the same person, with all your matches and tokens. It needs `password`, `passkey` or
/// both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenAccount {
    /// Your handle, with which you sign in. It must differ clearly from all other handles.
    pub handle: Handle,
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// A first passkey, to sign in with, beside a password or instead of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<NewPasskey>,
    /// A sign-up code from the server's operator, where one is required. Hyphens and case are ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign_up_code: Option<OneTimeCode>,
}

/// A newly opened account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OpenedAccount {
    /// Your handle, with which you sign in.
    pub handle: Handle,
    /// Each sets a new password once, if you have lost yours. They are shown only once: keep them.
    #[cfg_attr(feature = "schema", schema(min_items = 8, max_items = 8))]
    pub recovery_codes: Vec<OneTimeCode>,
}

/// Your account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Account {
    /// Your handle, with which you sign in.
    pub handle: Handle,
    /// When it was opened.
    pub created_at: u64,
    /// The number of unused recovery codes. The operator can add some.
    #[cfg_attr(feature = "schema", schema(maximum = 16))]
    pub recovery_codes_left: u32,
    /// Whether you can sign in with a password.
    pub has_password: bool,
    /// The number of your passkeys.
    #[cfg_attr(feature = "schema", schema(maximum = 10))]
    pub passkeys: u32,
}

/// Signs in: creates another token for the guest whose account it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The handle of the account.
    pub handle: Handle,
    /// Its password.
    pub password: Password,
    /// The name of this device in the list of your sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
}

/// Sets a new password with a recovery code, and signs in. All other sessions end, all API tokens are
/// revoked, and all passkeys are removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// The handle of the account.
    pub handle: Handle,
    /// One of its recovery codes. Hyphens and case are ignored.
    pub code: OneTimeCode,
    /// The new password.
    pub new_password: Password,
    /// The name of this device in the list of your sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
}

/// Replaces your password, or sets one where there is none. All your other sessions end. It needs `password` or
/// `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ChangePassword {
    /// The present password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// One of your passkeys, instead of the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
    /// The new password.
    pub new_password: Password,
    /// Whether your API tokens are revoked, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub revoke_api_tokens: bool,
    /// Whether your passkeys are removed, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remove_passkeys: bool,
}

/// The passkeys and API tokens that stay valid after your password has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ChangedPassword {
    /// The number of passkeys.
    pub passkeys: u32,
    /// The number of API tokens.
    pub api_tokens: u32,
}

/// Removes your password: you sign in with your passkeys only. All your other sessions end. It needs `password` or
/// `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RemovePassword {
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// One of your passkeys, instead of the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// Replaces all your recovery codes. It needs `password` or `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewRecoveryCodes {
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// One of your passkeys, instead of the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// Erases your account and the data stored about you. It needs `password` or `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct EraseAccount {
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// One of your passkeys, instead of the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// Recovery codes. They are shown only once: keep them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RecoveryCodes {
    /// Each sets a new password, once.
    #[cfg_attr(feature = "schema", schema(min_items = 8, max_items = 8))]
    pub recovery_codes: Vec<OneTimeCode>,
}

/// Moves the matches of another guest without an account to yours: for a person who played on another device. That
/// guest's sessions end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Adopt {
    /// The token of one of their sessions.
    pub token: Token,
}

/// An adopted guest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Adopted {
    /// The adopted guest.
    pub id: GuestId,
    /// The number of their matches that are yours by now.
    pub matches: u64,
    /// Whether all of them are. Otherwise the server moves the others later.
    pub complete: bool,
}
