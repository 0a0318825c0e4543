//! Compressed responses for clients that accept them.

use std::{io::Write, sync::OnceLock};

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};

use super::kind::Kind;
use crate::http::extract::preferences;

/// The highest level; it takes about a millisecond a file, once.
const LEVEL: u32 = 9;

/// Constant bytes, plain and compressed; they are compressed at the first request for that.
///
/// Only gzip: brotli would make a first visit a tenth smaller, but takes thirty times as long, and browsers ask for
/// it only over TLS.
pub(in crate::http) struct Packed {
    kind: Kind,
    plain: Bytes,
    gzip: OnceLock<Bytes>,
}

impl Packed {
    /// Nothing is compressed yet.
    pub(in crate::http) fn new(kind: Kind, plain: impl Into<Bytes>) -> Self {
        Self { kind, plain: plain.into(), gzip: OnceLock::new() }
    }

    /// The plain bytes.
    pub(in crate::http) fn plain(&self) -> &[u8] {
        &self.plain
    }

    /// The answer to a request with these headers.
    pub(in crate::http) fn answer(&self, headers: &HeaderMap) -> Response {
        let packs = self.kind.packs && takes_gzip(headers);
        let bytes = if packs { self.gzip() } else { &self.plain };
        let mut answer = bytes.clone().into_response();
        let told = answer.headers_mut();
        told.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind.name));
        told.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if packs {
            told.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        answer
    }

    fn gzip(&self) -> &Bytes {
        self.gzip.get_or_init(|| gzip(&self.plain, LEVEL))
    }
}

/// The bytes, compressed; `level` is 1 to 9, the smallest.
pub(in crate::http) fn gzip(plain: &[u8], level: u32) -> Bytes {
    let mut writer = GzEncoder::new(Vec::new(), Compression::new(level));
    let packed = writer.write_all(plain).and_then(|()| writer.finish());
    packed.expect("memory takes what is written").into()
}

/// Whether a client prefers gzip to the plain form (RFC 9110, 12.5.3).
pub(in crate::http) fn takes_gzip(headers: &HeaderMap) -> bool {
    let liked = preferences(headers, header::ACCEPT_ENCODING);
    let named = |name: &str| {
        liked.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|&(_, weight)| weight)
    };
    let gzip = named("gzip").or_else(|| named("*")).unwrap_or(0.0);
    // A client without the header accepts any encoding; compressed is better.
    gzip > 0.0 && gzip >= named("identity").unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn the_preferred_encoding_is_sent() {
        for (accept, expected) in [
            (Some("gzip, deflate, br, zstd"), true),
            (Some("br, gzip;q=0.5"), true),
            (Some("GZIP;q=0.1"), true),
            (Some("*"), true),
            (Some("*, gzip;q=0"), false),
            (Some("*;q=0"), false),
            (Some("gzip;q=0"), false),
            (Some("gzip;q=0.5, identity"), false),
            (Some("identity;q=0, gzip;q=0.1"), true),
            (Some("br, zstd"), false),
            (Some(""), false),
            (None, false),
        ] {
            let mut headers = HeaderMap::new();
            headers.extend(accept.map(|accept| (header::ACCEPT_ENCODING, accept.parse().unwrap())));
            assert_eq!(takes_gzip(&headers), expected, "{accept:?}");
        }
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        for plain in ["", "a", &"Ludus XII scriptorum, ".repeat(5000)] {
            let packed = Packed::new(Kind::DOCUMENT, plain.as_bytes().to_vec());
            let mut text = String::new();
            flate2::read::GzDecoder::new(&**packed.gzip()).read_to_string(&mut text).unwrap();
            assert_eq!(text, plain);
        }
    }
}
