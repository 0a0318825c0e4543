//! Carries out a request: through the server, or in this process.

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use tracing_subscriber::EnvFilter;

#[cfg(unix)]
use super::socket::over_socket;
use crate::{
    app::admin::{AdminAction, AdminOutcome},
    cli::database::run_with_low_priority,
    config::DatabasePlace,
    server::{OfflineError, StartError, Upgrade, administer},
};
use lusoria_store::sqlite::OpenError;

/// Sends the request to the server that uses the database, or carries it out here if none runs.
pub(super) fn carry_out(
    database: &DatabasePlace,
    socket: Option<&Path>,
    act: AdminAction,
    upgrade: Upgrade,
) -> Result<AdminOutcome, String> {
    if let Some(socket) = socket
        && let Some(answer) = over_socket(socket, &act)?
    {
        return answer;
    }
    let changes = !matches!(act, AdminAction::Query(_));
    if changes {
        log_here();
    }
    let done =
        run_with_low_priority(administer(database, act, upgrade)).map_err(|failure| failure.to_string())?;
    done.map_err(|error| match error {
        OfflineError::Start(StartError::Open(OpenError::InUse(path))) => format!(
            "a server is using {}, but does not answer at {}; if it was started with --admin-socket, \
             name the same here",
            path.display(),
            socket.unwrap_or(Path::new("its admin socket")).display()
        ),
        OfflineError::Start(StartError::Open(older @ OpenError::Older { .. })) if changes => {
            format!("{older}; --upgrade does so now")
        }
        error => error.to_string(),
    })
}

/// Logs to standard error, as the server would.
fn log_here() {
    let filter = EnvFilter::new("lusoria=info");
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    log.with_ansi(io::stderr().is_terminal()).init();
}

#[cfg(not(unix))]
fn over_socket(_: &Path, _: &AdminAction) -> Result<Option<Result<AdminOutcome, String>>, String> {
    Ok(None)
}
