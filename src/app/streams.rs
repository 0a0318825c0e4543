//! How many sockets and streams are open: in all, and for each client's address.

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

use super::{
    App,
    quota::{AddressQuota, QuotaExceeded, QuotaShare},
};
use crate::config::Limits;

/// Whose request it is: the address of the client, as far as it is known. It travels in
/// the extensions of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The address as far as it tells one client's network from another's: an IPv6 network
    /// of 64 bits is one.
    #[must_use]
    pub fn network(self) -> IpAddr {
        match self.0.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        }
    }

    /// The same, and the wider network that is somebody's, too: of an IPv6 address 48 bits, of an IPv4 address 24. The
    /// wider one first.
    pub(super) fn networks(self) -> [IpAddr; 2] {
        let network = self.network();
        let wide = match network {
            IpAddr::V4(address) => IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() >> 8 << 8)),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 80 << 80)),
        };
        [wide, network]
    }
}

/// Until when sockets and streams may stay open: until the server stops, or all of them are closed.
#[derive(Debug, Clone)]
pub struct Connections {
    stopping: CancellationToken,
    open: Arc<Mutex<CancellationToken>>,
}

impl Connections {
    /// Until this is cancelled, or all are closed before.
    pub fn until(stopping: &CancellationToken) -> Self {
        Self { stopping: stopping.clone(), open: Arc::new(Mutex::new(stopping.child_token())) }
    }

    /// Told when the server stops.
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Told when those that are open now are to be closed.
    pub fn open(&self) -> CancellationToken {
        self.open.lock().clone()
    }

    /// Closes all that are open. Others may be opened.
    pub fn close_all(&self) {
        let open = std::mem::replace(&mut *self.open.lock(), self.stopping.child_token());
        open.cancel();
    }
}

/// The sockets and streams that are open.
pub(super) struct Streams {
    quota: AddressQuota,
    /// Knows when the last one has ended.
    ended: TaskTracker,
}

/// A socket or stream that is open. Dropping it makes room for another one.
pub struct OpenStream {
    _share: QuotaShare,
    _not_ended: TaskTrackerToken,
}

impl Streams {
    pub(super) fn new(limits: &Limits) -> Self {
        let ended = TaskTracker::new();
        ended.close();
        Self { quota: AddressQuota::new(limits.sockets_per_address, limits.connections), ended }
    }
}

impl App {
    /// Counts a socket or a stream of a client; to be kept for as long as it is open.
    ///
    /// # Errors
    /// `too_many_connections` of this address, or in all.
    pub fn open_stream(&self, address: ClientAddress) -> Result<OpenStream, Problem> {
        let share = self.streams.quota.take(address, 1).map_err(|exceeded| match exceeded {
            QuotaExceeded::OfAddress(limit) => too_many("your address has", limit),
            QuotaExceeded::InAll(limit) => too_many("the server has", limit),
        })?;
        Ok(OpenStream { _share: share, _not_ended: self.streams.ended.token() })
    }

    /// While this is held, a server that stops waits, as for a stream.
    pub(super) fn unended(&self) -> TaskTrackerToken {
        self.streams.ended.token()
    }

    /// Waits until no socket and no stream is open, and nothing else is to be done to its end.
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
