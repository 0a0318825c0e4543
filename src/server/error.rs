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
    /// The address is taken or not this machine's.
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
    /// Whether what is in the way may pass by itself, so that the same start may succeed later:
    /// an address that is taken or not there yet, a disk that is full. A lock that another
    /// program still has after it was waited for is not among them.
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
