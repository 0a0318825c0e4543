//! API tokens: they let programs act for an account.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{ApiTokenId, Me, PasskeyAnswer, Password, Scope, ScopeName, Token, TokenName};

/// The number of days for which an API token is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(try_from = "u16", into = "u16")]
#[cfg_attr(feature = "schema", schema(value_type = u16, minimum = 1, maximum = 366, default = 90))]
pub struct TokenDays(u16);

impl TokenDays {
    /// The number.
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl Default for TokenDays {
    fn default() -> Self {
        Self(90)
    }
}

impl TryFrom<u16> for TokenDays {
    type Error = &'static str;

    fn try_from(days: u16) -> Result<Self, Self::Error> {
        if (1..=366).contains(&days) { Ok(Self(days)) } else { Err("a token is valid for 1 to 366 days") }
    }
}

impl From<TokenDays> for u16 {
    fn from(days: TokenDays) -> Self {
        days.0
    }
}

/// Creates an API token. It needs `password` or `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CreateApiToken {
    /// Your name for it, such as that of the program.
    pub name: TokenName,
    /// Its scopes: the permissions beyond public access.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    /// The number of days for which it is valid; 90 if left out.
    #[serde(default)]
    pub expires_in_days: TokenDays,
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// One of your passkeys, instead of the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// A new API token. It is shown only once: keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CreatedApiToken {
    /// Send it as `Authorization: Bearer …`. It begins with `lus_`.
    pub token: Token,
    /// The token as your list shows it.
    #[serde(flatten)]
    pub shown: ApiToken,
}

/// An API token of yours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ApiToken {
    /// Its id, which is not secret.
    pub id: ApiTokenId,
    /// Your name for it.
    pub name: TokenName,
    /// Its scopes: the permissions beyond public access.
    pub scopes: Vec<ScopeName>,
    /// The time of its creation.
    pub created_at: u64,
    /// The time at which it expires.
    pub expires_at: u64,
    /// When it was last used, to the hour: it may have been used within the hour after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<u64>,
}

/// Your API tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ApiTokenList {
    /// The newest first. Expired ones are listed until a new one is created, for 30 days at most.
    #[cfg_attr(feature = "schema", schema(max_items = 20))]
    pub tokens: Vec<ApiToken>,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// A session: the person or bot themselves, on one of their devices, with full access.
    Session,
    /// An API token: a program with the access that its scopes permit.
    ApiToken,
}

/// A token and its permissions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TokenInfo {
    /// Its kind.
    pub kind: TokenKind,
    /// Its guest.
    pub you: Me,
    /// A permission of an API token beyond public access.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<ScopeName>>,
    /// The time at which an API token expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
}
