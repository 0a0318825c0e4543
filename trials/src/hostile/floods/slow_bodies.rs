//! Bodies that come byte by byte, after a head that promises them.

use std::io;

use super::{About, Lane};

pub(super) const ABOUT: About = About {
    does: "sends bodies byte by byte",
    lanes: 500,
    per_s: 2_000,
    ends: &["408 request_timeout"],
    patience_s: 12,
};

const HEAD: &[u8] = b"POST /api/v1/rules/zeno HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
    content-length: 16000\r\n\r\n";

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let mut body = std::iter::once(HEAD).chain(std::iter::repeat(&b" "[..]));
    lane.ask(move |_| body.next().unwrap_or_default().to_vec()).await
}
