//! The idempotency key of a request.

use axum::{extract::FromRequestParts, http::request::Parts};
use lusoria_protocol::{Code, IdempotencyKey, Problem};
#[cfg(test)]
use utoipa::IntoParams;

use crate::http::{Http, error::Failure};

const HEADER: &str = "idempotency-key";

/// The `Idempotency-Key` of a request, if it has one.
pub(in crate::http) struct Key(pub(in crate::http) Option<IdempotencyKey>);

/// Its description.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct KeyHeader {
    /// Tells a repeated request from a new one. The same key with the same request gets the first response again, for
    /// a week.
    #[param(
        rename = "Idempotency-Key",
        required = false,
        min_length = 1,
        max_length = 64,
        pattern = r"^[!-~]+$"
    )]
    key: String,
}

impl FromRequestParts<Http> for Key {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Http) -> Result<Self, Failure> {
        let mut values = parts.headers.get_all(HEADER).iter();
        let (first, more) = (values.next(), values.next().is_some());
        let Some(value) = first else { return Ok(Self(None)) };
        let invalid = |why: &str| Problem::new(Code::InvalidHeader, format!("Idempotency-Key: {why}"));
        if more {
            return Err(invalid("send it once").into());
        }
        let text = value.to_str().map_err(|_| invalid("it has 1 to 64 visible ASCII characters"))?;
        let key = IdempotencyKey::try_from(text.to_owned()).map_err(|why| invalid(&why.to_string()))?;
        Ok(Self(Some(key)))
    }
}
