//! The addresses that a server listens on. They are bound first, because another process may hold them.

use std::{io, net::SocketAddr};

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::{TcpListener, TcpSocket};

use super::{error::StartError, metrics};
use crate::config::Config;

/// The send buffer of each connection, in bytes: by default the system would keep megabytes for
/// a client that does not read.
const SEND_BYTES: u32 = 128 * 1024;

/// How many connections wait until they are accepted.
const BACKLOG: u32 = 1024;

/// The listeners of a server. Early connections wait until it accepts.
pub(super) struct Listeners {
    pub(super) listener: TcpListener,
    /// With the actual port if port 0 was configured.
    pub(super) address: SocketAddr,
    pub(super) metrics: Option<MetricsListener>,
}

/// The address for metrics, and their recorder.
pub(super) struct MetricsListener {
    pub(super) listener: TcpListener,
    pub(super) address: SocketAddr,
    pub(super) handle: PrometheusHandle,
}

impl Listeners {
    /// Binds the addresses and starts to record metrics.
    ///
    /// # Errors
    /// If an address cannot be bound, or this process records metrics already.
    pub(super) fn open(config: &Config) -> Result<Self, StartError> {
        let (listener, address) = listen(config.listen)?;
        let metrics = config.metrics_listen.map(MetricsListener::open).transpose()?;
        Ok(Self { listener, address, metrics })
    }
}

impl MetricsListener {
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

/// The connections inherit the listener's options.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // As `TcpListener::bind` does, so that a restarted server finds its port free.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BYTES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}
