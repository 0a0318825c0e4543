//! Replies to requests on a socket.

use std::fmt;

use axum::extract::ws::Utf8Bytes;
use lusoria_protocol::{
    Code, Problem, ToJson, plainly,
    socket::{Reply, Unread},
};

use super::limits::ANSWER_BYTES_MAX;
use crate::app::refused;

/// Serialises a response as JSON.
///
/// # Errors
/// `body_too_large` if it does not fit into a message.
pub(super) fn written(ok: &impl ToJson) -> Result<String, Problem> {
    fitting(ok.to_json())
}

/// A response that is JSON already.
///
/// # Errors
/// `body_too_large` if it does not fit into a message.
pub(super) fn fitting(json: Vec<u8>) -> Result<String, Problem> {
    if json.len() > ANSWER_BYTES_MAX {
        return Err(too_long());
    }
    Ok(String::from_utf8(json).expect("JSON is UTF-8"))
}

/// The problem with a response that does not fit into a message.
pub(super) fn too_long() -> Problem {
    let detail = format!("the response is longer than {ANSWER_BYTES_MAX} bytes: ask for less, or over HTTP");
    Problem::new(Code::BodyTooLarge, detail).with_limit(ANSWER_BYTES_MAX as u64)
}

/// The id of a socket, unique over all starts of the server.
#[derive(Debug, Clone, Copy)]
pub(super) struct SocketId {
    /// When the server started, in seconds since the epoch.
    pub(super) since: u64,
    /// Its number from then on, from 1.
    pub(super) number: u64,
}

impl fmt::Display for SocketId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "socket-{:x}-{}", self.since, self.number)
    }
}

/// The id of a request on a socket.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestId {
    /// The socket.
    pub(super) socket: SocketId,
    /// The number of the message on it, from 1.
    pub(super) message: u64,
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.socket, self.message)
    }
}

/// The reply to a request: `ok` is JSON already.
pub(super) fn reply(request_id: RequestId, re: Option<u32>, outcome: Result<String, Problem>) -> Utf8Bytes {
    let outcome = outcome.map_err(|problem| refused(problem, Some(request_id.to_string())));
    if outcome.is_ok() {
        tracing::debug!(%request_id, "answered");
    }
    match (re, outcome) {
        (Some(re), Ok(ok)) => format!(r#"{{"re":{re},"ok":{ok}}}"#).into(),
        (None, Ok(ok)) => format!(r#"{{"ok":{ok}}}"#).into(),
        (re, Err(problem)) => {
            let reply = Reply { re, status: None, location: None, ok: None, error: Some(Box::new(problem)) };
            text(reply.to_json())
        }
    }
}

/// JSON as a text.
pub(super) fn text(json: impl Into<bytes::Bytes>) -> Utf8Bytes {
    Utf8Bytes::try_from(json.into()).expect("JSON is UTF-8")
}

/// The problem with a message that could not be read.
pub(super) fn unreadable(why: &Unread) -> Problem {
    match why {
        Unread::NotJson(error) => Problem {
            line: u32::try_from(error.line()).ok(),
            column: u32::try_from(error.column()).ok(),
            ..Problem::new(Code::InvalidJson, error.to_string())
        },
        Unread::Fields(error) => Problem::new(Code::InvalidBody, plainly(&error.to_string())),
        Unread::UnknownOp => Problem::new(Code::UnknownOp, why.to_string()),
    }
}
