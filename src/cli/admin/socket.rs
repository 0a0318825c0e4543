//! Asking the server that runs, through its Unix socket.

use std::{
    io::{self, ErrorKind, Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    time::{Duration, Instant},
};

use crate::{
    app::admin::{Act, Done},
    cli::is_late,
};

/// How long a server is waited for.
struct Limits {
    /// After how long it is said that it has not answered yet.
    patience: Duration,
    /// After how long it is given up.
    within: Duration,
    /// What may come of it then.
    afterwards: &'static str,
}

const TO_ANSWER: Limits =
    Limits { patience: Duration::from_secs(5), within: Duration::from_secs(30), afterwards: "" };

/// To prune or rename many matches may take minutes.
const TO_DO: Limits = Limits {
    patience: Duration::from_secs(5),
    within: Duration::from_hours(1),
    afterwards: "; it may still do what it was asked to",
};

/// What the server answers; none if there is no server.
pub(super) fn over_socket(socket: &Path, act: &Act) -> Result<Option<Result<Done, String>>, String> {
    let failed = |error: io::Error| format!("{}: {error}", socket.display());
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
    let limits = if matches!(act, Act::Ask(_)) { TO_ANSWER } else { TO_DO };
    let answer = limits.wait_for(&mut stream).map_err(failed)?;
    let unreadable =
        || format!("{}: the server's answer cannot be read; is it of another version?", socket.display());
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(unreadable)?;
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(unreadable());
    }
    serde_json::from_str(body).map(Some).map_err(|_| unreadable())
}

impl Limits {
    /// All that the server says, if it does so in time.
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
                    // Nobody need read that.
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
