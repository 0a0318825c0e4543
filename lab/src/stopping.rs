//! Stop signals for commands that take long.

use std::{io, thread};

use tokio::runtime::Builder;

use super::Failure;

/// The exit code of a program that was interrupted.
pub(super) const INTERRUPTED: i32 = 130;

/// Calls `first` on the first stop signal, so that the program can still report, and `again` on the second, on a
/// thread of its own. Signals count from when this returns.
pub(super) fn when_asked(
    first: impl FnOnce() + Send + 'static,
    again: impl FnOnce() + Send + 'static,
) -> Result<(), Failure> {
    let failed = |why| Failure::Io { what: "signals".to_owned(), why };
    let runtime = Builder::new_current_thread().enable_io().build().map_err(failed)?;
    let mut signals = {
        let _within = runtime.enter();
        Signals::listen().map_err(failed)?
    };
    thread::spawn(move || {
        runtime.block_on(async {
            signals.asked().await;
            first();
            signals.asked().await;
            again();
        });
    });
    Ok(())
}

/// Ctrl-C and, where there is such a thing, SIGTERM.
struct Signals {
    #[cfg(unix)]
    interrupted: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminated: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self {
            interrupted: signal(SignalKind::interrupt())?,
            terminated: signal(SignalKind::terminate())?,
        })
    }

    async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupted.recv() => {}
            _ = self.terminated.recv() => {}
        }
    }
}

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    async fn asked(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
