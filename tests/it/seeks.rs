//! Seeking an opponent, and people whom one does not want to meet, over HTTP.

use lusoria::server::Server;
use serde_json::{Value, json};

use crate::{
    http::{Stream, assert_problem, guest, post, send, server},
    support::http::{Answer, Request},
};

async fn seek(server: &Server, token: &str, games: &[&str]) -> Value {
    let answer = post(server, token, "/seeks", &json!({"games": games, "clocks": [{"kind": "none"}]})).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

async fn asked(server: &Server, method: &str, token: &str, path: &str) -> Answer {
    send(server, Request::new(method, &format!("/api/v1{path}")).token(token)).await
}

async fn id_of(server: &Server, token: &str) -> String {
    asked(server, "GET", token, "/me").await.json()["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn two_who_seek_the_same_play_each_other() {
    let server = server().await;
    let (one, two, three) = (guest(&server).await, guest(&server).await, guest(&server).await);
    let waiting = seek(&server, &one, &["tavla", "zeno"]).await;
    assert_eq!(waiting.get("match"), None);
    let other = seek(&server, &two, &["tablut"]).await;
    assert_eq!(other.get("match"), None, "nothing in common");
    let answered = seek(&server, &three, &["zeno", "tavla"]).await;
    let id = answered["match"].as_str().expect("a match");
    let snapshot = asked(&server, "GET", &one, &format!("/matches/{id}")).await.json();
    assert_eq!(
        (&snapshot["game"], &snapshot["state"]),
        (&json!("tavla"), &json!("playing")),
        "the older chooses"
    );
    assert_eq!(snapshot["your_seats"], json!([1]));
    let seeks = asked(&server, "GET", &one, "/seeks").await.json();
    assert_eq!(seeks["seeks"][0]["match"], id);
    server.stop().await;
}

#[tokio::test]
async fn a_waiting_seek_is_shown_to_guests_who_can_join_it_and_pairs_with_an_equal_one() {
    let server = server().await;
    let (one, two, blocked) = (guest(&server).await, guest(&server).await, guest(&server).await);
    let bot = send(&server, Request::new("POST", "/api/v1/guests").json(&json!({"bot": true}))).await.json();
    let bot = bot["token"].as_str().expect("a token");
    assert_eq!(seeks_for(&server, Some(&two)).await, Vec::<Value>::new());
    let waiting = seek(&server, &one, &["tavla", "zeno"]).await;
    let of_blocked = id_of(&server, &blocked).await;
    asked(&server, "PUT", &one, &format!("/me/blocks/{of_blocked}")).await;

    let shown = seeks_for(&server, Some(&two)).await;
    let me = asked(&server, "GET", &one, "/me").await.json();
    let by = json!({"id": me["id"], "name": me["name"], "kind": "person"});
    assert_eq!((&shown[0]["id"], &shown[0]["by"]), (&waiting["id"], &by), "{shown:?}");
    assert_eq!(seeks_for(&server, None).await, shown, "who has never played sees it, too");
    for (who, token) in [("who made it", &*one), ("who is blocked", &blocked), ("a bot", bot)] {
        assert_eq!(seeks_for(&server, Some(token)).await, Vec::<Value>::new(), "{who}");
    }

    let equal =
        json!({"games": shown[0]["games"], "points": shown[0]["points"], "clocks": shown[0]["clocks"]});
    let joined = post(&server, &two, "/seeks", &equal).await.json();
    assert!(joined["match"].is_string(), "{joined}");
    assert_eq!(seeks_for(&server, None).await, Vec::<Value>::new());
    server.stop().await;
}

async fn seeks_for(server: &Server, token: Option<&str>) -> Vec<Value> {
    let ask = Request::new("GET", "/api/v1/seeks/waiting");
    let answer = send(server, token.map_or(ask.clone(), |token| ask.token(token))).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["seeks"].as_array().expect("seeks").clone()
}

#[tokio::test]
async fn a_stream_tells_of_seeks_at_its_beginning_and_when_they_are_answered() {
    let server = server().await;
    let (token, other) = (guest(&server).await, guest(&server).await);
    let waiting = seek(&server, &token, &["tabula"]).await;
    let mut stream = Stream::open(server.address(), "/api/v1/me/events", Some(&token)).await;
    let told = stream.next().await.expect("a notice");
    assert_eq!((&told["notice"], &told["seek"]), (&json!("seek"), &waiting));
    let answered = seek(&server, &other, &["tabula"]).await;
    let id = answered["match"].as_str().expect("a match");
    let told = loop {
        let told = stream.next().await.expect("a notice");
        if told["notice"] == "seek" {
            break told;
        }
    };
    assert_eq!((&told["seek"]["id"], &told["seek"]["match"]), (&waiting["id"], &json!(id)), "{told}");
    server.stop().await;
}

#[tokio::test]
async fn the_same_seek_again_is_the_one_that_waits() {
    let server = server().await;
    let token = guest(&server).await;
    let waiting = seek(&server, &token, &["tabula"]).await;
    let again = seek(&server, &token, &["tabula"]).await;
    assert_eq!(waiting["id"], again["id"]);
    let seeks = asked(&server, "GET", &token, "/seeks").await.json();
    assert_eq!(seeks["seeks"].as_array().map(Vec::len), Some(1));
    server.stop().await;
}

#[tokio::test]
async fn what_is_sought_must_make_sense() {
    let server = server().await;
    let token = guest(&server).await;
    let none = json!([{"kind": "none"}]);
    let days = json!([{"kind": "days", "days": 3}, {"kind": "none"}]);
    for (body, what) in [
        (json!({"games": [], "clocks": none}), "games"),
        (json!({"games": ["zeno", "zeno"], "clocks": none}), "games"),
        (json!({"games": ["zeno"], "clocks": []}), "clocks"),
        (json!({"games": ["zeno"], "clocks": days}), "clocks"),
        (json!({"games": ["zeno"], "points": [0], "clocks": none}), "points"),
        (json!({"games": ["zeno"], "points": [], "clocks": none}), "points"),
        (json!({"games": ["senet"], "clocks": none}), "games"),
        (json!({"games": ["zeno"]}), "clocks"),
        (
            json!({"games": ["zeno"], "clocks": [{"kind": "fischer", "base_ms": 1, "increment_ms": 0}]}),
            "clock",
        ),
        (json!({"games": ["zeno"], "clocks": none, "luck": true}), "luck"),
        (json!({"games": ["zeno"], "clocks": none, "rating": {"below": 0, "above": 4001}}), "rating"),
    ] {
        let answer = post(&server, &token, "/seeks", &body).await;
        assert_problem(&answer, 422, "invalid_body");
        let detail = answer.json()["detail"].as_str().expect("a text").to_owned();
        assert!(detail.contains(what), "{body}: {detail}");
    }
    let seeks = asked(&server, "GET", &token, "/seeks").await.json();
    assert_eq!(seeks, json!({"seeks": []}), "nothing is half done");
    let without = Request::new("POST", "/api/v1/seeks").json(&json!({"games": ["zeno"], "clocks": none}));
    assert_problem(&send(&server, without).await, 401, "unauthorized");
    server.stop().await;
}

#[tokio::test]
async fn seeks_are_withdrawn_and_limited() {
    let server = server().await;
    let (token, other) = (guest(&server).await, guest(&server).await);
    let mut ids = Vec::new();
    for game in ["zeno", "tavla", "scripta", "tabula", "tablut"] {
        ids.push(seek(&server, &token, &[game]).await["id"].as_str().expect("an id").to_owned());
    }
    let another = json!({"games": ["zeno", "tavla"], "clocks": [{"kind": "none"}]});
    let refused = post(&server, &token, "/seeks", &another).await;
    assert_problem(&refused, 409, "too_many_seeks");
    assert_eq!(refused.json()["limit"], 5);
    let withdraw =
        async |token: &str, id: &str| asked(&server, "DELETE", token, &format!("/seeks/{id}")).await;
    assert_problem(&withdraw(&other, &ids[0]).await, 404, "no_such_seek");
    assert_problem(&withdraw(&token, "x").await, 404, "no_such_seek");
    assert_eq!(withdraw(&token, &ids[0]).await.status, 204);
    assert_problem(&withdraw(&token, &ids[0]).await, 404, "no_such_seek");
    let answered = seek(&server, &other, &["tablut"]).await;
    assert!(answered["match"].is_string(), "{answered}");
    assert_problem(&withdraw(&token, &ids[4]).await, 409, "seek_answered");
    assert_problem(&withdraw(&token, &ids[1]).await, 404, "no_such_seek");
    server.stop().await;
}

#[tokio::test]
async fn a_block_holds_both_ways_and_everywhere() {
    let server = server().await;
    let (one, two) = (guest(&server).await, guest(&server).await);
    let (id_of_one, id_of_two) = (id_of(&server, &one).await, id_of(&server, &two).await);
    let block = async |token: &str, id: &str| asked(&server, "PUT", token, &format!("/me/blocks/{id}")).await;
    assert_problem(&block(&one, &id_of_one).await, 409, "yourself");
    assert_problem(&block(&one, "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f").await, 404, "no_such_guest");
    assert_problem(&block(&one, "x").await, 404, "no_such_guest");
    for _ in 0..2 {
        assert_eq!(block(&one, &id_of_two).await.status, 204);
    }
    let listed = asked(&server, "GET", &one, "/me/blocks").await.json();
    assert_eq!(listed["blocked"][0]["id"], json!(id_of_two));
    assert_eq!(
        asked(&server, "GET", &two, "/me/blocks").await.json(),
        json!({"blocked": []}),
        "they are not told"
    );

    seek(&server, &one, &["zeno"]).await;
    assert_eq!(seek(&server, &two, &["zeno"]).await.get("match"), None);
    for (maker, joiner) in [(&one, &two), (&two, &one)] {
        let open = post(&server, maker, "/matches", &json!({"game": "tavla"})).await.json();
        let id = open["match"]["id"].as_str().expect("an id").to_owned();
        let joined = post(&server, joiner, &format!("/matches/{id}/join"), &json!({})).await;
        assert_problem(&joined, 403, "not_welcome");
        let invited =
            post(&server, maker, "/matches", &json!({"game": "tavla", "admission": "invitation"})).await;
        let code = invited.json()["invitation"]["code"].clone();
        let spent = post(&server, joiner, "/invitations/spend", &json!({"code": code})).await;
        assert_problem(&spent, 403, "not_welcome");
        let open = post(&server, joiner, "/matches", &json!({"game": "tavla"})).await;
        assert_eq!(open.status, 201, "{open:?}");
    }
    let unblocked = asked(&server, "DELETE", &one, &format!("/me/blocks/{id_of_two}")).await;
    assert_eq!(unblocked.status, 204);
    let met = seek(&server, &two, &["zeno", "tavla"]).await;
    assert!(met["match"].is_string(), "{met}");
    server.stop().await;
}
