//! The client of the load generator and the trials, against a server.

use std::net::SocketAddr;

use lusoria::{app::wire::JsonRender, live::Render};
use lusoria_client::{
    Connection, Incoming, Link, LinkEvent, MatchView, Origin, RequestError, ViewError, start_match,
};
use lusoria_play::Match;
use lusoria_protocol::{
    Answer, Code, CreateMatch, Event, EventKind, PlayTurn, Seat, ToJson, ToPlay,
    socket::{OnLag, Op},
};
use lusoria_rules::{Game, Shift, Variant};
use lusoria_testkit::{Table, terms as testkit_terms};
use lusoria_wire as wire;
use rand::{SeedableRng, rngs::StdRng};

use crate::support::{
    random_match::random_match,
    server::{GENEROUS, server_with},
};

/// No game is as long as that.
const TURNS_MAX: usize = 5_000;

/// How many random matches of each game a law is held against.
const MATCHES_OF_EACH: u64 = 20;

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

/// Both players of every game play it by what they hear without positions, which a third hears.
#[tokio::test]
async fn a_client_knows_every_game_without_being_told_positions() {
    let server = server_with(&GENEROUS).await;
    for game in Game::ALL {
        let mut random = StdRng::seed_from_u64(11);
        let mut players = [guest(server.address()).await, guest(server.address()).await];
        let mut watcher = guest(server.address()).await;
        let [one, two] = &mut players;
        let [mut told, _] = start_match(one, two, terms(&game.to_string())).await.expect("a new match");
        let id = told.id;
        let mut views = Vec::new();
        for player in &mut players {
            views.push(player.watch_without_positions(id, OnLag::Journal).await.expect("a match"));
        }
        assert_eq!(watcher.watch(id, OnLag::Journal).await.expect("a match").head, told.head);
        for _ in 0..TURNS_MAX {
            if told.has_ended() {
                break;
            }
            let ToPlay { seat, seq, .. } = *views[0].to_play.as_ref().expect("somebody is to play");
            let steps = views[0].choose(&mut random).expect("a legal position").expect("a turn");
            let turn = Op::command(id, None, PlayTurn { seq, steps });
            let answer: Answer =
                players[usize::from(seat == Seat::Two)].ask(turn).await.expect("a legal turn");
            for (player, view) in players.iter_mut().zip(&mut views) {
                let events = follow(player, view, answer.head).await;
                assert!(events.iter().all(|event| !has_position_after_turn(event)), "{game}: {events:?}");
            }
            let events = follow(&mut watcher, &mut told, answer.head).await;
            assert!(events.iter().any(has_position_after_turn), "{game}: {events:?}");
            for view in &views {
                assert_eq!(view.position, told.position, "{game}, event {}", told.head);
            }
        }
        assert!(told.has_ended() && views.iter().all(MatchView::has_ended), "{game}");
    }
}

/// Lets a view follow what a client hears, up to an event. Returns what it heard.
async fn follow(client: &mut Connection, view: &mut MatchView, head: u32) -> Vec<Event> {
    let mut events = Vec::new();
    while view.head < head {
        if let Incoming::Event(event) = client.receive().await.expect("the server runs") {
            let event = event.read().expect("an event");
            view.follow(&event).expect("the next event");
            events.push(event);
        }
    }
    events
}

fn has_position_after_turn(event: &Event) -> bool {
    matches!(event.kind, EventKind::Turned { position: Some(_), .. })
}

#[tokio::test]
async fn a_link_without_positions_hears_none() {
    let server = server_with(&GENEROUS).await;
    let address = server.address();
    let mut players = [guest(address).await, guest(address).await];
    let [one, two] = &mut players;
    let [view, _] = start_match(one, two, terms("tablut")).await.expect("a new match");
    let (link, _) = Link::open(Origin::from(address), None).await.expect("the server runs");
    let mut link = link.without_positions();
    let mut heard = MatchView::from(*link.watch(view.id).await.expect("a match"));
    let ToPlay { seat, seq, .. } = *view.to_play.as_ref().expect("the attackers begin");
    let steps = view.choose(&mut StdRng::seed_from_u64(1)).expect("a position").expect("a turn");
    let turn = Op::command(view.id, None, PlayTurn { seq, steps });
    let answer: Answer = players[usize::from(seat == Seat::Two)].ask(turn).await.expect("a legal turn");
    while heard.head < answer.head {
        if let LinkEvent::Event(event) = link.receive().await.expect("the server runs") {
            let event = event.read().expect("an event");
            assert!(!has_position_after_turn(&event), "{event:?}");
            heard.follow(&event).expect("the next event");
        }
    }
    let EventKind::Turned { position, .. } = &answer.events[0].kind else { panic!("{answer:?}") };
    assert_eq!(&heard.position, position, "the answer to a command has its position");
}

