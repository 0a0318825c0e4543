//! Receives and sends frames within the limits, whatever their contents.

use std::{future::poll_fn, pin::pin, sync::LazyLock, task::Poll};

use axum::extract::ws::{Message, Utf8Bytes};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use metrics::Counter;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::{
    Sockets,
    ending::{Ending, ReadError, WriteError},
    flow::{Flow, Pong, patience_for, pieces},
    limits::{FAREWELL_WITHIN, Pace},
};
use crate::live::GivenTurn;

/// Counters of messages read and sent. Looked up once, because every message is counted.
static MESSAGES_IN: LazyLock<Counter> =
    LazyLock::new(|| metrics::counter!("lusoria_socket_messages_total", "direction" => "in"));
static MESSAGES_OUT: LazyLock<Counter> =
    LazyLock::new(|| metrics::counter!("lusoria_socket_messages_total", "direction" => "out"));

/// Carries WebSocket messages: the network, or a channel in tests.
pub trait Transport:
    Stream<Item = Result<Message, ReadError>> + Sink<Message, Error = WriteError> + Unpin
{
}

impl<F: Stream<Item = Result<Message, ReadError>> + Sink<Message, Error = WriteError> + Unpin> Transport
    for F
{
}

/// A socket that holds its client to the limits.
pub(super) struct Socket<F> {
    frames: F,
    pace: Pace,
    flow: Flow,
    /// The last turn that was sent to its player with a ping, and the ping's number.
    timed: Option<(u32, GivenTurn)>,
    message_bytes_max: usize,
    /// The number of pieces of the longest message in the buffer, behind which unsent messages may wait; 0 if the
    /// buffer is empty.
    longest_unsent: u64,
    heard_at: Instant,
    closing: CancellationToken,
}

impl<F: Transport> Socket<F> {
    pub(super) fn new(frames: F, sockets: &Sockets) -> Self {
        Self {
            frames,
            pace: sockets.limits.pace(),
            flow: Flow::new(),
            timed: None,
            message_bytes_max: sockets.limits.message_bytes,
            longest_unsent: 0,
            heard_at: Instant::now(),
            closing: sockets.connections.open(),
        }
    }

    /// The token that closes the socket.
    pub(super) fn closing(&self) -> CancellationToken {
        self.closing.clone()
    }

    /// Whether the client has been silent for longer than the slowest reader needs.
    pub(super) fn is_silent(&self) -> bool {
        self.heard_at.elapsed() >= self.flow.patience()
    }

    /// The number of bytes that may be pushed now; none while the client has to read first.
    pub(super) fn room(&self) -> Option<u64> {
        self.flow.room()
    }

    /// The next message. Cancel-safe.
    pub(super) async fn next(&mut self) -> Result<Utf8Bytes, Ending> {
        loop {
            if let Some(text) = self.heard().await? {
                return Ok(text);
            }
        }
    }

    /// The next message; none for a frame without one, after which there may be room to send more. Cancel-safe.
    pub(super) async fn heard(&mut self) -> Result<Option<Utf8Bytes>, Ending> {
        let frame = self.frames.next().await.ok_or(Ending::Broken)??;
        self.heard_at = Instant::now();
        if let Message::Pong(payload) = &frame
            && let Some(Pong { number, took }) = self.flow.pong(payload, self.heard_at)
        {
            if let Some((_, turn)) = self.timed.take_if(|(timed, _)| *timed == number) {
                turn.answered_after(took);
            }
            return Ok(None);
        }
        // Unsolicited pings and pongs count too: each costs some work.
        if !self.pace.take(self.heard_at) {
            return Err(Ending::Flood);
        }
        match frame {
            Message::Text(text) if text.len() > self.message_bytes_max => Err(Ending::TooBig),
            Message::Text(text) => {
                MESSAGES_IN.increment(1);
                Ok(Some(text))
            }
            Message::Binary(_) => Err(Ending::Binary),
            Message::Close(_) => Err(Ending::Closed),
            // The WebSocket library answers pings.
            Message::Ping(_) | Message::Pong(_) => Ok(None),
        }
    }

