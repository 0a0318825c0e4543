//! Heads of requests that come byte by byte.

use std::io;

use super::{About, Lane};

pub(super) const ABOUT: About = About {
    does: "sends heads of requests byte by byte",
    lanes: 500,
    per_s: 2_000,
    ends: &["closed"],
    patience_s: 12,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let mut head = b"GET /api/v1/games HTTP/1.1\r\nx: ".iter().copied().chain(std::iter::repeat(b'x'));
    lane.ask(move |_| head.by_ref().take(1).collect()).await
}
