//! Nobody waits for an answer for ever: a server that hangs is a fault, not a trial that
//! does not end.

use std::{future::Future, io, time::Duration};

use lusoria_client::{AskError, Lost};

/// Within which time every request is answered: long after the server itself would have
/// given up waiting for its database.
const ANSWERS_WITHIN: Duration = Duration::from_secs(30);

/// Waits for an answer as long as one may take.
///
/// # Errors
/// If there is none, as a connection that timed out; or what the answer is itself.
pub async fn in_time<T>(answer: impl Future<Output = Result<T, AskError>>) -> Result<T, AskError> {
    within(ANSWERS_WITHIN, answer).await
}

/// Whether it was waited for in vain.
pub fn is_too_late(lost: &Lost) -> bool {
    match lost {
        Lost::Unreachable(error) => error.kind() == io::ErrorKind::TimedOut,
        lost => matches!(lost, Lost::Unanswered),
    }
}

async fn within<T>(
    limit: Duration,
    answer: impl Future<Output = Result<T, AskError>>,
) -> Result<T, AskError> {
    tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| {
        let why = format!("no answer in {} s", limit.as_secs());
        Err(Lost::Unreachable(io::Error::new(io::ErrorKind::TimedOut, why)).into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_that_never_comes_is_waited_for_in_vain() {
        let never = within::<()>(Duration::ZERO, std::future::pending()).await;
        assert!(matches!(never, Err(AskError::Lost(lost)) if is_too_late(&lost)));
        assert!(is_too_late(&Lost::Unanswered), "the client itself gives up");
        let gone = Lost::Unreachable(io::ErrorKind::ConnectionReset.into());
        assert!(!is_too_late(&gone), "a server that was killed is no such thing");
        assert_eq!(within(Duration::ZERO, async { Ok(1) }).await.unwrap(), 1);
    }
}
