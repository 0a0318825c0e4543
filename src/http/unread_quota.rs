//! Counts long responses as unread until their clients have taken them.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use hyper::body::{Frame, SizeHint};

use super::{Http, error::Failure};
use crate::app::{self, ClientAddress, QuotaShare};

/// Counts the response, or replaces it with a refusal if too much is unread.
pub(super) async fn count_unread(State(http): State<Http>, request: Request, next: Next) -> Response {
    let address: Option<ClientAddress> = request.extensions().get().copied();
    let Some(address) = address else { return Failure(app::internal()).into_response() };
    let response = next.run(request).await;
    // A stream has no length; its own buffer is bounded.
    let bytes = response.body().size_hint().exact().unwrap_or(0);
    match http.app.count_unread(address, bytes) {
        Ok(None) => response,
        Ok(Some(unread)) => {
            response.map(|body| Body::new(CountedBody { body, rest: Bytes::new(), _unread: unread }))
        }
        Err(problem) => Failure(problem).into_response(),
    }
}

/// How much is handed to the connection at once, in bytes; from then on it no longer counts.
const SLICE_BYTES: usize = 16 * 1024;

/// A body that counts until its last slice is handed out. The connection asks for the next
/// slice when it has sent those before.
struct CountedBody {
    body: Body,
    /// What was taken from the body and not handed out yet.
    rest: Bytes,
    _unread: QuotaShare,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        while self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(bytes) => self.rest = bytes,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                end => return Poll::Ready(end),
            }
        }
        let length = self.rest.len().min(SLICE_BYTES);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let left = self.body.size_hint().exact().map(|left| left + self.rest.len() as u64);
        left.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
