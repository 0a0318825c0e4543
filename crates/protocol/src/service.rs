//! The state of the server.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// The state of the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Health {
    /// Its state.
    pub status: Status,
    /// The version of the server.
    pub version: String,
    /// The most commits that may have been lost before the server started, because its WAL was damaged and it began a
    /// new `history`. Left out if none were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_commits: Option<u64>,
    /// Whether it is unknown if commits were lost before the server started: its WAL existed, but not the note of the
    /// last commit. Left out if it is known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loss_unknown: bool,
}

/// The state of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The server works.
    Ok,
}
