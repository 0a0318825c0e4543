//! Stop signals for commands that take long.

use tokio::runtime::Runtime;

use super::Failure;
use crate::server::StopSignals;

/// The exit code of a program that was interrupted.
pub(super) const INTERRUPTED: i32 = 130;

/// Starts to listen for stop signals.
pub(super) fn signals(runtime: &Runtime) -> Result<StopSignals, Failure> {
    let _within = runtime.enter();
    StopSignals::listen().map_err(|why| Failure::Io { what: "signals".to_owned(), why })
}

/// Calls `first` on the first stop signal, so that the program can still report, and `again` on
/// the second.
pub(super) async fn when_asked(mut signals: StopSignals, first: impl FnOnce(), again: impl FnOnce()) {
    signals.asked().await;
    first();
    signals.asked().await;
    again();
}
