//! Errors between a client and a server.

use std::io;

use lusoria_protocol::Problem;
use tokio_tungstenite::tungstenite;

/// The reason that there is no connection, or no response.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// It could not be opened: nothing listens or responds there.
    #[error("no connection: {0}")]
    Unreachable(#[source] io::Error),
    /// The server responded to a WebSocket or HTTP request with another status.
    #[error("the server answers with status {status}{}", retry(*.retry_after_s))]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The `Retry-After`, in seconds.
        retry_after_s: Option<u64>,
    },
    /// The server closed it.
    #[error("the server closed the connection: {code} {reason}")]
    Closed {
        /// The close code; 1005 if none was given.
        code: u16,
        /// The reason in words.
        reason: String,
    },
    /// The server did not respond to a request in time.
    #[error("the server does not answer")]
    Unanswered,
    /// There is none now: it was lost and is being reopened.
    #[error("there is no connection now")]
    Away,
    /// It broke.
    #[error("the connection broke: {0}")]
    Broken(#[source] Box<tungstenite::Error>),
    /// The server sent something that its protocol does not allow.
    #[error("the server sent what cannot be read: {0}")]
    Unreadable(String),
}

fn retry(after_s: Option<u64>) -> String {
    after_s.map(|seconds| format!(", try again in {seconds} s")).unwrap_or_default()
}

impl From<tungstenite::Error> for ConnectionError {
    fn from(error: tungstenite::Error) -> Self {
        match error {
            tungstenite::Error::Http(response) => Self::Refused {
                status: response.status().as_u16(),
                retry_after_s: response
                    .headers()
                    .get("retry-after")
                    .and_then(|seconds| seconds.to_str().ok()?.parse().ok()),
            },
            other => Self::Broken(Box::new(other)),
        }
    }
}

/// The reason that a request failed.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The server refused it.
    #[error("{}: {}", .0.code.as_str(), .0.detail)]
    Problem(Box<Problem>),
    /// There was no response.
    #[error(transparent)]
    Lost(#[from] ConnectionError),
    /// The response has an unexpected form. The connection still works.
    #[error("the server's answer cannot be read: {0}")]
    Unreadable(String),
}

impl RequestError {
    pub(super) fn no_snapshot() -> Self {
        Self::Unreadable("the answer to watch has no snapshot".to_owned())
    }

    /// The reason that there is no connection, if the request was to open it.
    pub(super) fn of_connection(self) -> ConnectionError {
        match self {
            Self::Problem(problem) => {
                ConnectionError::Refused { status: problem.status, retry_after_s: problem.retry_after_s }
            }
            Self::Lost(why) => why,
            Self::Unreadable(what) => ConnectionError::Unreadable(what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_was_there_and_fails_is_broken() {
        let reset = tungstenite::Error::Io(io::ErrorKind::ConnectionReset.into());
        assert!(matches!(ConnectionError::from(reset), ConnectionError::Broken(_)));
    }
}
