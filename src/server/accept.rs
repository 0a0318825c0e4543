//! Accepting connections: how many, from where, and how long their heads may take.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{Router, body::Body, extract::Request};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use super::{lingering::Lingering, under_way::UnderWay};
use crate::{
    app::{App, ClientAddress},
    config::Network,
    http::{client_address, note_arrival, too_many_connections},
    live::LastRead,
};

/// How long a client may take to send the head of a request.
const HEAD_WITHIN: Duration = Duration::from_secs(10);

/// How long a client may take nothing of what is being sent to it. Somebody who reads slowly
/// all the time seems to take nothing for a while: their system asks for more only when a
/// part of its buffer is free, and ours takes more only when it has sent most of its own.
/// Together that is up to 110 KiB within a machine: who takes 500 bytes a second stays.
/// Sockets know better (`ws`).
const READS_WITHIN: Duration = Duration::from_mins(5);

/// How much may wait in the system's buffers that the client's system has not asked for, in
/// bytes. Without a limit it is megabytes, and a connection is written to again only when a
/// third of that has been read.
#[cfg(target_os = "linux")]
const UNSENT_BYTES_MAX: u32 = 16 * 1024;

/// The longest segment, in bytes. Within this machine, where a proxy may be, it would be
/// 64 KiB, and a slow reader's system asks for more only when there is room for a whole one:
/// when its buffer is empty.
#[cfg(target_os = "linux")]
const SEGMENT_BYTES_MAX: u32 = 4 * 1024;

/// How many bytes of a request are read ahead: a head that is not at its end then is not
/// read on. Shorter ones that are too long all the same are refused with a problem.
const READ_BYTES_MAX: usize = 32 * 1024;

/// How long to wait before accepting again when the system has no sockets left.
const AFTER_ACCEPT_FAILED: Duration = Duration::from_millis(100);

/// How long a client that is turned away may take to read why.
const REFUSAL_WITHIN: Duration = Duration::from_secs(1);

/// How many connections are accepted.
#[derive(Debug, Clone)]
pub(super) struct ConnectionLimits {
    /// In all.
    pub(super) total: usize,
    /// From one address or IPv6 network; trusted proxies are not counted.
    pub(super) per_address: usize,
    /// Whose `X-Forwarded-For` is believed.
    pub(super) trusted: Vec<Network>,
}

/// Serves connections until `stopping`. Those that are open then finish their request;
/// `connections` tells when all have.
pub(super) async fn accept(
    listener: TcpListener,
    router: Router,
    app: Arc<App>,
    limits: ConnectionLimits,
    stopping: CancellationToken,
    connections: TaskTracker,
) {
    let doorkeeper = Arc::new(Doorkeeper { limits, inside: Mutex::default() });
    #[cfg(target_os = "linux")]
    if let Err(error) = socket2::SockRef::from(&listener).set_tcp_mss(SEGMENT_BYTES_MAX) {
        tracing::debug!(%error, "the length of segments could not be set; slow readers may be cut");
    }
    loop {
        let accepted = tokio::select! {
            () = stopping.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "could not accept a connection");
                tokio::time::sleep(AFTER_ACCEPT_FAILED).await;
                continue;
            }
        };
        // Whoever opens connections faster than he may ask is not even asked what for.
        let too_fast = !doorkeeper.trusts(peer.ip()) && app.admit_at_all(ClientAddress(peer.ip())).is_err();
        match doorkeeper.let_in(peer.ip()).filter(|_| !too_fast) {
            Some(inside) => {
                let (router, app, stopping) = (router.clone(), Arc::clone(&app), stopping.clone());
                connections.spawn(async move {
                    if let Err(error) =
                        serve(stream, peer, router, &app, &inside.doorkeeper.limits.trusted, stopping).await
                    {
                        tracing::debug!(%peer, error, "a connection ended");
                    }
                });
            }
            None => {
                connections.spawn(turn_away(stream, peer));
            }
        }
    }
}

