//! The byte stream under a connection, plain or with TLS.

use std::{
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures_util::future::BoxFuture;
use tokio::{
    net::{TcpSocket, TcpStream},
    time::timeout,
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName},
};
use tokio_util::either::Either;

use super::Origin;

/// How long opening a connection, or a response, may take: longer than a busy server needs for anything, and
/// short enough to notice one that hangs.
pub(super) const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// How long one of several addresses may take to respond, TLS included; then the next one is tried. The last
/// one, or the only one, may take as long as a response.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);

/// How long finding and trying all addresses of a host may take.
const DIALLED_WITHIN: Duration = Duration::from_mins(1);

/// The stream to a server, plain or with TLS.
pub type Stream = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Connects to a server, at the first of its addresses that responds.
///
/// # Errors
/// If the host is unknown, no address responds within some seconds, or the server cannot prove its identity.
pub fn connect(origin: &Origin) -> BoxFuture<'_, io::Result<Stream>> {
    Box::pin(dial_any(origin))
}

/// The same, not boxed.
///
/// # Errors
/// As [`connect`].
pub(super) async fn dial_any(origin: &Origin) -> io::Result<Stream> {
    dial_found(origin, origin.addresses()).await
}

async fn dial_found(
    origin: &Origin,
    addresses: impl Future<Output = io::Result<Vec<SocketAddr>>>,
) -> io::Result<Stream> {
    let dialled = async { dial_first(origin, &addresses.await?).await };
    let too_late = |_| {
        let seconds = DIALLED_WITHIN.as_secs();
        io::Error::new(io::ErrorKind::TimedOut, format!("nobody answers within {seconds} s"))
    };
    timeout(DIALLED_WITHIN, dialled).await.map_err(too_late)?
}

async fn dial_first(origin: &Origin, addresses: &[SocketAddr]) -> io::Result<Stream> {
    let mut failed = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for (others, &address) in (0..addresses.len()).rev().zip(addresses) {
        let within = if others == 0 { ANSWER_WITHIN } else { ANSWERS_WITHIN };
        match timeout(within, dial(origin, address, None)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(why)) => failed = why,
            Err(_) => {
                failed = io::Error::new(io::ErrorKind::TimedOut, format!("{address} does not answer"));
            }
        }
    }
    Err(failed)
}

/// Connects to a server: `address` is one of its addresses, `from` the local address of the connection, if
/// that matters.
///
/// # Errors
/// If nothing responds there, or the server cannot prove its identity.
pub(super) async fn dial(origin: &Origin, address: SocketAddr, from: Option<IpAddr>) -> io::Result<Stream> {
    let plain = dial_plain(address, from).await?;
    if !origin.is_secret() {
        return Ok(Either::Left(plain));
    }
    let name = ServerName::try_from(origin.host().to_owned()).map_err(io::Error::other)?;
    let secret = TlsConnector::from(trusting_the_system()?).connect(name, plain).await?;
    Ok(Either::Right(Box::new(secret)))
}

/// The TCP connection under it.
pub fn tcp(stream: &Stream) -> &TcpStream {
    match stream {
        Either::Left(stream) => stream,
        Either::Right(stream) => stream.get_ref().0,
    }
}

pub(super) async fn dial_plain(address: SocketAddr, from: Option<IpAddr>) -> io::Result<TcpStream> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    if let Some(from) = from {
        socket.bind(SocketAddr::new(from, 0))?;
    }
    let stream = socket.connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// TLS with the system's trusted certificates, or those of `SSL_CERT_FILE`. They are read once.
fn trusting_the_system() -> io::Result<Arc<ClientConfig>> {
    static TRUSTING: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(known) = TRUSTING.get() {
        return Ok(Arc::clone(known));
    }
    let read = read_trust()?;
    Ok(Arc::clone(TRUSTING.get_or_init(|| read)))
}

fn read_trust() -> io::Result<Arc<ClientConfig>> {
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

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::{net::TcpListener, time::Instant};

    use super::*;

    /// A listener whose queue of connections is full.
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
    async fn a_dead_address_does_not_keep_a_client_from_the_next_one() {
        let (_dead, dead, _waiting) = full().await;
        let alive = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let alive = alive.local_addr().expect("a bound port");
        tokio::time::pause();
        let began = Instant::now();
        let stream = dial_first(&dead.into(), &[dead, alive]).await.expect("the second one answers");
        assert_eq!(tcp(&stream).peer_addr().expect("it is connected"), alive);
        assert_eq!(began.elapsed().as_secs(), ANSWERS_WITHIN.as_secs());
    }

    #[tokio::test]
    async fn the_last_address_may_take_as_long_as_an_answer() {
        let (_dead, dead, _waiting) = full().await;
        tokio::time::pause();
        for addresses in [vec![dead], vec![dead; 3]] {
            let (began, others) = (Instant::now(), addresses.len() as u64 - 1);
            let nobody = dial_first(&dead.into(), &addresses).await.expect_err("nobody answers");
            assert_eq!(nobody.kind(), io::ErrorKind::TimedOut);
            assert_eq!(began.elapsed().as_secs(), 30 + 5 * others);
        }
        let nowhere = dial_first(&dead.into(), &[]).await.expect_err("nobody is asked");
        assert_eq!(nowhere.kind(), io::ErrorKind::NotFound);
    }

    #[tokio::test]
    async fn neither_many_dead_addresses_nor_a_name_that_is_not_found_take_longer_than_a_minute() {
        let (_dead, dead, _waiting) = full().await;
        tokio::time::pause();
        let began = Instant::now();
        let nobody = dial_found(&dead.into(), ready(Ok(vec![dead; 30]))).await;
        assert_eq!(nobody.expect_err("nobody answers").kind(), io::ErrorKind::TimedOut);
        assert_eq!(began.elapsed().as_secs(), 60);
        let nobody = dial_found(&dead.into(), pending()).await;
        assert_eq!(nobody.expect_err("nobody is found").kind(), io::ErrorKind::TimedOut);
        assert_eq!(began.elapsed().as_secs(), 120);
    }
}
