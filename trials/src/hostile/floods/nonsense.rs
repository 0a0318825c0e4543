//! Bytes that are not HTTP.

use std::io;

use super::{About, Lane};

pub(super) const ABOUT: About = About {
    does: "speaks TLS on the plain port",
    lanes: 20,
    per_s: 1_000,
    ends: &["400"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    lane.ask(|_| b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(20)).await
}
