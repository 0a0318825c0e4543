//! The bare echo over WebSockets.

use std::{collections::HashMap, net::SocketAddr};

use futures_util::{SinkExt, StreamExt};
use parking_lot::Mutex;
use tokio::{
    net::TcpStream,
    sync::{mpsc, oneshot},
};
use tokio_tungstenite::{
    WebSocketStream, accept_async_with_config,
    tungstenite::{self, Message},
};

use super::{super::error::ClientError, WAITING_MAX};
use lusoria_client::{ConnectionError, open_socket, socket_config};

/// The first client of a pair: its channel, and the channel to tell it about the other one.
type Waiting = (mpsc::Sender<Message>, oneshot::Sender<mpsc::Sender<Message>>);

/// Clients that wait for the other one of their pair, by its name.
pub(super) type Pairs = Mutex<HashMap<String, Waiting>>;

/// Echoes to one client. The first message names its pair.
pub(super) async fn echo(stream: TcpStream, waiting: &Pairs) -> Result<(), tungstenite::Error> {
    stream.set_nodelay(true)?;
    let mut socket = accept_async_with_config(stream, Some(socket_config())).await?;
    let Some(name) = socket.next().await.transpose()? else { return Ok(()) };
    let (to_me, mut from_other) = mpsc::channel(WAITING_MAX);
    let Some(to_other) = introduce(name.to_string(), to_me, waiting).await else { return Ok(()) };
    loop {
        tokio::select! {
            biased;
            message = socket.next() => match message.transpose()? {
                Some(message @ Message::Text(_)) => {
                    socket.send(message.clone()).await?;
                    if to_other.send(message).await.is_err() {
                        return Ok(());
                    }
                }
                Some(_) => {}
                None => return Ok(()),
            },
            Some(message) = from_other.recv() => socket.send(message).await?,
        }
    }
}

/// Waits until both clients of a pair are connected. Returns the channel to the other one.
async fn introduce(
    name: String,
    to_me: mpsc::Sender<Message>,
    waiting: &Pairs,
) -> Option<mpsc::Sender<Message>> {
    let answer = {
        let mut waiting = waiting.lock();
        if let Some((to_other, tell_other)) = waiting.remove(&name) {
            // The first client may have gone.
            let _ = tell_other.send(to_me);
            return Some(to_other);
        }
        let (tell, answer) = oneshot::channel();
        waiting.insert(name, (to_me, tell));
        answer
    };
    answer.await.ok()
}

/// A player at the bare echo, over a socket.
pub(super) struct Player(WebSocketStream<TcpStream>);

impl Player {
    /// Joins the pair with that number.
    pub(super) async fn open(address: SocketAddr, pair: usize) -> Result<Self, ClientError> {
        let mut socket = open_socket(&format!("ws://{address}/"), address, None).await?;
        socket.send(Message::text(pair.to_string())).await.map_err(ConnectionError::from)?;
        Ok(Self(socket))
    }

    pub(super) async fn send(&mut self, text: &str) -> Result<(), ClientError> {
        Ok(self.0.send(Message::text(text)).await.map_err(ConnectionError::from)?)
    }

    /// Waits for the next message. Cancel safe.
    pub(super) async fn receive(&mut self) -> Result<(), ClientError> {
        loop {
            let closed = || ConnectionError::Closed { code: 1006, reason: String::new() };
            let message = self.0.next().await.ok_or_else(closed)?.map_err(ConnectionError::from)?;
            if message.is_text() {
                return Ok(());
            }
        }
    }
}
