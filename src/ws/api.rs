//! The operation `http`: a request that the routes of the API answer as over HTTP.

use axum::{
    body::{Body, Bytes, HttpBody, to_bytes},
    extract::{Request, ws::Utf8Bytes},
    http::{HeaderMap, StatusCode, Uri, header},
    response::Response,
};
use lusoria_protocol::{
    Code, Problem, ToJson,
    socket::{ApiRequest, Method, Reply},
};
use tower::ServiceExt;

use super::{
    client::Client,
    limits::ANSWER_BYTES_MAX,
    reply::{RequestId, embedded, refusal, text, too_long},
};
use crate::{
    app::{Asked, internal},
    live::Arrived,
};

const JSON: &str = "application/json";
const PROBLEM_JSON: &str = "application/problem+json";

/// Requests below this path may change the client's identity: its name, its tokens.
const ABOUT_THE_CALLER: &str = "/api/v1/me";

/// The response of the API.
pub(super) struct ApiAnswer {
    status: StatusCode,
    location: Option<String>,
    /// JSON; empty if there is no body.
    body: Bytes,
}

impl Client {
    /// Passes a request to the API.
    pub(super) async fn over_http(
        &mut self,
        asked: ApiRequest,
        arrived: Arrived,
        id: RequestId,
    ) -> ApiAnswer {
        let changes_the_caller = asked.method != Method::Get && asked.path.starts_with(ABOUT_THE_CALLER);
        let answered = match request(asked) {
            Ok(mut request) => {
                let extensions = request.extensions_mut();
                extensions.insert(self.address);
                extensions.insert(Asked { id: id.to_string(), caller: self.caller.clone(), arrived });
                let response = self.sockets.api.clone().oneshot(request).await;
                response.map_err(|never| match never {})
            }
            Err(problem) => {
                arrived.holds_nothing_up();
                Err(problem)
            }
        };
        if changes_the_caller {
            self.doubt_token();
        }
        let answer = match answered {
            Ok(response) => ApiAnswer::of(response).await,
            Err(problem) => Err(problem),
        };
        answer.unwrap_or_else(|problem| ApiAnswer::refusal(problem, id))
    }
}

/// Converts it to a request as over HTTP.
///
/// # Errors
/// `invalid_path`.
fn request(ApiRequest { method, path, key, body }: ApiRequest) -> Result<Request, Problem> {
    let uri: Option<Uri> = path.starts_with('/').then(|| path.parse().ok()).flatten();
    let uri =
        uri.ok_or_else(|| Problem::new(Code::InvalidPath, "path: /api/v1/ and what follows it in a URL"))?;
    let mut request = Request::builder().method(method.as_str()).uri(uri).header(header::ACCEPT, JSON);
    if let Some(key) = key {
        request = request.header("idempotency-key", key.as_str());
    }
    let body = body.map(|body| body.get().to_owned());
    if let Some(body) = &body {
        request = request.header(header::CONTENT_TYPE, JSON).header(header::CONTENT_LENGTH, body.len());
    }
    request.body(body.map_or_else(Body::empty, Body::from)).map_err(|_| internal())
}

impl ApiAnswer {
    /// # Errors
    /// `not_acceptable` if it is not JSON; `body_too_large` if it exceeds a message.
    async fn of(response: Response) -> Result<Self, Problem> {
        let (head, body) = response.into_parts();
        let is_empty = body.size_hint().exact() == Some(0);
        if !is_empty && !is_json(&head.headers) {
            return Err(Problem::new(
                Code::NotAcceptable,
                "a socket carries JSON only: ask for this over HTTP",
            ));
        }
        if body.size_hint().lower() > ANSWER_BYTES_MAX as u64 {
            return Err(too_long());
        }
        let location = head.headers.get(header::LOCATION).and_then(|location| location.to_str().ok());
        let location = location.map(str::to_owned);
        let body = to_bytes(body, ANSWER_BYTES_MAX).await.map_err(|_| too_long())?;
        Ok(Self { status: head.status, location, body })
    }

    /// A refusal outside the API.
    fn refusal(problem: Problem, id: RequestId) -> Self {
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, location: None, body: refusal(id, problem).into() }
    }

    /// The reply to request `re`. The API's JSON is embedded unchanged.
    pub(super) fn reply(self, re: u32) -> Utf8Bytes {
        let Self { status, location, body } = self;
        let is_refusal = status.is_client_error() || status.is_server_error();
        let head = Reply { re: Some(re), status: Some(status.as_u16()), location, ..Reply::default() };
        match &body[..] {
            [] => text(head.to_json()),
            body => embedded(&head, if is_refusal { "error" } else { "ok" }, body),
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == JSON || kind == PROBLEM_JSON)
}
