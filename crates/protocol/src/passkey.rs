//! Passkeys: keys with which people sign in instead of a password.
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

/// A challenge for an authenticator: to sign in, to prove your identity, or to create a passkey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PasskeyChallenge {
    /// The challenge, valid once.
    pub challenge: Base64Url,
    /// The time at which it expires.
    pub expires_at: u64,
    /// The domain of this server's passkeys (`rpId`, `rp.id`).
    #[cfg_attr(feature = "schema", schema(example = "play.example.org"))]
    pub relying_party: String,
    /// The user of the passkeys, if you sent a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<PasskeyOwner>,
}

/// The user of the passkeys, with the data for a new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PasskeyOwner {
    /// Your id in passkeys (`user.id`).
    pub user: Base64Url,
    /// The name that authenticators show (`user.name`): your handle or the one that you want, or else your name.
    pub name: String,
    /// The signature algorithms that the server accepts (`pubKeyCredParams`), by their COSE numbers, the preferred
    /// first.
    #[cfg_attr(feature = "schema", schema(example = json!([-8, -7, -257])))]
    pub algorithms: Vec<i64>,
    /// The credentials of your passkeys (`excludeCredentials`, `allowCredentials`).
    #[cfg_attr(feature = "schema", schema(max_items = 10))]
    pub credentials: Vec<Base64Url>,
}

/// The response of a browser after a passkey was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PasskeyAnswer {
    /// The challenge to which it responds.
    pub challenge: Base64Url,
    /// The credential that was used (`id`).
    pub credential: Base64Url,
    /// `response.clientDataJSON`.
    pub client_data_json: Base64Url,
    /// `response.authenticatorData`.
    pub authenticator_data: Base64Url,
    /// `response.signature`.
    pub signature: Base64Url,
    /// `response.userHandle`. Required to sign in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_handle: Option<Base64Url>,
}

/// A passkey that an authenticator has just created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewPasskey {
    /// Your name for it, such as the place where it is stored.
    pub name: PasskeyName,
    /// The challenge to which it responds.
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
    /// Your name for it, such as the place where it is stored.
    pub name: PasskeyName,
    /// The challenge to which the new passkey responds.
    pub challenge: Base64Url,
    /// `response.clientDataJSON`.
    pub client_data_json: Base64Url,
    /// `response.attestationObject`.
    pub attestation_object: Base64Url,
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// Instead of the password, the response of a passkey that you have to another challenge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// Renames a passkey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RenamePasskey {
    /// Your new name for it.
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
    /// One of your passkeys, instead of the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// Signs in with a passkey: creates another token for the guest whose account it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SignInWithPasskey {
    /// The passkey's response.
    pub passkey: PasskeyAnswer,
    /// The name of this device in the list of your sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
}

/// A passkey of yours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Passkey {
    /// Its id.
    pub id: PasskeyId,
    /// Your name for it.
    pub name: PasskeyName,
    /// The time at which it was added.
    pub created_at: u64,
    /// The time at which it was last used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<u64>,
    /// Whether it can be on several devices, or only on the one that created it.
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
