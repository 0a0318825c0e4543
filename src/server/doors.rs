//! The addresses that a server listens on: had before anything else is touched, since they may
//! be in other hands.

use std::{io, net::SocketAddr};

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::{TcpListener, TcpSocket};

use super::{StartError, metrics};
use crate::config::Config;

/// What the system keeps of what a client has not taken yet, in bytes for each connection:
/// by itself it would keep megabytes for somebody who does not read.
const SEND_BYTES: u32 = 128 * 1024;

/// How many connections wait until they are accepted.
const BACKLOG: u32 = 1024;

/// The addresses of a server. Whoever connects already waits until it accepts.
pub(super) struct Doors {
    pub(super) listener: TcpListener,
    /// With the port that was found if port 0 was asked for.
    pub(super) address: SocketAddr,
    pub(super) metrics: Option<ForMetrics>,
}

/// Where metrics are to be served, and what keeps them.
pub(super) struct ForMetrics {
    pub(super) listener: TcpListener,
    pub(super) address: SocketAddr,
    pub(super) handle: PrometheusHandle,
}

impl Doors {
    /// Begins to listen. What is counted from here on is told.
    ///
    /// # Errors
    /// If an address cannot be had, or metrics are kept in this process already.
    pub(super) fn open(config: &Config) -> Result<Self, StartError> {
        let (listener, address) = listen(config.listen)?;
        let metrics = config.metrics_listen.map(ForMetrics::open).transpose()?;
        Ok(Self { listener, address, metrics })
    }
}

impl ForMetrics {
    fn open(address: SocketAddr) -> Result<Self, StartError> {
        let (listener, address) = listen(address)?;
        let handle = metrics::install().map_err(StartError::Metrics)?;
        Ok(Self { listener, address, handle })
    }
}

fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |source| StartError::Listen { address, source };
    let listener = bind(address).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// The connections have what the listener has.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // As `TcpListener::bind` does: a server that starts again finds its port free.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BYTES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}
