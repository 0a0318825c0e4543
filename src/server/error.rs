//! Errors at the start of the server.

use std::{io, net::SocketAddr};

use lusoria_bus::NatsError;
use lusoria_store::{JoinError, StoreError, postgres, sqlite::OpenError};

/// The reason that the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The PostgreSQL database cannot be used.
    #[error(transparent)]
    Postgres(#[from] postgres::OpenError),
    /// The start was cancelled before the PostgreSQL database was open.
    #[error("stopped before the database was open")]
    Cancelled,
    /// A file for NATS cannot be read.
    #[error("NATS: {0}")]
    Nats(#[from] NatsError),
    /// NATS is for servers that share a database, which needs PostgreSQL.
    #[error("--nats needs a PostgreSQL database: servers cannot share a file")]
    NatsWithFile,
    /// Another server has this one's name.
    #[error("another server runs as \"{0}\" on this database now: give each a name of its own with --node")]
    Expelled(String),
    /// The database cannot be read, or another node has this one's name.
    #[error("database: {0}")]
    Join(#[from] JoinError),
    /// The PostgreSQL database was locked or unreachable while the server joined the others.
    #[error("database: {0}")]
    Away(StoreError),
    /// The address is in use, or does not belong to this machine.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        source: io::Error,
    },
    /// The metrics recorder does not start.
    #[error("metrics: {0}")]
    Metrics(String),
}

impl StartError {
    /// Whether the same start may succeed later without a change: an address that is in use or not available
    /// yet, a full disk, a PostgreSQL server that cannot be reached, is locked or is a standby for now, older
    /// nodes that are about to be stopped. A file lock that another program still holds after the wait is not
    /// among them.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Listen { source, .. } => {
                matches!(source.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::AddrNotAvailable)
            }
            Self::Open(error) => error.is_disk_full(),
            Self::Postgres(error) => {
                use postgres::OpenError::{Busy, Full, OlderNodes, ReadOnly, Unreachable};
                matches!(
                    error,
                    Unreachable { .. } | Busy { .. } | Full { .. } | ReadOnly { .. } | OlderNodes { .. }
                )
            }
            Self::Away(_) => true,
            Self::Join(error) => matches!(error, JoinError::Store(StoreError::Full(_))),
            Self::Metrics(_) | Self::Cancelled | Self::Nats(_) | Self::NatsWithFile | Self::Expelled(_) => {
                false
            }
        }
    }
}
