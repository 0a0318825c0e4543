//! Conditional turns, over HTTP.

use lusoria::server::Server;
use serde_json::{Value, json};

use crate::{
    accounts::get_as,
    http::{Stream, assert_problem, guest, post, send, server},
    support::http::{Answer, Request},
};

/// A correspondence match: its id, and the tokens of attackers and defenders.
async fn correspondence(server: &Server, game: &str) -> (String, [String; 2]) {
    let (one, two) = (guest(server).await, guest(server).await);
    let side = if game == "tablut" { "attackers" } else { "white" };
    let terms = json!({"game": game, "side": side, "clock": {"kind": "days", "days": 3}});
    let created = post(server, &one, "/matches", &terms).await;
    let id = created.json()["match"]["id"].as_str().expect("an id").to_owned();
    assert_eq!(post(server, &two, &format!("/matches/{id}/join"), &json!({})).await.status, 200);
    (id, [one, two])
}

fn path(id: &str) -> String {
    format!("/matches/{id}/conditional-turns")
}

async fn put(server: &Server, token: &str, id: &str, body: &Value) -> Answer {
    send(server, Request::new("PUT", &format!("/api/v1{}", path(id))).token(token).json(body)).await
}

async fn given(server: &Server, id: &str) -> Value {
    let snapshot = send(server, Request::new("GET", &format!("/api/v1/matches/{id}"))).await.json();
    snapshot["to_play"]["seq"].clone()
}

fn line(text: &str) -> Value {
    let step = |word: &str| word.split_once('-').map(|(from, to)| json!({"from": from, "to": to}));
    text.split_whitespace().filter_map(step).collect()
}

async fn play(server: &Server, token: &str, id: &str, step: &str) {
    let turn = json!({"seq": given(server, id).await, "steps": line(step)});
    let played = post(server, token, &format!("/matches/{id}/turn"), &turn).await;
    assert_eq!(played.status, 200, "{played:?}");
}

#[tokio::test]
async fn the_line_is_played_and_what_is_left_of_it_is_told_to_its_owner_alone() {
    let server = server().await;
    let (id, [attackers, defenders]) = correspondence(&server, "tablut").await;
    let seq = given(&server, &id).await;
    let body =
        json!({"seq": seq, "lines": [line("d1-c1 e4-f4 c1-c2 f4-f3"), line("d1-b1 e4-g4")], "forced": false});
    let laid = put(&server, &defenders, &id, &body).await;
    assert_eq!((laid.status, laid.json()), (200, body.clone()));
    assert_eq!(get_as(&server, &defenders, &path(&id)).await.json(), body);
    let theirs = get_as(&server, &attackers, &path(&id)).await.json();
    assert_eq!(theirs, json!({"seq": seq, "lines": [], "forced": false}), "each sees their own alone");

    let mut stream = Stream::open(server.address(), &format!("/api/v1/matches/{id}/events"), None).await;
    play(&server, &attackers, &id, "d1-c1").await;
    let mut turns = Vec::new();
    while turns.len() < 2 {
        let event = stream.next().await.expect("an event");
        if event["type"] == "turned" {
            turns.push(event["notation"].as_str().expect("a text").to_owned());
        }
    }
    assert_eq!(turns, ["d1-c1", "e4-f4"]);
    let left = get_as(&server, &defenders, &path(&id)).await.json();
    let expected = json!({"seq": given(&server, &id).await, "lines": [line("c1-c2 f4-f3")], "forced": false});
    assert_eq!(left, expected);

    play(&server, &attackers, &id, "c1-b1").await;
    let left = get_as(&server, &defenders, &path(&id)).await.json();
    assert_eq!(left["lines"], json!([]), "the match has left the line");
    server.stop().await;
}

