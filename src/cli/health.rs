//! `lusoria health`: asks a running server whether it can serve.

use std::{
    io::{self, Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    time::Duration,
};

use clap::Args;

use super::{Failure, Verdict, is_late, say};

/// How long the server may take to connect, and to answer.
const WITHIN: Duration = Duration::from_secs(3);

/// Whom to ask.
#[derive(Debug, Args)]
pub(super) struct Health {
    /// Where the server listens
    #[arg(long, env = "LUSORIA_LISTEN", value_name = "ADDRESS", default_value_t = SocketAddr::from(([127, 0, 0, 1], 8080)))]
    listen: SocketAddr,
}

impl Health {
    /// Good if the server says that it is ready, bad if it says something else.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let ready = is_ready(reachable(self.listen), WITHIN)?;
        say(out, if ready { "ready" } else { "not ready" })?;
        Ok(if ready { Verdict::Good } else { Verdict::Bad })
    }
}

/// Whether the server there says that it is ready.
fn is_ready(address: SocketAddr, within: Duration) -> Result<bool, Failure> {
    let failed = |why: io::Error| {
        let why =
            if is_late(&why) { io::Error::other(format!("it took longer than {within:?}")) } else { why };
        Failure::Io { what: format!("no answer from {address}"), why }
    };
    let mut stream = TcpStream::connect_timeout(&address, within).map_err(failed)?;
    stream.set_read_timeout(Some(within)).map_err(failed)?;
    stream.set_write_timeout(Some(within)).map_err(failed)?;
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let mut head = [0; 12];
    stream.read_exact(&mut head).map_err(failed)?;
    Ok(head == *b"HTTP/1.1 200")
}

/// A server that listens on every address of the machine is asked on its own.
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
    use std::{net::TcpListener, thread};

    use super::*;

    fn ask(answer: &'static str) -> Verdict {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let listen = listener.local_addr().expect("a bound port");
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut request = [0; 1024];
            let read = stream.read(&mut request).expect("a request");
            assert!(request[..read].starts_with(b"GET /readyz "));
            stream.write_all(answer.as_bytes()).expect("a client that listens");
        });
        let verdict = Health { listen }.run(&mut Vec::new()).expect("an answer");
        server.join().expect("the server's checks hold");
        verdict
    }

    #[test]
    fn only_200_is_good() {
        assert_eq!(ask("HTTP/1.1 200 OK\r\n\r\n"), Verdict::Good);
        assert_eq!(ask("HTTP/1.1 503 Service Unavailable\r\n\r\n"), Verdict::Bad);
    }

    #[test]
    fn a_server_that_does_not_answer_is_said_to_be_late() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let listen = listener.local_addr().expect("a bound port");
        let asked = is_ready(listen, Duration::from_millis(5));
        let Err(Failure::Io { what, why }) = asked else { panic!("nobody answers") };
        let late = "it took longer than 5ms".to_owned();
        assert_eq!((what, why.to_string()), (format!("no answer from {listen}"), late));
    }

    #[test]
    fn a_server_on_every_address_is_asked_on_its_own() {
        assert_eq!(reachable(([0, 0, 0, 0], 80).into()), ([127, 0, 0, 1], 80).into());
        assert_eq!(reachable(([192, 0, 2, 1], 80).into()), ([192, 0, 2, 1], 80).into());
    }
}
