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

/// How many tokens of a player are kept and tried.
const TOKENS_MAX: usize = 4;

/// A guest with everything that the server told them about themselves.
#[derive(Debug, Clone)]
pub(super) struct KnownGuest {
    pub(super) id: GuestId,
    /// The names that they may have: one, or two while it is unknown whether they were renamed.
    pub(super) names: Vec<String>,
    /// Their tokens, all valid.
    pub(super) tokens: Vec<Token>,
    /// A code for another device that has not been spent.
    pub(super) code: Option<OneTimeCode>,
}

/// How a player reaches the server.
enum Channel {
    Closed,
    Socket(Box<Connection>),
    Http,
}

/// One of two players.
pub(super) struct Player {
    pub(super) known: Option<KnownGuest>,
    channel: Channel,
}

impl KnownGuest {
    pub(super) fn new(guest: Guest) -> Self {
        Self { id: guest.id, names: vec![guest.name.into()], tokens: vec![guest.token], code: None }
    }

    /// Adds a token of theirs.
    pub(super) fn give(&mut self, token: Token) {
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
    pub(super) const fn new() -> Self {
        Self { known: None, channel: Channel::Closed }
    }

    /// Their last token.
    pub(super) fn token(&self) -> Option<&Token> {
        self.known.as_ref().map(KnownGuest::token)
    }

    pub(super) const fn is_connected(&self) -> bool {
        !matches!(self.channel, Channel::Closed)
    }

    /// Uses plain HTTP from now on.
    pub(super) fn use_http(&mut self) {
        self.channel = Channel::Http;
    }

    /// Opens a socket; if they play already, watches their match from the first event that they lack.
    pub(super) async fn open(
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
    pub(super) async fn watch(&mut self, id: MatchId, since: u32) -> Result<(), RequestError> {
        let Channel::Socket(connection) = &mut self.channel else { return Ok(()) };
        let watch = Watch { id, since: Some(since), on_lag: OnLag::Journal, positions: true };
        let _: Box<RawValue> = in_time(connection.ask(Op::Watch(watch))).await?;
        Ok(())
    }

    pub(super) fn close(&mut self) {
        self.channel = Channel::Closed;
    }

    /// Sends a request and returns the text of the answer.
    pub(super) async fn ask(&mut self, at: SocketAddr, op: &Op) -> Result<Box<RawValue>, RequestError> {
        match &mut self.channel {
            Channel::Socket(connection) => in_time(connection.ask(op.clone())).await,
            Channel::Http | Channel::Closed => web::ask(at, self.token(), op).await,
        }
    }

    /// The events that have been pushed to them since the last call; does not wait for more.
    /// If the connection broke after some events, returns these without an error.
    pub(super) fn heard(&mut self) -> Result<Vec<EventMessage>, ConnectionError> {
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
