//! Push subscriptions: where you are told of what waits for you while no page of yours is open.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Base64Url, Game, LanguageTag, MatchId, Name, PushAuth, PushEndpoint, PushSubscriptionId};

/// What a browser needs to subscribe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PushServerKey {
    /// `applicationServerKey`: an uncompressed point on P-256. It stays the same for as long as the server keeps its
    /// database.
    pub key: Base64Url,
}

/// Has you told of what waits for you. It is what `PushSubscription.toJSON()` gives in a browser, and a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PutPushSubscription {
    /// Where: an address at a push service that this server knows.
    pub endpoint: PushEndpoint,
    /// When the push service ends it. The server goes by what the push service says.
    #[serde(rename = "expirationTime", default, skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<u64>,
    /// What messages are encrypted with.
    pub keys: PushKeys,
    /// The language in which you are to be told. It is sent along with every message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageTag>,
}

/// What messages to a browser are encrypted with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PushKeys {
    /// The browser's public key: an uncompressed point on P-256.
    pub p256dh: Base64Url,
    /// The secret that it shares with the server: 16 bytes.
    pub auth: PushAuth,
}

/// A push subscription of yours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PushSubscription {
    /// Which. It is no secret, as the endpoint is.
    pub id: PushSubscriptionId,
    /// The push service through which you are told.
    #[cfg_attr(feature = "schema", schema(example = "updates.push.services.mozilla.com"))]
    pub host: String,
    /// The language in which you are told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageTag>,
    /// When it was made, or last made again.
    pub created_at: u64,
    /// Whether it was made with the token that asks.
    pub current: bool,
}

/// Your push subscriptions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PushSubscriptionList {
    /// The newest first.
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub subscriptions: Vec<PushSubscription>,
}

/// What a message says, once the browser has decrypted it. New kinds may be added within this version of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PushMessage {
    /// What it is about.
    #[serde(flatten)]
    pub what: PushKind,
    /// The language in which you want to be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageTag>,
}

/// What a message is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PushKind {
    /// It is your turn in a match by days.
    YourTurn {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Its game.
        game: Game,
        /// Your opponent's name. None if you play both sides.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opponent: Option<Name>,
        /// How many matches by days wait for you, this one too; 100 if there are more.
        waiting: u32,
    },
    /// Somebody challenges you.
    Challenge {
        /// The challenge, and the match that may come of it.
        challenge: MatchId,
        /// Their name.
        from: Name,
        /// Its game.
        game: Game,
    },
    /// A seek of yours was answered, or a challenge of yours accepted.
    Seek {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Its game.
        game: Game,
        /// Your opponent's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opponent: Option<Name>,
    },
}
