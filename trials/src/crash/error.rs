//! What goes wrong in a trial: what it causes itself, and broken promises.

use lusoria_client::{AskError, ViewError};
use lusoria_protocol::{Code, Problem};

use crate::in_time::is_too_late;

/// What a client met.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// There is no server, or it says that it cannot now: what a trial brings about.
    #[error("no answer: {0}")]
    Down(Down),
    /// A promise was not kept.
    #[error("{0}")]
    Broken(String),
}

/// Why there was no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Down {
    /// The connection is gone.
    #[error("{0}")]
    Lost(lusoria_client::Lost),
    /// The server says that it cannot do it now.
    #[error("{}: {}", .0.code.as_str(), .0.detail)]
    Unavailable(Box<Problem>),
}

impl Trouble {
    /// A promise that was not kept.
    pub(super) fn broken(what: impl Into<String>) -> Self {
        Self::Broken(what.into())
    }
}

impl From<ViewError> for Trouble {
    fn from(error: ViewError) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<lusoria_client::Lost> for Trouble {
    fn from(lost: lusoria_client::Lost) -> Self {
        match lost {
            lusoria_client::Lost::Unreadable(what) => Self::Broken(format!("unreadable: {what}")),
            late if is_too_late(&late) => Self::Broken(late.to_string()),
            gone => Self::Down(Down::Lost(gone)),
        }
    }
}

/// A refusal that is not foreseen is a broken promise: the trials ask for nothing illegal.
impl From<AskError> for Trouble {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Lost(lost) => lost.into(),
            AskError::Unreadable(what) => Self::Broken(format!("unreadable: {what}")),
            AskError::Problem(problem) => match problem.code {
                Code::Unavailable | Code::Stopping => Self::Down(Down::Unavailable(problem)),
                _ => Self::Broken(format!("refused: {}: {}", problem.code.as_str(), problem.detail)),
            },
        }
    }
}
