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
    /// What you will sign in with. Nobody may have it yet, nor one that looks like it.
    pub handle: Handle,
    /// What proves that it is you.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// A first passkey: with it or in place of a password you sign in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<NewPasskey>,
    /// A code from the server's operator, where it takes one to open an account. Hyphens and small letters make
    /// no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign_up_code: Option<OneTimeCode>,
}

/// An account that has just been opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OpenedAccount {
    /// What you sign in with.
    pub handle: Handle,
    /// For when the password is lost: each sets a new one, once. They are shown this once: keep them.
    #[cfg_attr(feature = "schema", schema(min_items = 8, max_items = 8))]
    pub recovery_codes: Vec<OneTimeCode>,
}

/// Your account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Account {
    /// What you sign in with.
    pub handle: Handle,
    /// When it was opened.
    pub created_at: u64,
    /// How many recovery codes are not spent. The operator can add some.
    #[cfg_attr(feature = "schema", schema(maximum = 16))]
    pub recovery_codes_left: u32,
    /// Whether you can sign in with a password.
    pub has_password: bool,
    /// With how many passkeys you can sign in.
    #[cfg_attr(feature = "schema", schema(maximum = 10))]
    pub passkeys: u32,
}

/// Signs in: another token for the guest whose account it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// Whose account.
    pub handle: Handle,
    /// Its password.
    pub password: Password,
    /// What this device is called in the list of your sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
}

/// Sets a new password with a recovery code, and signs in. All other sessions end, all API tokens are
/// revoked, and all passkeys are removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// Whose account.
    pub handle: Handle,
    /// One of its recovery codes. Hyphens and small letters make no difference.
    pub code: OneTimeCode,
    /// The password from now on.
    pub new_password: Password,
    /// What this device is called in the list of your sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
}

/// Replaces your password, or sets one where there is none. All your other sessions end. It needs `password` or
/// `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ChangePassword {
    /// The password until now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// In place of the password, one of your passkeys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
    /// The password from now on.
    pub new_password: Password,
    /// Whether your API tokens are revoked, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub revoke_api_tokens: bool,
    /// Whether your passkeys are removed, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remove_passkeys: bool,
}

/// What else signs in or acts for you, after your password has changed: it was good before, and still is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ChangedPassword {
    /// How many passkeys.
    pub passkeys: u32,
    /// How many API tokens.
    pub api_tokens: u32,
}

/// Removes your password: you sign in with your passkeys alone. All your other sessions end. It needs `password` or
/// `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RemovePassword {
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// In place of the password, one of your passkeys.
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
    /// In place of the password, one of your passkeys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// Erases your account and what is stored of you. It needs `password` or `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct EraseAccount {
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// In place of the password, one of your passkeys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// Recovery codes. They are shown this once: keep them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RecoveryCodes {
    /// Each sets a new password, once.
    #[cfg_attr(feature = "schema", schema(min_items = 8, max_items = 8))]
    pub recovery_codes: Vec<OneTimeCode>,
}

/// Makes the matches of another guest yours, who has no account: you, on another device. Their sessions end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Adopt {
    /// The token of one of their sessions.
    pub token: Token,
}

/// A guest who has been adopted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Adopted {
    /// Who it was.
    pub id: GuestId,
    /// How many of their matches have become yours by now.
    pub matches: u64,
    /// Whether that is all of them. Otherwise the rest follows by itself.
    pub complete: bool,
}
