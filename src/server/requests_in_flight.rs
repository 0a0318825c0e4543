//! Counts the requests of a connection that are in flight: from the head of a request until the last byte of
//! its response has been handed over for sending.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::body::Body;

use crate::http::held_body;

/// How often the connection is checked for requests.
const CHECK_EVERY: Duration = Duration::from_millis(500);

/// Counts the requests of a connection that are in flight.
#[derive(Debug, Clone, Default)]
pub(super) struct RequestsInFlight(Arc<AtomicUsize>);

/// A request in flight, while this lives.
pub(super) struct InFlight(Arc<AtomicUsize>);

impl RequestsInFlight {
    /// Adds a request.
    pub(super) fn begin(&self) -> InFlight {
        self.0.fetch_add(1, Ordering::Relaxed);
        InFlight(Arc::clone(&self.0))
    }

    /// Waits until no request has been in flight for a while.
    pub(super) async fn idle_for_a_while(&self) {
        let mut idle = false;
        loop {
            tokio::time::sleep(CHECK_EVERY).await;
            let is_idle = self.0.load(Ordering::Relaxed) == 0;
            if idle && is_idle {
                return;
            }
            idle = is_idle;
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl InFlight {
    /// The response's body, with whose end the request ends.
    pub(super) fn until_sent(self, body: Body) -> Body {
        held_body(body, self)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::HttpBody;
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_request_is_in_flight_until_its_response_is_sent() {
        let requests_in_flight = RequestsInFlight::default();
        let body = requests_in_flight.begin().until_sent(Body::from("a response"));
        assert_eq!(body.size_hint().exact(), Some(10), "its length is still known");
        let waiting = tokio::time::timeout(Duration::from_mins(1), requests_in_flight.idle_for_a_while());
        assert!(waiting.await.is_err());
        let sent = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        assert_eq!(sent, "a response");
        assert!(requests_in_flight.idle_for_a_while().now_or_never().is_none(), "only after a while");
        requests_in_flight.idle_for_a_while().await;
    }
}
