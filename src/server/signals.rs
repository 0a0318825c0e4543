//! Stop signals.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens for stop signals while it exists: Ctrl-C, SIGTERM, and, if standard input is a terminal, SIGHUP,
/// which means that the terminal is gone. Without a terminal SIGHUP keeps its earlier effect: none under
/// `nohup`.
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
    /// Starts to listen. Needs a runtime.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn listen() -> io::Result<Self> {
        let has_terminal = io::IsTerminal::is_terminal(&io::stdin());
        Ok(Self {
            interrupted: signal(SignalKind::interrupt())?,
            terminated: signal(SignalKind::terminate())?,
            hung_up: has_terminal.then(|| signal(SignalKind::hangup())).transpose()?,
        })
    }

    /// Waits for the next signal.
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
    /// Starts to listen. Needs a runtime.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next signal.
    pub async fn asked(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
