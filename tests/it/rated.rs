//! Rated matches, and pairs of games, over HTTP: who may play them, and how they are found.

use lusoria::server::Server;
use serde_json::{Value, json};

use crate::{
    accounts::account,
    http::{assert_problem, guest, post, send, server},
    support::http::{Answer, Request},
};

async fn get_as(server: &Server, token: &str, path: &str) -> Answer {
    send(server, Request::new("GET", &format!("/api/v1{path}")).token(token)).await
}

fn fast() -> Value {
    json!({"kind": "fischer", "base_ms": 300_000, "increment_ms": 8_000})
}

/// A rated pair of zeno, with `more` in place of some of it.
fn pair(more: &Value) -> Value {
    let mut terms = json!({"game": "zeno", "games": 2, "rated": true, "clock": fast()});
    terms.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    terms
}

fn id_of(made: &Answer) -> String {
    assert_eq!(made.status, 201, "{made:?}");
    made.json()["match"]["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn who_plays_rated_matches_has_an_account() {
    let server = server().await;
    let (id, agathias, _) = account(&server, "agathias").await;
    let guest = guest(&server).await;
    let terms = pair(&json!({}));
    assert_problem(&post(&server, &guest, "/matches", &terms).await, 403, "account_needed");
    let seek = json!({"games": ["zeno"], "pairs": true, "clocks": [fast()], "rated": true});
    assert_problem(&post(&server, &guest, "/seeks", &seek).await, 403, "account_needed");
    let near = json!({"games": ["zeno"], "clocks": [fast()], "rating": {"below": 100, "above": 100}});
    assert_problem(&post(&server, &guest, "/seeks", &near).await, 403, "account_needed");
    let challenge = pair(&json!({"to": id}));
    assert_problem(&post(&server, &guest, "/challenges", &challenge).await, 403, "account_needed");

    let open = id_of(&post(&server, &agathias, "/matches", &terms).await);
    let join = format!("/matches/{open}/join");
    assert_problem(&post(&server, &guest, &join, &json!({})).await, 403, "account_needed");
    let invited = post(&server, &agathias, "/matches", &pair(&json!({"admission": "invitation"}))).await;
    let code = json!({"code": invited.json()["invitation"]["code"]});
    let spent = post(&server, &guest, "/invitations/spend", &code).await;
    assert_problem(&spent, 403, "account_needed");
    let looked = post(&server, &guest, "/invitations/look", &code).await.json();
    assert_eq!(looked["rated"], true, "who is invited sees it before: {looked}");

    let guest_id = get_as(&server, &guest, "/me").await.json()["id"].clone();
    let refused = post(&server, &agathias, "/challenges", &pair(&json!({"to": guest_id}))).await;
    assert_problem(&refused, 403, "account_needed");
    let nobody = pair(&json!({"to": "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f"}));
    assert_problem(&post(&server, &agathias, "/challenges", &nobody).await, 404, "no_such_guest");

    let (_, zeno, _) = account(&server, "zeno").await;
    let joined = post(&server, &zeno, &join, &json!({})).await;
    assert_eq!(joined.status, 200, "{joined:?}");
    assert_eq!(post(&server, &zeno, "/invitations/spend", &code).await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn what_is_never_rated_is_refused() {
    let server = server().await;
    let (_, token, _) = account(&server, "agathias").await;
    let without_games = json!({"game": "zeno", "rated": true, "clock": fast()});
    for terms in [
        without_games,
        pair(&json!({"clock": {"kind": "none"}})),
        pair(&json!({"options": {"shift": "die"}})),
        pair(&json!({"admission": "both_seats"})),
        pair(&json!({"opponent": {"computer": 3}})),
    ] {
        assert_problem(&post(&server, &token, "/matches", &terms).await, 409, "not_rated");
    }
    for seek in [
        json!({"games": ["tavla", "zeno"], "clocks": [fast()], "rated": true}),
        json!({"games": ["tavla"], "clocks": [{"kind": "none"}], "rated": true}),
    ] {
        assert_problem(&post(&server, &token, "/seeks", &seek).await, 409, "not_rated");
    }
    for terms in [json!({"games": 3}), json!({"games": 1}), json!({"points": 3}), json!({"games": "two"})] {
        let answer = post(&server, &token, "/matches", &pair(&terms)).await;
        assert_problem(&answer, 422, "invalid_body");
        assert!(answer.json()["detail"].as_str().expect("a text").contains("games"), "{answer:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_pair_is_shown_as_two_games_and_both_are_played() {
    let server = server().await;
    let (one, two) = (guest(&server).await, guest(&server).await);
    let made = post(&server, &one, "/matches", &json!({"game": "tavla", "games": 2, "side": "white"})).await;
    let id = id_of(&made);
    let shown = |of: &Value| (of["points"].clone(), of["games"].clone(), of.get("rated").cloned());
    let expected = (json!(1), json!(2), None);
    assert_eq!(shown(&made.json()["match"]), expected);
    let list = get_as(&server, &one, "/me/matches").await.json();
    assert_eq!(shown(&list["matches"][0]), expected, "{list}");
    post(&server, &two, &format!("/matches/{id}/join"), &json!({})).await;
    let resign = async |token: &str| {
        let answer = post(&server, token, &format!("/matches/{id}/resign"), &json!({})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    };
    let first = resign(&two).await;
    assert_eq!(first["events"][0]["points"], 1, "mars counts like any game: {first}");
    assert_eq!(first["events"][1]["sides"], json!({"1": "black", "2": "white"}), "{first}");
    let second = resign(&one).await;
    let last = second["events"].as_array().and_then(|events| events.last()).expect("events");
    assert_eq!(last["result"], "drawn", "{second}");
    let record = get_as(&server, &one, &format!("/matches/{id}/record")).await.json();
    assert_eq!(shown(&record), expected);
    assert_eq!(shown(&record["events"][0]), expected);
    server.stop().await;
}

#[tokio::test]
async fn two_who_seek_rated_matches_play_zeno_in_pairs() {
    let server = server().await;
    let (_, one, _) = account(&server, "agathias").await;
    let (_, two, _) = account(&server, "zeno").await;
    let casual = guest(&server).await;
    let seek = |rated: bool| json!({"games": ["zeno", "tavla"], "points": [1], "pairs": true, "clocks": [fast()], "rated": rated});
    let waiting = post(&server, &one, "/seeks", &seek(true)).await.json();
    assert_eq!((&waiting["rated"], &waiting["pairs"]), (&json!(true), &json!(true)), "{waiting}");
    let other = post(&server, &casual, "/seeks", &seek(false)).await;
    assert_eq!((other.status, other.json().get("match")), (201, None), "one is rated, the other not");
    let answered = post(&server, &two, "/seeks", &seek(true)).await.json();
    let id = answered["match"].as_str().expect("a match");
    let snapshot = get_as(&server, &one, &format!("/matches/{id}")).await.json();
    assert_eq!(
        (&snapshot["game"], &snapshot["games"], &snapshot["rated"]),
        (&json!("zeno"), &json!(2), &json!(true)),
        "single games of zeno are left out"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_to_a_rated_match_and_its_rematch() {
    let server = server().await;
    let (_, one, _) = account(&server, "agathias").await;
    let (zeno, two, _) = account(&server, "zeno").await;
    let made = post(&server, &one, "/challenges", &pair(&json!({"to": zeno, "side": "white"}))).await.json();
    assert_eq!((&made["rated"], &made["games"]), (&json!(true), &json!(2)), "{made}");
    let id = made["id"].as_str().expect("an id");
    let accepted = post(&server, &two, &format!("/challenges/{id}/accept"), &json!({})).await;
    assert_eq!(accepted.status, 200, "{accepted:?}");
    let ask = async |token: &str, what: &str, body: &Value| {
        let answer = post(&server, token, &format!("/matches/{id}/{what}"), body).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    };
    ask(&one, "resign", &json!({"scope": "match"})).await;
    ask(&one, "rematch", &json!({"action": "offer"})).await;
    let next = ask(&two, "rematch", &json!({"action": "accept"})).await;
    let next = next["next"].as_str().expect("the rematch");
    let snapshot = get_as(&server, &one, &format!("/matches/{next}")).await.json();
    assert_eq!((&snapshot["rated"], &snapshot["games"]), (&json!(true), &json!(2)));
    assert_eq!(snapshot["sides"]["1"], "black", "the other one begins as White: {snapshot}");
    server.stop().await;
}
