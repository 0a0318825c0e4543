//! A player's connections, over a socket or plain HTTP.

use lusoria_protocol::{
    CreateMatch, Created, JoinMatch, MatchId, PlayTurn, Resign, ResignScope,
    socket::{ApiRequest, OnLag, Op},
};
use serde::de::IgnoredAny;

use lusoria_client::{Connection, ConnectionError, HttpGuest, Incoming, MatchView, RequestError};

/// A connected player of a pair.
pub(super) enum Player {
    Socket(Box<Connection>),
    Http(Box<HttpGuest>),
}

impl Player {
    /// Sends a turn and returns the number of the request, which the response repeats.
    pub(super) async fn play(&mut self, id: MatchId, turn: PlayTurn) -> Result<u32, ConnectionError> {
        match self {
            Self::Socket(connection) => connection.send(Op::command(id, None, turn)).await,
            Self::Http(guest) => guest.send(&format!("/matches/{id}/turn"), &turn).await,
        }
    }

    /// Sends a resignation. The response to an earlier request may be lost.
    pub(super) async fn resign(&mut self, id: MatchId) -> Result<u32, ConnectionError> {
        let resign = Resign { scope: ResignScope::Match };
        match self {
            Self::Socket(connection) => connection.send(Op::command(id, None, resign)).await,
            Self::Http(guest) => guest.send(&format!("/matches/{id}/resign"), &resign).await,
        }
    }

    /// Waits for the next message of the server. Cancel safe.
    pub(super) async fn receive(&mut self) -> Result<Incoming, ConnectionError> {
        match self {
            Self::Socket(connection) => connection.receive().await,
            Self::Http(guest) => guest.receive().await,
        }
    }

    async fn create(&mut self, terms: CreateMatch) -> Result<MatchId, RequestError> {
        let made: Created = match self {
            Self::Socket(connection) => connection.ask(ApiRequest::post("/matches", &terms)).await?,
            Self::Http(guest) => guest.ask("/matches", &terms).await?,
        };
        Ok(made.created.id)
    }

    async fn join(&mut self, id: MatchId) -> Result<(), RequestError> {
        let join = JoinMatch { seed: None };
        let _: IgnoredAny = match self {
            Self::Socket(connection) => connection.ask(Op::command(id, None, join)).await?,
            Self::Http(guest) => guest.ask(&format!("/matches/{id}/join"), &join).await?,
        };
        Ok(())
    }

    async fn watch(&mut self, id: MatchId) -> Result<MatchView, RequestError> {
        match self {
            Self::Socket(connection) => connection.watch(id, OnLag::Journal).await,
            Self::Http(guest) => guest.watch(id).await,
        }
    }
}

/// Starts a match between two players, who both watch it: the first creates it, the second joins.
///
/// # Errors
/// If the server refuses.
pub(super) async fn start_match(
    one: &mut Player,
    two: &mut Player,
    terms: CreateMatch,
) -> Result<[MatchView; 2], RequestError> {
    let id = one.create(terms).await?;
    two.join(id).await?;
    Ok([one.watch(id).await?, two.watch(id).await?])
}
