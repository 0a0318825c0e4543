//! The database that a command works on.

use std::path::Path;

use clap::Args;

use super::{Failure, runtime};
use crate::config::DatabasePlace;

/// Which database.
#[derive(Debug, Args)]
pub(super) struct Database {
    /// The database file, or the URL of a PostgreSQL database
    #[arg(
        long = "database",
        env = "LUSORIA_DATABASE",
        value_name = "FILE|URL",
        default_value = "lusoria.db",
        hide_env_values = true,
        global = true
    )]
    pub(super) place: DatabasePlace,
}

impl Database {
    /// The path of the database file.
    ///
    /// # Errors
    /// If it is a PostgreSQL database, which is copied with its own tools.
    pub(super) fn file(&self) -> Result<&Path, Failure> {
        match &self.place {
            DatabasePlace::File(path) => Ok(path),
            DatabasePlace::Postgres(_) => Err(Failure::Usage(
                "a PostgreSQL database is copied and restored with its own tools, such as pg_dump; \
                 after restoring, run: lusoria database new-history"
                    .to_owned(),
            )),
        }
    }
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
