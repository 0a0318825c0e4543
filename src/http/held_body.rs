//! Response bodies that keep a resource until they are sent.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

/// The most bytes given to the connection at once.
const SLICE_BYTES: usize = 16 * 1024;

/// A body that keeps `held` until its last slice is taken. The connection takes the next slice after it has sent the
/// earlier ones.
pub fn held_body(body: Body, held: impl Unpin + Send + 'static) -> Body {
    Body::new(HeldBody { body, rest: Bytes::new(), _held: held })
}

struct HeldBody<T> {
    body: Body,
    /// The part that was read from the body and not yet taken.
    rest: Bytes,
    _held: T,
}

impl<T: Unpin> HttpBody for HeldBody<T> {
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
