//! The messages of the server.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Event, Me, Notice, Problem, Snapshot};

/// A message of the server: a reply, an event or a notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(untagged)]
pub enum ServerMessage {
    /// The reply to a request.
    Reply(Reply),
    /// A pushed message.
    Pushed(Box<Pushed>),
}

/// A message that the server sends without a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(untagged)]
pub enum Pushed {
    /// An event of a match that you watch.
    Event(Event),
    /// A notice.
    Notice(Notice),
}

/// The reply to a request, with `ok` or `error`, or with neither for a response to `http` without a body.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Reply {
    /// The `id` of the request; absent if it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub re: Option<u32>,
    /// The HTTP status, in the reply to `http`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The header `Location`, in the reply to `http`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The response, the same as over HTTP. Missing in the reply to `http` if there is no body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Object>))]
    pub ok: Option<serde_json::Value>,
    /// The problem, if the request was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Box<Problem>>,
}

/// The response to `hello`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct HelloOk {
    /// Your guest, if you sent a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub you: Option<Me>,
    /// The server's time, in milliseconds since the epoch.
    pub server_time: u64,
    /// The limits of a connection.
    pub limits: Limits,
    /// The id of the journals' history. If it differs from that of your last connection, a backup was restored in
    /// between: events that you know may have been lost, and others may have their numbers. Then watch without
    /// `since`.
    pub history: Uuid,
}

/// The limits of a connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Limits {
    /// The longest message that the server reads, in bytes.
    pub message_bytes_max: u32,
    /// The most matches that a connection watches.
    pub watches_max: u32,
    /// The messages that a connection may send in a second, on average.
    pub messages_per_second: u32,
    /// The most messages that it may send at once after a pause.
    pub messages_burst: u32,
}

/// The response to `tournament`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TournamentHead {
    /// The number of the tournament's last event.
    pub head: u32,
}

/// The response to `watch`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct WatchOk {
    /// The number of the match's last event.
    pub head: u32,
    /// The state of the match after `head`, if the request had no `since`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Box<Snapshot>>,
}
