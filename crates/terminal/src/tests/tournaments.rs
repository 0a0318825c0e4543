//! Tournaments, with a server that follows a script.

use std::{io, sync::Arc, time::Duration};

use futures_util::{SinkExt, StreamExt};
use lusoria_client::Origin;
use lusoria_protocol::Guest;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::{mpsc, watch},
    time::timeout,
};
use tokio_tungstenite::{accept_async, tungstenite::Message};

use super::PLAIN;
use crate::{Destination, Ending, Goal, Input, Output, Profile, SessionOptions, Typed, run_session};

const ID: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";
const BOARD: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c073990";

fn player(name: &str) -> Value {
    json!({"id": "0190a6c2-7b1e-7cc3-98c4-dc0c0c073991", "name": name, "kind": "person", "handle": name})
}

/// A tournament that has begun, with what concerns the user.
fn tournament(you: &Value) -> Value {
    json!({
        "id": ID, "head": 17, "name": "Friday\u{1b} Swiss", "format": {"kind": "swiss", "rounds": 5}, "game": "tavla",
        "options": {}, "points": 1, "clock": {"kind": "fischer", "base_ms": 180_000, "increment_ms": 2_000},
        "rated": true, "listed": true, "phase": "running", "begins_at": 1, "round": 2, "rounds": 5, "entrants": 8,
        "entrants_max": 500, "who": "people", "has_code": true, "organiser": player("Bassus"), "wait_ms": 180_000,
        "conditions": {"rated_matches_min": 0, "account_age_ms_min": 0}, "playing": 3, "best": [], "you": you,
    })
}

/// What the server answers to a request; an error is a problem's detail.
fn answer(request: &Value) -> Result<Value, &'static str> {
    if request["op"] != "http" {
        return Ok(json!({"head": 17}));
    }
    let path = request["path"].as_str().expect("a path").trim_start_matches("/api/v1");
    let entered = json!({"entrant": 3, "state": "away", "may": ["here", "withdraw", "edit"]});
    let paired = |here: bool, board: Option<&str>| {
        let mut pairing = json!({"pairing": 9, "round": 2, "opponent": player("Zeno"), "is_here": here,
            "opponent_here": false});
        board.inspect(|board| pairing["match"] = json!(board));
        json!({"entrant": 3, "state": "here", "place": 2, "half_points": 3, "pairing": pairing, "may": ["pause"]})
    };
    match (path, request["body"]["command"].as_str().unwrap_or_default()) {
        ("/tournaments?state=running&limit=20", _) => Ok(json!({"tournaments": [tournament(&Value::Null)]})),
        (lists, _) if lists.starts_with("/tournaments?") => Ok(json!({"tournaments": []})),
        (path, "enter") if path.ends_with("/entry") && request["body"]["code"] != "ides" => {
            Err("the code is another one")
        }
        (_, "enter") => Ok(tournament(&entered)),
        (_, "here") => Ok(tournament(&paired(true, None))),
        (_, "withdraw") => Ok(tournament(&json!({"entrant": 3, "state": "withdrawn", "may": []}))),
        (path, _) if path.ends_with("/standings") => Ok(json!({"head": 17, "ties": [], "standings": [
            {"place": 1, "entrant": 1, "player": player("Zeno"), "rating": 1500, "half_points": 3, "played": 2,
             "wins": 1, "draws": 1, "losses": 0, "ties": [], "state": "here", "counts": true}]})),
        (path, _) if path.contains("/pairings") => Ok(json!({"head": 17, "byes": [], "pairings": [
            {"pairing": 9, "round": 2, "board": 1, "first": {"entrant": 3, "player": player("Agathias")},
             "second": {"entrant": 1, "player": player("Zeno")}, "match": BOARD, "state": "playing"}]})),
        (path, _) if path.ends_with("/entrants") => Ok(json!({"head": 17, "entrants": [
            {"entrant": 1, "player": player("Zeno"), "rating": 1500, "state": "here"},
            {"entrant": 3, "player": player("Agathias"), "rating": 1500, "state": "here"}]})),
        (path, _) if path.contains("since=17") => Ok(json!({"head": 19, "events": [
            {"seq": 18, "at": 1, "type": "of_a_newer_server"},
            {"seq": 19, "at": 1, "type": "match_ended", "match": BOARD, "end": "won", "seat": 2}]})),
        (path, _) if path.contains("since=19") => Ok(json!({"head": 20, "events": [
            {"seq": 20, "at": 1, "type": "paused", "entrant": 3}]})),
        (path, _) if path.contains("since=") => Ok(json!({"head": 20, "events": []})),
        (path, _) if path == format!("/tournaments/{ID}") => Ok(tournament(&paired(true, Some(BOARD)))),
        (path, _) if path == format!("/matches/{BOARD}") => Err("the match is not here"),
        _ => Err("nothing is there"),
    }
}

