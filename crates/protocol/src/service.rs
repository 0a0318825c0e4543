//! Whether the server works.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// How the server is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Health {
    /// How it is.
    pub status: Status,
    /// The version of the server.
    pub version: String,
    /// Commits that were missing when the server started, at most so many: its log was damaged, and
    /// it began another `history`. Left out if none were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_commits: Option<u64>,
    /// Whether nobody can tell whether commits were missing when the server started: its log was there, but not the note
    /// of the last commit. Left out if it can be told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loss_unknown: bool,
}

/// How the server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It works.
    Ok,
}
