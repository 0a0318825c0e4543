//! Bodies: JSON, not too long, not too slow, of exactly the fields that are known.

use std::time::Duration;

use axum::{
    body::Bytes,
    extract::{FromRequest, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header},
};
use lusoria_protocol::{Code, Problem};
use serde::de::DeserializeOwned;

use crate::http::{Http, error::Failure};

/// How long a body may take to arrive.
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// A body that must be there.
pub(in crate::http) struct Body<T>(pub(in crate::http) T);

/// A body that may be left out or be `null`, which stand for `{}`.
pub(in crate::http) struct OptionalBody<T>(pub(in crate::http) T);

impl<T: DeserializeOwned> FromRequest<Http> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, http: &Http) -> Result<Self, Failure> {
        must_be_json(request.headers())?;
        let bytes = read(request, http).await?;
        Ok(Self(parse(&bytes)?))
    }
}

impl<T: DeserializeOwned + Default> FromRequest<Http> for OptionalBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, http: &Http) -> Result<Self, Failure> {
        let declared = request.headers().contains_key(header::CONTENT_TYPE);
        let json = must_be_json(request.headers());
        let bytes = read(request, http).await?;
        if bytes.is_empty() && !declared {
            return Ok(Self(T::default()));
        }
        json?;
        if bytes.is_empty() {
            return Ok(Self(T::default()));
        }
        Ok(Self(parse::<Option<T>>(&bytes)?.unwrap_or_default()))
    }
}

fn must_be_json(headers: &HeaderMap) -> Result<(), Failure> {
    let declared = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (kind, parameters) = declared.split_once(';').unwrap_or((declared, ""));
    let charset = parameters.split(';').filter_map(|parameter| parameter.trim().split_once('='));
    let is_utf8 = charset
        .filter(|(name, _)| name.eq_ignore_ascii_case("charset"))
        .all(|(_, value)| value.trim_matches('"').eq_ignore_ascii_case("utf-8"));
    if kind.trim().eq_ignore_ascii_case("application/json") && is_utf8 {
        Ok(())
    } else {
        Err(Problem::new(Code::UnsupportedMediaType, "send the body as application/json, in UTF-8").into())
    }
}

async fn read(request: Request, http: &Http) -> Result<Bytes, Failure> {
    match tokio::time::timeout(BODY_WITHIN, Bytes::from_request(request, http)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(rejection)) => Err(refused(&rejection, http.body_bytes_max)),
        Err(_) => {
            let detail = format!("the body did not arrive within {} s", BODY_WITHIN.as_secs());
            Err(Problem::new(Code::RequestTimeout, detail).into())
        }
    }
}

fn refused(rejection: &BytesRejection, limit: usize) -> Failure {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let detail = format!("a body has at most {limit} bytes");
        Problem::new(Code::BodyTooLarge, detail).with_limit(limit as u64).into()
    } else {
        Code::BrokenBody.into()
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = serde_path_to_error::deserialize(&mut reader);
    let (path, error) = match read.map(|value| (value, reader.end())) {
        Ok((value, Ok(()))) => return Ok(value),
        Ok((_, Err(error))) => (String::new(), error),
        Err(error) => (error.path().to_string(), error.into_inner()),
    };
    let at = |problem: Problem| Problem {
        line: error.line().try_into().ok().filter(|&line: &u32| line > 0),
        column: error.column().try_into().ok().filter(|&column: &u32| column > 0),
        ..problem
    };
    let said = error.to_string();
    // The place is told in fields of its own.
    let said = said.split(" at line ").next().unwrap_or_default();
    Err(Failure(match error.classify() {
        serde_json::error::Category::Data if path.is_empty() || path == "." => {
            at(Problem::new(Code::InvalidBody, said))
        }
        serde_json::error::Category::Data => at(Problem::new(Code::InvalidBody, format!("{path}: {said}"))),
        _ => at(Problem::new(Code::InvalidJson, said)),
    }))
}
