//! WebSocket connections.

use std::{
    collections::VecDeque,
    net::{IpAddr, SocketAddr},
};

use futures_util::{SinkExt, StreamExt};
use lusoria_protocol::{
    Token,
    socket::{ClientMessage, Hello, HelloOk, Op},
};
use serde::de::DeserializeOwned;
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{Message, protocol::WebSocketConfig},
};

use super::{
    ConnectionError, Incoming, Origin, RequestError,
    stream::{ANSWER_WITHIN, Stream, dial, dial_any, dial_plain},
};

/// The buffers of a connection, in bytes: small, because a load generator has thousands of them.
const BUFFER_BYTES: usize = 4 * 1024;

/// The longest message that is read, in bytes: a page of a thousand events fits.
const MESSAGE_BYTES_MAX: usize = 4 << 20;

/// The most bytes of pushed messages kept while a response is awaited.
const PUSHED_BYTES_MAX: usize = 4 * MESSAGE_BYTES_MAX;

/// The configuration of WebSockets.
pub fn socket_config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(0)
        .max_message_size(Some(MESSAGE_BYTES_MAX))
}

/// Opens a WebSocket of any protocol, without TLS.
///
/// # Errors
/// If nothing responds there, or the response is not a WebSocket.
pub async fn open_socket(
    url: &str,
    address: SocketAddr,
    from: Option<IpAddr>,
) -> Result<WebSocketStream<TcpStream>, ConnectionError> {
    let opened = async {
        let stream = dial_plain(address, from).await.map_err(ConnectionError::Unreachable)?;
        let (socket, _) =
            tokio_tungstenite::client_async_with_config(url, stream, Some(socket_config())).await?;
        Ok(socket)
    };
    timeout(ANSWER_WITHIN, opened).await.map_err(|_| ConnectionError::Unanswered)?
}

/// A WebSocket connection on which `hello` has been exchanged.
pub struct Connection {
    socket: WebSocketStream<Stream>,
    asked: u32,
    /// Messages that arrived while a response was awaited.
    pushed: VecDeque<Incoming>,
    pushed_bytes: usize,
}

impl Connection {
    /// Opens a connection to the server at `address` and sends `hello`. `from` is the local address to
    /// connect from, if it matters.
    ///
    /// # Errors
    /// If nothing responds there, or the server refuses.
    pub async fn open(
        origin: &Origin,
        address: SocketAddr,
        from: Option<IpAddr>,
        token: Option<&Token>,
    ) -> Result<(Self, HelloOk), RequestError> {
        let dialled = timeout(ANSWER_WITHIN, dial(origin, address, from)).await;
        let stream =
            dialled.map_err(|_| ConnectionError::Unanswered)?.map_err(ConnectionError::Unreachable)?;
        Self::over(stream, origin, token).await
    }

    /// The same, at the first address of the server that responds.
    ///
    /// # Errors
    /// If no address responds, or the server refuses.
    pub(super) async fn open_anywhere(
        origin: &Origin,
        token: Option<&Token>,
    ) -> Result<(Self, HelloOk), RequestError> {
        let stream = dial_any(origin).await.map_err(ConnectionError::Unreachable)?;
        Self::over(stream, origin, token).await
    }

    async fn over(
        stream: Stream,
        origin: &Origin,
        token: Option<&Token>,
    ) -> Result<(Self, HelloOk), RequestError> {
        let config = Some(socket_config());
        let opened = tokio_tungstenite::client_async_with_config(origin.socket_url(), stream, config);
        let opened = timeout(ANSWER_WITHIN, opened).await.map_err(|_| ConnectionError::Unanswered)?;
        let (socket, _) = opened.map_err(ConnectionError::from)?;
        let mut connection = Self { socket, asked: 0, pushed: VecDeque::new(), pushed_bytes: 0 };
        let greeted = connection.ask(Op::Hello(Hello { token: token.cloned() })).await?;
        Ok((connection, greeted))
    }

    /// Sends a request and returns its number, which the response repeats.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn send(&mut self, op: impl Into<Op>) -> Result<u32, ConnectionError> {
        self.asked += 1;
        let message = ClientMessage { id: self.asked, op: op.into() };
        let text = serde_json::to_string(&message).expect("wire types are plain data");
        self.socket.send(Message::text(text)).await?;
        Ok(self.asked)
    }

    /// Sends a request and waits for its response. Messages that arrive meanwhile are kept for `receive`.
    ///
    /// # Errors
    /// If the server refuses or does not respond in time, the response has an unexpected form, or the
    /// connection is gone.
    pub async fn ask<T: DeserializeOwned>(&mut self, op: impl Into<Op>) -> Result<T, RequestError> {
        timeout(ANSWER_WITHIN, self.answer(op.into())).await.map_err(|_| ConnectionError::Unanswered)?
    }

    async fn answer<T: DeserializeOwned>(&mut self, op: Op) -> Result<T, RequestError> {
        let asked = self.send(op).await?;
        loop {
            match self.read_socket().await? {
                Incoming::Answer { re, outcome } if re == Some(asked) => {
                    let answer = outcome.map_err(RequestError::Problem)?;
                    return serde_json::from_str(answer.get())
                        .map_err(|error| RequestError::Unreadable(format!("{error} in {answer}")));
                }
                pushed => {
                    self.pushed_bytes += pushed.bytes();
                    if self.pushed_bytes > PUSHED_BYTES_MAX {
                        return Err(
                            ConnectionError::Unreadable("too much before an answer".to_owned()).into()
                        );
                    }
                    self.pushed.push_back(pushed);
                }
            }
        }
    }

    /// Waits for the next message of the server. Cancel safe.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn receive(&mut self) -> Result<Incoming, ConnectionError> {
        match self.pushed.pop_front() {
            Some(heard) => {
                self.pushed_bytes -= heard.bytes();
                Ok(heard)
            }
            None => self.read_socket().await,
        }
    }

    /// Closes the connection with a close frame.
    pub async fn close(mut self) {
        // It does not matter if the server has gone already.
        let _ = self.socket.close(None).await;
    }

    /// The underlying stream, for a test client that stops reading: nothing more is read from it, and no ping
    /// is answered.
    pub fn into_stream(self) -> Stream {
        self.socket.into_inner()
    }

    async fn read_socket(&mut self) -> Result<Incoming, ConnectionError> {
        loop {
            let gone = || ConnectionError::Closed { code: 1006, reason: String::new() };
            match self.socket.next().await.ok_or_else(gone)?? {
                Message::Text(text) => return Incoming::read(text),
                Message::Close(frame) => {
                    let (code, reason) = frame
                        .map_or((1005, String::new()), |frame| (frame.code.into(), frame.reason.to_string()));
                    return Err(ConnectionError::Closed { code, reason });
                }
                // A ping is answered by the library.
                Message::Ping(_) | Message::Pong(_) => {}
                Message::Binary(_) | Message::Frame(_) => {
                    return Err(ConnectionError::Unreadable("a message that is no text".to_owned()));
                }
            }
        }
    }
}
