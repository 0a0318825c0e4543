//! Counts open sockets and streams, in total and for each client's address.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
};

use lusoria_protocol::{Code, Problem};
use parking_lot::Mutex;
use tokio_util::{
    sync::CancellationToken,
    task::{TaskTracker, task_tracker::TaskTrackerToken},
};

use crate::{
    app::{
        App,
        limits::quota::{AddressQuota, QuotaExceeded, QuotaShare},
    },
    config::Limits,
};

/// The address of the client, as far as it is known. It travels in the extensions of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The part of the address that identifies a client's network: an IPv6 network of 64 bits is one.
    #[must_use]
    pub fn network(self) -> IpAddr {
        match self.0.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        }
    }

    /// That network, and the wider one around it, the wider one first: 48 bits of an IPv6 address, 24 of an
    /// IPv4 address.
    pub(in crate::app) fn networks(self) -> [IpAddr; 2] {
        let network = self.network();
        let wide = match network {
            IpAddr::V4(address) => IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() >> 8 << 8)),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 80 << 80)),
        };
        [wide, network]
    }
}

/// Limits how long sockets and streams stay open: until the server stops, or all are closed.
#[derive(Debug, Clone)]
pub struct Connections {
    stopping: CancellationToken,
    open: Arc<Mutex<CancellationToken>>,
}

impl Connections {
    /// Open until this is cancelled, or until all are closed.
    pub fn until(stopping: &CancellationToken) -> Self {
        Self { stopping: stopping.clone(), open: Arc::new(Mutex::new(stopping.child_token())) }
    }

    /// Cancelled when the server stops.
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Cancelled when the connections that are open now must close.
    pub fn open(&self) -> CancellationToken {
        self.open.lock().clone()
    }

    /// Closes all open connections. New ones may be opened.
    pub fn close_all(&self) {
        let open = std::mem::replace(&mut *self.open.lock(), self.stopping.child_token());
        open.cancel();
    }
}

/// The open sockets and streams.
pub(in crate::app) struct Streams {
    quota: AddressQuota,
    /// Knows when the last one has ended.
    ended: TaskTracker,
}

/// An open socket or stream. Dropping it frees its place.
pub struct OpenStream {
    _share: QuotaShare,
    _not_ended: TaskTrackerToken,
}

impl Streams {
    pub(in crate::app) fn new(limits: &Limits) -> Self {
        let ended = TaskTracker::new();
        ended.close();
        Self { quota: AddressQuota::new(limits.sockets_per_address, limits.connections), ended }
    }
}

impl App {
    /// Counts a socket or stream of a client. Keep the result while it is open.
    ///
    /// # Errors
    /// `too_many_connections` for this address, or in total.
    pub fn open_stream(&self, address: ClientAddress) -> Result<OpenStream, Problem> {
        let share = self.streams.quota.take(address, 1).map_err(|exceeded| match exceeded {
            QuotaExceeded::OfAddress(limit) => too_many("your address has", limit),
            QuotaExceeded::InAll(limit) => too_many("the server has", limit),
        })?;
        Ok(OpenStream { _share: share, _not_ended: self.streams.ended.token() })
    }

    /// While this is held, a stopping server waits, as for a stream.
    pub(in crate::app) fn unended(&self) -> TaskTrackerToken {
        self.streams.ended.token()
    }

    /// Waits until no socket or stream is open, and no other work keeps the server from stopping.
    pub async fn streams_ended(&self) {
        self.streams.ended.wait().await;
    }
}

fn too_many(whose: &str, limit: u64) -> Problem {
    Problem::new(
        Code::TooManyConnections,
        format!("{whose} {limit} sockets and streams open, the most allowed"),
    )
    .with_limit(limit)
    .with_retry_after_s(5)
}
