//! Whether the server works.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How the server is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// How it is.
    pub status: Status,
    /// The version of the server.
    pub version: String,
}

/// How the server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It works.
    Ok,
}
