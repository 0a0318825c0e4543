//! The responses to commands.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Event, MatchId};

/// The events that a command caused. They have been stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Answer {
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// The number of the last of these events.
    pub head: u32,
    /// The events: the turn, the throw after it, and passes if nothing could be played.
    pub events: Vec<Event>,
}

/// The response to a rematch offer or answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RematchAnswer {
    /// The match that has ended.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// The number of the last of these events.
    pub head: u32,
    /// The events.
    pub events: Vec<Event>,
    /// The new match, once both have agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<MatchId>,
}

/// A page of a match's events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Events {
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// The events after `since`, in order: at most as many as were asked for.
    pub events: Vec<Event>,
    /// The number of the match's last event. Ask again with the last number you have
    /// until you have reached it.
    pub head: u32,
    /// Whether the match has ended with event `head` (a rematch may still be agreed on).
    pub ended: bool,
}
