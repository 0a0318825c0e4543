//! The database that a command works on.

use std::path::PathBuf;

use clap::Args;

use super::{Failure, runtime};

/// Which database.
#[derive(Debug, Args)]
pub(super) struct Database {
    /// The database file
    #[arg(
        long = "database",
        env = "LUSORIA_DATABASE",
        value_name = "FILE",
        default_value = "lusoria.db",
        global = true
    )]
    pub(super) path: PathBuf,
}

/// Runs database work with the lowest priority, so that it does not slow down players.
pub(super) fn run_with_low_priority<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    lower_priority();
    Ok(runtime()?.block_on(work))
}

/// Threads started later inherit it.
#[cfg(unix)]
fn lower_priority() {
    const LOWEST: i32 = 19;
    // If it fails, everything still works, only less fairly.
    let _ = rustix::process::setpriority_process(None, LOWEST);
}

#[cfg(not(unix))]
fn lower_priority() {}
