//! The layers around every request.

use std::{
    any::Any,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::{DefaultBodyLimit, MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{Next, from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
};
use lusoria_protocol::{Code, Problem, Token};
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::{AllowHeaders, Any as AnyOrigin, CorsLayer},
};
use tracing::Instrument;

use super::{
    Http,
    arrival::take_arrival,
    error::{Failure, PROBLEM_JSON},
    extract::{Who, accepts_json, declared_bytes},
    head::short_enough,
    packed_json::packed_json,
    unread_quota::count_unread,
    web::ForFrames,
};
use crate::app::{self, Asked, ClientAddress, Requester};

/// The timeout for the beginning of a response. Streams begin at once and continue.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// How long a browser may cache what CORS allows.
const CORS_FOR: Duration = Duration::from_hours(24);

/// The status in the metrics of a response that no client waited for.
const GONE: &str = "gone";

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The time for which browsers use only HTTPS, once a response has told them so.
const BY_HTTPS: &str = "max-age=31536000";

/// The layers around everything, health included: whatever happens inside, there is a response.
pub(super) fn around(inside: Router) -> Router {
    inside
        .fallback(nothing_here)
        .route_layer(from_fn(routed))
        .layer(from_fn(say_why))
        .layer(from_fn(in_time))
        .layer(CatchPanicLayer::custom(panicked))
}

/// The layers between [`around`] and HTTP clients. With `is_https`, browsers are told to use only HTTPS.
pub(super) fn for_clients(inside: Router, is_https: bool) -> Router {
    inside.layer(from_fn(short_enough)).layer(cors()).layer(from_fn_with_state(is_https, headers))
}

/// The outermost layer: logs and counts.
pub(super) fn counted(inside: Router) -> Router {
    inside.layer(from_fn(observed))
}

/// The layers around routes that count against rate limits.
pub(super) fn identified(inside: Router, http: &Http) -> Router {
    inside.layer(DefaultBodyLimit::max(http.body_bytes_max)).layer(from_fn_with_state(http.clone(), identify))
}

/// The layers around long responses to HTTP clients. Sockets compress and count their messages themselves.
pub(super) fn sent(inside: Router, http: &Http) -> Router {
    inside
        .layer(from_fn_with_state(http.clone(), packed_json))
        .layer(from_fn_with_state(http.clone(), count_unread))
}

async fn nothing_here() -> Failure {
    Problem::new(Code::NotFound, "there is nothing at this path; /api describes the API").into()
}

/// Identifies the caller and charges the request to the rate limiters. For requests from a socket, the socket has
/// done both.
async fn identify(State(http): State<Http>, mut request: Request, next: Next) -> Response {
    if let Some(Asked { caller, arrived, .. }) = request.extensions_mut().remove() {
        take_arrival(arrived, &mut request);
        request.extensions_mut().insert(Who(Ok(caller)));
        return next.run(request).await;
    }
    let address: Option<ClientAddress> = request.extensions().get().copied();
    let token = token(&request);
    let shown = token.as_ref().ok().and_then(Option::as_ref);
    if let Some(flood) = address.and_then(|address| http.app.admit_total_by_token(address, shown).err()) {
        let mut refused = Failure(flood).into_response();
        refused.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        return refused;
    }
    let bytes = declared_bytes(request.headers()).unwrap_or(0).min(http.body_bytes_max as u64);
    match who(&http, address, token, usize::try_from(bytes).unwrap_or(usize::MAX)).await {
        Ok(who) => {
            request.extensions_mut().insert(who);
            next.run(request).await
        }
        Err(problem) => Failure(problem).into_response(),
    }
}

async fn who(
    http: &Http,
    address: Option<ClientAddress>,
    token: Result<Option<Token>, Problem>,
    bytes: usize,
) -> Result<Who, Problem> {
    let address = address.ok_or_else(app::internal)?;
    let known = match token {
        Ok(None) => Ok(None),
        Ok(Some(token)) => {
            http.app.admit_token_lookup(address)?;
            let known = http.app.authenticate(token).await;
            known.inspect(|caller| http.app.note_address(address, caller)).map(Some)
        }
        Err(problem) => Err(problem),
    };
    let bucket = match &known {
        Ok(Some(caller)) => Requester::Guest(caller.id()),
        Err(problem) if problem.code == Code::UnknownToken => Requester::UnknownToken(address.0),
        Ok(None) | Err(_) => Requester::Address(address.0),
    };
    http.app.admit(bucket, bytes)?;
    Ok(Who(known))
}

fn token(request: &Request) -> Result<Option<Token>, Problem> {
    let mut values = request.headers().get_all(header::AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Problem::new(Code::InvalidHeader, "Authorization: send it once"));
    }
    let text = value.to_str().map_err(|_| app::unauthorized())?;
    let (scheme, token) = text.split_once(' ').ok_or_else(app::unauthorized)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(app::unauthorized());
    }
    Token::try_from(token.trim().to_owned()).map(Some).map_err(|_| app::unknown_token())
}

/// Refuses clients that do not accept JSON.
pub(super) async fn answer_in_json(request: Request, next: Next) -> Response {
    if accepts_json(request.headers()) {
        next.run(request).await
    } else {
        Failure(Problem::new(Code::NotAcceptable, "only application/json is available")).into_response()
    }
}

