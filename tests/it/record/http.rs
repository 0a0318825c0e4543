//! Records over HTTP: as text, and sent to be judged.

use std::cell::Cell;

use lusoria_protocol::Code;
use lusoria_records::{EVENTS_SENT_MAX, judged, read, text::write};
use lusoria_rules::{Game, Variant};
use lusoria_testkit::{Table, finished, terms};
use serde_json::Value;

use super::exported;
use crate::{
    http::{get, send, server, tablut},
    replay::forged,
    support::{
        http::{Answer, Request},
        random_match::random_match,
    },
};

fn post(kind: &str, body: &str) -> Request {
    Request::new("POST", "/api/v1/records").text(kind, body)
}

fn problem(answer: &Answer) -> (u16, String, Value) {
    let told = answer.json();
    (answer.status, told["code"].as_str().unwrap_or_default().to_owned(), told["line"].clone())
}

#[tokio::test]
async fn a_record_can_be_had_as_text() {
    let server = server().await;
    let (id, _) = tablut(&server).await;
    let path = format!("/api/v1/matches/{id}/record");
    let json = get(&server, &path).await;
    let record = read(json.body.as_bytes()).unwrap().record().unwrap();
    let accepted = send(&server, Request::new("GET", &path).header("accept", "text/plain")).await;
    let asked = get(&server, &format!("{path}?format=text")).await;
    for answer in [accepted, asked] {
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        assert_eq!(answer.body, write(&record));
        assert_eq!(read(answer.body.as_bytes()).unwrap().record().unwrap(), record);
    }
    let either =
        send(&server, Request::new("GET", &path).header("accept", "text/plain, application/json")).await;
    assert_eq!(either.body, json.body);
    let neither = send(&server, Request::new("GET", &path).header("accept", "text/html")).await;
    assert_eq!(problem(&neither).1, "not_acceptable");
    let unknown = get(&server, &format!("{path}?format=pgn")).await;
    assert_eq!(problem(&unknown).1, "invalid_query");
}

#[tokio::test]
async fn a_record_that_is_sent_is_judged_and_given_back() {
    let server = server().await;
    for game in Game::ALL {
        let record = random_match(game, 1).record();
        for (kind, body) in [("application/json", exported(&record)), ("text/plain", write(&record))] {
            let answer = send(&server, post(kind, &body)).await;
            assert_eq!(answer.status, 200, "{}", answer.body);
            let told = answer.json();
            assert_eq!(told["record"], serde_json::to_value(&record).unwrap());
            assert_eq!(told["report"]["sound"], true);
            assert_eq!(told["report"]["over"], record.result.is_some());
            assert_eq!(told["report"]["judged"], record.events.len());
        }
    }
    let mut forged = finished(Game::Zeno, 0);
    let seq = forged::change_a_die(&mut forged);
    let told = send(&server, post("application/json", &exported(&forged))).await.json();
    assert_eq!((&told["report"]["sound"], &told["report"]["faults"][0]["seq"]), (&false.into(), &seq.into()));
}

/// The time is checked between two events, also while a text is replayed.
#[test]
fn a_record_that_takes_too_long_is_given_up() {
    let record = finished(Game::Zeno, 0);
    for body in [exported(&record), write(&record)] {
        let judged = |events: usize| {
            let asked = Cell::new(0);
            let told = judged(body.as_bytes(), &|| asked.replace(asked.get() + 1) < events);
            (told.map(|told| told.report.sound).map_err(|problem| problem.code), asked.get())
        };
        for events in [0, 1, 20] {
            assert_eq!(judged(events), (Err(Code::Unavailable), events + 1));
        }
        assert_eq!(judged(usize::MAX).0, Ok(true));
    }
}

#[tokio::test]
async fn an_invalid_record_is_refused_with_its_line() {
    let server = server().await;
    let text = write(&finished(Game::Tablut, 1));
    let at = text.lines().position(|line| line.starts_with("3. ")).unwrap();
    let turn = text.lines().nth(at).unwrap();
    let illegal = text.replacen(turn, "3. attackers: e5-a5 +0.100", 1);
    for (kind, body, expected) in [
        ("text/plain", "", (422, "unreadable_record", Value::Null)),
        ("text/plain", "hello", (422, "unreadable_record", Value::Null)),
        ("application/json", "{\"format\":", (422, "unreadable_record", 1.into())),
        ("text/plain", &illegal, (422, "unreadable_record", (at + 1).into())),
        ("image/png", "hello", (415, "unsupported_media_type", Value::Null)),
    ] {
        let answer = send(&server, post(kind, body)).await;
        let (status, code, line) = problem(&answer);
        assert_eq!((status, code.as_str(), line), expected, "{}", answer.body);
    }
    let long = send(&server, post("text/plain", &" ".repeat((4 << 20) + 1))).await;
    assert_eq!(problem(&long).1, "body_too_large");
    let mut table = Table::new(terms(Variant::standard(Game::Tablut)), 0);
    table.turn();
    let events = "seat 1 offers a draw +0.100\n".repeat(EVENTS_SENT_MAX);
    let many = write(&table.record()).replacen("5 events", &format!("{events}5 events"), 1);
    let refused = send(&server, post("text/plain", &many)).await;
    assert_eq!(
        (problem(&refused).1.as_str(), &refused.json()["limit"]),
        ("unreadable_record", &EVENTS_SENT_MAX.into())
    );
}

/// `4.0` is 4 in JSON, and what may be missing may be null.
#[tokio::test]
async fn a_record_that_is_sent_may_have_fractions_and_nulls() {
    let server = server().await;
    let record = Table::open(terms(Variant::standard(Game::Zeno)), 6).record();
    let mut value = serde_json::to_value(&record).unwrap();
    value["points"] = 1.0.into();
    value["events"][0]["seq"] = 1.0.into();
    value["players"]["2"] = Value::Null;
    let answer = send(&server, post("application/json", &value.to_string())).await;
    assert_eq!((answer.status, &answer.json()["report"]["sound"]), (200, &Value::Bool(true)));
    assert_eq!(answer.json()["record"], serde_json::to_value(&record).unwrap());

    value["points"] = 1.5.into();
    let broken = send(&server, post("application/json", &value.to_string())).await;
    assert_eq!(problem(&broken).1, "unreadable_record");
    // It must not be read by one who takes the first and by one who takes the last.
    value["points"] = 1.0.into();
    let twice = value.to_string().replacen("\"points\":1.0", "\"points\":1.0,\"points\":2.0", 1);
    let broken = send(&server, post("application/json", &twice)).await;
    assert_eq!(problem(&broken).1, "unreadable_record");
}