async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    app: &App,
    trusted: &[Network],
    stopping: CancellationToken,
) -> Result<(), String> {
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    #[cfg(target_os = "linux")]
    socket2::SockRef::from(&stream)
        .set_tcp_notsent_lowat(UNSENT_BYTES_MAX)
        .map_err(|error| error.to_string())?;
    let last_read = LastRead::of_connection();
    let mut stream = TimeoutStream::new(Lingering::new(stream).noting(&last_read));
    stream.set_write_timeout(Some(READS_WITHIN));
    let under_way = UnderWay::default();
    let service = hyper::service::service_fn(|request: Request<Incoming>| {
        let begun = under_way.begin();
        let mut request = request.map(Body::new);
        let client = client_address(peer.ip(), request.headers(), trusted);
        request.extensions_mut().insert(client);
        note_arrival(app, &last_read, &mut request);
        let answer = router.clone().oneshot(request);
        async move {
            // Whoever sends many at once lets the others go first after each.
            tokio::task::yield_now().await;
            answer.await.map(|answer| answer.map(|body| begun.until_sent(body)))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(READ_BYTES_MAX)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        served = connection.as_mut() => return served.map_err(|error| error.to_string()),
        () = stopping.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    // What is left is answered. Whoever asks nothing, or never gets to the end of it, is not
    // waited for.
    tokio::select! {
        served = connection => served.map_err(|error| error.to_string()),
        () = under_way.nothing_for_a_while() => Ok(()),
    }
}

async fn turn_away(stream: TcpStream, peer: SocketAddr) {
    metrics::counter!("lusoria_refusals_total", "code" => "too_many_connections").increment(1);
    let id = uuid::Uuid::new_v4().simple().to_string();
    tracing::debug!(request_id = id, %peer, code = "too_many_connections", "refused");
    let mut stream = Lingering::new(stream);
    let refused =
        tokio::time::timeout(REFUSAL_WITHIN, stream.write_all(too_many_connections(&id).as_bytes())).await;
    if let Ok(Err(error)) = refused {
        tracing::debug!(%error, "a client that was turned away did not listen");
    }
}

/// Counts who is inside.
struct Doorkeeper {
    limits: ConnectionLimits,
    inside: Mutex<Inside>,
}

#[derive(Default)]
struct Inside {
    total: usize,
    by_network: HashMap<IpAddr, usize>,
}

/// A connection that was let in. Dropping it makes room.
struct Admitted {
    doorkeeper: Arc<Doorkeeper>,
    network: IpAddr,
}

impl Doorkeeper {
    fn trusts(&self, address: IpAddr) -> bool {
        self.limits.trusted.iter().any(|proxy| proxy.contains(address))
    }

    fn let_in(self: &Arc<Self>, address: IpAddr) -> Option<Admitted> {
        let trusted = self.trusts(address);
        let network = ClientAddress(address).network();
        let mut inside = self.inside.lock();
        let here = inside.by_network.get(&network).copied().unwrap_or(0);
        if inside.total >= self.limits.total || (!trusted && here >= self.limits.per_address) {
            return None;
        }
        inside.total += 1;
        *inside.by_network.entry(network).or_default() += 1;
        Some(Admitted { doorkeeper: Arc::clone(self), network })
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut inside = self.doorkeeper.inside.lock();
        inside.total -= 1;
        if let Some(here) = inside.by_network.get_mut(&self.network) {
            *here -= 1;
            if *here == 0 {
                inside.by_network.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_of_64_bits_counts_as_one_address() {
        let limits = ConnectionLimits { total: 3, per_address: 1, trusted: Vec::new() };
        let door = Arc::new(Doorkeeper { limits, inside: Mutex::default() });
        let from = |text: &str| door.let_in(text.parse().unwrap());
        let first = from("2001:db8::1");
        assert!(first.is_some());
        assert!(from("2001:db8::2").is_none(), "the same network");
        assert!(from("2001:db8:0:1::1").is_some(), "another network");
        drop(first);
        assert!(from("2001:db8::2").is_some());
    }

    #[test]
    fn each_address_and_all_together_have_a_limit() {
        let limits =
            ConnectionLimits { total: 3, per_address: 2, trusted: vec!["192.0.2.9".parse().unwrap()] };
        let door = Arc::new(Doorkeeper { limits, inside: Mutex::default() });
        let from = |text: &str| door.let_in(text.parse().unwrap());
        let first = from("192.0.2.1");
        let second = from("192.0.2.1");
        assert!(first.is_some() && second.is_some());
        assert!(from("192.0.2.1").is_none(), "a third from the same address");
        let other = from("192.0.2.2");
        assert!(other.is_some());
        assert!(from("192.0.2.3").is_none(), "a fourth in all");
        drop(first);
        assert!(from("192.0.2.1").is_some());
        drop(other);
        let proxied: Vec<_> = (0..2).map(|_| from("192.0.2.9")).collect();
        assert!(proxied.iter().all(Option::is_some), "a proxy is only counted in all");
    }
}
