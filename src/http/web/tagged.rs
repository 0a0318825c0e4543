//! Responses that are requested each time, and sent only if the client does not have them.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

use super::{kind::Kind, packed::Packed, site::short};

/// A text whose address stays the same when it changes.
pub(super) struct Tagged {
    text: Packed,
    /// Changes with the text.
    tag: HeaderValue,
}

impl Tagged {
    pub(super) fn new(kind: Kind, text: String) -> Self {
        let tag = format!("W/\"{}\"", short(Sha256::new_with_prefix(&text)));
        let tag = HeaderValue::try_from(tag).expect("digits in quotes");
        Self { text: Packed::new(kind, text), tag }
    }

    /// The response to a request with these headers; `policy` is its content security policy.
    pub(super) fn answer(&self, status: StatusCode, headers: &HeaderMap, policy: &'static str) -> Response {
        let has_it = status == StatusCode::OK && is_known(&self.tag, headers);
        let mut answer =
            if has_it { StatusCode::NOT_MODIFIED.into_response() } else { self.text.answer(headers) };
        if !has_it {
            *answer.status_mut() = status;
        }
        let told = answer.headers_mut();
        told.insert(header::ETAG, self.tag.clone());
        for (name, value) in [
            (header::VARY, "accept-encoding"),
            (header::CACHE_CONTROL, "no-cache"),
            (header::CONTENT_SECURITY_POLICY, policy),
        ] {
            told.insert(name, HeaderValue::from_static(value));
        }
        answer
    }
}

/// Whether the client already has the text with this tag (RFC 9110, 13.1.2).
pub(super) fn is_known(tag: &HeaderValue, headers: &HeaderMap) -> bool {
    let opaque = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_vec();
    let mut values = headers.get_all(header::IF_NONE_MATCH).iter();
    values.any(|value| {
        let mut tags = value.as_bytes().split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
        tags.any(|other| other == b"*" || opaque(other) == opaque(tag.as_bytes()))
    })
}
