//! Time limits for responses: a server that hangs is a fault, and must not keep the trial from ending.

use std::{future::Future, io, time::Duration};

use lusoria_client::{ConnectionError, RequestError};

/// How long a response may take: longer than the server itself waits for its database.
const ANSWERS_WITHIN: Duration = Duration::from_secs(30);

/// Waits for a response, but no longer than it may take.
///
/// # Errors
/// If there is none, as a connection that timed out; or the error of the response.
pub async fn in_time<T>(answer: impl Future<Output = Result<T, RequestError>>) -> Result<T, RequestError> {
    within(ANSWERS_WITHIN, answer).await
}

/// Whether the error is that time-out.
pub fn is_too_late(lost: &ConnectionError) -> bool {
    match lost {
        ConnectionError::Unreachable(error) => error.kind() == io::ErrorKind::TimedOut,
        lost => matches!(lost, ConnectionError::Unanswered),
    }
}

async fn within<T>(
    limit: Duration,
    answer: impl Future<Output = Result<T, RequestError>>,
) -> Result<T, RequestError> {
    tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| {
        let why = format!("no answer in {} s", limit.as_secs());
        Err(ConnectionError::Unreachable(io::Error::new(io::ErrorKind::TimedOut, why)).into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_missing_response_times_out() {
        let never = within::<()>(Duration::ZERO, std::future::pending()).await;
        assert!(matches!(never, Err(RequestError::Lost(lost)) if is_too_late(&lost)));
        assert!(is_too_late(&ConnectionError::Unanswered), "the client itself gives up");
        let gone = ConnectionError::Unreachable(io::ErrorKind::ConnectionReset.into());
        assert!(!is_too_late(&gone), "a server that was killed is no such thing");
        assert_eq!(within(Duration::ZERO, async { Ok(1) }).await.unwrap(), 1);
    }
}