#[tokio::test]
async fn what_cannot_be_played_cannot_be_laid_down() {
    let server = server().await;
    let (id, [attackers, defenders]) = correspondence(&server, "tablut").await;
    let seq = given(&server, &id).await;
    let lay = async |lines: Value| put(&server, &defenders, &id, &json!({"seq": seq, "lines": lines})).await;
    for lines in [
        json!([line("d1-c1")]),
        json!([line("d1-c1 e4-f4 c1-c2")]),
        json!([[]]),
        json!([line("d1-c1 e4-f4"), line("d1-c1 e4-g4")]),
        json!([line(&"d1-c1 e4-f4 c1-d1 f4-e4 ".repeat(5))]),
        json!(vec![line("d1-c1 e4-f4"); 33]),
        json!("d1-c1"),
    ] {
        assert_problem(&lay(lines).await, 422, "invalid_body");
    }
    let long = "d".repeat(17);
    let long = lay(json!([line("d1-c1 e4-f4"), line(&format!("d1-b1 e4-{long}"))])).await;
    assert_problem(&long, 422, "invalid_body");
    assert_eq!(long.json()["detail"], "lines[1]: steps[1]: a place has at most 16 characters");
    for (lines, limit) in
        [(vec![line("d1-c1 e4-f4"); 33], 32), (vec![line(&"d1-c1 e4-f4 c1-d1 f4-e4 ".repeat(5))], 16)]
    {
        assert_eq!(lay(json!(lines)).await.json()["limit"], limit);
    }
    let illegal = lay(json!([line("d1-c1 e4-f4"), line("d1-b1 e4-a4")])).await;
    assert_problem(&illegal, 409, "illegal_step");
    assert_eq!(illegal.json()["step"], 1);
    assert!(illegal.json()["detail"].as_str().expect("words").starts_with("lines[1][1]: "), "{illegal:?}");
    assert_eq!(get_as(&server, &defenders, &path(&id)).await.json()["lines"], json!([]));

    let lines = json!([line("d1-c1 e4-f4")]);
    let early = put(&server, &defenders, &id, &json!({"seq": 1, "lines": lines})).await;
    assert_problem(&early, 409, "wrong_seq");
    let own = put(&server, &attackers, &id, &json!({"seq": seq, "lines": lines})).await;
    assert_problem(&own, 409, "own_turn");
    let stranger = guest(&server).await;
    let theirs = put(&server, &stranger, &id, &json!({"seq": seq, "lines": lines})).await;
    assert_problem(&theirs, 403, "not_a_player");
    assert_problem(&get_as(&server, &stranger, &path(&id)).await, 403, "not_a_player");
    let resigned =
        post(&server, &attackers, &format!("/matches/{id}/resign"), &json!({"scope": "match"})).await;
    assert_eq!(resigned.status, 200, "{resigned:?}");
    assert_problem(&lay(lines).await, 409, "match_over");
    server.stop().await;
}

#[tokio::test]
async fn only_correspondence_matches_against_others_have_conditional_turns() {
    let server = server().await;
    let (id, [one, _]) = crate::http::tablut(&server).await;
    assert_problem(&get_as(&server, &one, &path(&id)).await, 409, "no_conditional_turns");
    let terms = json!({"game": "tablut", "admission": "both_seats", "clock": {"kind": "days", "days": 3}});
    let alone = post(&server, &one, "/matches", &terms).await.json()["match"]["id"].clone();
    let alone = path(alone.as_str().expect("an id"));
    assert_problem(&get_as(&server, &one, &alone).await, 409, "no_conditional_turns");

    let (id, [white, _]) = correspondence(&server, "tabula").await;
    let lines = json!({"seq": given(&server, &id).await, "lines": [line("1-2 3-4")]});
    assert_problem(&put(&server, &white, &id, &lines).await, 409, "no_conditional_turns");
    // Nobody is forced at the start of tablut, so nothing is played meanwhile.
    let (id, [one, two]) = correspondence(&server, "tablut").await;
    let seq = given(&server, &id).await;
    for token in [&one, &two] {
        let forced = json!({"seq": seq, "lines": [], "forced": true});
        let laid = put(&server, token, &id, &forced).await;
        assert_eq!((laid.status, laid.json()), (200, forced), "on one's own turn, too");
    }
    assert_eq!(put(&server, &two, &id, &json!({"seq": seq})).await.status, 200);
    assert_eq!(get_as(&server, &two, &path(&id)).await.json()["forced"], json!(false));
    assert_eq!(get_as(&server, &one, &path(&id)).await.json()["forced"], json!(true));
    server.stop().await;
}
