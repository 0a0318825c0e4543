//! Streams of lines over plain HTTP.

use std::{
    future::poll_fn,
    task::{Context, Poll, ready},
};

use hyper::body::{Bytes, Incoming};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::{ConnectionError, HttpConnection, HttpRequest, stream::ANSWER_WITHIN};

/// The longest line that is read, in bytes.
const LINE_BYTES_MAX: usize = 4 << 20;

/// How many lines of an unwanted stream are read, so that its connection can be reused.
const UNWANTED_LINES_MAX: usize = 1_000;

/// A connection for streams of lines, one after the other.
pub struct LineStream {
    connection: HttpConnection,
    /// The stream being read.
    body: Option<Incoming>,
    /// Received bytes that are not read yet.
    chunk: Bytes,
    /// The beginning of an incomplete line.
    begun: Vec<u8>,
}

impl LineStream {
    /// Reads streams over that connection.
    pub const fn new(connection: HttpConnection) -> Self {
        Self { connection, body: None, chunk: Bytes::new(), begun: Vec::new() }
    }

    /// Begins a stream. The previous one must have ended, or ends now.
    ///
    /// # Errors
    /// If nothing responds, or with another status than 200.
    pub async fn begin(&mut self, request: &HttpRequest<'_>) -> Result<(), ConnectionError> {
        let begun = async {
            for _ in 0..UNWANTED_LINES_MAX {
                if self.body.is_none() || self.next().await?.is_none() {
                    break;
                }
            }
            self.connection.send_for_lines(request).await?;
            poll_fn(|cx| self.connection.poll_head(cx)).await
        };
        let head = timeout(ANSWER_WITHIN, begun).await.map_err(|_| ConnectionError::Unanswered)??;
        (self.chunk, self.begun) = (Bytes::new(), Vec::new());
        match head.status().as_u16() {
            200 => self.body = Some(head.into_body()),
            status => return Err(ConnectionError::Refused { status, retry_after_s: None }),
        }
        Ok(())
    }

    /// The next line that is not empty; none at the end of the stream. Cancel safe.
    ///
    /// # Errors
    /// If the stream breaks off, or a line is too long or not text.
    pub async fn next(&mut self) -> Result<Option<Utf8Bytes>, ConnectionError> {
        poll_fn(|cx| self.poll_line(cx)).await
    }

    /// The same. Pending if no stream has begun.
    pub fn poll_line(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Utf8Bytes>, ConnectionError>> {
        loop {
            if let Some(line) = self.line()? {
                return Poll::Ready(Ok(Some(line)));
            }
            let Some(body) = &mut self.body else {
                // Without a request nothing arrives, but a connection that the server closes is noticed.
                let _ = self.connection.poll_head(cx);
                return Poll::Pending;
            };
            match ready!(self.connection.poll_part(body, cx)) {
                Some(Ok(chunk)) => self.chunk = chunk,
                Some(Err(why)) => {
                    self.body = None;
                    return Poll::Ready(Err(why));
                }
                None => {
                    self.body = None;
                    return Poll::Ready(Ok(None));
                }
            }
        }
    }

    /// The next complete line, without copying if it arrived in one piece.
    fn line(&mut self) -> Result<Option<Utf8Bytes>, ConnectionError> {
        while let Some(end) = self.chunk.iter().position(|&byte| byte == b'\n') {
            let mut line = self.chunk.split_to(end + 1);
            line.truncate(end);
            if !self.begun.is_empty() {
                self.begun.extend_from_slice(&line);
                line = std::mem::take(&mut self.begun).into();
            }
            if !line.is_empty() {
                let text = Utf8Bytes::try_from(line);
                return text.map(Some).map_err(|why| ConnectionError::Unreadable(why.to_string()));
            }
        }
        self.begun.extend_from_slice(&std::mem::take(&mut self.chunk));
        if self.begun.len() > LINE_BYTES_MAX {
            return Err(ConnectionError::Unreadable(format!("a line of more than {LINE_BYTES_MAX} bytes")));
        }
        Ok(None)
    }
}
