//! The bytes under a connection: plain, or under TLS.

use std::{
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpSocket, TcpStream},
    time::timeout,
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName},
};

use super::Origin;

/// How long a connection may take to open, and an answer to come: longer than a busy server
/// takes for anything, and short enough that one that hangs is noticed.
pub(super) const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// How long one of several addresses may take to answer, TLS included: the next one is tried then.
/// The last one, or the only one, may take as long as an answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);

/// How long all of it may take: to find the addresses of a host, and to try them.
const DIALLED_WITHIN: Duration = Duration::from_mins(1);

/// The stream to a server.
pub enum Stream {
    /// As it is.
    Plain(TcpStream),
    /// Under TLS.
    Secret(Box<TlsStream<TcpStream>>),
}

impl Stream {
    /// Dials a server at the first of its addresses that answers.
    ///
    /// # Errors
    /// If the host is not known, or nobody answers at any address within some seconds, or what
    /// answers cannot prove that it is that server.
    pub(super) async fn dial_any(origin: &Origin) -> io::Result<Self> {
        Self::dial_found(origin, origin.addresses()).await
    }

    async fn dial_found(
        origin: &Origin,
        addresses: impl Future<Output = io::Result<Vec<SocketAddr>>>,
    ) -> io::Result<Self> {
        let dialled = async { Self::dial_first(origin, &addresses.await?).await };
        let too_late = |_| {
            let seconds = DIALLED_WITHIN.as_secs();
            io::Error::new(io::ErrorKind::TimedOut, format!("nobody answers within {seconds} s"))
        };
        timeout(DIALLED_WITHIN, dialled).await.map_err(too_late)?
    }

    async fn dial_first(origin: &Origin, addresses: &[SocketAddr]) -> io::Result<Self> {
        let mut failed = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
        for (others, &address) in (0..addresses.len()).rev().zip(addresses) {
            let within = if others == 0 { ANSWER_WITHIN } else { ANSWERS_WITHIN };
            match timeout(within, Self::dial(origin, address, None)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(why)) => failed = why,
                Err(_) => {
                    failed = io::Error::new(io::ErrorKind::TimedOut, format!("{address} does not answer"));
                }
            }
        }
        Err(failed)
    }

    /// Dials a server: `address` is one of its addresses, `from` the address of this machine
    /// that the connection comes from, if that matters.
    ///
    /// # Errors
    /// If nobody answers there, or what answers cannot prove that it is that server.
    pub(super) async fn dial(origin: &Origin, address: SocketAddr, from: Option<IpAddr>) -> io::Result<Self> {
        let plain = dial(address, from).await?;
        if !origin.is_secret() {
            return Ok(Self::Plain(plain));
        }
        let name = ServerName::try_from(origin.host().to_owned()).map_err(io::Error::other)?;
        let secret = TlsConnector::from(trusting_the_system()?).connect(name, plain).await?;
        Ok(Self::Secret(Box::new(secret)))
    }

    /// The connection of the system under it.
    pub fn tcp(&self) -> &TcpStream {
        match self {
            Self::Plain(stream) => stream,
            Self::Secret(stream) => stream.get_ref().0,
        }
    }
}

pub(super) async fn dial(address: SocketAddr, from: Option<IpAddr>) -> io::Result<TcpStream> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    if let Some(from) = from {
        socket.bind(SocketAddr::new(from, 0))?;
    }
    let stream = socket.connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// TLS as the system trusts it: its own roots, or those of `SSL_CERT_FILE`.
fn trusting_the_system() -> io::Result<Arc<ClientConfig>> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        return Err(io::Error::other("this system has no certificates to trust (SSL_CERT_FILE names some)"));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    Ok(Arc::new(config.with_root_certificates(roots).with_no_client_auth()))
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Self::Secret(stream) => Pin::new(stream).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Secret(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Self::Secret(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Secret(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::{net::TcpListener, time::Instant};

    use super::*;

    /// Where the system takes connections, as many as wait there already.
    async fn full() -> (TcpListener, SocketAddr, [TcpStream; 2]) {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(([127, 0, 0, 1], 0).into()).expect("a free port");
        let listener = socket.listen(1).expect("a listener");
        let address = listener.local_addr().expect("a bound port");
        let one = TcpStream::connect(address).await.expect("the first one waits");
        let two = TcpStream::connect(address).await.expect("the second one waits");
        (listener, address, [one, two])
    }

    #[tokio::test]
    async fn an_address_that_is_dead_keeps_nobody_from_the_next_one() {
        let (_dead, dead, _waiting) = full().await;
        let alive = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let alive = alive.local_addr().expect("a bound port");
        tokio::time::pause();
        let began = Instant::now();
        let stream = Stream::dial_first(&dead.into(), &[dead, alive]).await.expect("the second one answers");
        assert_eq!(stream.tcp().peer_addr().expect("it is connected"), alive);
        assert_eq!(began.elapsed().as_secs(), ANSWERS_WITHIN.as_secs());
    }

    #[tokio::test]
    async fn the_last_address_may_take_as_long_as_an_answer() {
        let (_dead, dead, _waiting) = full().await;
        tokio::time::pause();
        for addresses in [vec![dead], vec![dead; 3]] {
            let (began, others) = (Instant::now(), addresses.len() as u64 - 1);
            let nobody = Stream::dial_first(&dead.into(), &addresses).await.err().expect("nobody answers");
            assert_eq!(nobody.kind(), io::ErrorKind::TimedOut);
            assert_eq!(began.elapsed().as_secs(), 30 + 5 * others);
        }
        let nowhere = Stream::dial_first(&dead.into(), &[]).await.err().expect("nobody is asked");
        assert_eq!(nowhere.kind(), io::ErrorKind::NotFound);
    }

    #[tokio::test]
    async fn neither_many_dead_addresses_nor_a_name_that_is_not_found_take_longer_than_a_minute() {
        let (_dead, dead, _waiting) = full().await;
        tokio::time::pause();
        let began = Instant::now();
        let nobody = Stream::dial_found(&dead.into(), ready(Ok(vec![dead; 30]))).await;
        assert_eq!(nobody.err().expect("nobody answers").kind(), io::ErrorKind::TimedOut);
        assert_eq!(began.elapsed().as_secs(), 60);
        let nobody = Stream::dial_found(&dead.into(), pending()).await;
        assert_eq!(nobody.err().expect("nobody is found").kind(), io::ErrorKind::TimedOut);
        assert_eq!(began.elapsed().as_secs(), 120);
    }
}
