//! The server is killed while a guest is adopted or erased: the next one goes on.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{child::Process, running};
use crate::support::{
    assert_sound,
    http::{Answer, Request},
};

const PASSWORD: &str = "three rolls of the dice";

/// How many matches the guest has: so many that the server is killed while it rewrites them.
const MATCHES: usize = 24;

/// The longest wait: nothing here takes so long.
const GIVE_UP_AFTER: Duration = Duration::from_mins(1);

async fn ask(server: &Process, method: &str, path: &str, token: &str, body: &Value) -> Answer {
    let request = Request::new(method, &format!("/api/v1{path}")).token(token).json(body);
    request.send(server.address()).await.expect("the server runs")
}

async fn guest(server: &Process, name: &str) -> String {
    let request = Request::new("POST", "/api/v1/guests").json(&json!({"name": name}));
    let made = request.send(server.address()).await.expect("the server runs");
    text(&made.json()["token"])
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// A guest who plays matches against another one, each with a turn: their tokens.
async fn playing(server: &Process) -> [String; 2] {
    let (one, other) = (guest(server, "Agathias").await, guest(server, "Zeno").await);
    for _ in 0..MATCHES {
        let made =
            ask(server, "POST", "/matches", &one, &json!({"game": "tablut", "side": "attackers"})).await;
        assert_eq!(made.status, 201, "{made:?}");
        let id = text(&made.json()["match"]["id"]);
        let joined = ask(server, "POST", &format!("/matches/{id}/join"), &other, &json!({})).await;
        assert_eq!(joined.status, 200, "{joined:?}");
    }
    [one, other]
}

/// The matches of somebody, as lists show them.
async fn matches(server: &Process, token: &str) -> Vec<Value> {
    let listed = ask(server, "GET", "/me/matches?limit=100", token, &json!({})).await.json();
    listed["matches"].as_array().expect("matches").clone()
}

/// Asks again and again until it is so.
async fn until(mut is_so: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < GIVE_UP_AFTER, "it never comes to it");
    }
}

/// Sends a request, and kills the server once something has been done, or nothing is left to do.
async fn killed(server: Process, request: Request, has_begun: impl AsyncFn(&Process) -> bool) {
    let address = server.address();
    let asking = tokio::spawn(async move { request.send(address).await });
    until(async || has_begun(&server).await).await;
    server.kill();
    // It may have been answered just before.
    drop(asking.await);
}

#[tokio::test]
async fn an_adoption_goes_on_after_a_kill() {
    let (place, database, server) = running();
    let [guest, other] = playing(&server).await;
    let account = self::guest(&server, "Agathias of Myrina").await;
    let opening = json!({"handle": "agathias", "password": PASSWORD});
    assert_eq!(ask(&server, "POST", "/me/account", &account, &opening).await.status, 201);
    let me = ask(&server, "GET", "/me", &account, &json!({})).await.json()["id"].clone();
    let adopted = ask(&server, "GET", "/me", &guest, &json!({})).await.json()["id"].clone();

    let request = Request::new("POST", "/api/v1/me/adopt").token(&account).json(&json!({"token": guest}));
    killed(server, request, async |server| !matches(server, &account).await.is_empty()).await;

    let server = Process::start(&database);
    let refused = ask(&server, "GET", "/me", &guest, &json!({})).await;
    assert_eq!(refused.json()["code"], "unknown_token", "it is inevitable");
    until(async || matches(&server, &account).await.len() == MATCHES).await;
    for card in matches(&server, &other).await {
        let of_seat = &card["players"]["1"];
        assert_eq!((&of_seat["id"], &of_seat["name"]), (&me, &json!("Agathias")), "{card}");
        let path = format!("/matches/{}/record", text(&card["id"]));
        let record = ask(&server, "GET", &path, &account, &json!({})).await.json();
        assert_sound(&serde_json::from_value(record).expect("a record"));
    }

    // Nothing is left of either once the account is erased.
    until(async || place.count("departures") == 0).await;
    let erased = ask(&server, "DELETE", "/me/account", &account, &json!({"password": PASSWORD})).await;
    assert_eq!(erased.status, 204, "{erased:?}");
    for gone in ["Agathias", &text(&adopted), "agathias"] {
        assert!(!place.holds(gone), "the database still holds {gone:?}");
    }
}

#[tokio::test]
async fn an_erasure_goes_on_after_a_kill() {
    let (place, database, server) = running();
    let [guest, other] = playing(&server).await;
    let request = Request::new("DELETE", "/api/v1/me").token(&guest);
    let is_of_erased = |card: &Value| card["players"]["1"]["name"] == "Erased guest";
    killed(server, request, async |server| ask(server, "GET", "/me", &guest, &json!({})).await.status == 401)
        .await;

    let server = Process::start(&database);
    assert_eq!(ask(&server, "GET", "/me", &guest, &json!({})).await.json()["code"], "unknown_token");
    until(async || matches(&server, &other).await.iter().all(is_of_erased)).await;
    assert_eq!(matches(&server, &other).await.len(), MATCHES, "the matches are the other's, too");
    until(async || place.count("departures") == 0).await;
    assert!(!place.holds("Agathias"), "the database still holds the name");
}
