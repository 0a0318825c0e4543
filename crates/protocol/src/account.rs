//! Accounts: guests who can sign in anywhere.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{DeviceName, Handle, OneTimeCode, PasskeyAnswer, Password};

/// Opens your account. You stay the same person, with all your matches and tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenAccount {
    /// What you will sign in with. Nobody may have it yet, nor one that looks like it.
    pub handle: Handle,
    /// What proves that it is you.
    pub password: Password,
    /// A code from the server's operator, where it takes one to open an account. Hyphens and small letters make
    /// no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign_up_code: Option<OneTimeCode>,
}

/// An account that has just been opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpenedAccount {
    /// What you sign in with.
    pub handle: Handle,
    /// For when the password is lost: each sets a new one, once. They are shown this once: keep them.
    #[schema(min_items = 8, max_items = 8)]
    pub recovery_codes: Vec<OneTimeCode>,
}

/// Your account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Account {
    /// What you sign in with.
    pub handle: Handle,
    /// When it was opened.
    pub created_at: u64,
    /// How many recovery codes are not spent. The operator can add some.
    #[schema(maximum = 16)]
    pub recovery_codes_left: u32,
}

/// Signs in: another token for the guest whose account it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

/// Replaces your password. All your other sessions end. It needs `password` or `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
}

/// Replaces all your recovery codes. It needs `password` or `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecoveryCodes {
    /// Each sets a new password, once.
    #[schema(min_items = 8, max_items = 8)]
    pub recovery_codes: Vec<OneTimeCode>,
}
