//! Exports: the records of many matches in one response.

use std::{collections::BTreeMap, io::Read as _, sync::Arc};

use flate2::read::DeflateDecoder;
use lusoria::{
    app::{ClientAddress, Wanted},
    config::Limits,
    live::ServerTime,
    server::Server,
};
use lusoria_play::MatchId;
use lusoria_protocol::{Code, CreateGuest};
use lusoria_store::Store;
use rawzip::{CompressionMethod, ZipArchive};
use serde_json::{Value, json};

use crate::{
    accounts::{account, get_as},
    http::{assert_problem, get, guest, other_token, post, send, server},
    limits::raw,
    players::play,
    support::{
        browser::Browser,
        database,
        http::{Answer, Request},
        server::{ADDRESS, app, guest as caller, server_over, server_with},
        store::{FailingStore, Fault, Read},
    },
    tournaments::served::announcement,
};

async fn exported(server: &Server, token: Option<&str>, path: &str, accept: &str) -> Answer {
    let request = Request::new("GET", &format!("/api/v1{path}")).header("accept", accept);
    send(server, token.iter().fold(request, |request, token| request.token(token))).await
}

fn records(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    answer.body.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

async fn record(server: &Server, id: &str) -> Value {
    get(server, &format!("/api/v1/matches/{id}/record")).await.json()
}

#[tokio::test]
async fn everybody_gets_the_records_that_they_may_see_and_the_player_gets_all() {
    let server = server().await;
    let (_, agathias, _) = account(&server, "agathias").await;
    let (_, theodora, _) = account(&server, "theodora").await;
    let stranger = guest(&server).await;
    let lost = play(&server, &agathias, &theodora, &json!({"game": "tablut"}), true).await;
    let live = play(&server, &stranger, &agathias, &json!({"game": "tavla", "points": 5}), false).await;
    let hidden = json!({"game": "tablut", "admission": "invitation"});
    let hidden = play(&server, &agathias, &theodora, &hidden, true).await;
    assert_eq!(post(&server, &agathias, "/matches", &json!({"game": "zeno"})).await.status, 201);

    let [lost, live, hidden] = [&lost, &live, &hidden].map(String::as_str);
    let path = "/players/Agathias/records";
    let everybodys = [live, lost];
    let all = [hidden, live, lost];
    for (token, path, expected) in [
        (None, path, &everybodys[..]),
        (Some(&stranger), path, &everybodys),
        (Some(&agathias), path, &all),
        (Some(&theodora), path, &all),
        (Some(&agathias), "/me/records", &all),
        (Some(&theodora), "/me/records", &[hidden, lost]),
        (Some(&stranger), "/me/records", &[live]),
        (Some(&agathias), "/me/records?result=lost", &[hidden, lost]),
        (Some(&agathias), "/me/records?opponent=theodora&until=1", &[]),
        (None, "/players/agathias/records?game=tavla&points=5&clock=none", &[live]),
        (None, "/players/agathias/records?result=won", &[]),
    ] {
        let found = records(&exported(&server, token.map(String::as_str), path, "*/*").await);
        let mut single = Vec::new();
        for id in expected {
            single.push(record(&server, id).await);
        }
        assert_eq!(found, single, "{path}");
    }
}

#[tokio::test]
async fn texts_stand_one_after_another_as_they_do_alone() {
    let server = server().await;
    let (_, agathias, _) = account(&server, "agathias").await;
    let other = guest(&server).await;
    let mut texts = Vec::new();
    for _ in 0..3 {
        let id = play(&server, &agathias, &other, &json!({"game": "tablut"}), true).await;
        texts.insert(0, get(&server, &format!("/api/v1/matches/{id}/record?format=text")).await.body);
    }
    let by_type = exported(&server, None, "/players/agathias/records", "text/plain").await;
    assert_eq!(by_type.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(by_type.body, texts.join("\n"));
    let path = "/players/agathias/records?format=text";
    let by_parameter = exported(&server, None, path, "application/x-ndjson").await;
    assert_eq!(by_parameter.body, by_type.body);
}

#[tokio::test]
async fn an_export_that_cannot_be_is_refused() {
    let server = server().await;
    let (_, agathias, _) = account(&server, "agathias").await;
    let path = "/players/agathias/records";
    assert_problem(&exported(&server, None, path, "application/json").await, 406, "not_acceptable");
    assert_problem(&exported(&server, None, "/me/records", "*/*").await, 401, "unauthorized");
    for path in ["/players/nobody/records", "/players/agathias/records?opponent=nobody"] {
        assert_problem(&exported(&server, None, path, "*/*").await, 404, "no_such_guest");
    }
    for query in ["format=json", "limit=1", "cursor=x", "result=open"] {
        let refused = exported(&server, Some(&agathias), &format!("/me/records?{query}"), "*/*").await;
        assert_problem(&refused, 400, "invalid_query");
    }
}

#[tokio::test]
async fn one_export_runs_at_a_time_for_each_guest() {
    let app = app(database::store(), 1_000, 7, &Limits::usual()).await.expect("an empty store");
    let ((one, _), (two, _)) =
        (caller(&app, CreateGuest::default()).await, caller(&app, CreateGuest::default()).await);
    let address = ClientAddress(ADDRESS);
    let begin = |who| app.my_records(who, Wanted::default(), address);
    let first = begin(&one).await.expect("none runs");
    let refused = begin(&one).await.err().expect("it runs");
    assert_eq!((refused.code, refused.limit), (Code::TooManyRequests, Some(1)));
    let mut others = begin(&two).await.expect("somebody else's");
    assert!(others.next().await.expect("it is read").is_none());
    drop(first);
    assert!(begin(&one).await.is_ok());
}

/// What is broken off has no last chunk.
async fn is_broken_off(server: &Server, token: &str) -> bool {
    let request = Request::new("GET", "/api/v1/me/records").token(token);
    let answer = request.send(server.address()).await;
    assert!(
        answer.as_ref().is_err() || answer.as_ref().is_ok_and(|answer| answer.status == 200),
        "{answer:?}"
    );
    answer.is_err()
}

#[tokio::test]
async fn an_export_that_fails_is_broken_off() {
    let store = FailingStore::default();
    let server = server_over(Arc::clone(&store) as Arc<Store>, ServerTime::from_system(), &[]).await;
    let (one, two) = (guest(&server).await, guest(&server).await);
    let id = play(&server, &one, &two, &json!({"game": "tablut"}), true).await;
    play(&server, &one, &two, &json!({"game": "tablut"}), true).await;
    assert!(!is_broken_off(&server, &one).await);
    store.fail(MatchId(id.parse().expect("an id")), Fault::Unreadable);
    assert!(is_broken_off(&server, &one).await);
    store.heal();
    assert!(!is_broken_off(&server, &one).await, "and it runs no longer");
}

#[tokio::test]
async fn an_export_ends_with_the_token_that_began_it() {
    let store = FailingStore::default();
    let server = server_over(Arc::clone(&store) as Arc<Store>, ServerTime::from_system(), &[]).await;
    let (token, opponent) = (guest(&server).await, guest(&server).await);
    let other = other_token(&server, &token).await;
    for _ in 0..2 {
        play(&server, &token, &opponent, &json!({"game": "tablut"}), true).await;
    }
    let address = server.address();
    store.interrupt(Read::List, async move {
        let sign_out = Request::new("DELETE", "/api/v1/me/sessions").token(&other);
        assert_eq!(sign_out.send(address).await.expect("an answer").status, 204);
    });
    assert!(is_broken_off(&server, &token).await);
}

/// The files of the archive of everything that is stored of somebody.
async fn archived(server: &Server, token: &str) -> BTreeMap<String, String> {
    let request = format!("GET /api/v1/me/export HTTP/1.0\r\nauthorization: Bearer {token}\r\n\r\n");
    let answer = raw(server, request.as_bytes()).await;
    let head_ends = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    let (head, zip) = answer.split_at(head_ends);
    let head = String::from_utf8_lossy(head).to_lowercase();
    assert!(head.starts_with("http/1.0 200 ") && head.contains("content-type: application/zip"), "{head}");
    assert!(head.contains("content-disposition: attachment; filename=\"lusoria.zip\""), "{head}");
    let archive = ZipArchive::from_slice(zip).expect("an archive");
    let (mut files, mut entries) = (BTreeMap::new(), archive.entries());
    while let Some(entry) = entries.next_entry().expect("an entry") {
        assert_eq!(entry.compression_method(), CompressionMethod::DEFLATE);
        let name = entry.file_path().try_normalize().expect("a name").as_ref().to_owned();
        let packed = archive.get_entry(entry.wayfinder()).expect("a file");
        let mut text = String::new();
        let mut unpacked = packed.verifying_reader(DeflateDecoder::new(packed.data()));
        unpacked.read_to_string(&mut text).expect("a text with its sum");
        assert_eq!(files.insert(name.clone(), text), None, "{name}");
    }
    files
}

#[tokio::test]
async fn a_person_takes_everything_with_them_but_secrets() {
    let server = server_with(&["--public-url", "https://play.example.org"]).await;
    let (_, token, codes) = account(&server, "agathias").await;
    let (other_id, other, _) = account(&server, "theodora").await;
    let cup = announcement("Ours", &json!({"listed": false}));
    assert_eq!(post(&server, &token, "/tournaments", &cup).await.status, 201);
    for is_resigned in [true, false] {
        let hidden = json!({"game": "tablut", "admission": "invitation"});
        play(&server, &token, &other, &hidden, is_resigned).await;
    }
    let correspondence = json!({"game": "tablut", "clock": {"kind": "days", "days": 3}});
    let correspondence = play(&server, &token, &other, &correspondence, false).await;
    let laid_path = format!("/matches/{correspondence}/conditional-turns");
    let seq =
        get(&server, &format!("/api/v1/matches/{correspondence}")).await.json()["to_play"]["seq"].clone();
    let laid = json!({"seq": seq, "lines": [], "forced": true});
    let put = Request::new("PUT", &format!("/api/v1{laid_path}")).token(&token).json(&laid);
    assert_eq!(send(&server, put).await.status, 200);
    let path = format!("/api/v1/me/blocks/{other_id}");
    assert_eq!(send(&server, Request::new("PUT", &path).token(&token)).await.status, 204);
    let path = format!("/api/v1/me/follows/{other_id}");
    assert_eq!(send(&server, Request::new("PUT", &path).token(&token)).await.status, 204);
    let seek = json!({"games": ["zeno"], "clocks": [{"kind": "days", "days": 3}]});
    assert_eq!(post(&server, &token, "/seeks", &seek).await.status, 201);
    let password = "three rolls of the dice";
    let program = json!({"name": "a parrot", "scopes": ["match:read"], "password": password});
    let program = post(&server, &token, "/me/tokens", &program).await.json();
    let device = json!({"handle": "agathias", "password": password, "device": "a slate"});
    let device = post(&server, &token, "/sign-in", &device).await.json();

    let browser = Browser::at("https://web.push.apple.com/where-they-listen").subscription();
    let put = Request::new("PUT", "/api/v1/me/push-subscriptions").token(&token).json(&browser);
    assert_eq!(send(&server, put).await.status, 200);

    let preferred = json!({"preferences": {"board": "stone"}});
    let change = Request::new("PATCH", "/api/v1/me/preferences").token(&token).json(&preferred);
    assert_eq!(send(&server, change).await.status, 200);

    let files = archived(&server, &token).await;
    for (file, path) in [
        ("me.json", "/me"),
        ("account.json", "/me/account"),
        ("sessions.json", "/me/sessions"),
        ("api-tokens.json", "/me/tokens"),
        ("passkeys.json", "/me/passkeys"),
        ("preferences.json", "/me/preferences"),
        ("push-subscriptions.json", "/me/push-subscriptions"),
        ("blocks.json", "/me/blocks"),
        ("follows.json", "/me/follows"),
        ("challenge-settings.json", "/me/challenge-settings"),
        ("challenges.json", "/challenges"),
        ("seeks.json", "/seeks"),
        ("talk-settings.json", "/me/talk-settings"),
        ("matches.ndjson", "/me/records"),
        ("matches.txt", "/me/records?format=text"),
    ] {
        let alone = get_as(&server, &token, path).await;
        assert_eq!((alone.status, &alone.body), (200, &files[file]), "{file}");
        assert!(files["README.txt"].contains(&format!("\n{file} ")), "{file} is not explained");
    }
    assert!(
        ["conduct.json", "talk.ndjson", "tournaments.ndjson"]
            .iter()
            .all(|file| files["README.txt"].contains(&format!("\n{file} ")))
    );
    assert_eq!(files.len(), 20, "{:?}", files.keys());
    let cups = get_as(&server, &token, "/players/agathias/tournaments").await.json();
    let kept: Value = serde_json::from_str(&files["tournaments.ndjson"]).expect("one line");
    assert_eq!(json!([kept]), cups["tournaments"]);
    let kept: Value = serde_json::from_str(&files["conditional-turns.json"]).expect("JSON");
    assert_eq!(kept, json!({"matches": [{"match": correspondence, "turns": laid}]}));
    assert_eq!(files["matches.ndjson"].lines().count(), 3);
    assert!(files["api-tokens.json"].contains("a parrot") && files["sessions.json"].contains("a slate"));
    let secret = |of: &Value| of["token"].as_str().expect("a token").to_owned();
    let endpoint = "where-they-listen".to_owned();
    let secrets = vec![token, other, secret(&program), secret(&device), password.to_owned(), endpoint];
    let secrets = [secrets, codes].concat();
    for (name, text) in &files {
        assert!(secrets.iter().all(|secret| !text.contains(secret.as_str())), "{name} has a secret");
    }
    let guests = archived(&server, &guest(&server).await).await;
    assert!(!guests.contains_key("account.json") && guests["matches.ndjson"].is_empty(), "{guests:?}");
}

#[tokio::test]
async fn an_archive_that_fails_is_broken_off() {
    let store = FailingStore::default();
    let server = server_over(Arc::clone(&store) as Arc<Store>, ServerTime::from_system(), &[]).await;
    let (one, two) = (guest(&server).await, guest(&server).await);
    let id = play(&server, &one, &two, &json!({"game": "tablut"}), true).await;
    store.fail(MatchId(id.parse().expect("an id")), Fault::Unreadable);
    let request = format!(
        "GET /api/v1/me/export HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {one}\r\n\r\n"
    );
    let answer = raw(&server, request.as_bytes()).await;
    assert!(answer.starts_with(b"HTTP/1.1 200 ") && !answer.ends_with(b"0\r\n\r\n"), "it has no last chunk");
    store.heal();
    assert_eq!(archived(&server, &one).await["matches.ndjson"].lines().count(), 1);
}
