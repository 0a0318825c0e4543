//! The files of the page.

use axum::{
    extract::{Path, State, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use lusoria_protocol::{Code, Problem};

use super::site::{Site, may_be_hash};
use crate::http::{Http, error::HandlerResult};

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const NOT_AT_ALL: HeaderValue = HeaderValue::from_static("no-store");

/// A file of the page of the release with the hash in the address. Nodes that share a database store the pages of all
/// their releases in it. Without a release of that hash, the response is the present file, which is not cached: a
/// page that was opened before an upgrade continues with it.
pub(super) async fn asset(
    State(http): State<Http>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    let missing = || Problem::new(Code::NotFound, "the page has no such file");
    let Path((hash, name)) = path.ok().filter(|Path((hash, _))| may_be_hash(hash)).ok_or_else(missing)?;
    let site = Site::now();
    let neighbour = if hash == site.hash() { None } else { http.neighbours.page(&http.app, &hash).await };
    let (file, kept) = match &neighbour {
        Some(page) => (page.get(&name), FOR_EVER),
        None => (site.asset(&name), if hash == site.hash() { FOR_EVER } else { NOT_AT_ALL }),
    };
    let mut answer = file.ok_or_else(missing)?.answer(&headers);
    answer.headers_mut().insert(header::CACHE_CONTROL, kept);
    Ok(answer)
}