/// Answers a client, and sends it notices.
async fn serve(listener: TcpListener, mut notices: mpsc::Receiver<Value>) {
    let (stream, _) = listener.accept().await.expect("somebody comes");
    let mut socket = accept_async(stream).await.expect("a socket");
    loop {
        let sent = tokio::select! {
            request = socket.next() => {
                let Some(Ok(Message::Text(request))) = request else { return };
                let request: Value = serde_json::from_str(&request).expect("a request");
                let limits = json!({"message_bytes_max": 1, "watches_max": 1, "messages_per_second": 1,
                    "messages_burst": 1});
                let re = &request["id"];
                match answer(&request) {
                    _ if request["op"] == "hello" => json!({"re": re, "ok": {"server_time": 1, "limits": limits,
                        "history": ID}}),
                    Ok(ok) => json!({"re": re, "ok": ok}),
                    Err(detail) => json!({"re": re, "error": {"type": "/problems/x", "title": "No", "status": 403,
                        "code": "x", "detail": detail}}),
                }
            }
            Some(notice) = notices.recv() => notice,
        };
        socket.send(Message::text(sent.to_string())).await.expect("the client reads");
    }
}

struct Shown(watch::Sender<String>);

impl Output for Shown {
    fn print(&mut self, lines: &str) -> io::Result<()> {
        self.0.send_modify(|shown| shown.push_str(lines));
        Ok(())
    }
}

/// What the user or the server does next.
enum Step {
    Types(&'static str),
    Notice(Value),
}

#[tokio::test]
async fn a_user_enters_is_called_finds_the_board_and_follows() {
    use Step::{Notice, Types};
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let origin: Origin = listener.local_addr().expect("a bound port").into();
    let (notify, notices) = mpsc::channel(8);
    tokio::spawn(serve(listener, notices));
    let folder = tempfile::tempdir().expect("a folder");
    let profile = Profile::within(folder.path(), &origin, None).expect("a profile");
    let guest: Guest =
        serde_json::from_value(json!({"id": ID, "name": "Agathias", "kind": "person", "token": "t",
        "created_at": 1}))
        .expect("a guest");
    profile.keep_guest(&origin, &guest).expect("room for a file");
    let (typed, to_read) = mpsc::channel(8);
    let (output, mut shown) = watch::channel(String::new());
    let goal = Goal::Watch(Destination::Tournament(ID.parse().expect("an id")));
    let options = SessionOptions { origin, profile, name: None, goal, style: PLAIN };
    let input = Input::new(to_read, None, Arc::new(Mutex::default()));
    let session = tokio::spawn(run_session(options, input, Box::new(Shown(output))));

    let call = |round: u16, board: Option<&str>| {
        let mut call = json!({"notice": "tournament_call", "tournament": ID, "name": "Friday Swiss", "round": round,
            "opponent": player("Zeno"), "until": 180_001});
        board.inspect(|board| call["match"] = json!(board));
        Notice(call)
    };
    let changed = |head: u32| Notice(json!({"notice": "tournament_changed", "tournament": ID, "head": head}));
    let mut read = 0;
    for (step, seen) in [
        (Types("me"), "Friday\\u{1b} Swiss: Swiss, 5 rounds"),
        (Types("tournaments"), "  1  Friday"),
        (Types("tournament 2"), "No tournament has the number 2."),
        (Types("tournament 1"), "   1  Zeno                             1.5  2 played"),
        (Types("enter"), "No: the code is another one"),
        (Types("enter ides"), "you have entered.\nYou have entered.\nYou can: here, withdraw tournament"),
        (Types("here"), "Round 2: you play Zeno; they are waited for."),
        (call(2, None), "Friday Swiss, round 2: you play Zeno. Say here when you are at the board, within "),
        (call(2, Some(BOARD)), "round 2: your match with Zeno is made. go opens the board."),
        (Types("go"), "No: the match is not here"),
        (Types("follow"), "You follow Friday"),
        (changed(19), "Zeno wins against Agathias."),
        (changed(20), "Agathias pauses."),
        (Types("withdraw tournament"), "yes does it."),
        (Types("yes"), "you have withdrawn."),
        (
            Notice(json!({"notice": "tournament_ended", "tournament": BOARD, "name": "Other"})),
            "Other has ended.",
        ),
    ] {
        match step {
            Types(line) => typed.send(Typed::Line(line.to_owned())).await.expect("the session goes on"),
            Notice(notice) => notify.send(notice).await.expect("the server goes on"),
        }
        let is_seen =
            timeout(Duration::from_secs(20), shown.wait_for(|shown| shown[read..].contains(seen))).await;
        let Ok(Ok(all)) = is_seen.map(|seen| seen.map(|all| all.clone())) else {
            panic!("{seen:?} was not shown in:\n{}", shown.borrow().as_str());
        };
        assert!(!all.contains('\u{1b}'), "{all:?}");
        read += all[read..].find(seen).expect("it was seen") + seen.len();
    }
    typed.send(Typed::End).await.expect("the session goes on");
    assert_eq!(session.await.expect("nothing panics").expect("it ends well"), Ending::Good);
}
