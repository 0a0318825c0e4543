//! What the server sends.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Event, Me, Notice, Problem, Snapshot};

/// A message of the server: an answer, an event or a notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(untagged)]
pub enum ServerMessage {
    /// The answer to a request.
    Reply(Reply),
    /// What is pushed.
    Pushed(Box<Pushed>),
}

/// What the server sends without having been asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(untagged)]
pub enum Pushed {
    /// An event of a match that you watch.
    Event(Event),
    /// A notice.
    Notice(Notice),
}

/// The answer to a request: `ok` or `error`, or neither if it is one to `http` without a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Reply {
    /// The `id` of the request; absent if it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub re: Option<u32>,
    /// The status over HTTP, in the answer to `http`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The header `Location` over HTTP, in the answer to `http`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// What was asked for: the same as over HTTP. Missing in the answer to `http` if that has no body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Object>))]
    pub ok: Option<serde_json::Value>,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Box<Problem>>,
}

/// The answer to `hello`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct HelloOk {
    /// Who you are, if you gave a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub you: Option<Me>,
    /// The server's time, in milliseconds since the epoch.
    pub server_time: u64,
    /// What a connection may do.
    pub limits: Limits,
    /// Which history the journals tell. If it is not that of your last connection, a backup was
    /// restored in between: events that you know may never have happened, and others have their
    /// numbers. Watch without `since` then.
    pub history: Uuid,
}

/// What a connection may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Limits {
    /// The longest message that the server reads, in bytes.
    pub message_bytes_max: u32,
    /// The most matches that a connection watches.
    pub watches_max: u32,
    /// The messages that a connection may send in a second, on average.
    pub messages_per_second: u32,
    /// How many it may send at once after a pause.
    pub messages_burst: u32,
}

/// The answer to `watch`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct WatchOk {
    /// The number of the match's last event.
    pub head: u32,
    /// The match as it stands after `head`, if the request had no `since`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Box<Snapshot>>,
}
