//! The endings of a conversation, each with its close code and its name in the metrics.

use axum::extract::ws::{CloseCode, CloseFrame};

/// The reason why no more frames can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadError {
    /// A message exceeds the most that is read.
    TooBig,
    /// A text is not UTF-8.
    NotUtf8,
    /// The bytes are not WebSocket frames.
    BadFrame,
    /// The connection broke.
    Broken,
}

impl From<axum::Error> for ReadError {
    fn from(error: axum::Error) -> Self {
        use tokio_tungstenite::tungstenite::Error;
        match error.into_inner().downcast_ref::<Error>() {
            Some(Error::Capacity(_)) => Self::TooBig,
            Some(Error::Utf8(_)) => Self::NotUtf8,
            Some(Error::Protocol(_) | Error::AttackAttempt) => Self::BadFrame,
            _ => Self::Broken,
        }
    }
}

/// The reason why no more frames can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteError {
    /// The network accepted nothing for too long.
    Stuck,
    /// The connection broke.
    Broken,
}

impl From<axum::Error> for WriteError {
    fn from(error: axum::Error) -> Self {
        use tokio_tungstenite::tungstenite::Error;
        match error.into_inner().downcast_ref::<Error>() {
            Some(Error::Io(error)) if error.kind() == std::io::ErrorKind::TimedOut => Self::Stuck,
            _ => Self::Broken,
        }
    }
}

/// The reason why a conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The client closed it.
    Closed,
    /// The connection broke.
    Broken,
    /// Nothing arrived from the client for too long.
    Silent,
    /// The client did not read its messages.
    Stuck,
    /// It did not say `hello` in time.
    NoHello,
    /// Its token is no longer valid.
    TokenRevoked,
    /// Its API token has expired.
    TokenExpired,
    /// The operator has blocked its guest.
    Blocked,
    /// It kept sending too much.
    Flood,
    /// It sent a binary frame.
    Binary,
    /// It sent a message that is too long.
    TooBig,
    /// It sent a text that is not UTF-8.
    NotUtf8,
    /// It sent bytes that are not WebSocket frames.
    BadFrame,
    /// The journal cannot be read.
    Unavailable,
    /// The server stops.
    Stopping,
}

impl Ending {
    /// The close code and the reason for the client; none if the connection is gone.
    pub(super) fn farewell(self) -> Option<CloseFrame> {
        let (code, reason): (CloseCode, &str) = match self {
            Self::Closed | Self::Broken => return None,
            Self::Silent => (4408, "you sent nothing for too long, not even a pong"),
            Self::Stuck => (4408, "you read nothing for too long"),
            Self::NoHello => (4401, "say hello within 10 seconds"),
            Self::TokenRevoked => (4401, "this token is no longer known"),
            Self::TokenExpired => (4401, "this token has expired"),
            Self::Blocked => (4403, "you have been blocked on this server"),
            Self::Flood => (4429, "too many messages"),
            Self::Binary => (1003, "messages are JSON text"),
            Self::TooBig => (1009, "this message is too long"),
            Self::NotUtf8 => (1007, "this text is not UTF-8"),
            Self::BadFrame => (1002, "this is not a WebSocket frame"),
            Self::Unavailable => (1013, "try again later"),
            Self::Stopping => (1012, "the server stops; connect again"),
        };
        Some(CloseFrame { code, reason: reason.into() })
    }

    /// Its name in the metrics and the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Broken => "broken",
            Self::Silent => "silent",
            Self::Stuck => "stuck",
            Self::NoHello => "no_hello",
            Self::TokenRevoked => "token_revoked",
            Self::TokenExpired => "token_expired",
            Self::Blocked => "blocked",
            Self::Flood => "flood",
            Self::Binary => "binary",
            Self::TooBig => "too_big",
            Self::NotUtf8 => "not_utf8",
            Self::BadFrame => "bad_frame",
            Self::Unavailable => "unavailable",
            Self::Stopping => "stopping",
        }
    }
}

impl From<ReadError> for Ending {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::TooBig => Self::TooBig,
            ReadError::NotUtf8 => Self::NotUtf8,
            ReadError::BadFrame => Self::BadFrame,
            ReadError::Broken => Self::Broken,
        }
    }
}

impl From<WriteError> for Ending {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Stuck => Self::Stuck,
            WriteError::Broken => Self::Broken,
        }
    }
}
