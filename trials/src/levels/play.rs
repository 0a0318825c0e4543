//! A rated match between two levels.

use std::{net::SocketAddr, time::Duration};

use lusoria_client::{Connection, MatchView, Origin, RequestError, ViewError};
use lusoria_protocol::{
    Answer, CreateMatch, Created, Game, JoinMatch, MatchResult, Seat, Token,
    socket::{ApiRequest, Op},
};
use lusoria_search::Level;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::{in_time::in_time, thinking::Memory};

/// A player: the account and the level that chooses its turns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Player<'a> {
    pub(super) token: &'a Token,
    pub(super) level: Level,
}

/// The score of a match for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchScore {
    Won,
    Drawn,
    Lost,
}

/// A match that could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotPlayed {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error(transparent)]
    View(#[from] ViewError),
    #[error("the match {0} has stopped: nobody has a turn")]
    Stuck(String),
    #[error("the match {0} has no result, or changed no ratings")]
    NotRated(String),
}

/// Plays a rated match to its end. Returns the score of the first player.
pub(super) async fn play(
    at: SocketAddr,
    game: Game,
    players: [Player<'_>; 2],
    seed: u64,
) -> Result<MatchScore, NotPlayed> {
    let mut random = StdRng::seed_from_u64(seed);
    let origin = Origin::from(at);
    let open = async |player: Player<'_>| {
        let opened = in_time(Connection::open(&origin, at, None, Some(player.token))).await;
        opened.map(|(connection, _)| connection)
    };
    let [mut one, mut two] = [open(players[0]).await?, open(players[1]).await?];
    let created: Created = ask(&mut one, ApiRequest::post("/matches", &terms(game)).into()).await?;
    let mut view = MatchView::from(created.created);
    let id = view.id;
    let joined: Answer = ask(&mut two, Op::command(id, None, JoinMatch { seed: None })).await?;
    follow(&mut view, &joined)?;
    // Both levels see every turn: the history of the game is the same for both.
    let mut memory = Memory::default();
    while !view.has_ended() {
        let stuck = || NotPlayed::Stuck(id.to_string());
        let seat = view.to_play.as_ref().map(|to_play| to_play.seat).ok_or_else(stuck)?;
        let (connection, player) = match seat {
            Seat::One => (&mut one, players[0]),
            Seat::Two => (&mut two, players[1]),
        };
        let thinker = lusoria_search::Player::Level(player.level);
        let seed = random.random();
        let chosen = tokio::task::block_in_place(|| memory.choose(&view, thinker, seed))?;
        let turn = chosen.ok_or_else(stuck)?.turn;
        let answer: Answer = ask(connection, Op::command(id, None, turn)).await?;
        follow(&mut view, &answer)?;
    }
    one.close().await;
    two.close().await;
    let not_rated = || NotPlayed::NotRated(id.to_string());
    view.ratings.as_ref().ok_or_else(not_rated)?;
    let result = view.result.as_ref().ok_or_else(not_rated)?;
    match (result.result, result.winner_seat) {
        (MatchResult::Won, Some(Seat::One)) => Ok(MatchScore::Won),
        (MatchResult::Won, Some(Seat::Two)) => Ok(MatchScore::Lost),
        (MatchResult::Drawn, None) => Ok(MatchScore::Drawn),
        _ => Err(not_rated()),
    }
}

/// Live and rated; a pair of games where single games are not rated.
fn terms(game: Game) -> CreateMatch {
    let mut terms = json!({
        "game": game,
        "rated": true,
        "clock": {"kind": "fischer", "base_ms": 600_000, "increment_ms": 10_000},
    });
    if game == Game::Zeno {
        terms["games"] = json!(2);
    }
    serde_json::from_value(terms).expect("the terms of a match")
}

fn follow(view: &mut MatchView, answer: &Answer) -> Result<(), ViewError> {
    answer.events.iter().try_for_each(|event| view.follow(event))
}

/// Sends a request, and repeats it when the server says so.
async fn ask<T: DeserializeOwned>(connection: &mut Connection, op: Op) -> Result<T, RequestError> {
    loop {
        match in_time(connection.ask(op.clone())).await {
            Err(RequestError::Problem(problem)) if problem.retry_after_s.is_some() => {
                tokio::time::sleep(Duration::from_secs(problem.retry_after_s.unwrap_or(1))).await;
            }
            answered => return answered,
        }
    }
}

impl MatchScore {
    /// The score of the other player.
    pub(super) const fn turned(self) -> Self {
        match self {
            Self::Won => Self::Lost,
            Self::Drawn => Self::Drawn,
            Self::Lost => Self::Won,
        }
    }
}
