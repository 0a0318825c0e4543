//! Why the server does not start.

use std::{io, net::SocketAddr};

use lusoria_store::{StoreError, sqlite::OpenError};

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database cannot be read.
    #[error("database: {0}")]
    Store(#[from] StoreError),
    /// The address is in use, or does not belong to this machine.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The recorder of metrics does not start.
    #[error("metrics: {0}")]
    Metrics(String),
}

impl StartError {
    /// Whether the obstacle may pass by itself, so that the same start may succeed later: an
    /// address that is in use or not available yet, a full disk. A lock that another program still
    /// holds after the wait is not among them.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Listen { source, .. } => {
                matches!(source.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::AddrNotAvailable)
            }
            Self::Open(error) => error.is_disk_full(),
            Self::Store(error) => matches!(error, StoreError::Full(_)),
            Self::Metrics(_) => false,
        }
    }
}
