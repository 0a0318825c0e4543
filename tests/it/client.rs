//! The client of the load generator and the trials, against a server.

use std::net::SocketAddr;

use lusoria_client::{Connection, Incoming, MatchView, Origin, RequestError, start_match};
use lusoria_protocol::{Answer, Code, CreateMatch, EventKind, PlayTurn, Seat, ToPlay, socket::Op};
use rand::{SeedableRng, rngs::StdRng};

use crate::support::server::{GENEROUS, server_with};

/// No game is as long as that.
const TURNS_MAX: usize = 5_000;

async fn guest(address: SocketAddr) -> Connection {
    Connection::open_as_guest(&address.into(), address, None).await.expect("the server runs").0
}

fn terms(game: &str) -> CreateMatch {
    serde_json::from_value(serde_json::json!({"game": game})).expect("the terms of a match")
}

/// Plays a match to its end; what each player knows in the end.
async fn play(game: &str, address: SocketAddr) -> [MatchView; 2] {
    let mut random = StdRng::seed_from_u64(7);
    let mut players = [guest(address).await, guest(address).await];
    let [one, two] = &mut players;
    let mut views = start_match(one, two, terms(game)).await.expect("a new match");
    for _ in 0..TURNS_MAX {
        if views[0].has_ended() {
            break;
        }
        let ToPlay { seat, seq, .. } = *views[0].to_play.as_ref().expect("somebody is to play");
        let steps = views[0].choose(&mut random).expect("a legal position").expect("somebody is to play");
        let to_play = usize::from(seat == Seat::Two);
        let turn = Op::command(views[0].id, None, PlayTurn { seq, steps });
        let answer: Answer = players[to_play].ask(turn).await.expect("a legal turn");
        for (player, view) in players.iter_mut().zip(&mut views) {
            while view.head < answer.head {
                if let Incoming::Event(event) = player.receive().await.expect("the server runs") {
                    view.follow(&event.read().expect("an event")).expect("the next event");
                }
            }
        }
    }
    views
}

#[tokio::test]
async fn a_client_knows_every_game_from_what_it_hears() {
    let server = server_with(&GENEROUS).await;
    for game in ["zeno", "tavla", "scripta", "tabula", "tablut"] {
        let views = play(game, server.address()).await;
        assert!(views.iter().all(MatchView::has_ended), "{game}");
    }
}

#[tokio::test]
async fn a_refusal_has_its_code() {
    let server = server_with(&GENEROUS).await;
    let mut connection = guest(server.address()).await;
    let id = lusoria_protocol::MatchId(uuid::Uuid::nil());
    let turn = Op::command(id, None, PlayTurn { seq: 1, steps: Vec::new() });
    match connection.ask::<EventKind>(turn).await {
        Err(RequestError::Problem(problem)) => assert_eq!(problem.code, Code::NoSuchMatch),
        other => panic!("{other:?}"),
    }
    connection.close().await;
    let address = server_that_is_gone();
    let gone = Connection::open(&Origin::from(address), address, None, None).await;
    assert!(matches!(gone, Err(RequestError::Lost(_))));
}

fn server_that_is_gone() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("a bound listener")
}