/// Whole matches of every kind, heard with positions and without, from any event on.
#[test]
fn a_view_folds_events_without_positions_to_the_same_match() {
    for game in Game::ALL {
        for number in 0..MATCHES_OF_EACH {
            let table = random_match(game, number);
            let journal = table.journal();
            let begins = usize::try_from(number).expect("small") * 13 % journal.len() + 1;
            let state = Match::from_journal(table.state().id(), journal[..begins].iter().cloned());
            let state = state.expect("a journal that was written");
            let snapshot = wire::snapshot(&state, 0, |_| None, None);
            let (mut told, mut lean) = (MatchView::from(snapshot.clone()), MatchView::from(snapshot));
            for recorded in &journal[begins..] {
                let event = wire::event(table.state(), recorded);
                let which = format!("{game}, match {number} from event {begins}, event {}", event.seq);
                told.follow(&event).unwrap_or_else(|why| panic!("{which}: {why}"));
                let without = event.without_position();
                lean.follow(&without).unwrap_or_else(|why| panic!("{which}: {why}"));
                assert_eq!(*lean, *told, "{which}");
            }
        }
    }
}

/// The line without a position is what would be written without it, byte for byte.
#[test]
fn a_line_is_cut_to_what_would_be_written_without_the_position() {
    for game in Game::ALL {
        for number in 0..MATCHES_OF_EACH {
            let table = random_match(game, number);
            for recorded in table.journal() {
                let line = JsonRender.event(table.state(), recorded);
                let lean = wire::event(table.state(), recorded).without_position().to_json();
                if matches!(recorded.event, lusoria_play::Event::Turned { .. }) {
                    assert_ne!(line, lean);
                    assert_eq!(JsonRender.without_position(&line), lean, "{game}, match {number}");
                } else {
                    assert_eq!(line, lean, "{game}, match {number}");
                }
            }
        }
    }
}

/// A turn that does not fit is refused, and the view stays as it was.
#[test]
fn a_view_refuses_a_turn_without_position_that_cannot_be_played() {
    let table = finished_table();
    let at = |seq: u32| {
        let journal = table.journal()[..seq as usize].iter().cloned();
        wire::snapshot(&Match::from_journal(table.state().id(), journal).expect("a match"), 0, |_| None, None)
    };
    let turns =
        table.journal().iter().filter(|event| matches!(event.event, lusoria_play::Event::Turned { .. }));
    let turn = wire::event(table.state(), turns.take(1).next().expect("a turn")).without_position();
    let change = |change: fn(&mut EventKind)| {
        let mut turn = turn.clone();
        change(&mut turn.kind);
        turn
    };
    let none_given = |kind: &mut EventKind| {
        if let EventKind::Turned { answers, .. } = kind {
            *answers -= 1;
        }
    };
    let illegal = |kind: &mut EventKind| {
        if let EventKind::Turned { steps, .. } = kind {
            "23".clone_into(&mut steps[0].from);
        }
    };
    let unfinished = |kind: &mut EventKind| {
        if let EventKind::Turned { steps, .. } = kind {
            steps.clear();
        }
    };
    for wrong in [change(none_given), change(illegal), change(unfinished)] {
        let mut view = MatchView::from(at(turn.seq - 1));
        match view.follow(&wrong) {
            Err(ViewError::Unplayable { seq, why }) => assert!(seq == turn.seq && !why.is_empty()),
            other => panic!("{other:?}"),
        }
        assert_eq!(*view, at(turn.seq - 1));
        view.follow(&turn).expect("the turn that was played");
    }
}

fn finished_table() -> Table {
    let mut table = Table::new(testkit_terms(Variant::Zeno { shift: Shift::Die }), 3);
    table.play_out();
    table
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
