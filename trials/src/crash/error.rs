//! The errors of a trial: those that it causes itself, and broken promises.

use lusoria_client::{RequestError, ViewError};
use lusoria_protocol::{Code, Problem};

use crate::in_time::is_too_late;

/// The error of a client.
#[derive(Debug, thiserror::Error)]
pub(super) enum TrialError {
    /// There is no server, or it is unavailable: the trial causes that.
    #[error("no answer: {0}")]
    NoAnswer(NoAnswer),
    /// A promise was not kept.
    #[error("{0}")]
    Broken(String),
}

/// Why there was no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoAnswer {
    /// The connection is gone.
    #[error("{0}")]
    Lost(lusoria_client::ConnectionError),
    /// The server says that it is unavailable.
    #[error("{}: {}", .0.code.as_str(), .0.detail)]
    Unavailable(Box<Problem>),
}

impl TrialError {
    /// A promise that was not kept.
    pub(super) fn broken(what: impl Into<String>) -> Self {
        Self::Broken(what.into())
    }
}

impl From<ViewError> for TrialError {
    fn from(error: ViewError) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<lusoria_client::ConnectionError> for TrialError {
    fn from(lost: lusoria_client::ConnectionError) -> Self {
        match lost {
            lusoria_client::ConnectionError::Unreadable(what) => Self::Broken(format!("unreadable: {what}")),
            late if is_too_late(&late) => Self::Broken(late.to_string()),
            gone => Self::NoAnswer(NoAnswer::Lost(gone)),
        }
    }
}

/// An unexpected refusal is a broken promise: the trials request nothing illegal.
impl From<RequestError> for TrialError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Lost(lost) => lost.into(),
            RequestError::Unreadable(what) => Self::Broken(format!("unreadable: {what}")),
            RequestError::Problem(problem) => match problem.code {
                Code::Unavailable | Code::Stopping => Self::NoAnswer(NoAnswer::Unavailable(problem)),
                _ => Self::Broken(format!("refused: {}: {}", problem.code.as_str(), problem.detail)),
            },
        }
    }
}
