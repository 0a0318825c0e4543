//! Frames in and out, within their limits; what they say is not known here.

use axum::extract::ws::{Message, Utf8Bytes};
use bytes::Bytes;
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use tokio::time::{Instant, timeout};

use super::{
    ending::{Ending, ReadError},
    limits::{FAREWELL_WITHIN, Limits, Pace, READ_WITHIN},
};

/// Something that carries WebSocket messages: the network, or a channel in tests.
pub trait Frames: Stream<Item = Result<Message, ReadError>> + Sink<Message> + Unpin {}

impl<F: Stream<Item = Result<Message, ReadError>> + Sink<Message> + Unpin> Frames for F {}

/// A socket that holds its client to the limits.
pub(super) struct Socket<F> {
    frames: F,
    pace: Pace,
    message_bytes_max: usize,
    heard_at: Instant,
}

impl<F: Frames> Socket<F> {
    pub(super) fn new(frames: F, limits: &Limits) -> Self {
        Self {
            frames,
            pace: limits.pace(),
            message_bytes_max: limits.message_bytes,
            heard_at: Instant::now(),
        }
    }

    /// When anything was last heard of the client.
    pub(super) fn heard_at(&self) -> Instant {
        self.heard_at
    }

    /// The next message. Losing the future loses nothing.
    pub(super) async fn next(&mut self) -> Result<Utf8Bytes, Ending> {
        loop {
            let frame = self.frames.next().await.ok_or(Ending::Broken)??;
            self.heard_at = Instant::now();
            // Pings and pongs count too: each costs a look.
            if !self.pace.take(self.heard_at) {
                return Err(Ending::Flood);
            }
            match frame {
                Message::Text(text) if text.len() > self.message_bytes_max => return Err(Ending::TooBig),
                Message::Text(text) => {
                    metrics::counter!("lusoria_socket_messages_total", "direction" => "in").increment(1);
                    return Ok(text);
                }
                Message::Binary(_) => return Err(Ending::Binary),
                Message::Close(_) => return Err(Ending::Closed),
                // A ping is answered by the WebSocket library.
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
    }

    /// Sends a message and waits until the network has taken it.
    pub(super) async fn send(&mut self, text: impl Into<Utf8Bytes>) -> Result<(), Ending> {
        self.send_all([text.into()]).await
    }

    /// Sends messages and waits until the network has taken them all.
    pub(super) async fn send_all(
        &mut self,
        texts: impl IntoIterator<Item = Utf8Bytes>,
    ) -> Result<(), Ending> {
        let frames = &mut self.frames;
        let mut sent = 0;
        let sending = async {
            for text in texts {
                sent += 1;
                frames.feed(Message::Text(text)).await?;
            }
            frames.flush().await
        };
        let outcome = timeout(READ_WITHIN, sending).await;
        metrics::counter!("lusoria_socket_messages_total", "direction" => "out").increment(sent);
        outcome.map_err(|_| Ending::Stuck)?.map_err(|_: F::Error| Ending::Broken)
    }

    /// Asks whether the client is there.
    pub(super) async fn ping(&mut self) -> Result<(), Ending> {
        let sent = timeout(READ_WITHIN, self.frames.send(Message::Ping(Bytes::new()))).await;
        sent.map_err(|_| Ending::Stuck)?.map_err(|_| Ending::Broken)
    }

    /// Says farewell and gives the client a moment to say it too: closing at once could
    /// destroy what it has not read yet.
    pub(super) async fn finish(mut self, ending: Ending) {
        let farewell = async {
            if let Some(frame) = ending.farewell() {
                self.frames.send(Message::Close(Some(frame))).await?;
                while let Some(Ok(frame)) = self.frames.next().await
                    && !matches!(frame, Message::Close(_))
                {}
            } else if ending == Ending::Closed {
                // The library has put the answer to the client's farewell into its buffer.
                self.frames.close().await?;
            }
            Ok::<_, F::Error>(())
        };
        // Whoever does not listen has missed it.
        let _ = timeout(FAREWELL_WITHIN, farewell).await;
    }
}
