//! The files that browsers want to have at the root of the server, whatever the release.
//!
//! The service worker decides only about addresses below its own, and browsers compare it with the
//! one that they have: it names the release, so that each release replaces it.

use axum::{
    http::{HeaderMap, StatusCode},
    response::Response,
};

use super::{bare::bare, kind::Kind, site::Site, tagged::Tagged, words::filled};

/// The service worker.
pub(super) const WORKER: &str = "service-worker.js";

/// What the page is called, and its icons, where somebody installs it.
pub(super) const MANIFEST: &str = "manifest.webmanifest";

/// What the service worker may load: what the server has. A manifest loads nothing.
const POLICY: &str = "default-src 'none'; connect-src 'self'";

/// Makes one of these files from its text, which names the other files by where they are.
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

/// What an installed page is called, and its icons.
pub(super) async fn manifest(headers: HeaderMap) -> Response {
    answer(MANIFEST, &headers)
}

fn answer(name: &'static str, headers: &HeaderMap) -> Response {
    let site = Site::now();
    let file = site.root(name).expect("both are among the files of the page");
    file.answer(StatusCode::OK, headers, POLICY)
}
