//! Having it done: by the server, or by this process.

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use tracing_subscriber::EnvFilter;

#[cfg(unix)]
use super::socket::over_socket;
use crate::{
    app::admin::{Act, Done},
    cli::database::run_aside,
    server::{OfflineError, StartError, Upgrade, administer},
};
use lusoria_store::sqlite::OpenError;

/// Has it done by the server that has the database, or by this process if none has.
pub(super) fn carry_out(database: &Path, socket: &Path, act: Act, upgrade: Upgrade) -> Result<Done, String> {
    if let Some(answer) = over_socket(socket, &act)? {
        return answer;
    }
    let changes = !matches!(act, Act::Ask(_));
    if changes {
        log_here();
    }
    let done = run_aside(administer(database, act, upgrade)).map_err(|failure| failure.to_string())?;
    done.map_err(|error| match error {
        OfflineError::Start(StartError::Open(OpenError::InUse(_))) => format!(
            "a server is using {}, but does not answer at {}; if it was started with --admin-socket, \
             name the same here",
            database.display(),
            socket.display()
        ),
        OfflineError::Start(StartError::Open(older @ OpenError::Older { .. })) if changes => {
            format!("{older}; --upgrade does so now")
        }
        error => error.to_string(),
    })
}

/// What this process does itself is logged as the server would, on standard error.
fn log_here() {
    let filter = EnvFilter::new("lusoria=info");
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    log.with_ansi(io::stderr().is_terminal()).init();
}

#[cfg(not(unix))]
fn over_socket(_: &Path, _: &Act) -> Result<Option<Result<Done, String>>, String> {
    Ok(None)
}
