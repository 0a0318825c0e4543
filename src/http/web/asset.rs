//! The files of the page.

use axum::{
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use lusoria_protocol::{Code, Problem};

use super::site::{Site, may_be_hash};
use crate::http::error::HandlerResult;

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const NOT_AT_ALL: HeaderValue = HeaderValue::from_static("no-store");

/// A file. Somebody who has had the page open since before the server was renewed may ask for
/// a module under the hash that it had then: it gets the present version, not to be cached.
pub(super) async fn asset(
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    let site = Site::now();
    let found = path.ok().filter(|Path((hash, _))| may_be_hash(hash)).and_then(|Path((hash, name))| {
        let file = site.asset(&name)?;
        Some((file, if hash == site.hash() { FOR_EVER } else { NOT_AT_ALL }))
    });
    let (file, kept) = found.ok_or_else(|| Problem::new(Code::NotFound, "the page has no such file"))?;
    let mut answer = file.answer(&headers);
    answer.headers_mut().insert(header::CACHE_CONTROL, kept);
    Ok(answer)
}
