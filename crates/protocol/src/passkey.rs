//! Passkeys: keys with which people sign in in place of a password.
//!
//! Bytes are written as browsers write them in JSON: base64url without padding.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Base64Url, DeviceName, Handle, PasskeyId, PasskeyName, Password};

/// Asks for a challenge for your passkeys.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PasskeyChallengeRequest {
    /// The handle that you are about to open an account with: authenticators show it. It makes no difference if you
    /// have an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<Handle>,
}

/// What an authenticator is to sign, to sign in, to prove who you are, or to make a passkey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PasskeyChallenge {
    /// The challenge. It is good once.
    pub challenge: Base64Url,
    /// When it is no longer good.
    pub expires_at: u64,
    /// The domain that passkeys of this server are for (`rpId`, `rp.id`).
    #[cfg_attr(feature = "schema", schema(example = "play.example.org"))]
    pub relying_party: String,
    /// Whose passkeys, if you have sent a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<PasskeyOwner>,
}

/// Whose passkeys, and what a new one is made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PasskeyOwner {
    /// What passkeys tell of you (`user.id`).
    pub user: Base64Url,
    /// What authenticators show (`user.name`): your handle, or the one that you want; your name if you have none.
    pub name: String,
    /// The kinds of signature that the server knows (`pubKeyCredParams`), by their COSE numbers, the preferred
    /// first.
    #[cfg_attr(feature = "schema", schema(example = json!([-8, -7, -257])))]
    pub algorithms: Vec<i64>,
    /// The credentials of your passkeys (`excludeCredentials`, `allowCredentials`).
    #[cfg_attr(feature = "schema", schema(max_items = 10))]
    pub credentials: Vec<Base64Url>,
}

/// What a browser answers when a passkey was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PasskeyAnswer {
    /// The challenge that it answers.
    pub challenge: Base64Url,
    /// Which credential was used (`id`).
    pub credential: Base64Url,
    /// `response.clientDataJSON`.
    pub client_data_json: Base64Url,
    /// `response.authenticatorData`.
    pub authenticator_data: Base64Url,
    /// `response.signature`.
    pub signature: Base64Url,
    /// `response.userHandle`. Who signs in needs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_handle: Option<Base64Url>,
}

/// A passkey that an authenticator has just made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewPasskey {
    /// What you call it: where it is kept, for example.
    pub name: PasskeyName,
    /// The challenge that it answers.
    pub challenge: Base64Url,
    /// `response.clientDataJSON`.
    pub client_data_json: Base64Url,
    /// `response.attestationObject`.
    pub attestation_object: Base64Url,
}

/// Adds a passkey to your account. It needs `password`, or `passkey` with one that you have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AddPasskey {
    /// What you call it: where it is kept, for example.
    pub name: PasskeyName,
    /// The challenge that the new passkey answers.
    pub challenge: Base64Url,
    /// `response.clientDataJSON`.
    pub client_data_json: Base64Url,
    /// `response.attestationObject`.
    pub attestation_object: Base64Url,
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// In place of the password, an answer to another challenge with a passkey that you have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// Renames a passkey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RenamePasskey {
    /// What you call it from now on.
    pub name: PasskeyName,
}

/// Removes a passkey. It needs `password` or `passkey`, which may be that one. The only one of an account without a
/// password stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RemovePasskey {
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// In place of the password, one of your passkeys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// Signs in with a passkey: another token for the guest whose account it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SignInWithPasskey {
    /// The passkey's answer.
    pub passkey: PasskeyAnswer,
    /// What this device is called in the list of your sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
}

/// A passkey of yours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Passkey {
    /// Which.
    pub id: PasskeyId,
    /// What you call it.
    pub name: PasskeyName,
    /// When it was added.
    pub created_at: u64,
    /// When it was last used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<u64>,
    /// Whether it can be on several devices, or only on the one that made it.
    pub can_be_synced: bool,
}

/// Your passkeys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PasskeyList {
    /// The newest first.
    #[cfg_attr(feature = "schema", schema(max_items = 10))]
    pub passkeys: Vec<Passkey>,
}
