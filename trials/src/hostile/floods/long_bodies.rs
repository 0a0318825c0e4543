//! Bodies that are too long: declared so, or in chunks without an end.

use std::io;

use super::{About, Lane};

pub(super) const ABOUT: About = About {
    does: "declares bodies of 1 GiB, and sends chunks without an end",
    lanes: 20,
    per_s: 1_000,
    ends: &["413 body_too_large"],
    patience_s: 0,
};

const HEAD: &str = "POST /api/v1/rules/zeno HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
    let head = if lane.fresh().is_multiple_of(2) {
        format!("{HEAD}content-length: 1073741824\r\n\r\n")
    } else {
        format!("{HEAD}transfer-encoding: chunked\r\n\r\n")
    };
    let mut parts = std::iter::once(head).chain(std::iter::repeat(chunk));
    lane.ask(move |_| parts.next().unwrap_or_default().into_bytes()).await
}
