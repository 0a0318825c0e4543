//! Prepares the server for floods: guests, matches, a long match.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::atomic::{AtomicU16, Ordering},
    time::Duration,
};

use lusoria_client::{Connection, Origin, RequestError, fetch};
use lusoria_protocol::{
    Admission, Clock, CreateMatch, Created, Game, Guest, Legal, LegalQuestion, MatchId, Options, PlayAs,
    PlayTurn,
    socket::{ApiRequest, Op},
};
use serde::de::DeserializeOwned;

use super::lane::Stage;

/// The addresses that preparations come from: another one each time, and none of a flood or a player.
fn from() -> IpAddr {
    static TIMES: AtomicU16 = AtomicU16::new(1);
    let [high, low] = TIMES.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    Ipv4Addr::new(127, 2, high, low).into()
}

/// The most matches that one guest creates.
const MATCHES_OF_A_GUEST: usize = 70;

/// New guests for each flood.
const GUESTS: usize = 3;

/// Prepares what all floods share: that many open matches, and a match with that many turns.
pub(super) async fn prepare(
    server: SocketAddr,
    matches: usize,
    long_turns: usize,
) -> Result<Stage, RequestError> {
    let origin = Origin::from(server);
    let mut stage = Stage::default();
    while stage.matches.len() < matches {
        let (mut guest, _) = Connection::open_as_guest(&origin, server, Some(from())).await?;
        for _ in 0..MATCHES_OF_A_GUEST.min(matches - stage.matches.len()) {
            stage.matches.push(make(&mut guest, Admission::Open).await?.to_string());
        }
    }
    let (mut guest, _) = Connection::open_as_guest(&origin, server, Some(from())).await?;
    let id = make(&mut guest, Admission::BothSeats).await?;
    for _ in 0..long_turns {
        if !play(&mut guest, id).await? {
            break;
        }
    }
    let record = fetch(&origin, &format!("/api/v1/matches/{id}/record")).await?;
    stage.record = String::from_utf8_lossy(&record).into_owned();
    stage.long = id.to_string();
    Ok(stage)
}

/// Adds new guests, and a match of the first of them.
pub(super) async fn afresh(server: SocketAddr, stage: &Stage) -> Result<Stage, RequestError> {
    let origin = Origin::from(server);
    let mut stage = stage.clone();
    for nth in 0..GUESTS {
        let (mut guest, Guest { token, .. }) =
            Connection::open_as_guest(&origin, server, Some(from())).await?;
        stage.tokens.push(token.as_str().to_owned());
        if nth == 0 {
            let id = make(&mut guest, Admission::BothSeats).await?;
            let legal = ask_legal(&mut guest, id, Vec::new()).await?;
            stage.own = (id.to_string(), legal.seq);
        }
        guest.close().await;
    }
    Ok(stage)
}

/// Creates a match.
pub(crate) async fn make(guest: &mut Connection, admission: Admission) -> Result<MatchId, RequestError> {
    let terms = CreateMatch {
        game: Game::Tavla,
        options: Options::default(),
        points: 99,
        games: None,
        clock: Clock::None {},
        side: PlayAs::Lot,
        opponent: None,
        stand_in: None,
        admission,
        rated: false,
        seed_hash: None,
    };
    let made: Created = ask(guest, ApiRequest::post("/matches", &terms).into()).await?;
    Ok(made.created.id)
}

/// Plays one turn; false if there is none to play.
pub(crate) async fn play(guest: &mut Connection, id: MatchId) -> Result<bool, RequestError> {
    let mut steps = Vec::new();
    loop {
        let legal = ask_legal(guest, id, steps.clone()).await?;
        match legal.steps.into_iter().next() {
            Some(step) if !legal.complete => steps.push(step),
            _ if legal.complete => {
                let turn = Op::command(id, None, PlayTurn { seq: legal.seq, steps });
                let _: serde::de::IgnoredAny = ask(guest, turn).await?;
                return Ok(true);
            }
            _ => return Ok(false),
        }
    }
}

/// Sends a request, and repeats it after `Retry-After`.
async fn ask<T: DeserializeOwned>(guest: &mut Connection, op: Op) -> Result<T, RequestError> {
    loop {
        match guest.ask(op.clone()).await {
            Err(RequestError::Problem(problem)) if problem.retry_after_s.is_some() => {
                let wait_s = problem.retry_after_s.unwrap_or(1);
                tokio::time::sleep(Duration::from_secs(wait_s)).await;
            }
            answered => return answered,
        }
    }
}

async fn ask_legal(
    guest: &mut Connection,
    id: MatchId,
    steps: Vec<lusoria_protocol::Step>,
) -> Result<Legal, RequestError> {
    let path = format!("/matches/{id}/legal");
    ask(guest, ApiRequest::post(&path, &LegalQuestion { steps }).into()).await
}
