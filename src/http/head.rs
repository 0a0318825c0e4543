//! Refuses requests with very long heads.

use axum::{
    extract::Request,
    http::{HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use lusoria_protocol::{Code, Problem};

use super::error::Failure;

/// The most header lines of a request.
const LINES_MAX: usize = 64;

/// The most bytes of a request's head.
const BYTES_MAX: usize = 16 * 1024;

/// Refuses requests with long heads. The accept loop limits how much of a head is read at all.
pub(super) async fn short_enough(request: Request, next: Next) -> Response {
    let limit = if request.headers().len() > LINES_MAX {
        Some((LINES_MAX, "headers"))
    } else if bytes(&request) > BYTES_MAX {
        Some((BYTES_MAX, "bytes"))
    } else {
        None
    };
    let Some((limit, of_what)) = limit else { return next.run(request).await };
    let detail = format!("the head of a request has at most {limit} {of_what}");
    let problem = Problem::new(Code::HeadTooLarge, detail).with_limit(limit as u64);
    let mut refused = Failure(problem).into_response();
    refused.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    refused
}

/// The length of the head in the usual notation.
fn bytes(request: &Request) -> usize {
    let target = request.uri().path_and_query().map_or(1, |target| target.as_str().len());
    let first = request.method().as_str().len() + target + "  HTTP/1.1\r\n\r\n".len();
    let lines = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
    first + lines.sum::<usize>()
}
