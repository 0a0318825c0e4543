//! What is sent packed to those who can unpack it.

use std::{io::Write, sync::OnceLock};

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use flate2::write::GzEncoder;

use super::kind::Kind;
use crate::http::extract::preferences;

/// How hard is packed; more would take longer than it saves.
const GZIP_LEVEL: u32 = 9;
const BROTLI_QUALITY: u32 = 9;

/// How far back brotli looks, as a power of two in bytes: farther than any file is long.
const BROTLI_WINDOW: u32 = 20;

const BUFFER_BYTES: usize = 4096;

const TAKES_ALL: &str = "memory takes what is written";

/// How an answer may be packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Brotli,
    Gzip,
    /// As it is.
    Plain,
}

/// Something that does not change, in every way in which it may be sent: each is made when
/// somebody wants it for the first time.
pub(super) struct Packed {
    kind: Kind,
    plain: Bytes,
    gzip: OnceLock<Bytes>,
    brotli: OnceLock<Bytes>,
}

impl Packed {
    /// Nothing is packed yet.
    pub(super) fn new(kind: Kind, plain: impl Into<Bytes>) -> Self {
        Self { kind, plain: plain.into(), gzip: OnceLock::new(), brotli: OnceLock::new() }
    }

    /// As it is.
    pub(super) fn plain(&self) -> &[u8] {
        &self.plain
    }

    /// The answer to somebody who accepts these packings.
    pub(super) fn answer(&self, headers: &HeaderMap) -> Response {
        let packing = if self.kind.packs { accepted(headers) } else { Packing::Plain };
        let mut answer = self.packed(packing).into_response();
        let told = answer.headers_mut();
        told.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind.name));
        told.append(header::VARY, HeaderValue::from_static("accept-encoding"));
        match packing {
            Packing::Brotli => told.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br")),
            Packing::Gzip => told.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip")),
            Packing::Plain => None,
        };
        answer
    }

    fn packed(&self, packing: Packing) -> Bytes {
        match packing {
            Packing::Brotli => self.brotli.get_or_init(|| brotli(&self.plain)).clone(),
            Packing::Gzip => self.gzip.get_or_init(|| gzip(&self.plain)).clone(),
            Packing::Plain => self.plain.clone(),
        }
    }
}

/// The packing that somebody likes best; between equals the one that makes it smallest.
fn accepted(headers: &HeaderMap) -> Packing {
    let liked = preferences(headers, header::ACCEPT_ENCODING);
    let named = |name: &str| {
        liked.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|&(_, weight)| weight)
    };
    let weight = |name: &str| named(name).or_else(|| named("*")).unwrap_or(0.0);
    // Whoever says nothing of it takes things as they are, but would rather have them packed.
    let plain = named("identity").unwrap_or(0.0);
    let packings = [(Packing::Gzip, weight("gzip")), (Packing::Brotli, weight("br"))];
    let best = packings.into_iter().max_by(|(_, one), (_, other)| one.total_cmp(other));
    best.filter(|(_, weight)| *weight > 0.0 && *weight >= plain)
        .map_or(Packing::Plain, |(packing, _)| packing)
}

fn gzip(plain: &[u8]) -> Bytes {
    let mut writer = GzEncoder::new(Vec::new(), flate2::Compression::new(GZIP_LEVEL));
    writer.write_all(plain).and_then(|()| writer.finish()).expect(TAKES_ALL).into()
}

fn brotli(plain: &[u8]) -> Bytes {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), BUFFER_BYTES, BROTLI_QUALITY, BROTLI_WINDOW);
    writer.write_all(plain).expect(TAKES_ALL);
    writer.into_inner().into()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn asking(accept: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, accept.parse().unwrap());
        headers
    }

    #[test]
    fn the_packing_is_the_one_that_is_liked_best() {
        for (accept, expected) in [
            ("gzip, deflate, br, zstd", Packing::Brotli),
            ("gzip, deflate", Packing::Gzip),
            ("br;q=0.5, gzip", Packing::Gzip),
            ("GZIP;q=0.1", Packing::Gzip),
            ("*", Packing::Brotli),
            ("*, br;q=0", Packing::Gzip),
            ("*;q=0", Packing::Plain),
            ("br;q=0, gzip;q=0", Packing::Plain),
            ("gzip;q=0.5, identity", Packing::Plain),
            ("identity;q=0, gzip;q=0.1", Packing::Gzip),
            ("zstd", Packing::Plain),
            ("", Packing::Plain),
        ] {
            assert_eq!(accepted(&asking(accept)), expected, "{accept:?}");
        }
        assert_eq!(accepted(&HeaderMap::new()), Packing::Plain);
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        for plain in ["", "a", &"Ludus XII scriptorum, ".repeat(5000)] {
            let packed = Packed::new(Kind::DOCUMENT, plain.as_bytes().to_vec());
            let mut text = String::new();
            flate2::read::GzDecoder::new(&*packed.packed(Packing::Gzip)).read_to_string(&mut text).unwrap();
            assert_eq!(text, plain);
            text.clear();
            brotli::Decompressor::new(&*packed.packed(Packing::Brotli), 4096)
                .read_to_string(&mut text)
                .unwrap();
            assert_eq!(text, plain);
            assert_eq!(packed.packed(Packing::Plain), plain);
        }
    }
}
