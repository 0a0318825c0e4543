//! The API's description, for programs and for people.

use axum::{
    Router,
    http::header,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use utoipa::openapi::OpenApi;

use super::{openapi, socket_schema};

const REFRESHED: &str = "public, max-age=300";

/// Pages bring their own scripts and styles and take nothing from anywhere else.
pub(super) const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                                      img-src 'self' data:; base-uri 'none'; form-action 'none'; \
                                      frame-ancestors 'none'";

/// `/api` to read; `/api/openapi.json` and `/api/socket.schema.json` for programs.
pub(super) fn router(described: OpenApi) -> Router {
    let api = axum::body::Bytes::from(openapi::finished(described).to_string());
    let socket = axum::body::Bytes::from(socket_schema::schema().to_string());
    let json = |text: axum::body::Bytes| {
        get(move || async move {
            ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, REFRESHED)], text)
        })
    };
    Router::new()
        .route("/api/openapi.json", json(api))
        .route("/api/socket.schema.json", json(socket))
        .route("/api", get(|| async { page(include_str!("pages/api.html")) }))
        .route("/api/page.js", get(|| async { asset("text/javascript", include_str!("pages/api.js")) }))
        .route("/api/page.css", get(|| async { asset("text/css", include_str!("pages/page.css")) }))
}

/// A page.
pub(super) fn page(text: impl Into<String>) -> Response {
    let headers = [(header::CONTENT_SECURITY_POLICY, PAGE_POLICY), (header::CACHE_CONTROL, REFRESHED)];
    (headers, Html(text.into())).into_response()
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    let kind = format!("{kind}; charset=utf-8");
    ([(header::CONTENT_TYPE, kind.as_str()), (header::CACHE_CONTROL, REFRESHED)], text).into_response()
}
