//! Sends requests to push services by HTTPS, with the system's trusted certificates. One connection for each:
//! messages are rare.

use std::{
    convert::Infallible,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use hyper::{
    Request,
    body::{Body, Frame, SizeHint},
    client::conn::http1,
    header,
};
use hyper_util::rt::TokioIo;
use lusoria_client::{Origin, connect};
use tokio_util::task::AbortOnDropHandle;

use super::{PushAnswer, PushRequest, PushSender, Unsent};

/// The longest head of a response that is read, in bytes. The body is not read.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// Sends requests by HTTPS.
pub struct Https;

impl PushSender for Https {
    fn send(&self, request: PushRequest) -> BoxFuture<'_, Result<PushAnswer, Unsent>> {
        Box::pin(async move { Ok(exchange(request).await?) })
    }
}

async fn exchange(request: PushRequest) -> io::Result<PushAnswer> {
    let origin: Origin = request.endpoint.origin().parse().map_err(io::Error::other)?;
    let stream = connect(&origin).await?;
    let mut http = http1::Builder::new();
    let (mut asker, connection) =
        http.max_buf_size(HEAD_BYTES_MAX).handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    // Ends with this function, even if its future is dropped.
    let _driving = AbortOnDropHandle::new(tokio::spawn(connection));
    let response = asker.send_request(written(request)?).await.map_err(io::Error::other)?;
    let retry_after = response.headers().get(header::RETRY_AFTER);
    let seconds = retry_after.and_then(|value| value.to_str().ok()?.trim().parse().ok());
    Ok(PushAnswer { status: response.status().as_u16(), retry_after: seconds.map(Duration::from_secs) })
}

fn written(request: PushRequest) -> io::Result<Request<Whole>> {
    let PushRequest { endpoint, authorization, ttl_s, urgency, topic, body } = request;
    Request::post(endpoint.path())
        .header(header::HOST, endpoint.host())
        .header(header::AUTHORIZATION, authorization)
        .header(header::CONTENT_ENCODING, "aes128gcm")
        .header(header::CONTENT_TYPE, "application/octet-stream")
        .header("ttl", ttl_s)
        .header("urgency", urgency)
        .header("topic", topic)
        .body(Whole(Some(body.into())))
        .map_err(io::Error::other)
}

/// A body in one chunk.
struct Whole(Option<Bytes>);

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, Bytes::len) as u64)
    }
}