/// Turns axum's own refusals, such as for unknown paths and methods, into problems.
async fn say_why(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_told = kind.is_some_and(|kind| kind == PROBLEM_JSON || kind.as_bytes().starts_with(b"text/html"));
    if is_told || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let code = match status {
        StatusCode::METHOD_NOT_ALLOWED => Code::MethodNotAllowed,
        StatusCode::NOT_FOUND => Code::NotFound,
        StatusCode::PAYLOAD_TOO_LARGE => Code::BodyTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedMediaType,
        StatusCode::REQUEST_TIMEOUT => Code::RequestTimeout,
        StatusCode::TOO_MANY_REQUESTS => Code::TooManyRequests,
        status if status.is_client_error() => Code::InvalidHeader,
        _ => Code::Internal,
    };
    // axum adds the existing methods in `Allow` afterwards.
    let mut told = Failure(code.into()).into_response();
    told.extensions_mut().extend(response.extensions().clone());
    told
}

async fn in_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(ANSWER_WITHIN, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Failure(app::too_slow()).into_response(),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the layer asks for it")]
fn panicked(what: Box<dyn Any + Send>) -> Response {
    let said = what
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| what.downcast_ref::<&str>().copied())
        .unwrap_or("something that is not text");
    tracing::error!(panic = said, "a handler panicked");
    Failure(app::internal()).into_response()
}

/// Any page may use the API: it needs a token, which a page does not have by itself.
fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AnyOrigin)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([
            header::ALLOW,
            header::LOCATION,
            header::RETRY_AFTER,
            header::WWW_AUTHENTICATE,
            REQUEST_ID,
        ])
        .max_age(CORS_FOR)
}

async fn headers(State(is_https): State<bool>, request: Request, next: Next) -> Response {
    let is_file = request.uri().path().starts_with("/assets/");
    let mut response = next.run(request).await;
    let is_for_frames = response.extensions().get::<ForFrames>().is_some();
    let headers = response.headers_mut();
    if is_file && response_is_kept(headers) {
        // These headers are for documents and the API; they would be a fifth of a first visit.
        for name in [header::ACCESS_CONTROL_ALLOW_ORIGIN, header::ACCESS_CONTROL_EXPOSE_HEADERS] {
            headers.remove(name);
        }
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        return response;
    }
    if is_https {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(BY_HTTPS));
    }
    let mut unless_set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    unless_set(header::CACHE_CONTROL, "no-store");
    unless_set(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
    unless_set(header::REFERRER_POLICY, "no-referrer");
    unless_set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    if !is_for_frames {
        unless_set(header::X_FRAME_OPTIONS, "DENY");
    }
    response
}

/// Whether it is a file of the page, which never changes under its address.
fn response_is_kept(headers: &HeaderMap) -> bool {
    headers.get(header::CACHE_CONTROL).is_some_and(|kept| kept.as_bytes().ends_with(b"immutable"))
}

/// Logs and counts the request by its route, never by its query or headers, which could contain secrets.
async fn observed(mut request: Request, next: Next) -> Response {
    let asked: Option<&Asked> = request.extensions().get();
    let id = asked.map_or_else(|| uuid::Uuid::new_v4().simple().to_string(), |asked| asked.id.clone());
    let method = method_name(request.method());
    let path = request.uri().path().to_owned();
    let span = tracing::info_span!("request", %id, method, path);
    let underway = Underway { method, route: Route::default(), began: Instant::now(), span, status: None };
    request.extensions_mut().insert(underway.route.clone());
    let answer = app::within_request(id.clone(), next.run(request));
    let mut response = answer.instrument(underway.span.clone()).await;
    underway.answered(response.status());
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// A request in progress. It is logged and counted when it is answered, or when its client disconnects.
struct Underway {
    method: &'static str,
    route: Route,
    began: Instant,
    span: tracing::Span,
    status: Option<StatusCode>,
}

impl Underway {
    fn answered(mut self, status: StatusCode) {
        self.status = Some(status);
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        let took = self.began.elapsed();
        self.span.in_scope(|| {
            let took_ms = took.as_millis();
            if let Some(status) = self.status {
                tracing::debug!(status = status.as_u16(), took_ms, "answered");
            } else {
                tracing::debug!(took_ms, "the client disconnected before the response");
            }
        });
        let status = self.status.as_ref().map_or(GONE, StatusCode::as_str).to_owned();
        let labels =
            [("method", self.method.to_owned()), ("route", self.route.name().to_owned()), ("status", status)];
        metrics::counter!("lusoria_http_requests_total", &labels).increment(1);
        metrics::histogram!("lusoria_http_request_seconds", &labels).record(took.as_secs_f64());
    }
}

/// The method's name for the log and the metrics, if it is a usual one: clients may invent others of any length, and
/// each name creates a permanent time series.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// The route of a request, noted on its way in, so that it is known whatever happens next.
#[derive(Clone, Default)]
struct Route(Arc<OnceLock<String>>);

impl Route {
    fn name(&self) -> &str {
        self.0.get().map_or("none", String::as_str)
    }
}

/// Notes the route of the request.
async fn routed(route: Option<MatchedPath>, request: Request, next: Next) -> Response {
    if let (Some(path), Some(Route(route))) = (route, request.extensions().get()) {
        route.get_or_init(|| path.as_str().to_owned());
    }
    next.run(request).await
}

#[cfg(test)]
mod tests;
