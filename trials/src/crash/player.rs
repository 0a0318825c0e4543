//! One of two players: their identity and their connection to the server.

use std::net::SocketAddr;

use futures_util::FutureExt;
use lusoria_client::{Connection, ConnectionError, EventMessage, Incoming, RequestError};
use lusoria_protocol::{
    Guest, GuestId, MatchId, OneTimeCode, Token,
    socket::{OnLag, Op, Watch},
};
use serde_json::value::RawValue;

use crate::{in_time::in_time, web};

/// The number of tokens of a player that are kept and tried.
const TOKENS_MAX: usize = 4;

/// A guest with everything that the server sent about them.
#[derive(Debug, Clone)]
pub(crate) struct KnownGuest {
    pub(crate) id: GuestId,
    /// The names that they may have: one, or two while the outcome of a rename is unknown.
    pub(crate) names: Vec<String>,
    /// Their tokens, all valid.
    pub(crate) tokens: Vec<Token>,
    /// A code for another device that has not been spent.
    pub(crate) code: Option<OneTimeCode>,
}

/// How a player reaches the server.
enum Channel {
    Closed,
    Socket(Box<Connection>),
    Http,
}

/// One of two players.
pub(crate) struct Player {
    pub(crate) known: Option<KnownGuest>,
    channel: Channel,
}

impl KnownGuest {
    pub(crate) fn new(guest: Guest) -> Self {
        Self { id: guest.id, names: vec![guest.name.into()], tokens: vec![guest.token], code: None }
    }

    /// Adds one of their tokens.
    pub(crate) fn give(&mut self, token: Token) {
        self.tokens.push(token);
        if self.tokens.len() > TOKENS_MAX {
            self.tokens.remove(0);
        }
    }

    fn token(&self) -> &Token {
        self.tokens.last().expect("a guest is known by their token")
    }
}

impl Player {
    pub(crate) const fn new() -> Self {
        Self { known: None, channel: Channel::Closed }
    }

    /// Their newest token.
    pub(crate) fn token(&self) -> Option<&Token> {
        self.known.as_ref().map(KnownGuest::token)
    }

    pub(crate) const fn is_connected(&self) -> bool {
        !matches!(self.channel, Channel::Closed)
    }

    /// Whether they have a socket, by which they count as connected.
    pub(crate) const fn has_socket(&self) -> bool {
        matches!(self.channel, Channel::Socket(_))
    }

    /// Uses plain HTTP from now on.
    pub(crate) fn use_http(&mut self) {
        self.channel = Channel::Http;
    }

    /// Opens a socket; if they play already, watches their match from the first event that they lack.
    pub(crate) async fn open(
        &mut self,
        at: SocketAddr,
        watch: Option<(MatchId, u32)>,
    ) -> Result<(), RequestError> {
        let (connection, _) = in_time(Connection::open(&at.into(), at, None, self.token())).await?;
        self.channel = Channel::Socket(Box::new(connection));
        match watch {
            Some((id, since)) => self.watch(id, since).await,
            None => Ok(()),
        }
    }

    /// Watches a match, if they have a socket.
    pub(crate) async fn watch(&mut self, id: MatchId, since: u32) -> Result<(), RequestError> {
        let Channel::Socket(connection) = &mut self.channel else { return Ok(()) };
        let watch =
            Watch { id, since: Some(since), on_lag: OnLag::Journal, positions: true, spectating: true };
        let _: Box<RawValue> = in_time(connection.ask(Op::Watch(watch))).await?;
        Ok(())
    }

    pub(crate) fn close(&mut self) {
        self.channel = Channel::Closed;
    }

    /// Sends a request and returns the text of the response.
    pub(crate) async fn ask(&mut self, at: SocketAddr, op: &Op) -> Result<Box<RawValue>, RequestError> {
        match &mut self.channel {
            Channel::Socket(connection) => in_time(connection.ask(op.clone())).await,
            Channel::Http | Channel::Closed => web::ask(at, self.token(), op).await,
        }
    }

    /// The events that were pushed to them since the last call; does not wait for more. If the connection
    /// broke after some events, returns these without an error.
    pub(crate) fn heard(&mut self) -> Result<Vec<EventMessage>, ConnectionError> {
        let mut events = Vec::new();
        let Channel::Socket(connection) = &mut self.channel else { return Ok(events) };
        while let Some(heard) = connection.receive().now_or_never() {
            match heard {
                Ok(Incoming::Event(event)) => events.push(event),
                Ok(Incoming::Answer { .. } | Incoming::Notice(_)) => {}
                Err(lost) if events.is_empty() => return Err(lost),
                Err(_) => {
                    self.channel = Channel::Closed;
                    break;
                }
            }
        }
        Ok(events)
    }
}
