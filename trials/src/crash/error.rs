//! The errors of a trial: those that it causes itself, and broken promises.

use std::io;

use lusoria_client::{RequestError, ViewError};
use lusoria_protocol::{Code, Problem};
use serde::de::DeserializeOwned;

use crate::in_time::is_too_late;

/// The error of a client.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrialError {
    /// There is no server, or it is unavailable: the trial causes that.
    #[error("no answer: {0}")]
    NoAnswer(NoAnswer),
    /// A promise was not kept.
    #[error("{0}")]
    Broken(String),
}

/// Why there was no response.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAnswer {
    /// The connection was lost.
    #[error("{0}")]
    Lost(lusoria_client::ConnectionError),
    /// The server says that it is unavailable.
    #[error("{}: {}", .0.code.as_str(), .0.detail)]
    Unavailable(Box<Problem>),
}

/// A broken promise, with a message.
macro_rules! broken {
    ($($what:tt)*) => { $crate::crash::error::TrialError::Broken(format!($($what)*)) };
}

/// Returns a broken promise with a message, unless the condition holds.
macro_rules! promised {
    ($kept:expr, $($what:tt)*) => {
        if !$kept {
            return Err($crate::crash::error::TrialError::Broken(format!($($what)*)));
        }
    };
}

pub(crate) use {broken, promised};

/// Parses what the server sent.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, TrialError> {
    serde_json::from_str(text).map_err(|error| broken!("{error} in {text}"))
}

impl From<ViewError> for TrialError {
    fn from(error: ViewError) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<io::Error> for TrialError {
    fn from(error: io::Error) -> Self {
        broken!("the trial's files: {error}")
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
