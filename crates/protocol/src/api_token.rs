//! API tokens: what lets programs act for an account.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{ApiTokenId, Me, PasskeyAnswer, Password, Scope, ScopeName, Token, TokenName};

/// For how many days an API token is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(try_from = "u16", into = "u16")]
#[cfg_attr(feature = "schema", schema(value_type = u16, minimum = 1, maximum = 366, default = 90))]
pub struct TokenDays(u16);

impl TokenDays {
    /// How many.
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
        if (1..=366).contains(&days) { Ok(Self(days)) } else { Err("a token is good for 1 to 366 days") }
    }
}

impl From<TokenDays> for u16 {
    fn from(days: TokenDays) -> Self {
        days.0
    }
}

/// Makes an API token. It needs `password` or `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CreateApiToken {
    /// What you call it: the program that gets it, for example.
    pub name: TokenName,
    /// What it may do beyond what everybody may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    /// For how many days it is good; 90 if left out.
    #[serde(default)]
    pub expires_in_days: TokenDays,
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// In place of the password, one of your passkeys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}

/// An API token that has just been made. It is shown this once: keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CreatedApiToken {
    /// Send it as `Authorization: Bearer …`. It begins with `lus_`.
    pub token: Token,
    /// What the list of your tokens shows.
    #[serde(flatten)]
    pub shown: ApiToken,
}

/// An API token of yours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ApiToken {
    /// Which. It is no secret, and opens nothing.
    pub id: ApiTokenId,
    /// What you call it.
    pub name: TokenName,
    /// What it may do beyond what everybody may.
    pub scopes: Vec<ScopeName>,
    /// When it was made.
    pub created_at: u64,
    /// When it is no longer good.
    pub expires_at: u64,
    /// When it was last used, to the hour: it may have been used within the hour after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<u64>,
}

/// Your API tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ApiTokenList {
    /// The newest first. Those that have expired are listed until a new one is made, for 30 days at most.
    #[cfg_attr(feature = "schema", schema(max_items = 20))]
    pub tokens: Vec<ApiToken>,
}

/// What somebody proves with a token that they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// The person or bot themselves, on one of their devices: it may do everything.
    Session,
    /// A program to which they gave it: it may do what its scopes permit.
    ApiToken,
}

/// What a token may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TokenInfo {
    /// What it proves.
    pub kind: TokenKind,
    /// Whose it is.
    pub you: Me,
    /// What an API token may do beyond what everybody may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<ScopeName>>,
    /// When an API token is no longer good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
}
