//! Closes connections so that the last response still arrives.
//!
//! Closing a connection with unread input resets it, and a reset destroys what the client has not read, so it
//! would never learn the reason. Therefore input is read for a moment and discarded.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use crate::live::LastRead;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf},
    net::TcpStream,
    runtime::Handle,
};

/// How long input is read and discarded.
const LINGERS_FOR: Duration = Duration::from_millis(500);

/// How much input is read and discarded at most, in bytes.
const THROWN_AWAY_MAX: u64 = 1024 * 1024;

/// A connection that lingers when it is dropped, unless the client has left.
pub(super) struct Lingering {
    /// None only while it is being dropped.
    stream: Option<TcpStream>,
    has_ended: bool,
    last_read: LastRead,
}

impl Lingering {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream: Some(stream), has_ended: false, last_read: LastRead::default() }
    }

    /// Notes in `last_read` when the server reads.
    pub(super) fn noting(self, last_read: &LastRead) -> Self {
        let mut noting = self;
        noting.last_read = last_read.clone();
        noting
    }

    fn stream(&mut self) -> Pin<&mut TcpStream> {
        Pin::new(self.stream.as_mut().expect("it is there until it is dropped"))
    }
}

impl AsyncRead for Lingering {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(self.stream().poll_read(cx, buffer));
        if buffer.filled().len() > before {
            self.last_read.note();
        }
        self.has_ended |= read.is_err() || (buffer.filled().len() == before && buffer.remaining() > 0);
        Poll::Ready(read)
    }
}

impl AsyncWrite for Lingering {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(self.stream().poll_write(cx, bytes));
        self.has_ended |= written.is_err();
        Poll::Ready(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(self.stream().poll_write_vectored(cx, slices));
        self.has_ended |= written.is_err();
        Poll::Ready(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        let Some(stream) = self.stream.take() else { return };
        if let (false, Ok(runtime)) = (self.has_ended, Handle::try_current()) {
            runtime.spawn(linger(stream));
        }
    }
}

async fn linger(mut stream: TcpStream) {
    let listening = async {
        stream.shutdown().await?;
        tokio::io::copy(&mut stream.take(THROWN_AWAY_MAX), &mut tokio::io::sink()).await
    };
    // A client that has not read the response by then misses it.
    let _ = tokio::time::timeout(LINGERS_FOR, listening).await;
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_response_arrives_although_the_input_is_not_read() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut client = TcpStream::connect(address).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let mut served = Lingering::new(stream);
        client.write_all(&vec![b'x'; 64 * 1024]).await.unwrap();
        served.read_exact(&mut [0; 8]).await.unwrap();
        served.write_all(b"no").await.unwrap();
        drop(served);
        // A client that continues to send would meet a reset before it has read the response.
        client.write_all(&vec![b'x'; 64 * 1024]).await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert_eq!(answer, "no");
    }
}
