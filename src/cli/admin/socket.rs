//! Sends a request to the running server through its Unix socket.

use std::{
    io::{self, ErrorKind, Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    time::{Duration, Instant},
};

use crate::{
    app::admin::{AdminAction, AdminOutcome},
    cli::is_late,
};

/// How long to wait for the server.
struct Limits {
    /// When to say that the server has not responded yet.
    patience: Duration,
    /// When to give up.
    within: Duration,
    /// What to add to the error then.
    afterwards: &'static str,
}

const FOR_QUERY: Limits =
    Limits { patience: Duration::from_secs(5), within: Duration::from_secs(30), afterwards: "" };

/// Pruning or renaming in many matches may take minutes.
const FOR_ACTION: Limits = Limits {
    patience: Duration::from_secs(5),
    within: Duration::from_hours(1),
    afterwards: "; it may still carry out the request",
};

/// The server's response; none if no server runs.
pub(super) fn over_socket(
    socket: &Path,
    act: &AdminAction,
) -> Result<Option<Result<AdminOutcome, String>>, String> {
    let failed = |error: io::Error| format!("{}: {error}", socket.display());
    let mut stream = match UnixStream::connect(socket) {
        Ok(stream) => stream,
        // No server, or a socket file that a server left behind.
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
    let limits = if matches!(act, AdminAction::Query(_)) { FOR_QUERY } else { FOR_ACTION };
    let answer = limits.wait_for(&mut stream).map_err(failed)?;
    let unreadable =
        || format!("{}: cannot read the server's response; is it another version?", socket.display());
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(unreadable)?;
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(unreadable());
    }
    serde_json::from_str(body).map(Some).map_err(|_| unreadable())
}

impl Limits {
    /// Reads the whole response, within the limits.
    fn wait_for(&self, stream: &mut UnixStream) -> io::Result<String> {
        let began = Instant::now();
        let mut is_told = false;
        let (mut answer, mut part) = (Vec::new(), [0; 4096]);
        stream.set_read_timeout(Some(self.patience))?;
        loop {
            match stream.read(&mut part) {
                Ok(0) => return String::from_utf8(answer).map_err(io::Error::other),
                Ok(length) => answer.extend_from_slice(&part[..length]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if !is_late(&error) => return Err(error),
                Err(_) if began.elapsed() >= self.within => {
                    let Self { within, afterwards, .. } = self;
                    return Err(io::Error::other(format!(
                        "no answer from the server within {within:?}{afterwards}"
                    )));
                }
                Err(_) if is_told => {}
                Err(_) => {
                    is_told = true;
                    // Only a hint: ignore a failure to print it.
                    let _ = writeln!(io::stderr(), "waiting for the server, which has not answered yet");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_waited_for_but_not_for_ever() {
        let (mut ours, mut theirs) = UnixStream::pair().expect("a pair");
        let ms = Duration::from_millis;
        let limits = Limits { patience: ms(1), within: ms(3), afterwards: "; who knows" };
        let said = limits.wait_for(&mut ours).expect_err("nobody answers").to_string();
        assert_eq!(said, "no answer from the server within 3ms; who knows");
        theirs.write_all(b"HTTP/1.1 200 OK").expect("room");
        drop(theirs);
        assert_eq!(limits.wait_for(&mut ours).expect("an answer"), "HTTP/1.1 200 OK");
    }
}
