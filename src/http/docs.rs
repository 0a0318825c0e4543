//! The API's description, for programs and for people.

use std::{io::Read, sync::OnceLock};

use axum::{
    Router,
    body::Bytes,
    http::{HeaderMap, HeaderValue, header},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use flate2::read::GzDecoder;

use super::web::takes_gzip;

const REFRESHED: &str = "public, max-age=300";

/// The description that a test makes from the handlers (`openapi.rs`), compressed by build.rs.
static OPENAPI: Description =
    Description::packed(include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz")));
static SOCKET: Description =
    Description::packed(include_bytes!(concat!(env!("OUT_DIR"), "/socket.schema.json.gz")));

/// Pages include their own scripts and styles and load nothing from elsewhere.
pub(super) const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                                      img-src 'self' data:; base-uri 'none'; form-action 'none'; \
                                      frame-ancestors 'none'";

/// `/api` to read; `/api/openapi.json` and `/api/socket.schema.json` for programs.
pub(super) fn router() -> Router {
    let json = |description: &'static Description| {
        get(move |headers: HeaderMap| async move { description.answer(&headers) })
    };
    Router::new()
        .route("/api/openapi.json", json(&OPENAPI))
        .route("/api/socket.schema.json", json(&SOCKET))
        .route("/api", get(|| async { page(include_str!("pages/api.html")) }))
        .route("/api/page.js", get(|| async { asset("text/javascript", include_str!("pages/api.js")) }))
        .route("/api/page.css", get(|| async { asset("text/css", include_str!("pages/page.css")) }))
}

/// A description of the API, kept compressed.
struct Description {
    packed: &'static [u8],
    /// Made for the first client that does not accept gzip.
    plain: OnceLock<Bytes>,
}

impl Description {
    const fn packed(packed: &'static [u8]) -> Self {
        Self { packed, plain: OnceLock::new() }
    }

    fn answer(&'static self, headers: &HeaderMap) -> Response {
        let packs = takes_gzip(headers);
        let bytes = if packs { Bytes::from_static(self.packed) } else { self.plain().clone() };
        let mut answer = bytes.into_response();
        let told = answer.headers_mut();
        told.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        told.insert(header::CACHE_CONTROL, HeaderValue::from_static(REFRESHED));
        told.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if packs {
            told.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        answer
    }

    fn plain(&self) -> &Bytes {
        self.plain.get_or_init(|| {
            let mut plain = Vec::new();
            let unpacked = GzDecoder::new(self.packed).read_to_end(&mut plain);
            unpacked.expect("build.rs has packed it");
            plain.into()
        })
    }
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
