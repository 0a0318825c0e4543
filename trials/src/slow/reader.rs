//! A reader: how they read, and how they fared.

use std::{fmt, io, net::SocketAddr, time::Duration};

use lusoria_protocol::MatchId;
use tokio::{
    net::TcpStream,
    time::{Instant, sleep, timeout_at},
};

use super::{served::is_served, socket, stream};

/// How often is looked whether they are still served.
const LOOKS_EVERY: Duration = Duration::from_millis(500);

/// How somebody reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader {
    pub(super) way: Way,
    /// How long they wait before each message; none for who reads nothing at all.
    pub(super) pause: Option<Duration>,
    /// Whether they ask the server something now and then.
    pub(super) asks: bool,
}

/// How events come to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Messages of a WebSocket.
    Socket,
    /// Lines of an answer over HTTP.
    Stream,
}

/// How a reader fared.
#[derive(Debug, Default)]
pub(super) struct Fared {
    /// Events that came, in order and without a gap.
    pub(super) events: u64,
    /// The longest that an answer was waited for.
    pub(super) answered_within: Option<Duration>,
    /// When the server closed the connection, if it did before the end of the trial.
    pub(super) cut_after: Option<Duration>,
    /// What ended their reading, if anything did: what came before the end can be read for long
    /// after the server has closed.
    pub(super) ended: Option<String>,
}

impl Reader {
    /// Reads a match from its beginning until the time is over.
    ///
    /// # Errors
    /// If they could not connect, or the system does not tell whether they are served.
    pub(super) async fn read(self, server: SocketAddr, id: MatchId, until: Instant) -> io::Result<Fared> {
        let (mut fared, begun) = (Fared::default(), Instant::now());
        let mut stream = TcpStream::connect(server).await?;
        let client = stream.local_addr()?;
        let watching = async {
            while is_served(server, client)? {
                sleep(LOOKS_EVERY).await;
            }
            io::Result::Ok(begun.elapsed())
        };
        let reading = async {
            let outcome = match self.way {
                Way::Socket => socket::read(&mut fared, &mut stream, id, self).await,
                Way::Stream => stream::read(&mut fared, &mut stream, id, self.pause).await,
            };
            outcome.err().map(|error| error.to_string())
        };
        let (cut_after, ended) = tokio::join!(timeout_at(until, watching), timeout_at(until, reading));
        fared.cut_after = cut_after.ok().transpose()?;
        fared.ended = ended.ok().flatten();
        Ok(fared)
    }
}

impl Fared {
    /// Takes an event, which must be the next one.
    pub(super) fn take(&mut self, seq: u64) -> io::Result<()> {
        if seq != self.events + 1 {
            return Err(io::Error::other(format!("event {seq} came after {}", self.events)));
        }
        self.events = seq;
        Ok(())
    }
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.way {
            Way::Socket => "socket, messages",
            Way::Stream => "stream, lines",
        };
        match self.pause {
            Some(pause) => write!(f, "{what}: one each {} ms", pause.as_millis())?,
            None => write!(f, "{what}: none")?,
        }
        if self.asks { write!(f, ", asks") } else { Ok(()) }
    }
}
