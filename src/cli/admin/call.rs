//! Having it done: by the server, or by this process.

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use tracing_subscriber::EnvFilter;

use crate::{
    app::admin::{Act, Done},
    cli::database::run_aside,
    server::{OfflineError, StartError, Upgrade, administer},
    store::sqlite::OpenError,
};

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

/// What the server answers; none if there is no server.
#[cfg(unix)]
fn over_socket(socket: &Path, act: &Act) -> Result<Option<Result<Done, String>>, String> {
    use std::{
        io::{ErrorKind, Read, Write},
        os::unix::net::UnixStream,
    };

    let failed = |error: std::io::Error| format!("{}: {error}", socket.display());
    let mut stream = match UnixStream::connect(socket) {
        Ok(stream) => stream,
        // Nobody is there, or what is there was left behind.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(error)),
    };
    let body = serde_json::to_string(act).expect("an act is plain data");
    let head = format!(
        "POST / HTTP/1.1\r\nhost: lusoria\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).map_err(failed)?;
    // However long it takes: to prune many matches may take minutes.
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    let unreadable =
        || format!("{}: the server's answer cannot be read; is it of another version?", socket.display());
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(unreadable)?;
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(unreadable());
    }
    serde_json::from_str(body).map(Some).map_err(|_| unreadable())
}

#[cfg(not(unix))]
fn over_socket(_: &Path, _: &Act) -> Result<Option<Result<Done, String>>, String> {
    Ok(None)
}
