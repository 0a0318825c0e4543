//! The operation `http`: any request of the API over the socket.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::IdempotencyKey;

use super::Op;

/// The path of all requests of an [`ApiRequest`].
const BASE: &str = "/api/v1";

/// A request that is answered as over HTTP, with `Accept: application/json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ApiRequest {
    /// The method.
    pub method: Method,
    /// The path with its query, beginning with `/api/v1/`.
    pub path: String,
    /// Your idempotency key, as in the header `Idempotency-Key`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<IdempotencyKey>,
    /// The body; null is the same as none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Object>))]
    pub body: Option<RawJson>,
}

/// A method of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Reads.
    Get,
    /// Creates something, or carries out a command.
    Post,
    /// Replaces something.
    Put,
    /// Changes some fields.
    Patch,
    /// Removes.
    Delete,
}

impl Method {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

impl ApiRequest {
    /// A request for a path below `/api/v1`, without a body.
    pub fn new(method: Method, path: &str) -> Self {
        Self { method, path: format!("{BASE}{path}"), key: None, body: None }
    }

    /// `GET`.
    pub fn get(path: &str) -> Self {
        Self::new(Method::Get, path)
    }

    /// `POST` with a body.
    pub fn post(path: &str, body: &impl Serialize) -> Self {
        Self::new(Method::Post, path).with(body)
    }

    /// Adds a body.
    #[must_use]
    pub fn with(mut self, body: &impl Serialize) -> Self {
        self.body = Some(RawJson::of(body));
        self
    }

    /// Adds an idempotency key.
    #[must_use]
    pub fn under(mut self, key: Option<IdempotencyKey>) -> Self {
        self.key = key;
        self
    }
}

impl From<ApiRequest> for Op {
    fn from(request: ApiRequest) -> Self {
        Self::Http(request)
    }
}

/// JSON in its original text.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RawJson(Box<RawValue>);

impl RawJson {
    /// A value as JSON.
    ///
    /// # Panics
    /// If the value cannot be written as JSON, as every wire type can.
    pub fn of(value: &impl Serialize) -> Self {
        Self(serde_json::value::to_raw_value(value).expect("wire types are plain data"))
    }

    /// The text.
    pub fn get(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl fmt::Debug for RawJson {
    /// Without its text, which may contain a password or a token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RawJson(\u{2026})")
    }
}
