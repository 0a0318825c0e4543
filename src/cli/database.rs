//! The database that a command works on.

use std::path::PathBuf;

use clap::Args;

use super::Failure;

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

/// Runs what waits for the database, with the lowest priority: everybody who plays goes first.
pub(super) fn run_aside<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    step_back();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|why| Failure::Io { what: "the runtime".to_owned(), why })?;
    Ok(runtime.block_on(work))
}

/// The threads that this one starts later inherit it.
#[cfg(unix)]
fn step_back() {
    const LOWEST: i32 = 19;
    // Without it all works as well, only not as fairly.
    let _ = rustix::process::setpriority_process(None, LOWEST);
}

#[cfg(not(unix))]
fn step_back() {}
