//! `lusoria admin`, on a server that runs and on one that does not.

use std::{fs, path::Path};

use lusoria_services::sqlite::File;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{child::Process, lusoria, running, running_on_a_file, sound_record, table::Table};
use crate::support::http::{Answer, Request};

/// What an act answers.
pub(super) fn done(arguments: &[&str], database: &Path) -> Value {
    let said = super::done(&[&["admin", "--json"], arguments].concat(), database);
    serde_json::from_str(&said).expect("JSON")
}

/// What an act says that is refused.
pub(super) fn refused(arguments: &[&str], database: &Path) -> String {
    super::refused(&[&["admin"], arguments].concat(), database)
}

async fn get(path: &str, server: &Process) -> Answer {
    Request::new("GET", path).send(server.address()).await.expect("the server runs")
}

#[tokio::test]
async fn a_match_is_ended_and_those_who_watch_it_are_told() {
    let (_place, database, server) = running();
    let mut table = Table::new("tavla", server.address()).await.expect("the server runs");
    assert!(table.turn(server.address()).await.expect("the server runs"));
    let address = server.address();
    let path = format!("/api/v1/matches/{}/events?since=0", table.id());
    // It ends with the match.
    let stream = Request::new("GET", &path).header("accept", "application/x-ndjson");
    let watching = tokio::spawn(async move { stream.send(address).await.expect("the server runs") });
    let ended = done(&["end", table.id(), "--reason", "a test"], &database);
    assert_eq!(
        (&ended["done"], &ended["state"], &ended["turns"]),
        (&json!("ended"), &json!("finished"), &json!(1))
    );
    let watched = watching.await.expect("it does not panic");
    assert!(watched.body.contains(r#""reason":"operator""#), "{}", watched.body);
    let snapshot = table.snapshot(server.address()).await.expect("the server runs");
    assert_eq!(snapshot["result"], json!({"result": "aborted", "reason": "operator"}));
    assert!(refused(&["end", table.id()], &database).contains(" is over"));
    sound_record(&table, &server).await;
}

#[tokio::test]
async fn an_action_is_logged_by_the_process_that_carries_it_out() {
    let (_place, database, server) = running();
    let table = Table::new("tavla", server.address()).await.expect("the server runs");
    let said = |reason: &str, id: &str| {
        let output = lusoria(&["admin", "end", id, "--reason", reason], &database);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    assert_eq!(said("the server does it", table.id()), "");
    let again = Table::new("tavla", server.address()).await.expect("the server runs");
    server.kill();
    let said = said("no server runs", again.id());
    let of_act = |line: &&str| line.contains("the operator has ended a match") && line.contains(again.id());
    let line = said.lines().find(of_act).unwrap_or_else(|| panic!("it is logged: {said}"));
    assert!(line.contains("no server runs"), "{line}");
}

#[tokio::test]
async fn a_blocked_guest_can_do_nothing_and_their_opponents_do_not_wait() {
    let (_place, database, server) = running();
    let table = Table::new("zeno", server.address()).await.expect("the server runs");
    let blocked = done(&["block", "Agathias"], &database);
    assert_eq!((&blocked["done"], &blocked["ended"]), (&json!("blocked"), &json!(1)));
    assert!(blocked["guest"]["blocked_at"].is_number());
    let me = async |player| {
        let request = Request::new("GET", "/api/v1/me").token(table.token(player));
        request.send(server.address()).await.expect("the server runs")
    };
    let (blocked_guest, other) = (me(0).await, me(1).await);
    assert_eq!((blocked_guest.status, &blocked_guest.json()["code"]), (403, &json!("blocked")));
    assert_eq!(other.status, 200);
    let snapshot = table.snapshot(server.address()).await.expect("the server runs");
    assert_eq!(snapshot["result"]["reason"], "operator");
    // The same by the guest's id, while no server runs.
    server.kill();
    let id = blocked["guest"]["id"].as_str().expect("an id");
    let unblocked = done(&["unblock", id], &database);
    assert_eq!(unblocked["guest"]["blocked_at"], Value::Null);
    let server = Process::start(&database);
    let me = Request::new("GET", "/api/v1/me").token(table.token(0));
    assert_eq!(me.send(server.address()).await.expect("the server runs").status, 200);
}

/// The head of the request came before the guest was blocked, and its body comes afterwards.
#[tokio::test]
async fn a_request_that_was_begun_before_makes_no_match_afterwards() {
    for (act, status, code) in [("block", 403, "blocked"), ("erase", 401, "unknown_token")] {
        let (_place, database, server) = running();
        let table = Table::new("zeno", server.address()).await.expect("the server runs");
        let body = r#"{"game": "tavla"}"#;
        let head = format!(
            "POST /api/v1/matches HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
            table.token(0),
            body.len()
        );
        let mut begun = TcpStream::connect(server.address()).await.expect("the server runs");
        begun.write_all(head.as_bytes()).await.expect("the server runs");
        // The body is asked for when the token has been looked up.
        let mut asks = *b"HTTP/1.1 100 Continue\r\n\r\n";
        let wanted = asks;
        begun.read_exact(&mut asks).await.expect("the server runs");
        assert_eq!(asks, wanted);
        done(&[act, "Agathias"], &database);
        begun.write_all(body.as_bytes()).await.expect("the server runs");
        let mut bytes = Vec::new();
        begun.read_to_end(&mut bytes).await.expect("the server runs");
        let answer = Answer::read(&bytes).expect("an answer");
        assert_eq!((answer.status, &answer.json()["code"]), (status, &json!(code)), "{act}");
        let matches = done(&["statistics"], &database)["matches"].take();
        assert_eq!(matches.as_array().expect("a list").len(), 1, "{matches}");
        assert_eq!((&matches[0]["game"], &matches[0]["state"]), (&json!("zeno"), &json!("finished")));
    }
}

/// The guest's name is gone from every response, from the database and from its WAL. Their matches stay.
#[tokio::test]
async fn an_erased_person_is_forgotten_and_their_matches_stay() {
    let (place, database, server) = running();
    let mut over = Table::new("tablut", server.address()).await.expect("the server runs");
    for _ in 0..3 {
        over.turn(server.address()).await.expect("the server runs");
    }
    let id = {
        let snapshot = over.snapshot(server.address()).await.expect("the server runs");
        snapshot["players"]["1"]["id"].as_str().expect("an id").to_owned()
    };
    let before = over.record(server.address()).await.expect("the server runs");
    // A second device, and another name for a while, so that rows are written that grow and shrink.
    let post = async |what: &str, token: &str, body: Value| {
        let request = Request::new("POST", &format!("/api/v1/{what}")).token(token).json(&body);
        request.send(server.address()).await.expect("the server runs").json()
    };
    let code = post("me/device-code", over.token(0), Value::Null).await["code"].take();
    let device = json!({"code": code, "device": "the telephone of the poet"});
    post("device-codes/spend", over.token(0), device).await;
    for name in ["Agathias the Scholastic", "Agathias"] {
        assert_eq!(done(&["rename", &id, name], &database)["matches"], 0);
    }
    let erased = done(&["erase", "Agathias"], &database);
    assert_eq!(erased, json!({"done": "erased", "id": id, "ended": 1, "matches": 1}));

    let me = Request::new("GET", "/api/v1/me").token(over.token(0)).send(server.address()).await;
    assert_eq!(me.expect("the server runs").json()["code"], "unknown_token");
    assert!(refused(&["guest", &id], &database).contains("there is no guest"));
    let after = sound_record(&over, &server).await;
    assert_eq!(after["events"][0]["player"], json!({"id": id, "name": "Erased guest", "kind": "person"}));
    assert_eq!(after["events"][1], before["events"][1], "the opponent's name stays");
    assert_eq!(after["events"][2], before["events"][2], "what was played stays");
    for path in ["/api/v1/matches?state=finished".to_owned(), format!("/api/v1/matches/{}", over.id())] {
        let answer = get(&path, &server).await;
        assert!(answer.body.contains("Erased guest") && !answer.body.contains("Agathias"), "{}", answer.body);
    }
    // As it lies on the disk while the server runs, unused parts and all.
    assert!(!place.holds("Agathias"), "the database or its WAL still holds the name");
    assert!(!place.holds("the telephone of the poet"), "and the name of the device");
    assert!(place.holds("Zeno"));
    server.terminate().await;
    let server = Process::start(&database);
    let again = over.record(server.address()).await.expect("the server runs");
    assert_eq!(again["events"][0]["player"]["name"], "Erased guest");
}

/// A reader that holds back the WAL is reported, and the WAL is reset when erase is repeated.
#[tokio::test]
async fn data_left_in_the_wal_is_reported_and_goes_with_the_next_erase() {
    let (folder, database, server) = running_on_a_file();
    let guest = Request::new("POST", "/api/v1/guests").json(&json!({"name": "Agathias"}));
    let guest = guest.send(server.address()).await.expect("the server runs").json();
    let id = guest["guest"]["id"].as_str().or(guest["id"].as_str()).expect("an id").to_owned();
    let wal_holds_the_name = || {
        let log = fs::read(folder.path().join("lusoria.db-wal")).expect("a log");
        log.windows(8).any(|window| window == b"Agathias")
    };
    let reads = File::open(&database).expect("a connection");
    reads.run("BEGIN; SELECT COUNT(*) FROM guests").expect("read");
    let is_left = |arguments: &[&str]| {
        let output = lusoria(&[&["admin"], arguments].concat(), &database);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("the WAL may still hold deleted data"), "{said}");
    };
    is_left(&["erase", "Agathias"]);
    assert!(wal_holds_the_name());
    Table::new("zeno", server.address()).await.expect("others play on");
    is_left(&["erase", &id]);
    reads.run("ROLLBACK").expect("ended");
    assert_eq!(done(&["erase", &id], &database), json!({"done": "nothing_left", "id": id}));
    assert!(!wal_holds_the_name());
}

#[tokio::test]
async fn a_guest_is_renamed_from_now_on_or_everywhere() {
    let (_place, database, server) = running();
    let table = Table::new("tabula", server.address()).await.expect("the server runs");
    let name_in_match = async || {
        let snapshot = table.snapshot(server.address()).await.expect("the server runs");
        snapshot["players"]["1"]["name"].clone()
    };
    let renamed = done(&["rename", "Agathias", "Quintus"], &database);
    assert_eq!((&renamed["guest"]["name"], &renamed["matches"]), (&json!("Quintus"), &json!(0)));
    assert_eq!(name_in_match().await, "Agathias");
    let renamed = done(&["rename", "Quintus", "Sextus", "--everywhere"], &database);
    assert_eq!(renamed["matches"], 1);
    assert_eq!(name_in_match().await, "Sextus");
    assert!(refused(&["rename", "Sextus", ""], &database).contains("cannot be a name"));
    assert!(refused(&["rename", "Agathias", "Zeno"], &database).contains("there is no guest \"Agathias\""));
    assert!(refused(&["rename", "Computer 1", "Zeno"], &database).contains("is the computer"));
    // Two of one name are told apart by their ids.
    Table::new("tabula", server.address()).await.expect("the server runs");
    let several = refused(&["block", "Zeno"], &database);
    assert!(several.contains("2 guests are called \"Zeno\"; name one by id: "), "{several}");
}

#[tokio::test]
async fn untouched_matches_are_pruned() {
    let (place, database, server) = running();
    let mut played = Table::new("tavla", server.address()).await.expect("the server runs");
    played.turn(server.address()).await.expect("the server runs");
    let unplayed = Table::new("tavla", server.address()).await.expect("the server runs");
    let nothing = json!({"done": "pruned", "ended": 0, "forgotten": 0, "dry_run": false});
    assert_eq!(done(&["prune", "--older-than", "1h"], &database), nothing);
    server.kill();
    // Nothing else makes a match old.
    place.run(
        "UPDATE matches SET updated_at = updated_at - 360000000; UPDATE journal SET at = at - 360000000",
    );
    assert_eq!(
        done(&["prune", "--older-than", "99h", "--dry-run"], &database),
        json!({"done": "pruned", "ended": 2, "forgotten": 1, "dry_run": true})
    );
    let server = Process::start(&database);
    assert_eq!(
        done(&["prune", "--older-than", "99h"], &database),
        json!({"done": "pruned", "ended": 2, "forgotten": 1, "dry_run": false})
    );
    assert_eq!(done(&["prune", "--older-than", "99h"], &database), nothing);
    let snapshot = played.snapshot(server.address()).await.expect("the server runs");
    assert_eq!(snapshot["result"]["reason"], "operator");
    let gone = get(&format!("/api/v1/matches/{}", unplayed.id()), &server).await;
    assert_eq!(gone.json()["code"], "no_such_match");
    for time in ["90", "soon", "0d"] {
        assert!(refused(&["prune", "--older-than", time], &database).contains("--older-than"));
    }
}

#[tokio::test]
async fn statistics_guests_and_matches_are_told_with_and_without_a_server() {
    let (_place, database, server) = running();
    let table = Table::new("scripta", server.address()).await.expect("the server runs");
    let told = || {
        let statistics = done(&["statistics"], &database);
        assert_eq!((&statistics["people"], &statistics["bots"]), (&json!(2), &json!(0)));
        assert_eq!(statistics["matches"][0]["game"], "scripta");
        assert_eq!(statistics["recent"][0]["made"], 1);
        let guests = done(&["guest", "Zeno"], &database);
        assert_eq!(guests["guests"].as_array().expect("a list").len(), 1);
        let the_match = done(&["match", table.id()], &database);
        assert_eq!(the_match["players"][0]["name"], "Agathias");
        let lines = super::done(&["admin", "statistics"], &database);
        assert!(lines.contains("guests    2 people, 0 bots; 0 blocked"), "{lines}");
        assert!(
            refused(&["match", "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f"], &database)
                .contains("there is no match")
        );
    };
    told();
    server.kill();
    told();
}

#[cfg(unix)]
#[test]
fn the_socket_is_its_owners_and_goes_with_the_server() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().expect("a temporary folder");
    let database = folder.path().join("lusoria.db");
    let socket = folder.path().join("lusoria.db.admin");
    let server = Process::start(&database);
    assert_eq!(fs::metadata(&socket).expect("a socket").permissions().mode() & 0o777, 0o600);
    // A killed one leaves it behind: the next replaces it, and until then the command works alone.
    server.kill();
    assert!(socket.exists());
    assert_eq!(done(&["statistics"], &database)["people"], 0);
    let server = Process::start(&database);
    assert_eq!(done(&["statistics"], &database)["people"], 0);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    assert_eq!(runtime.block_on(server.terminate()).code(), Some(0));
    assert!(!socket.exists());
    // What is there and is no socket stays, and the server plays all the same.
    fs::write(&socket, "mine").expect("room");
    let _server = Process::start(&database);
    assert_eq!(fs::read(&socket).expect("a file"), b"mine");
    // What only asks needs no server.
    assert_eq!(done(&["statistics"], &database)["people"], 0);
    assert!(refused(&["prune", "--older-than", "1h"], &database).contains("does not answer at "));
}

#[test]
fn an_act_without_a_database_makes_none() {
    let folder = TempDir::new().expect("a temporary folder");
    let database = folder.path().join("missing.db");
    assert!(refused(&["statistics"], &database).contains("there is no file "));
    assert!(!database.exists());
}

/// What only asks leaves the database as it is, and needs nobody's leave.
#[tokio::test]
async fn queries_change_nothing() {
    let (folder, database, server) = running_on_a_file();
    Table::new("zeno", server.address()).await.expect("the server runs");
    server.terminate().await;
    let beside = |end: &str| folder.path().join(format!("lusoria.db{end}"));
    fs::remove_file(beside("-lock")).expect("nobody holds it");
    let before = fs::read(&database).expect("a file");
    assert_eq!(done(&["statistics"], &database)["people"], 2);
    assert_eq!(done(&["prune", "--older-than", "1h", "--dry-run"], &database)["dry_run"], true);
    assert_eq!(done(&["tournaments"], &database)["tournaments"], json!([]));
    assert_eq!(done(&["tournaments", "--check"], &database)["differing"], json!([]));
    let unknown = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";
    for (arguments, why) in [
        (&["tournaments", unknown][..], "there is no tournament"),
        (&["tournaments", "--check", unknown], "there is no tournament"),
        (&["tournaments", "--end", unknown], "--reason"),
        (&["tournaments", "--exclude", unknown, "--reason", "a test"], "GUEST"),
        (&["tournaments", unknown, "--reason", "a test"], "--end"),
    ] {
        let said = refused(arguments, &database);
        assert!(said.contains(why), "{arguments:?}: {said}");
    }
    // SQLite needs an empty log to read by, and may leave it.
    let is_log_empty = fs::metadata(beside("-wal")).map_or(true, |log| log.len() == 0);
    assert!(fs::read(&database).expect("a file") == before && is_log_empty && !beside("-lock").exists());
}
