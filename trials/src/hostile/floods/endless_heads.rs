//! Heads without an end.

use std::io;

use super::{About, Lane};

pub(super) const ABOUT: About = About {
    does: "sends heads without an end",
    lanes: 20,
    per_s: 1_000,
    ends: &["431"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let mut first = true;
    lane.ask(move |_| {
        let start = if std::mem::take(&mut first) { "GET / HTTP/1.1\r\n" } else { "" };
        format!("{start}{}", "x: yyyyyyyyyyyyyyyy\r\n".repeat(200)).into_bytes()
    })
    .await
}
