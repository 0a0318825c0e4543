//! A TCP proxy that can be cut, stalled and slowed, each direction separately.

use std::{io, net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinHandle,
};

/// The most bytes that are forwarded at once.
const PIECE: usize = 16 * 1024;

/// What happens to the bytes of one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Flow {
    /// They are forwarded.
    #[default]
    Free,
    /// They are forwarded later, piece by piece.
    Slow(Duration),
    /// They wait.
    Stalled,
}

/// What a proxy does with its connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Bytes are forwarded, to the server and back.
    Up { there: Flow, back: Flow },
    /// Open connections are closed, and new ones at once.
    Cut,
}

impl Line {
    /// Everything is forwarded.
    pub(super) const FREE: Self = Self::Up { there: Flow::Free, back: Flow::Free };
}

/// Forwards connections to a server. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct Proxy {
    /// The address that it listens on.
    pub(super) address: SocketAddr,
    line: watch::Sender<Line>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// Listens on a port of its own and forwards everything to the server on that port.
    ///
    /// # Errors
    /// If it cannot listen.
    pub(super) async fn start(to: u16) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let line = watch::Sender::new(Line::FREE);
        let accepting = tokio::spawn(accept(listener, to, line.subscribe()));
        Ok(Self { address, line, accepting })
    }

    /// Changes what happens on all connections, open and new.
    pub(super) fn set(&self, line: Line) {
        self.line.send_replace(line);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
        // Connections see that the sender is dropped, and end.
    }
}

async fn accept(listener: TcpListener, to: u16, line: watch::Receiver<Line>) {
    // An error concerns one connection.
    loop {
        if let Ok((client, _)) = listener.accept().await {
            tokio::spawn(pass(client, to, line.clone()));
        }
    }
}

/// Forwards a connection until both sides have ended it, or it is cut.
async fn pass(client: TcpStream, to: u16, mut line: watch::Receiver<Line>) {
    if *line.borrow() == Line::Cut {
        return;
    }
    let Ok(server) = TcpStream::connect(("127.0.0.1", to)).await else { return };
    for stream in [&client, &server] {
        // Without it everything only takes longer.
        let _ = stream.set_nodelay(true);
    }
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    let there = pump(from_client, to_server, line.clone(), |line| match line {
        Line::Up { there, .. } => there,
        Line::Cut => Flow::Stalled,
    });
    let back = pump(from_server, to_client, line.clone(), |line| match line {
        Line::Up { back, .. } => back,
        Line::Cut => Flow::Stalled,
    });
    tokio::select! {
        // However they end, the connection is over.
        _ = futures_util::future::join(there, back) => {}
        // An error means that the proxy was dropped.
        _ = line.wait_for(|line| *line == Line::Cut) => {}
    }
}

/// Forwards the bytes of one side until it ends.
async fn pump(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut line: watch::Receiver<Line>,
    flow: fn(Line) -> Flow,
) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        let read = from.read(&mut piece).await?;
        let free = line.wait_for(|line| flow(*line) != Flow::Stalled).await;
        let now = *free.map_err(io::Error::other)?;
        if let Flow::Slow(delay) = flow(now) {
            tokio::time::sleep(delay).await;
        }
        if read == 0 {
            return to.shutdown().await;
        }
        to.write_all(&piece[..read]).await?;
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;

    use tokio::time::{Instant, timeout};

    use super::*;

    /// How long to wait for bytes that must not arrive.
    const NEVER: Duration = Duration::from_millis(50);

    struct World {
        proxy: Proxy,
        client: TcpStream,
        server: TcpStream,
    }

    async fn world() -> World {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Proxy::start(listener.local_addr().unwrap().port()).await.unwrap();
        let client = TcpStream::connect(proxy.address).await.unwrap();
        let (server, _) = listener.accept().await.unwrap();
        World { proxy, client, server }
    }

    async fn sent(from: &mut TcpStream, to: &mut TcpStream, what: &'static str) {
        from.write_all(what.as_bytes()).await.unwrap();
        arrives(to, what).await;
    }

    async fn arrives(to: &mut TcpStream, what: &str) {
        let mut heard = vec![0; what.len()];
        to.read_exact(&mut heard).await.unwrap();
        assert_eq!(heard, what.as_bytes());
    }

    async fn does_not_end(waiting: impl Future) {
        assert!(timeout(NEVER, waiting).await.is_err(), "it should wait");
    }

    #[tokio::test]
    async fn each_direction_stalls_by_itself_and_loses_nothing() {
        let World { proxy, mut client, mut server } = world().await;
        sent(&mut client, &mut server, "question").await;
        sent(&mut server, &mut client, "answer").await;
        proxy.set(Line::Up { there: Flow::Stalled, back: Flow::Free });
        client.write_all(b"late").await.unwrap();
        sent(&mut server, &mut client, "meanwhile").await;
        does_not_end(server.read_u8()).await;
        proxy.set(Line::Up { there: Flow::Free, back: Flow::Stalled });
        arrives(&mut server, "late").await;
        server.write_all(b"later").await.unwrap();
        does_not_end(client.read_u8()).await;
        proxy.set(Line::FREE);
        arrives(&mut client, "later").await;
    }

    #[tokio::test]
    async fn a_cut_ends_open_and_new_connections() {
        let World { proxy, mut client, mut server } = world().await;
        sent(&mut client, &mut server, "question").await;
        proxy.set(Line::Cut);
        assert!(matches!(server.read(&mut [0]).await, Ok(0) | Err(_)));
        assert!(matches!(client.read(&mut [0]).await, Ok(0) | Err(_)));
        let mut refused = TcpStream::connect(proxy.address).await.unwrap();
        assert!(matches!(refused.read(&mut [0]).await, Ok(0) | Err(_)));
    }

    #[tokio::test]
    async fn slow_bytes_arrive_late() {
        let World { proxy, mut client, mut server } = world().await;
        let delay = Duration::from_millis(80);
        proxy.set(Line::Up { there: Flow::Slow(delay), back: Flow::Free });
        let began = Instant::now();
        sent(&mut client, &mut server, "slow").await;
        assert!(began.elapsed() >= delay);
        drop(client);
        assert_eq!(server.read(&mut [0]).await.unwrap(), 0, "the end is forwarded too");
    }

    #[tokio::test]
    async fn a_dropped_proxy_ends_its_connections() {
        let World { proxy, mut client, mut server } = world().await;
        sent(&mut client, &mut server, "question").await;
        drop(proxy);
        assert!(matches!(server.read(&mut [0]).await, Ok(0) | Err(_)));
        assert!(matches!(client.read(&mut [0]).await, Ok(0) | Err(_)));
    }
}
