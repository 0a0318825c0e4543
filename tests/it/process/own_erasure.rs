//! A person who erases themselves.

use std::{
    fs::{self, File},
    process::Command,
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{child::Process, sound_record, table::Table};
use crate::support::{
    browser::Browser,
    database::DatabasePlace,
    http::{Answer, Request},
    server::GENEROUS,
};

const PASSWORD: &str = "three rolls of the dice";

async fn ask(server: &Process, method: &str, path: &str, token: &str, body: &Value) -> Answer {
    let request = Request::new(method, &format!("/api/v1{path}")).token(token).json(body);
    request.send(server.address()).await.expect("the server runs")
}

/// Nothing that names them is left in any response, in the database, in its WAL and in the server's log.
#[tokio::test]
async fn who_erases_themselves_leaves_their_matches_without_a_name() {
    let (place, logs) = (DatabasePlace::new(), TempDir::new().expect("a temporary folder"));
    let log = logs.path().join("log");
    let server = Process::of(
        Command::new(env!("CARGO_BIN_EXE_lusoria"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "info", "--database"])
            .arg(place.path())
            .args(["--public-url", "https://play.example.org"])
            .args(GENEROUS)
            .stderr(File::create(&log).expect("a file")),
    );
    let mut played = Table::new("tablut", server.address()).await.expect("the server runs");
    for _ in 0..3 {
        played.turn(server.address()).await.expect("the server runs");
    }
    let (token, other) = (played.token(0).to_owned(), played.token(1).to_owned());
    let opening = json!({"handle": "poet-of-myrina", "password": PASSWORD});
    assert_eq!(ask(&server, "POST", "/me/account", &token, &opening).await.status, 201);
    let program = json!({"name": "the parrot of the poet", "scopes": ["match:read"], "password": PASSWORD});
    let made = ask(&server, "POST", "/me/tokens", &token, &program).await;
    assert_eq!(made.status, 201, "{made:?}");
    let device = json!({"handle": "poet-of-myrina", "password": PASSWORD, "device": "the slate of the poet"});
    assert_eq!(ask(&server, "POST", "/sign-in", &token, &device).await.status, 201);
    let profile = ask(&server, "GET", "/players/poet-of-myrina", &other, &json!({})).await;
    assert_eq!(profile.json()["player"]["name"], "Agathias", "{profile:?}");
    let browser = Browser::at("https://web.push.apple.com/the-ear-of-the-poet").subscription();
    assert_eq!(ask(&server, "PUT", "/me/push-subscriptions", &token, &browser).await.status, 200);
    let theirs = [
        "Agathias",
        "poet-of-myrina",
        "the parrot of the poet",
        "the slate of the poet",
        "the-ear-of-the-poet",
    ];
    for text in theirs {
        assert!(place.holds(text), "{text}");
    }

    let erase = async |token: &str, password: &str| {
        ask(&server, "DELETE", "/me/account", token, &json!({"password": password})).await
    };
    assert_eq!(erase(&other, PASSWORD).await.json()["code"], "no_account");
    assert_eq!(erase(&token, "another password").await.json()["code"], "wrong_credentials");
    assert_eq!(ask(&server, "GET", "/me", &token, &json!({})).await.status, 200, "nothing is half done");
    let erased = erase(&token, PASSWORD).await;
    assert_eq!(erased.status, 204, "{erased:?}");

    assert_eq!(ask(&server, "GET", "/me", &token, &json!({})).await.json()["code"], "unknown_token");
    let sign_in = json!({"handle": "poet-of-myrina", "password": PASSWORD});
    assert_eq!(ask(&server, "POST", "/sign-in", &other, &sign_in).await.json()["code"], "wrong_credentials");
    let profile = ask(&server, "GET", "/players/poet-of-myrina", &other, &json!({})).await;
    assert_eq!(profile.json()["code"], "no_such_guest");
    let record = sound_record(&played, &server).await;
    assert_eq!(record["events"][0]["player"]["name"], "Erased guest");
    assert!(!record.to_string().contains("Agathias") && record.to_string().contains("Zeno"));
    for text in theirs {
        assert!(!place.holds(text), "the database or its WAL still holds {text:?}");
    }
    server.terminate().await;
    let said = fs::read_to_string(&log).expect("a log");
    assert!(said.contains("erasing a person's data"), "{said}");
    for text in theirs.into_iter().chain([PASSWORD, token.as_str()]) {
        assert!(!said.contains(text), "the log holds {text:?}: {said}");
    }
}
