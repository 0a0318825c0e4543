//! `lusoria health`: asks a running server whether it is ready.

use std::{
    io::{self, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use clap::Args;
use lusoria_client::{ConnectionError, HttpAnswer, HttpRequest};
use serde::Deserialize;
use tokio::{net::TcpStream, time::timeout};

use super::{Failure, Verdict, printable, runtime, say};

/// How long the server may take to accept a connection and to respond.
const WITHIN: Duration = Duration::from_secs(3);

/// Which server to check.
#[derive(Debug, Args)]
pub(super) struct Health {
    /// Where the server listens
    #[arg(long, env = "LUSORIA_LISTEN", value_name = "ADDRESS", default_value_t = SocketAddr::from(([127, 0, 0, 1], 8080)))]
    listen: SocketAddr,
}

impl Health {
    /// Good if the server is ready, otherwise bad.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let answer = ask(reachable(self.listen), WITHIN)?;
        let (verdict, line) = answer.map_or_else(|| (Verdict::Bad, "not ready".to_owned()), read);
        say(out, line)?;
        Ok(verdict)
    }
}

/// The fields of a readiness response that are shown.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Readiness {
    /// The reason that it is not ready.
    detail: Option<String>,
    /// Commits that were missing when it started.
    lost_commits: Option<u64>,
    /// Whether it is unknown if commits were missing.
    loss_unknown: bool,
}

/// The verdict for a response to `GET /readyz`, and its line of output.
fn read(HttpAnswer { status, body }: HttpAnswer) -> (Verdict, String) {
    let said: Readiness = serde_json::from_slice(&body).unwrap_or_default();
    let detail = said.detail.map(|detail| format!(": {}", printable(&detail))).unwrap_or_default();
    if status != 200 {
        return (Verdict::Bad, format!("not ready{detail}"));
    }
    let lost = said.lost_commits.map(|lost| {
        format!(
            "; BUT COMMITS ARE LOST: at most {lost} were missing when it started, since its write-ahead log was \
             damaged or gone; a new history has begun (docs/operating.md, \"A damaged WAL\")"
        )
    });
    let unknown = said.loss_unknown.then(|| {
        "; whether commits are lost is unknown, since the note of the last one was not beside the write-ahead log \
         when it started (docs/operating.md, \"A damaged WAL\")"
            .to_owned()
    });
    (Verdict::Good, format!("ready{}", lost.or(unknown).unwrap_or_default()))
}

/// Requests `GET /readyz`; none if the response is not HTTP.
fn ask(address: SocketAddr, within: Duration) -> Result<Option<HttpAnswer>, Failure> {
    let asked = async {
        let stream = TcpStream::connect(address).await?;
        let answer = HttpRequest::get("/readyz").send_over(Box::new(stream), &address.to_string()).await;
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(ConnectionError::Unreadable(_)) => Ok(None),
            Err(ConnectionError::Unreachable(why)) => Err(why),
            Err(lost) => Err(io::Error::other(lost)),
        }
    };
    let answer = runtime()?.block_on(async { timeout(within, asked).await });
    answer
        .unwrap_or_else(|_| Err(io::Error::other(format!("it took longer than {within:?}"))))
        .map_err(|why| Failure::Io { what: format!("no answer from {address}"), why })
}

/// The address to ask: the loopback address for a server that listens on every address.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use std::{io::Read, net::TcpListener, thread};

    use super::*;

    fn health_of(answer: &'static str) -> (Verdict, String) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let listen = listener.local_addr().expect("a bound port");
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut request = [0; 1024];
            let read = stream.read(&mut request).expect("a request");
            assert!(request[..read].starts_with(b"GET /readyz "));
            stream.write_all(answer.as_bytes()).expect("a client that listens");
        });
        let mut out = Vec::new();
        let verdict = Health { listen }.run(&mut out).expect("an answer");
        server.join().expect("the server's checks hold");
        (verdict, String::from_utf8(out).expect("text"))
    }

    #[test]
    fn only_200_is_good() {
        let ok = "HTTP/1.1 200 OK\r\n\r\n{\"status\":\"ok\",\"version\":\"1\"}";
        assert_eq!(health_of(ok), (Verdict::Good, "ready\n".to_owned()));
        let full = "HTTP/1.1 503 Service Unavailable\r\n\r\n{\"detail\":\"the disk is full\"}";
        assert_eq!(health_of(full), (Verdict::Bad, "not ready: the disk is full\n".to_owned()));
        let bare = "HTTP/1.1 503 Service Unavailable\r\n\r\n";
        assert_eq!(health_of(bare), (Verdict::Bad, "not ready\n".to_owned()));
        assert_eq!(health_of("SSH-2.0-x\r\n"), (Verdict::Bad, "not ready\n".to_owned()));
    }

    #[test]
    fn a_loss_is_reported_prominently() {
        let (verdict, said) = health_of("HTTP/1.1 200 OK\r\n\r\n{\"lost_commits\":17}");
        assert_eq!(verdict, Verdict::Good);
        assert!(said.starts_with("ready; BUT COMMITS ARE LOST: at most 17 were missing"), "{said}");
        let (verdict, said) = health_of("HTTP/1.1 200 OK\r\n\r\n{\"loss_unknown\":true}");
        assert_eq!(verdict, Verdict::Good);
        assert!(said.starts_with("ready; whether commits are lost is unknown"), "{said}");
    }

    #[test]
    fn a_server_that_does_not_answer_times_out() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let listen = listener.local_addr().expect("a bound port");
        let asked = ask(listen, Duration::from_millis(5));
        let Err(Failure::Io { what, why }) = asked else { panic!("nobody answers") };
        let late = "it took longer than 5ms".to_owned();
        assert_eq!((what, why.to_string()), (format!("no answer from {listen}"), late));
    }

    #[test]
    fn a_server_on_every_address_is_asked_on_loopback() {
        assert_eq!(reachable(([0, 0, 0, 0], 80).into()), ([127, 0, 0, 1], 80).into());
        assert_eq!(reachable(([192, 0, 2, 1], 80).into()), ([192, 0, 2, 1], 80).into());
    }
}
