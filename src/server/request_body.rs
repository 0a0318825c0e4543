//! Whether the body of a request was read to its end.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
};
use hyper::body::{Frame, Incoming, SizeHint};

/// The request, and whether its body has been read to its end. Most have none.
pub(super) fn tracked(request: Request<Incoming>) -> (Request, Arc<AtomicBool>) {
    let is_read = Arc::new(AtomicBool::new(request.body().is_end_stream()));
    let noted = Arc::clone(&is_read);
    (request.map(|body| Body::new(RequestBody { body, is_read: noted })), is_read)
}

struct RequestBody {
    body: Incoming,
    is_read: Arc<AtomicBool>,
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if frame.is_none() || self.body.is_end_stream() {
            self.is_read.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