    /// Sends a message, and waits until the network has accepted it.
    pub(super) async fn send(&mut self, text: impl Into<Utf8Bytes>) -> Result<(), Ending> {
        self.put([text.into()]).await?;
        self.flush().await
    }

    /// Puts messages, with pings among them, into the buffer, which [`Socket::flush`] sends: messages that arrive
    /// together are written together. A full buffer is sent at once.
    pub(super) async fn put(&mut self, texts: impl IntoIterator<Item = Utf8Bytes>) -> Result<(), Ending> {
        let Self { frames, flow, longest_unsent, closing, .. } = self;
        for text in texts {
            flow.send(text.len());
            *longest_unsent = pieces(text.len()).max(*longest_unsent);
            MESSAGES_OUT.increment(1);
            taken(*longest_unsent, closing, frames.feed(Message::Text(text))).await?;
            if flow.ping_is_due(Instant::now)
                && let Some(number) = flow.ping(Instant::now())
            {
                taken(*longest_unsent, closing, frames.feed(Message::Ping(number))).await?;
            }
        }
        Ok(())
    }

    /// Whether the buffer holds messages.
    pub(super) fn has_unsent(&self) -> bool {
        self.longest_unsent > 0
    }

    /// Sends the buffer, and waits until the network has accepted it.
    pub(super) async fn flush(&mut self) -> Result<(), Ending> {
        if self.has_unsent() {
            taken(self.longest_unsent, &self.closing, self.frames.flush()).await?;
            self.longest_unsent = 0;
        }
        Ok(())
    }

    /// Puts a ping behind a turn in the buffer: it is sent in the same write, and its pong measures the line. One at
    /// a time: there is no new ping until the last one is answered.
    pub(super) async fn time(&mut self, turn: GivenTurn, secret: u64) -> Result<(), Ending> {
        if self.timed.as_ref().is_some_and(|(number, _)| self.flow.is_unanswered(*number)) {
            return Ok(());
        }
        let Some((number, payload)) = self.flow.timed_ping(Instant::now(), secret) else { return Ok(()) };
        self.timed = Some((number, turn));
        taken(self.longest_unsent, &self.closing, self.frames.feed(Message::Ping(payload))).await
    }

    /// Sends a keep-alive ping, unless too many are unanswered.
    pub(super) async fn ping(&mut self) -> Result<(), Ending> {
        let now = Instant::now();
        self.flow.without_pongs(now);
        let Some(number) = self.flow.ping(now) else { return Ok(()) };
        self.longest_unsent = self.longest_unsent.max(1);
        taken(self.longest_unsent, &self.closing, self.frames.feed(Message::Ping(number))).await
    }

    /// Sends a close frame and gives the client a moment to answer it: closing at once could destroy messages that it
    /// has not read.
    pub(super) async fn finish(&mut self, ending: Ending) {
        let farewell = async {
            if let Some(frame) = ending.farewell() {
                self.frames.send(Message::Close(Some(frame))).await?;
                while let Some(Ok(frame)) = self.frames.next().await
                    && !matches!(frame, Message::Close(_))
                {}
            } else if ending == Ending::Closed {
                // The library has put the answer to the client's close frame into its buffer.
                self.frames.close().await?;
            }
            Ok::<_, WriteError>(())
        };
        // A client that does not read misses it.
        let _ = timeout(FAREWELL_WITHIN, farewell).await;
    }
}

/// Waits until the network has accepted the messages: as long as a client may take to read this many pieces, and no
/// longer than the server runs.
async fn taken(
    pieces: u64,
    closing: &CancellationToken,
    sending: impl Future<Output = Result<(), WriteError>>,
) -> Result<(), Ending> {
    let mut sending = pin!(sending);
    // Usually it is accepted at once.
    if let Poll::Ready(sent) = poll_fn(|cx| Poll::Ready(sending.as_mut().poll(cx))).await {
        return Ok(sent?);
    }
    // Boxed, so that an idle socket reserves no memory for timers.
    let waiting = async {
        tokio::select! {
            biased;
            sent = timeout(patience_for(pieces), sending) => Ok(sent.map_err(|_| Ending::Stuck)??),
            () = closing.cancelled() => Err(Ending::Stopping),
        }
    };
    Box::pin(waiting).await
}
