//! Packs long JSON for those who can unpack it.

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

/// What is shorter fits into a packet as it is, in bytes.
const SHORT_BYTES: u64 = 1_400;

/// What takes less than a millisecond to pack is packed at once, in bytes.
const AT_ONCE_BYTES: usize = 64 * 1024;

/// The fastest: JSON comes to a third at most, and little less at slower levels.
const LEVEL: u32 = 1;

/// Packs the response if it is JSON, long, and whole. What is packed already is left as it is.
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
