//! The files that browsers expect at the root of the server, whatever the release.
//!
//! The service worker controls only addresses below its own, and browsers compare it with the one that they have. It
//! contains the release, so that each release replaces it.

use axum::{
    http::{HeaderMap, StatusCode},
    response::Response,
};

use super::{bare::bare, kind::Kind, site::Site, tagged::Tagged, words::filled};

/// The service worker.
pub(super) const WORKER: &str = "service-worker.js";

/// The manifest: the name of the page and its icons, for installing it.
pub(super) const MANIFEST: &str = "manifest.webmanifest";

/// The policy of the service worker: it may load everything from the server. A manifest loads nothing.
const POLICY: &str = "default-src 'none'; connect-src 'self'";

/// Makes one of these files from its text, which contains the addresses of the other files.
pub(super) fn made(name: &str, text: &str, assets: &str) -> Option<Tagged> {
    let kind = Kind::of(name)?;
    let text =
        filled(text, ("{{", "}}"), |place| if place == "assets" { assets.to_owned() } else { String::new() });
    Some(Tagged::new(kind, if kind == Kind::MODULE { bare(&text) } else { text }))
}

/// The service worker, for this release.
pub(super) async fn worker(headers: HeaderMap) -> Response {
    answer(WORKER, &headers)
}

/// The name of an installed page, and its icons.
pub(super) async fn manifest(headers: HeaderMap) -> Response {
    answer(MANIFEST, &headers)
}

fn answer(name: &'static str, headers: &HeaderMap) -> Response {
    let site = Site::now();
    let file = site.root(name).expect("both are among the files of the page");
    file.answer(StatusCode::OK, headers, POLICY)
}
