//! The requests of a connection that are under way: from their head being read until the
//! last of their answer has been taken to be sent.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

/// How often it is looked whether anything is under way.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Counts the requests of a connection that are under way.
#[derive(Debug, Clone, Default)]
pub(super) struct UnderWay(Arc<AtomicUsize>);

/// A request that is under way as long as this lives.
pub(super) struct Begun(Arc<AtomicUsize>);

impl UnderWay {
    /// One more.
    pub(super) fn begin(&self) -> Begun {
        self.0.fetch_add(1, Ordering::Relaxed);
        Begun(Arc::clone(&self.0))
    }

    /// Waits until nothing has been under way for a while.
    pub(super) async fn nothing_for_a_while(&self) {
        let mut idle = false;
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let is_idle = self.0.load(Ordering::Relaxed) == 0;
            if idle && is_idle {
                return;
            }
            idle = is_idle;
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Begun {
    /// The answer's body, with which the request ends.
    pub(super) fn until_sent(self, body: Body) -> Body {
        Body::new(Sending { body, _begun: self })
    }
}

struct Sending {
    body: Body,
    _begun: Begun,
}

impl HttpBody for Sending {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_request_is_under_way_until_its_answer_is_sent() {
        let under_way = UnderWay::default();
        let body = under_way.begin().until_sent(Body::from("an answer"));
        assert_eq!(body.size_hint().exact(), Some(9), "its length is still known");
        let waiting = tokio::time::timeout(Duration::from_mins(1), under_way.nothing_for_a_while());
        assert!(waiting.await.is_err());
        let sent = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        assert_eq!(sent, "an answer");
        assert!(under_way.nothing_for_a_while().now_or_never().is_none(), "only after a while");
        under_way.nothing_for_a_while().await;
    }
}
