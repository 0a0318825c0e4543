//! Query parameters: known names only, with values in their ranges.

use axum::{extract::FromRequestParts, http::request::Parts};
use lusoria_protocol::{Code, Problem, plainly};
use serde::{Deserialize, de::DeserializeOwned};

use crate::http::{Http, error::Failure};

/// The parameters of the query.
pub(in crate::http) struct Query<T>(pub(in crate::http) T);

/// No parameters at all.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NoParameters {}

impl<T: DeserializeOwned> FromRequestParts<Http> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Http) -> Result<Self, Failure> {
        axum::extract::Query::<T>::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(parameters)| Self(parameters))
            .map_err(|why| {
                let said = why.body_text();
                let said = said.strip_prefix("Failed to deserialize query string: ").unwrap_or(&said);
                Problem::new(Code::InvalidQuery, plainly(said)).into()
            })
    }
}

/// The most items, 1 to `MAX`; `USUAL` by default.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "u32")]
pub(in crate::http) struct Limit<const MAX: u32, const USUAL: u32>(pub(in crate::http) u32);

impl<const MAX: u32, const USUAL: u32> Default for Limit<MAX, USUAL> {
    fn default() -> Self {
        Self(USUAL)
    }
}

impl<const MAX: u32, const USUAL: u32> TryFrom<u32> for Limit<MAX, USUAL> {
    type Error = String;

    fn try_from(limit: u32) -> Result<Self, String> {
        if (1..=MAX).contains(&limit) { Ok(Self(limit)) } else { Err(format!("limit: 1 to {MAX}")) }
    }
}
