//! Questions that cost much: only a few are answered at a time, the others wait a while.

use std::{sync::Arc, time::Duration};

use lusoria_protocol::Problem;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::problem;

/// How many records are put together at a time: each is a whole journal in memory.
pub(super) const RECORDS_AT_ONCE: usize = 4;

/// How long a question waits until it is answered.
const BEGINS_WITHIN: Duration = Duration::from_secs(5);

/// Waits until a question may be answered; the permit is to be kept until it has been.
///
/// # Errors
/// `unavailable` if too many are being answered.
pub(super) async fn in_turn(permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Problem> {
    match tokio::time::timeout(BEGINS_WITHIN, Arc::clone(permits).acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        Ok(Err(_)) | Err(_) => Err(problem::unavailable()),
    }
}

#[cfg(test)]
mod tests {
    use lusoria_protocol::Code;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn whoever_has_waited_long_enough_is_told_to_come_back() {
        let permits = Arc::new(Semaphore::new(1));
        let first = in_turn(&permits).await.unwrap();
        let refused = in_turn(&permits).await.unwrap_err();
        assert_eq!((refused.code, refused.retry_after_s), (Code::Unavailable, Some(1)));
        let (second, ()) = tokio::join!(in_turn(&permits), async { drop(first) });
        assert!(second.is_ok());
    }
}
