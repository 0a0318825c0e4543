//! How many sockets and streams are open: in all, and for each client's address.
//!
//! A connection behind a trusted proxy is counted for the client, not for the proxy.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use lusoria_protocol::{Code, Problem};
use parking_lot::Mutex;
use tokio_util::task::{TaskTracker, task_tracker::TaskTrackerToken};

use super::App;
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
}

/// The sockets and streams that are open.
pub(super) struct Streams {
    total_max: u32,
    per_address_max: u32,
    open: Mutex<Open>,
    /// Knows when the last one has ended.
    ended: TaskTracker,
}

#[derive(Default)]
struct Open {
    total: u32,
    by_address: HashMap<IpAddr, u32>,
}

/// A socket or stream that is open. Dropping it makes room for another one.
pub struct OpenStream {
    app: Arc<App>,
    address: IpAddr,
    _not_ended: TaskTrackerToken,
}

impl Streams {
    pub(super) fn new(limits: &Limits) -> Self {
        let ended = TaskTracker::new();
        ended.close();
        Self {
            total_max: limits.connections,
            per_address_max: limits.sockets_per_address,
            open: Mutex::default(),
            ended,
        }
    }
}

impl App {
    /// Counts a socket or a stream of a client; to be kept for as long as it is open.
    ///
    /// # Errors
    /// `too_many_connections` of this address, or in all.
    pub fn open_stream(self: &Arc<Self>, address: ClientAddress) -> Result<OpenStream, Problem> {
        let address = address.network();
        let Streams { total_max, per_address_max, ref open, ref ended } = self.streams;
        let mut open = open.lock();
        let here = open.by_address.get(&address).copied().unwrap_or(0);
        if here >= per_address_max {
            return Err(too_many("your address has", per_address_max));
        }
        if open.total >= total_max {
            return Err(too_many("the server has", total_max));
        }
        open.total += 1;
        *open.by_address.entry(address).or_default() += 1;
        Ok(OpenStream { app: Arc::clone(self), address, _not_ended: ended.token() })
    }

    /// Waits until no socket and no stream is open.
    pub async fn streams_ended(&self) {
        self.streams.ended.wait().await;
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.app.streams.open.lock();
        open.total -= 1;
        if let Some(here) = open.by_address.get_mut(&self.address) {
            *here -= 1;
            if *here == 0 {
                open.by_address.remove(&self.address);
            }
        }
    }
}

fn too_many(whose: &str, limit: u32) -> Problem {
    Problem::new(
        Code::TooManyConnections,
        format!("{whose} {limit} sockets and streams open, the most allowed"),
    )
    .with_limit(limit.into())
    .with_retry_after_s(5)
}
