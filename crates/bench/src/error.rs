//! Errors of a run, and the flags that help.

use std::io;

use lusoria_protocol::Code;

use lusoria_client::{ConnectionError, RequestError, ViewError};

/// The reason that a run could not begin.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The server's name has no address.
    #[error("cannot find the server: {0}")]
    Resolve(#[source] io::Error),
    /// The run was stopped before it began.
    #[error("stopped before anything was measured")]
    Stopped,
    /// The load is invalid.
    #[error("{0}")]
    Load(&'static str),
    /// A client of the load could not connect.
    #[error("{who}: {why}{}", advice(.why).map(|advice| format!("\n{advice}")).unwrap_or_default())]
    Opening {
        /// Which one.
        who: &'static str,
        /// The error.
        why: ClientError,
    },
    /// A task of the load itself failed.
    #[error("the load generator: {0}")]
    Task(#[from] tokio::task::JoinError),
}

/// An error of a client.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server refused a request, or the connection is gone.
    #[error(transparent)]
    Ask(#[from] RequestError),
    /// The server's data about a match is inconsistent.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A turn got no response or was not delivered.
    #[error("a turn got no response for {0} s")]
    Silence(u64),
    /// The match ended before its turn could be played, or stands still.
    #[error("the match does not continue")]
    Stuck,
    /// A task of the load itself failed.
    #[error("the load generator: {0}")]
    Task(#[from] tokio::task::JoinError),
}

impl From<ConnectionError> for ClientError {
    fn from(lost: ConnectionError) -> Self {
        Self::Ask(RequestError::Lost(lost))
    }
}

impl ClientError {
    /// The name under which it is counted: the code of a refusal, or our own name.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Ask(RequestError::Problem(problem)) => problem.code.as_str().to_owned(),
            Self::Ask(RequestError::Lost(ConnectionError::Unreachable(_) | ConnectionError::Away)) => {
                "unreachable".to_owned()
            }
            Self::Ask(RequestError::Lost(ConnectionError::Refused { status, .. })) => {
                format!("refused_{status}")
            }
            Self::Ask(RequestError::Lost(ConnectionError::Closed { code, .. })) => format!("closed_{code}"),
            Self::Ask(RequestError::Lost(ConnectionError::Broken(_))) => "broken".to_owned(),
            Self::Ask(RequestError::Unreadable(_) | RequestError::Lost(ConnectionError::Unreadable(_)))
            | Self::View(_) => "unreadable".to_owned(),
            Self::Ask(RequestError::Lost(ConnectionError::Unanswered)) | Self::Silence(_) => {
                "silence".to_owned()
            }
            Self::Stuck => "stuck".to_owned(),
            Self::Task(_) => "task".to_owned(),
        }
    }

    /// When to try again, if the server says so, in seconds.
    pub(super) fn retry_after_s(&self) -> Option<u64> {
        match self {
            Self::Ask(RequestError::Problem(problem)) => problem.retry_after_s,
            Self::Ask(RequestError::Lost(ConnectionError::Refused { retry_after_s, .. })) => *retry_after_s,
            Self::Ask(RequestError::Lost(_) | RequestError::Unreadable(_))
            | Self::View(_)
            | Self::Silence(_)
            | Self::Stuck
            | Self::Task(_) => None,
        }
    }
}

fn advice(error: &ClientError) -> Option<&'static str> {
    advice_on(&error.name())
}

/// The flags that help against an error with that name.
pub(super) fn advice_on(name: &str) -> Option<&'static str> {
    const REFUSALS: [(&str, &str); 7] = [
        (
            Code::TooManyRequests.as_str(),
            "raise the server's --guest-requests-per-s and --guest-burst, and --address-requests-per-s and \
             --address-burst; or load it less (--rate, --connect-rate, more --guests)",
        ),
        (
            Code::TooManyGuests.as_str(),
            "raise the server's --new-guests-per-hour, or let fewer --guests play all matches",
        ),
        (Code::TooManyMatches.as_str(), "raise the server's --unfinished-matches, or let more --guests play"),
        (
            "refused_429",
            "raise the server's --sockets-per-address and --connections-per-address, or come --from several addresses",
        ),
        (
            "refused_503",
            "raise the server's --connections and --connections-per-address, or come --from several addresses",
        ),
        ("closed_4429", "raise the server's --guest-requests-per-s and --guest-burst"),
        ("unreachable", "is the server there? And may this process open so many files (ulimit -n)?"),
    ];
    REFUSALS.iter().find(|(other, _)| *other == name).map(|(_, advice)| *advice)
}
