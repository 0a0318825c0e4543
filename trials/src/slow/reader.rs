//! A slow reader and its result.

use std::{fmt, io, net::SocketAddr, time::Duration};

use lusoria_protocol::MatchId;
use tokio::{
    net::TcpStream,
    time::{Instant, sleep, timeout_at},
};

use super::{served::is_served, socket, stream};

/// How often to check whether they are still connected.
const LOOKS_EVERY: Duration = Duration::from_millis(500);

/// How a reader reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader {
    pub(super) way: Way,
    /// How long they wait before each message; none if they read nothing at all.
    pub(super) pause: Option<Duration>,
    /// Whether they send a request from time to time.
    pub(super) asks: bool,
}

/// The transport of the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// A WebSocket, with messages.
    Socket,
    /// An HTTP response, with lines.
    Stream,
}

/// The result of a reader.
#[derive(Debug, Default)]
pub(super) struct ReaderResult {
    /// Events that arrived, in order and without a gap.
    pub(super) events: u64,
    /// The longest wait for a response.
    pub(super) answered_within: Option<Duration>,
    /// When the server closed the connection, if it did before the end of the trial.
    pub(super) cut_after: Option<Duration>,
    /// What ended their reading, if anything did. Bytes that arrived before can be read long after the server
    /// has closed the connection.
    pub(super) ended: Option<String>,
}

impl Reader {
    /// Reads a match from its beginning until the time is over.
    ///
    /// # Errors
    /// If they could not connect, or the system cannot tell whether they are still connected.
    pub(super) async fn read(
        self,
        server: SocketAddr,
        id: MatchId,
        until: Instant,
    ) -> io::Result<ReaderResult> {
        let (mut fared, begun) = (ReaderResult::default(), Instant::now());
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

impl ReaderResult {
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
