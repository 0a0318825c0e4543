//! A flood's connection: it sends any bytes.

use std::{
    io,
    net::{IpAddr, SocketAddr},
};

use tokio::net::{TcpSocket, TcpStream};

use super::{refusals::Refusals, tally::Tally};

/// The target of a flood, and the address that it comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    /// The port.
    pub(super) address: SocketAddr,
    /// The local address that the flood comes from.
    pub(super) from: IpAddr,
    /// Whether it is the echo port: its responses are not counted.
    pub(super) echoes: bool,
}

/// The request that makes a connection a WebSocket.
pub(crate) const UPGRADE: &[u8] = b"GET /api/v1/socket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\n\
    upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// A connection.
#[derive(Debug)]
pub(super) struct Wire {
    stream: TcpStream,
    /// The received bytes that were not parsed yet; none for an echo.
    said: Option<Refusals>,
}

/// The kinds of frames (RFC 6455, 11.8).
#[derive(Debug, Clone, Copy)]
pub(crate) enum Frame {
    Continuation = 0,
    Text = 1,
    Binary = 2,
    Ping = 9,
    Pong = 10,
}

impl Wire {
    pub(super) async fn open(target: Target) -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::new(target.from, 0))?;
        let stream = socket.connect(target.address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, said: (!target.echoes).then(Refusals::default) })
    }

    /// Sends bytes and waits until the network has taken them.
    pub(super) async fn send(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.stream.writable().await?;
            match self.stream.try_write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Sends as much as the network accepts at once, and drops the rest. Returns whether all was sent.
    pub(super) fn try_send(&self, bytes: &[u8]) -> io::Result<bool> {
        match self.stream.try_write(bytes) {
            Ok(sent) => Ok(sent == bytes.len()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Reads and counts the bytes that have arrived.
    ///
    /// # Errors
    /// If the connection has ended.
    pub(super) fn listen(&mut self, tally: &mut Tally) -> io::Result<()> {
        let mut buffer = [0; 16 * 1024];
        loop {
            match self.stream.try_read(&mut buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    if let Some(said) = &mut self.said {
                        said.take(&buffer[..count], tally)?;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    /// Waits until bytes arrive, and counts them.
    pub(super) async fn receive(&mut self, tally: &std::sync::Mutex<Tally>) -> io::Result<()> {
        self.stream.readable().await?;
        self.listen(&mut tally.lock().expect("no lane panics while it counts"))
    }
}

/// A frame as a client sends it: masked, with the mask of zeros.
pub(crate) fn frame(kind: Frame, is_last: bool, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind as u8 | if is_last { 0x80 } else { 0 }];
    match u16::try_from(payload.len()) {
        Ok(length @ 0..126) => bytes.push(0x80 | length.to_be_bytes()[1]),
        Ok(length) => {
            bytes.push(0x80 | 0x7e);
            bytes.extend(length.to_be_bytes());
        }
        Err(_) => {
            bytes.push(0x80 | 0x7f);
            bytes.extend((payload.len() as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

/// A whole text.
pub(crate) fn text(text: &str) -> Vec<u8> {
    frame(Frame::Text, true, text.as_bytes())
}
