//! Accepts connections, with limits on their number and origin, and on the time for their heads.

use std::{
    convert::Infallible,
    net::{IpAddr, SocketAddr},
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use axum::{
    Router,
    extract::Request,
    http::{HeaderValue, header},
};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use super::{lingering::Lingering, request_body::tracked, requests_in_flight::RequestsInFlight};
use crate::{
    app::{AddressQuota, App, ClientAddress, QuotaShare},
    config::Network,
    http::{client_address, note_arrival, too_many_connections},
    live::LastRead,
};

/// How long a client may take to send the head of a request.
const HEAD_WITHIN: Duration = Duration::from_secs(10);

/// How long a client may read nothing of a response before its connection is closed. A slow but steady reader
/// seems to read nothing for a while: its system asks for more only when part of its buffer is free, and ours
/// accepts more only when it has sent most of its own. Together that is up to 110 KiB within a machine, so a
/// client that reads 500 bytes a second stays connected. WebSockets measure this better (`ws`).
const READS_WITHIN: Duration = Duration::from_mins(5);

/// How many unsent bytes the system may buffer for a connection. Without a limit these are megabytes, and a
/// connection becomes writable again only when a third of them has been read.
#[cfg(target_os = "linux")]
const UNSENT_BYTES_MAX: u32 = 16 * 1024;

/// The longest TCP segment, in bytes. Within this machine, where a proxy may be, it would be
/// 64 KiB, and a slow reader's system asks for more only when a whole segment fits: when its
/// buffer is empty.
#[cfg(target_os = "linux")]
const SEGMENT_BYTES_MAX: u32 = 4 * 1024;

/// How many bytes of a request are buffered. A longer head closes the connection; a shorter one
/// that is still too long is refused with a problem.
const READ_BYTES_MAX: usize = 32 * 1024;

/// How long to wait before accepting again after a failure, for instance without free sockets.
const AFTER_ACCEPT_FAILED: Duration = Duration::from_millis(100);

/// How long a refused client may take to read the reason.
const REFUSAL_WITHIN: Duration = Duration::from_secs(1);

/// Limits on open connections.
#[derive(Debug, Clone)]
pub(super) struct ConnectionLimits {
    /// In total.
    pub(super) total: usize,
    /// From one address or IPv6 network; trusted proxies are not limited.
    pub(super) per_address: usize,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub(super) trusted: Vec<Network>,
}

/// Serves connections until `stopping`. Open connections then finish their request; `connections` tracks
/// them.
pub(super) async fn accept(
    listener: TcpListener,
    router: Router,
    app: Arc<App>,
    limits: ConnectionLimits,
    stopping: CancellationToken,
    connections: TaskTracker,
) {
    let limiter = Arc::new(ConnectionLimiter::new(limits));
    #[cfg(target_os = "linux")]
    if let Err(error) = socket2::SockRef::from(&listener).set_tcp_mss(SEGMENT_BYTES_MAX) {
        tracing::debug!(%error, "could not set the TCP segment size; slow readers may be disconnected");
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
        // A client that opens connections faster than its rate limit is refused before its request
        // is read.
        let too_fast = !limiter.trusts(peer.ip()) && app.admit_total(ClientAddress(peer.ip()), None).is_err();
        match limiter.acquire(peer.ip()).filter(|_| !too_fast) {
            Some(share) => {
                let (router, app, stopping) = (router.clone(), Arc::clone(&app), stopping.clone());
                let limiter = Arc::clone(&limiter);
                connections.spawn(async move {
                    if let Err(error) = serve(stream, peer, router, &app, &limiter.trusted, stopping).await {
                        tracing::debug!(%peer, error, "connection failed");
                    }
                    drop(share);
                });
            }
            None => {
                connections.spawn(refuse(stream, peer));
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
    let requests_in_flight = RequestsInFlight::default();
    let service = hyper::service::service_fn(|request: Request<Incoming>| {
        let in_flight = requests_in_flight.begin();
        let (mut request, is_read) = tracked(request);
        let client = client_address(peer.ip(), request.headers(), trusted);
        request.extensions_mut().insert(client);
        note_arrival(app, &last_read, &mut request);
        let response = router.clone().oneshot(request);
        async move {
            // After each request of a pipeline, other connections get their turn.
            tokio::task::yield_now().await;
            let mut response = response.await?;
            if !is_read.load(Ordering::Relaxed) {
                // Otherwise the rest would be read as the next request. Hyper closes the connection.
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response.map(|body| in_flight.until_sent(body)))
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
    // Requests in flight are completed. Idle connections, and those that never finish their
    // request, are dropped.
    tokio::select! {
        served = connection => served.map_err(|error| error.to_string()),
        () = requests_in_flight.idle_for_a_while() => Ok(()),
    }
}

async fn refuse(stream: TcpStream, peer: SocketAddr) {
    metrics::counter!("lusoria_refusals_total", "code" => "too_many_connections").increment(1);
    let id = uuid::Uuid::new_v4().simple().to_string();
    tracing::debug!(request_id = id, %peer, code = "too_many_connections", "refused");
    let mut stream = Lingering::new(stream);
    let refused =
        tokio::time::timeout(REFUSAL_WITHIN, stream.write_all(too_many_connections(&id).as_bytes())).await;
    if let Ok(Err(error)) = refused {
        tracing::debug!(%error, "could not send a refused client the reason");
    }
}

/// Limits open connections. Those of trusted proxies count only towards the total.
struct ConnectionLimiter {
    quota: AddressQuota,
    trusted: Vec<Network>,
}

impl ConnectionLimiter {
    fn new(ConnectionLimits { total, per_address, trusted }: ConnectionLimits) -> Self {
        Self { quota: AddressQuota::new(per_address as u64, total as u64), trusted }
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|proxy| proxy.contains(address))
    }

    fn acquire(&self, address: IpAddr) -> Option<QuotaShare> {
        let client = ClientAddress(address);
        let taken = if self.trusts(address) {
            self.quota.take_unlimited(client, 1)
        } else {
            self.quota.take(client, 1)
        };
        taken.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trusted_proxy_counts_only_towards_the_total() {
        let trusted = vec!["192.0.2.9".parse().unwrap()];
        let limiter = ConnectionLimiter::new(ConnectionLimits { total: 3, per_address: 1, trusted });
        let from = |text: &str| limiter.acquire(text.parse().unwrap());
        let first = from("192.0.2.1");
        assert!(first.is_some() && from("192.0.2.1").is_none());
        let proxied = [from("192.0.2.9"), from("192.0.2.9")];
        assert!(proxied.iter().all(Option::is_some));
        assert!(from("192.0.2.2").is_none() && from("192.0.2.9").is_none(), "a fourth in all");
    }
}
