//! Push subscriptions: they notify you while no page of yours is open.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{
    Base64Url, Game, LanguageTag, MatchId, Name, PushAuth, PushEndpoint, PushSubscriptionId, TournamentId,
};

/// The key with which a browser subscribes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PushServerKey {
    /// `applicationServerKey`: an uncompressed point on P-256. It is stored in the server's database and does not
    /// change.
    pub key: Base64Url,
}

/// Subscribes to push messages, with the result of `PushSubscription.toJSON()` in a browser, and a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PutPushSubscription {
    /// The endpoint: an address at a push service that this server uses.
    pub endpoint: PushEndpoint,
    /// The time at which the push service ends it. The server follows the push service.
    #[serde(rename = "expirationTime", default, skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<u64>,
    /// The keys that encrypt the messages.
    pub keys: PushKeys,
    /// The language of your messages. It is sent with every message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageTag>,
}

/// The keys that encrypt messages to a browser.
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
    /// Its id, which is not secret, unlike the endpoint.
    pub id: PushSubscriptionId,
    /// The push service that delivers the messages.
    #[cfg_attr(feature = "schema", schema(example = "updates.push.services.mozilla.com"))]
    pub host: String,
    /// The language of the messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageTag>,
    /// The time at which it was created or last renewed.
    pub created_at: u64,
    /// Whether it was created with the token of this request.
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

/// A push message, as the browser decrypts it. New kinds may be added within this version of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PushMessage {
    /// Its subject.
    #[serde(flatten)]
    pub what: PushKind,
    /// The language of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageTag>,
}

/// The subject of a push message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PushKind {
    /// It is your turn in a correspondence match.
    YourTurn {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Its game.
        game: Game,
        /// Your opponent's name. None if you play both sides.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opponent: Option<Name>,
        /// The number of correspondence matches that wait for you, including this one; at most 100.
        waiting: u32,
    },
    /// Somebody challenges you.
    Challenge {
        /// The id of the challenge, and of the match if it is accepted.
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
    /// A tournament needs you: your pairing waits for you to say that you are here, or your match was made.
    TournamentCall {
        /// The tournament.
        tournament: TournamentId,
        /// Its name.
        name: String,
        /// Its game.
        game: Game,
        /// Your opponent's name.
        opponent: Name,
        /// Your match, once it is made.
        #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
        id: Option<MatchId>,
    },
    /// A tournament in which you played has ended.
    TournamentEnded {
        /// The tournament.
        tournament: TournamentId,
        /// Its name.
        name: String,
    },
}
