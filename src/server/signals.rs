//! What asks a program to stop.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What asks a program to stop, from when this value is made: Ctrl-C, SIGTERM, and SIGHUP where
/// standard input is a terminal, which is gone then. Without one SIGHUP does what it did before:
/// nothing under `nohup`.
#[derive(Debug)]
pub struct StopSignals {
    #[cfg(unix)]
    interrupted: Signal,
    #[cfg(unix)]
    terminated: Signal,
    #[cfg(unix)]
    hung_up: Option<Signal>,
}

#[cfg(unix)]
impl StopSignals {
    /// Listens, within a runtime.
    ///
    /// # Errors
    /// If the system does not let it.
    pub fn listen() -> io::Result<Self> {
        let has_terminal = io::IsTerminal::is_terminal(&io::stdin());
        Ok(Self {
            interrupted: signal(SignalKind::interrupt())?,
            terminated: signal(SignalKind::terminate())?,
            hung_up: has_terminal.then(|| signal(SignalKind::hangup())).transpose()?,
        })
    }

    /// Waits until somebody asks, once more if somebody has asked already.
    pub async fn asked(&mut self) {
        let hung_up = async {
            match &mut self.hung_up {
                Some(signal) => signal.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupted.recv() => {}
            _ = self.terminated.recv() => {}
            _ = hung_up => {}
        }
    }
}

#[cfg(not(unix))]
impl StopSignals {
    /// Listens, within a runtime.
    ///
    /// # Errors
    /// If the system does not let it.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits until somebody asks, once more if somebody has asked already.
    pub async fn asked(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
