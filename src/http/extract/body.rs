//! Bodies: JSON with only known fields, within a length and a time limit.

use std::time::Duration;

use axum::{
    body::Bytes,
    extract::{FromRequest, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header},
};
use lusoria_protocol::{Code, FromJson, Problem, strict::Misread};

use crate::{
    app::stopping,
    http::{Http, error::Failure},
    live::{Arrived, LastRead},
};

/// The timeout for a body to arrive.
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// How long deadlines wait for an incomplete body.
const DEADLINES_WAIT_FOR: Duration = Duration::from_millis(20);

/// The extra time for the rest of a body when the server stops.
const BODY_WITHIN_OF_STOP: Duration = Duration::from_secs(1);

/// The longest record that may be sent, in bytes.
pub(in crate::http) const SENT_RECORD_BYTES_MAX: usize = 4 << 20;

/// A required body.
pub(in crate::http) struct Body<T>(pub(in crate::http) T);

/// An optional body: if it is missing or `null`, it stands for `{}`.
pub(in crate::http) struct OptionalBody<T>(pub(in crate::http) T);

impl<T: FromJson> FromRequest<Http> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, http: &Http) -> Result<Self, Failure> {
        must_be_json(request.headers())?;
        let bytes = read(request, http, http.body_bytes_max).await?;
        Ok(Self(T::from_json(&bytes).map_err(|misread| refusal(&misread))?))
    }
}

impl<T: FromJson + Default> FromRequest<Http> for OptionalBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, http: &Http) -> Result<Self, Failure> {
        let declared = request.headers().contains_key(header::CONTENT_TYPE);
        let json = must_be_json(request.headers());
        let bytes = read(request, http, http.body_bytes_max).await?;
        if bytes.is_empty() && !declared {
            return Ok(Self(T::default()));
        }
        json?;
        if bytes.is_empty() {
            return Ok(Self(T::default()));
        }
        Ok(Self(T::from_json_or_null(&bytes).map_err(|misread| refusal(&misread))?.unwrap_or_default()))
    }
}

fn must_be_json(headers: &HeaderMap) -> Result<(), Failure> {
    if is_declared(headers, &["application/json"]) {
        return Ok(());
    }
    Err(Problem::new(Code::UnsupportedMediaType, "send the body as application/json, in UTF-8").into())
}

/// Whether the body's declared type is one of these, in UTF-8.
fn is_declared(headers: &HeaderMap, kinds: &[&str]) -> bool {
    let declared =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (kind, parameters) = declared.split_once(';').unwrap_or((declared, ""));
    let charset = parameters.split(';').filter_map(|parameter| parameter.trim().split_once('='));
    let is_utf8 = charset
        .filter(|(name, _)| name.eq_ignore_ascii_case("charset"))
        .all(|(_, value)| value.trim_matches('"').eq_ignore_ascii_case("utf-8"));
    is_utf8 && kinds.iter().any(|known| kind.trim().eq_ignore_ascii_case(known))
}

/// The record of a match in the body, as JSON or as text.
pub(in crate::http) async fn sent_record(request: Request, http: &Http) -> Result<Bytes, Failure> {
    if !is_declared(request.headers(), &["application/json", "text/plain"]) {
        let detail = "send the record as application/json or as text/plain, in UTF-8";
        return Err(Problem::new(Code::UnsupportedMediaType, detail).into());
    }
    read(request, http, SENT_RECORD_BYTES_MAX).await
}

async fn read(request: Request, http: &Http, limit: usize) -> Result<Bytes, Failure> {
    if declared_bytes(request.headers()).is_some_and(|declared| declared > limit as u64) {
        return Err(too_large(limit));
    }
    let arrived: Option<Arrived> = request.extensions().get().cloned();
    let last_read: Option<LastRead> = request.extensions().get().cloned();
    let reading = read_whole(request, http, limit);
    // From a socket there is all of it.
    let (Some(arrived), Some(last_read)) = (arrived, last_read) else { return reading.await };
    let mut reading = std::pin::pin!(reading);
    let read = if let Ok(read) = tokio::time::timeout(DEADLINES_WAIT_FOR, reading.as_mut()).await {
        read
    } else {
        arrived.holds_nothing_up();
        reading.await
    };
    // The request counts from the last byte of its body.
    arrived.read_on(last_read.at());
    read
}

async fn read_whole(request: Request, http: &Http, limit: usize) -> Result<Bytes, Failure> {
    let too_late = async {
        http.connections.stopping().cancelled().await;
        tokio::time::sleep(BODY_WITHIN_OF_STOP).await;
    };
    tokio::select! {
        read = Bytes::from_request(request, http) => read.map_err(|rejection| refused(&rejection, limit)),
        () = tokio::time::sleep(BODY_WITHIN) => {
            let detail = format!("the body did not arrive within {} s", BODY_WITHIN.as_secs());
            Err(Problem::new(Code::RequestTimeout, detail).into())
        }
        () = too_late => Err(stopping().into()),
    }
}

/// The declared length of the body.
pub(in crate::http) fn declared_bytes(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(limit: usize) -> Failure {
    let detail = format!("a body has at most {limit} bytes");
    Problem::new(Code::BodyTooLarge, detail).with_limit(limit as u64).into()
}

fn refused(rejection: &BytesRejection, limit: usize) -> Failure {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        too_large(limit)
    } else {
        Code::BrokenBody.into()
    }
}

fn refusal(misread: &Misread) -> Failure {
    let code = match misread {
        Misread::NotJson(_) => Code::InvalidJson,
        Misread::Value { .. } | Misread::Twice(_) | Misread::List { .. } => Code::InvalidBody,
    };
    let detail = match misread {
        Misread::List { place } if place.is_empty() => format!("the body: {misread}"),
        _ => misread.to_string(),
    };
    let (line, column) = misread.position().unzip();
    let told = |number: Option<usize>| u32::try_from(number?).ok().filter(|&number| number > 0);
    Failure(Problem { line: told(line), column: told(column), ..Problem::new(code, detail) })
}
