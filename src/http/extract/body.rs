//! Bodies: JSON, not too long, not too slow, of exactly the fields that are known.

use std::time::Duration;

use axum::{
    body::Bytes,
    extract::{FromRequest, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header},
};
use lusoria_protocol::{Code, Problem, list_for_object, plainly, read_strictly};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    app::stopping,
    http::{Http, error::Failure},
    live::{Arrived, LastRead},
};

/// How long a body may take to arrive.
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// How long deadlines wait for a body of which not all is there.
const DEADLINES_WAIT_FOR: Duration = Duration::from_millis(20);

/// How much longer the server waits for the rest of one when it stops.
const BODY_WITHIN_OF_STOP: Duration = Duration::from_secs(1);

/// The longest record that may be sent, in bytes.
pub(in crate::http) const SENT_RECORD_BYTES_MAX: usize = 4 << 20;

/// A body that must be there.
pub(in crate::http) struct Body<T>(pub(in crate::http) T);

/// A body that may be left out or be `null`, which stand for `{}`.
pub(in crate::http) struct OptionalBody<T>(pub(in crate::http) T);

impl<T: DeserializeOwned + Serialize> FromRequest<Http> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, http: &Http) -> Result<Self, Failure> {
        must_be_json(request.headers())?;
        let bytes = read(request, http, http.body_bytes_max).await?;
        Ok(Self(parse(&bytes)?))
    }
}

impl<T: DeserializeOwned + Serialize + Default> FromRequest<Http> for OptionalBody<T> {
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
        Ok(Self(parse::<Option<T>>(&bytes)?.unwrap_or_default()))
    }
}

fn must_be_json(headers: &HeaderMap) -> Result<(), Failure> {
    if is_declared(headers, &["application/json"]) {
        return Ok(());
    }
    Err(Problem::new(Code::UnsupportedMediaType, "send the body as application/json, in UTF-8").into())
}

/// Whether the body is said to be of one of these types, in UTF-8.
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

/// The body that is a record of a match, as JSON or as text.
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
    let last_read: LastRead = request.extensions().get().cloned().unwrap_or_default();
    let reading = read_whole(request, http, limit);
    let Some(arrived) = arrived else { return reading.await };
    let mut reading = std::pin::pin!(reading);
    let read = if let Ok(read) = tokio::time::timeout(DEADLINES_WAIT_FOR, reading.as_mut()).await {
        read
    } else {
        arrived.holds_nothing_up();
        reading.await
    };
    // It counts from its last byte.
    arrived.read_on(last_read.at());
    read
}

async fn read_whole(request: Request, http: &Http, limit: usize) -> Result<Bytes, Failure> {
    let too_late = async {
        http.stopping.cancelled().await;
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

/// How long the body is going to be, if its head says so.
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

fn parse<T: DeserializeOwned + Serialize>(bytes: &[u8]) -> Result<T, Failure> {
    let read = read_as(bytes).or_else(|failure| {
        // To JSON 4.0 is the number 4. It is rare, so it is looked for only now.
        let whole = serde_json::from_slice(bytes).ok().and_then(|mut value: Value| {
            lusoria_protocol::make_whole(&mut value).then(|| T::deserialize(value).ok())?
        });
        whole.ok_or(failure)
    })?;
    let given = read_strictly(bytes)
        .map_err(|error| Problem::new(Code::InvalidBody, without_place(&error.to_string())))?;
    match serde_json::to_value(&read).ok().and_then(|written| list_for_object(&given, &written)) {
        None => Ok(read),
        Some(place) => {
            let place = place.trim_start_matches('.');
            let place = if place.is_empty() { "the body" } else { place };
            Err(Problem::new(Code::InvalidBody, format!("{place}: expected an object, not a list")).into())
        }
    }
}

fn read_as<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = serde_path_to_error::deserialize(&mut reader);
    let (path, error) = match read.map(|value| (value, reader.end())) {
        Ok((value, Ok(()))) => return Ok(value),
        Ok((_, Err(error))) => (String::new(), error),
        Err(error) => (error.path().to_string(), error.into_inner()),
    };
    // The reader takes a number where a name should stand for broken JSON. What is JSON
    // as a whole is read once more from its value, which knows better.
    let (path, error) = match serde_json::from_slice::<Value>(bytes) {
        Ok(value) if error.is_syntax() => match serde_path_to_error::deserialize(value) {
            Ok(read) => return Ok(read),
            Err(error) => (error.path().to_string(), error.into_inner()),
        },
        Ok(_) | Err(_) => (path, error),
    };
    let (code, place) = match error.classify() {
        serde_json::error::Category::Data => (Code::InvalidBody, path.as_str()),
        _ => (Code::InvalidJson, "."),
    };
    let said = plainly(without_place(&error.to_string()));
    let detail = if place.is_empty() || place == "." { said } else { format!("{place}: {said}") };
    let told = |number: usize| u32::try_from(number).ok().filter(|&number| number > 0);
    let (line, column) = (told(error.line()), told(error.column()));
    Err(Failure(Problem { line, column, ..Problem::new(code, detail) }))
}

/// Line and column are told in fields of their own.
fn without_place(said: &str) -> &str {
    said.split(" at line ").next().unwrap_or_default()
}
