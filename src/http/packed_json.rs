//! Compresses long JSON for clients that accept it.

use axum::{
    body::{Body, HttpBody, to_bytes},
    extract::{Request, State},
    http::{HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{
    Http,
    error::Failure,
    web::{gzip, takes_gzip},
};
use crate::app;

/// The least length to compress, in bytes: a shorter response fits into one packet.
const SHORT_BYTES: u64 = 1_400;

/// The most bytes that are compressed in place, in less than a millisecond.
const AT_ONCE_BYTES: usize = 64 * 1024;

/// The fastest: JSON shrinks to a third at most, and to little less at slower levels.
const LEVEL: u32 = 1;

/// Compresses the response if it is long JSON and complete. Compressed responses are left alone.
pub(super) async fn packed_json(State(http): State<Http>, request: Request, next: Next) -> Response {
    let packs = takes_gzip(request.headers());
    let mut response = next.run(request).await;
    let bytes = response.body().size_hint().exact().unwrap_or(0);
    let headers = response.headers_mut();
    let is_json = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if !is_json || bytes <= SHORT_BYTES || headers.contains_key(header::VARY) {
        return response;
    }
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !packs {
        return response;
    }
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    let (head, body) = response.into_parts();
    // It is in memory already.
    let Ok(plain) = to_bytes(body, usize::MAX).await else { return Failure(app::internal()).into_response() };
    let packed = if plain.len() <= AT_ONCE_BYTES {
        Ok(gzip(&plain, LEVEL))
    } else {
        http.app.in_background(move || gzip(&plain, LEVEL)).await
    };
    match packed {
        Ok(packed) => Response::from_parts(head, Body::from(packed)),
        Err(problem) => Failure(problem).into_response(),
    }
}
