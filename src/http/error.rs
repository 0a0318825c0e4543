//! Problems as responses.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lusoria_protocol::{Code, Problem, ToJson};

use crate::app::{refused, request_id};

/// The content type of every error.
pub(super) const PROBLEM_JSON: &str = "application/problem+json";

/// A problem as the response to a request.
#[derive(Debug)]
pub(super) struct Failure(pub(super) Problem);

/// The result of a handler.
pub(super) type HandlerResult<T> = Result<T, Failure>;

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<Code> for Failure {
    fn from(code: Code) -> Self {
        Self(code.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let problem = refused(self.0, request_id());
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = problem.to_json();
        let mut response = (status, [(header::CONTENT_TYPE, PROBLEM_JSON)], body).into_response();
        let headers = response.headers_mut();
        if let Some(retry_after_s) = problem.retry_after_s {
            headers.insert(header::RETRY_AFTER, retry_after_s.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
