//! The API over plain HTTP: what is refused and how, what is served, and how streams run.

use std::{net::SocketAddr, sync::Arc};

use lusoria::{live::ServerTime, server::Server};
use lusoria_store::Store;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    net::TcpStream,
};

use crate::support::{
    http::{Answer, Request},
    server::{server_over, server_with},
    store::{FailingStore, Read},
};

pub(crate) async fn server() -> Server {
    server_with(&[]).await
}

pub(crate) async fn send(server: &Server, request: Request) -> Answer {
    request.send(server.address()).await.expect("an answer")
}

pub(crate) async fn get(server: &Server, path: &str) -> Answer {
    send(server, Request::new("GET", path)).await
}

pub(crate) async fn guest(server: &Server) -> String {
    let answer = send(server, Request::new("POST", "/api/v1/guests").json(&json!({}))).await;
    answer.json()["token"].as_str().expect("a token").to_owned()
}

pub(crate) async fn post(server: &Server, token: &str, path: &str, body: &Value) -> Answer {
    send(server, Request::new("POST", &format!("/api/v1{path}")).token(token).json(body)).await
}

/// A match of two, ready to be played: its id, and the tokens of White and Black.
pub(crate) async fn tablut(server: &Server) -> (String, [String; 2]) {
    let (attackers, defenders) = (guest(server).await, guest(server).await);
    let terms = json!({"game": "tablut", "side": "attackers"});
    let created = post(server, &attackers, "/matches", &terms).await;
    let id = created.json()["match"]["id"].as_str().expect("an id").to_owned();
    let joined = post(server, &defenders, &format!("/matches/{id}/join"), &json!({})).await;
    assert_eq!(joined.status, 200, "{joined:?}");
    (id, [attackers, defenders])
}

#[track_caller]
pub(crate) fn assert_problem(answer: &Answer, status: u16, code: &str) {
    assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{answer:?}");
    let problem = answer.json();
    assert_eq!((answer.status, problem["code"].as_str()), (status, Some(code)), "{answer:?}");
    assert_eq!(problem["status"], status);
    assert_eq!(problem["type"], format!("/problems/{code}"));
    assert!(!problem["detail"].as_str().expect("words").is_empty());
}

#[tokio::test]
async fn every_refusal_is_a_problem() {
    let server = server().await;
    let token = guest(&server).await;
    let request = |method: &str, path: &str| Request::new(method, path);
    let raw =
        |path: &str, body: &str| Request::new("POST", path).token(&token).text("application/json", body);
    let matches = "/api/v1/matches";
    let nobody = "/api/v1/matches/0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";
    let turn = format!("{nobody}/turn");
    let rules = "/api/v1/rules/zeno";
    let table = [
        (request("GET", "/nothing"), 404, "not_found"),
        (request("GET", "/api/v1/nothing"), 404, "not_found"),
        (request("GET", "/api/v1/games/chess"), 404, "no_such_game"),
        (request("GET", "/api/v1/matches/1"), 404, "no_such_match"),
        (request("GET", nobody), 404, "no_such_match"),
        (request("GET", "/api/v1/games/%ff"), 400, "invalid_path"),
        (request("PUT", matches), 405, "method_not_allowed"),
        (request("TRACE", "/api/v1/games").token("wrong"), 405, "method_not_allowed"),
        (request("GET", "/api/v1/me"), 401, "unauthorized"),
        (request("GET", "/api/v1/me").token("wrong"), 401, "unknown_token"),
        (request("GET", "/api/v1/me").header("authorization", "Basic eA=="), 401, "unauthorized"),
        (request("GET", nobody).token("wrong"), 401, "unknown_token"),
        (request("GET", "/api/v1/games").header("accept", "text/html"), 406, "not_acceptable"),
        (request("GET", "/api/v1/lobby/events").header("accept", "image/png"), 406, "not_acceptable"),
        (request("GET", "/api/v1/matches?limit=0"), 400, "invalid_query"),
        (request("GET", "/api/v1/matches?limit=many"), 400, "invalid_query"),
        (request("GET", "/api/v1/matches?colour=red"), 400, "invalid_query"),
        (request("POST", "/api/v1/sign-in?handle=zeno&password=x"), 400, "secret_in_url"),
        (request("GET", "/api/v1/me?access_token=x"), 400, "secret_in_url"),
        (request("GET", "/api/v1/socket?token=x"), 400, "secret_in_url"),
        (request("GET", "/api/v1/matches?cursor=x"), 400, "invalid_query"),
        (request("GET", &format!("{nobody}/events?since=-1")), 400, "invalid_query"),
        (request("GET", &format!("{nobody}/events?positions=no")), 400, "invalid_query"),
        (request("GET", &format!("{nobody}/analysis?x=1")), 400, "invalid_query"),
        (raw(matches, "{"), 400, "invalid_json"),
        (raw(matches, r#"{"game": "zeno"} {}"#), 400, "invalid_json"),
        (raw(matches, ""), 400, "invalid_json"),
        (raw(matches, "[]"), 422, "invalid_body"),
        (raw(matches, "{}"), 422, "invalid_body"),
        (raw(matches, r#"{"game": "chess"}"#), 422, "invalid_body"),
        (raw(matches, r#"{"game": 5}"#), 422, "invalid_body"),
        (raw(matches, r#"{"game": "zeno", "side": null}"#), 422, "invalid_body"),
        (raw(matches, r#"{"game": "zeno", "stake": 5}"#), 422, "invalid_body"),
        (raw(matches, r#"{"game": "zeno", "game": "tavla"}"#), 422, "invalid_body"),
        (raw(matches, r#"{"game": "zeno", "options": []}"#), 422, "invalid_body"),
        (raw(matches, r#"{"game": "zeno", "points": 100}"#), 422, "invalid_body"),
        (raw(matches, r#"{"game": "zeno", "points": -1}"#), 422, "invalid_body"),
        (
            raw(matches, r#"{"game": "zeno", "clock": {"kind": "days", "days": 2, "base_ms": 1}}"#),
            422,
            "invalid_body",
        ),
        (raw(matches, r#"{"game": "zeno", "options": {"throne": "king"}}"#), 409, "unknown_option"),
        (raw(matches, r#"{"game": "zeno", "side": "attackers"}"#), 409, "unknown_side"),
        (
            raw(matches, &format!(r#"{{"game": "zeno", "x": "{}"}}"#, "x".repeat(20_000))),
            413,
            "body_too_large",
        ),
        (raw(matches, r#"{"game": "zeno"}"#).header("idempotency-key", "two words"), 400, "invalid_header"),
        (request("POST", matches).token(&token), 415, "unsupported_media_type"),
        (
            request("POST", "/api/v1/guests").header("content-type", "text/plain").json(&json!({})),
            415,
            "unsupported_media_type",
        ),
        (raw(&turn, r#"{"seq": 1, "steps": []}"#), 404, "no_such_match"),
        (raw(&turn, r#"{"seq": 1, "steps": [{"from": "1"}]}"#), 422, "invalid_body"),
        (raw(rules, r#"{"dice": [1, 2]}"#), 409, "wrong_dice"),
        (raw(rules, r#"{"dice": [1, 2, 7]}"#), 422, "invalid_body"),
        (
            raw(rules, r#"{"dice": [1, 2, 3], "steps": [{"die": 4, "from": "supply", "to": "4"}]}"#),
            409,
            "illegal_step",
        ),
        (raw(rules, r#"{"dice": [1, 2, 3], "notation": "e4"}"#), 409, "bad_notation"),
        (
            raw(rules, r#"{"dice": [1, 2, 3], "position": {"white": {}, "black": {}, "to_move": "white"}}"#),
            409,
            "impossible_position",
        ),
        (raw("/api/v1/invitations/look", r#"{"code": "x"}"#), 404, "unknown_code"),
        (raw("/api/v1/device-codes/spend", r#"{"code": "x"}"#), 404, "unknown_code"),
    ];
    for (request, status, code) in table {
        let answer = send(&server, request).await;
        assert_problem(&answer, status, code);
        match status {
            405 => assert!(answer.header("allow").is_some(), "{answer:?}"),
            401 => assert_eq!(answer.header("www-authenticate"), Some("Bearer")),
            _ => {}
        }
    }
}

#[tokio::test]
async fn an_error_in_a_body_says_where() {
    let server = server().await;
    let token = guest(&server).await;
    let request = Request::new("POST", "/api/v1/matches").token(&token);
    let request = request.text("application/json", "{\n  \"game\": zeno}");
    let problem = send(&server, request).await.json();
    assert_eq!((&problem["line"], &problem["column"]), (&json!(2), &json!(11)));
    let wrong = json!({"game": "zeno", "clock": {"kind": "days", "days": "two"}});
    let problem = post(&server, &token, "/matches", &wrong).await.json();
    assert!(problem["detail"].as_str().expect("words").starts_with("clock"), "{problem}");
}

#[tokio::test]
async fn a_client_with_too_many_requests_is_told_when_to_retry() {
    let server = server_with(&["--address-requests-per-s", "1", "--address-burst", "2"]).await;
    let ask = || send(&server, Request::new("GET", "/api/v1/games"));
    assert_eq!((ask().await.status, ask().await.status), (200, 200));
    let refused = ask().await;
    assert_problem(&refused, 429, "too_many_requests");
    assert_eq!(refused.header("retry-after"), Some("1"));
    // Whether it lives can always be asked.
    assert_eq!(get(&server, "/healthz").await.status, 200);
}

#[tokio::test]
async fn any_page_may_use_the_api() {
    let server = server().await;
    let preflight = Request::new("OPTIONS", "/api/v1/matches")
        .header("origin", "https://example.org")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type,idempotency-key");
    let answer = send(&server, preflight).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    let headers = answer.header("access-control-allow-headers").expect("headers");
    assert!(headers.contains("authorization") && headers.contains("idempotency-key"), "{headers}");
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    let refused =
        send(&server, Request::new("GET", "/api/v1/me").header("origin", "https://example.org")).await;
    assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn pages_run_no_scripts_but_their_own() {
    let server = server().await;
    for path in ["/", "/api", "/problems", "/problems/not_your_turn"] {
        let page = get(&server, path).await;
        assert_eq!(page.status, 200, "{path}");
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(!page.body.contains("<script>") && !page.body.contains("style="), "{path}");
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    }
}

#[tokio::test]
async fn the_description_has_every_operation_once() {
    let server = server().await;
    let document = get(&server, "/api/openapi.json").await.json();
    assert!(document["openapi"].as_str().expect("a version").starts_with("3.1"));
    let mut ids = std::collections::BTreeSet::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        assert!(path.starts_with("/api/v1/"), "{path}");
        for (method, operation) in methods.as_object().expect("methods") {
            assert!(ids.insert(operation["operationId"].to_string()), "{method} {path}");
            assert!(operation["responses"].get("500").is_some(), "{method} {path}");
        }
    }
    assert_eq!(ids.len(), 123);
    let schema = get(&server, "/api/socket.schema.json").await.json();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
}

/// A stream of lines.
pub(crate) struct Stream(Lines<BufReader<TcpStream>>);

impl Stream {
    pub(crate) async fn open(to: SocketAddr, path: &str, token: Option<&str>) -> Self {
        let mut socket = TcpStream::connect(to).await.expect("a connection");
        let authorization =
            token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
        // HTTP/1.0 bodies come without chunks.
        let head = format!("GET {path} HTTP/1.0\r\naccept: application/x-ndjson\r\n{authorization}\r\n");
        socket.write_all(head.as_bytes()).await.expect("a request sent");
        let mut lines = BufReader::new(socket).lines();
        let status = lines.next_line().await.expect("an answer").expect("a status");
        assert!(status.contains("200"), "{status}");
        while lines.next_line().await.expect("a head").is_some_and(|line| !line.is_empty()) {}
        Self(lines)
    }

    /// The next document; none at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let line = self.0.next_line().await.expect("a line")?;
            if !line.is_empty() {
                return Some(serde_json::from_str(&line).expect("a document"));
            }
        }
    }
}

#[tokio::test]
async fn a_stream_tells_every_event_once_and_in_order_until_the_end() {
    let server = server().await;
    let (id, [attackers, _]) = tablut(&server).await;
    let mut stream = Stream::open(server.address(), &format!("/api/v1/matches/{id}/events"), None).await;
    let first = stream.next().await.expect("the first event");
    assert_eq!((&first["seq"], &first["type"]), (&json!(1), &json!("created")));
    let resigned = post(&server, &attackers, &format!("/matches/{id}/resign"), &json!({})).await;
    let head = resigned.json()["head"].as_u64().expect("a number");
    let mut seen = vec![1];
    while let Some(event) = stream.next().await {
        seen.push(event["seq"].as_u64().expect("a number"));
    }
    assert_eq!(seen, (1..=head).collect::<Vec<_>>());
    // From the journal: the same, from anywhere.
    let mut rest =
        Stream::open(server.address(), &format!("/api/v1/matches/{id}/events?since=2&follow=false"), None)
            .await;
    assert_eq!(rest.next().await.expect("an event")["seq"], 3);
}

/// Readers who fold the events themselves ask for turns without positions.
#[tokio::test]
async fn events_come_without_positions_on_request() {
    let server = server().await;
    let (id, [attackers, defenders]) = tablut(&server).await;
    let path = format!("/api/v1/matches/{id}/events");
    let live = async |query: &str| Stream::open(server.address(), &format!("{path}{query}"), None).await;
    let (mut full, mut lean) = (live("").await, live("?positions=false").await);
    for token in [&attackers, &defenders, &attackers] {
        let legal = post(&server, token, &format!("/matches/{id}/legal"), &json!({})).await.json();
        let turn = json!({"seq": legal["seq"], "steps": [legal["steps"][0]]});
        assert_eq!(post(&server, token, &format!("/matches/{id}/turn"), &turn).await.status, 200);
    }
    let resigned = post(&server, &attackers, &format!("/matches/{id}/resign"), &json!({})).await;
    assert_eq!(resigned.status, 200);
    let mut told = Vec::new();
    while let Some(mut event) = full.next().await {
        let position = event.as_object_mut().expect("an event").remove("position");
        assert_eq!(position.is_some(), event["type"] == "turned" || event["type"] == "game_started");
        if event["type"] == "game_started" {
            event["position"] = position.expect("a position");
        }
        told.push(event);
    }
    assert_eq!(told.iter().filter(|event| event["type"] == "turned").count(), 3);
    let mut streamed = Vec::new();
    while let Some(event) = lean.next().await {
        streamed.push(event);
    }
    assert_eq!(streamed, told);
    // The journal, as a page and as a stream, and with positions if that is what is said.
    assert_eq!(get(&server, &format!("{path}?positions=false")).await.json()["events"], json!(told));
    assert_eq!(
        get(&server, &format!("{path}?positions=true")).await.json(),
        get(&server, &path).await.json()
    );
    let mut rest = live("?since=3&follow=false&positions=false").await;
    for event in &told[3..] {
        assert_eq!(rest.next().await.as_ref(), Some(event));
    }
    assert_eq!(rest.next().await, None);
    let wrong = get(&server, &format!("{path}?positions=0")).await;
    assert!(wrong.json()["detail"].as_str().expect("words").contains("positions"), "{wrong:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_is_read_while_the_match_ends_tells_its_end() {
    let server = server_with(&["--new-guests-per-hour", "10000"]).await;
    for _ in 0..30 {
        let (id, [attackers, _]) = tablut(&server).await;
        let path = format!("/api/v1/matches/{id}/events");
        let mut stream = Stream::open(server.address(), &path, None).await;
        let (resign, all) = (format!("/matches/{id}/resign"), json!({}));
        let (_, last) = tokio::join!(post(&server, &attackers, &resign, &all), async {
            let mut last = Value::Null;
            while let Some(event) = stream.next().await {
                last = event;
            }
            last
        });
        assert_eq!(last["type"], "match_ended");
    }
}

#[tokio::test]
async fn a_player_is_told_what_waits_for_them() {
    let server = server().await;
    let (id, [attackers, defenders]) = tablut(&server).await;
    let mut waiting = Stream::open(server.address(), "/api/v1/me/events", Some(&attackers)).await;
    let notice = waiting.next().await.expect("a notice");
    assert_eq!((&notice["notice"], &notice["match"]["id"]), (&json!("your_turn"), &json!(id)));
    let mut other = Stream::open(server.address(), "/api/v1/me/events", Some(&defenders)).await;
    let legal = post(&server, &attackers, &format!("/matches/{id}/legal"), &json!({})).await.json();
    let turn = json!({"seq": legal["seq"], "steps": [legal["steps"][0]]});
    assert_eq!(post(&server, &attackers, &format!("/matches/{id}/turn"), &turn).await.status, 200);
    let notice = other.next().await.expect("a notice");
    assert_eq!((&notice["notice"], &notice["match"]["your_turn"]), (&json!("your_turn"), &json!(true)));
}

/// A player who reconnects learns of a draw, or a rematch, that was offered meanwhile: on the new stream,
/// and in the response to a plain request.
#[tokio::test]
async fn a_stream_begins_with_what_is_offered_to_its_reader() {
    let server = server().await;
    let (id, [attackers, defenders]) = tablut(&server).await;
    let first = |token: String| {
        let address = server.address();
        async move { Stream::open(address, "/api/v1/me/events", Some(&token)).await.next().await }
    };
    let told = |notice: Option<Value>| {
        let notice = notice.expect("a notice");
        (notice["notice"].clone(), notice["match"]["id"].clone(), notice["match"]["state"].clone())
    };
    let offer = json!({"action": "offer"});
    for (path, state) in [("draw", "live"), ("rematch", "finished")] {
        if path == "rematch" {
            let resigned = post(&server, &attackers, &format!("/matches/{id}/resign"), &json!({})).await;
            assert_eq!(resigned.status, 200);
        }
        let offered = post(&server, &attackers, &format!("/matches/{id}/{path}"), &offer).await;
        assert_eq!(offered.status, 200, "{path}");
        let changed = (json!("match_changed"), json!(id), json!(state));
        assert_eq!(told(first(defenders.clone()).await), changed, "{path}");
        let plain = |token: String| Request::new("GET", "/api/v1/me/events").token(&token);
        let waiting = send(&server, plain(defenders.clone())).await.json();
        assert_eq!((&waiting["waiting"], &waiting["offered"][0]["id"]), (&json!([]), &json!(id)), "{path}");
        let own = send(&server, plain(attackers.clone())).await.json();
        assert_eq!(own["offered"], json!([]), "{path}: the offerer is not told of it");
    }
    let decline = json!({"action": "decline"});
    assert_eq!(post(&server, &defenders, &format!("/matches/{id}/rematch"), &decline).await.status, 200);
    let nothing = send(&server, Request::new("GET", "/api/v1/me/events").token(&defenders)).await.json();
    assert_eq!(nothing, json!({"waiting": [], "offered": []}));
}

#[tokio::test]
async fn the_lobby_tells_what_opens_and_what_closes() {
    let server = server().await;
    let mut lobby = Stream::open(server.address(), "/api/v1/lobby/events", None).await;
    let (id, _) = tablut(&server).await;
    let opened = lobby.next().await.expect("a notice");
    assert_eq!((&opened["notice"], &opened["match"]["id"]), (&json!("opened"), &json!(id)));
    let closed = lobby.next().await.expect("a notice");
    assert_eq!((&closed["notice"], &closed["match"]), (&json!("closed"), &json!(id)));
}

#[tokio::test]
async fn streams_are_counted_for_as_long_as_they_are_open() {
    let server = server_with(&["--sockets-per-address", "1"]).await;
    let (id, [attackers, _]) = tablut(&server).await;
    let events = format!("/api/v1/matches/{id}/events");
    let lobby = "/api/v1/lobby/events".to_owned();
    let personal = "/api/v1/me/events".to_owned();
    let streamed =
        |path: &str| Request::new("GET", path).token(&attackers).header("accept", "application/x-ndjson");
    let mut open = Stream::open(server.address(), &events, None).await;
    for path in [&events, &lobby, &personal] {
        assert_problem(&send(&server, streamed(path)).await, 503, "too_many_connections");
        let page = send(&server, Request::new("GET", path).token(&attackers)).await;
        assert_eq!(page.status, 200, "what is no stream is not counted: {path}");
    }
    post(&server, &attackers, &format!("/matches/{id}/resign"), &json!({})).await;
    while open.next().await.is_some() {}
    let again = send(&server, streamed(&events)).await;
    assert_eq!(again.status, 200, "the stream that has ended has made room: {again:?}");
}

#[tokio::test]
async fn a_spectator_who_takes_the_seat_counts_as_a_player() {
    let server = server().await;
    let (creator, joiner) = (guest(&server).await, guest(&server).await);
    let created = post(&server, &creator, "/matches", &json!({"game": "tablut", "side": "attackers"})).await;
    let id = created.json()["match"]["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/v1/matches/{id}");
    let mut stream = Stream::open(server.address(), &format!("{path}/events"), Some(&joiner)).await;
    assert_eq!(stream.next().await.expect("an event")["type"], "created");
    post(&server, &joiner, &format!("/matches/{id}/join"), &json!({})).await;
    assert_eq!(stream.next().await.expect("an event")["type"], "joined");
    let players = get(&server, &path).await.json()["players"].clone();
    assert_eq!(
        (&players["1"]["connected"], &players["2"]["connected"]),
        (&json!(false), &json!(true)),
        "{players}"
    );
}

#[tokio::test]
async fn a_snapshot_tells_what_can_be_offered_and_what_came_before() {
    let server = server().await;
    let (id, [attackers, defenders]) = tablut(&server).await;
    let path = format!("/api/v1/matches/{id}");
    let may_offer = async |token: &str| {
        let snapshot = send(&server, Request::new("GET", &path).token(token)).await.json();
        snapshot.get("may_offer_draw").cloned()
    };
    assert_eq!(may_offer(&attackers).await, Some(json!(true)));
    assert_eq!(may_offer(&guest(&server).await).await, None, "who does not play offers nothing");
    let offer = json!({"action": "offer"});
    assert_eq!(post(&server, &attackers, &format!("/matches/{id}/draw"), &offer).await.status, 200);
    assert_eq!(may_offer(&attackers).await, Some(json!(false)));
    post(&server, &attackers, &format!("/matches/{id}/resign"), &json!({})).await;
    assert_eq!(may_offer(&attackers).await, None, "nothing is played any more");
    post(&server, &attackers, &format!("/matches/{id}/rematch"), &offer).await;
    let agreed = post(&server, &defenders, &format!("/matches/{id}/rematch"), &offer).await.json();
    let next = agreed["next"].as_str().expect("another match");
    let snapshot = get(&server, &format!("/api/v1/matches/{next}")).await.json();
    assert_eq!(snapshot["rematch_of"], json!(id));
}

#[tokio::test]
async fn a_repeated_turn_gets_the_same_answer_and_another_one_what_happened() {
    let server = server().await;
    let (id, [attackers, _]) = tablut(&server).await;
    let path = format!("/matches/{id}/turn");
    let legal = post(&server, &attackers, &format!("/matches/{id}/legal"), &json!({})).await.json();
    let turn = |step: &Value| json!({"seq": legal["seq"], "steps": [step]});
    let first = post(&server, &attackers, &path, &turn(&legal["steps"][0])).await;
    let again = post(&server, &attackers, &path, &turn(&legal["steps"][0])).await;
    assert_eq!((first.status, first.json()), (again.status, again.json()));
    let other = post(&server, &attackers, &path, &turn(&legal["steps"][1])).await;
    assert_problem(&other, 409, "already_answered");
    assert_eq!(other.json()["events"][0], first.json()["events"][0]);
}

#[tokio::test]
async fn two_equal_requests_at_once_under_one_key_get_the_same_answer() {
    let server = server().await;
    let (id, [attackers, _]) = tablut(&server).await;
    for (path, body) in [("draw", json!({"action": "offer"})), ("resign", json!({}))] {
        let ask = || {
            Request::new("POST", &format!("/api/v1/matches/{id}/{path}"))
                .token(&attackers)
                .header("idempotency-key", path)
                .json(&body)
        };
        let (one, other) = tokio::join!(send(&server, ask()), send(&server, ask()));
        assert_eq!((one.status, one.json()), (200, other.json()), "{path}");
    }
}

/// The token of another device of the same guest.
pub(crate) async fn other_token(server: &Server, token: &str) -> String {
    let code = post(server, token, "/me/device-code", &Value::Null).await.json()["code"].clone();
    let spent = post(server, token, "/device-codes/spend", &json!({"code": code})).await.json();
    spent["token"].as_str().expect("a token").to_owned()
}

#[tokio::test]
async fn a_stream_of_ones_own_says_nothing_more_when_the_token_is_revoked() {
    let server = server().await;
    let token = guest(&server).await;
    let mut stream = Stream::open(server.address(), "/api/v1/me/events", Some(&token)).await;
    let other = other_token(&server, &token).await;
    let revoked = send(&server, Request::new("DELETE", "/api/v1/me/token").token(&token)).await;
    assert_eq!(revoked.status, 204);
    post(&server, &other, "/matches", &json!({"game": "tablut", "admission": "both_seats"})).await;
    assert_eq!(stream.next().await, None);
}

/// Nobody is told by a mailbox that is not known yet.
#[tokio::test]
async fn a_token_that_is_revoked_while_a_stream_begins_gets_none() {
    let store = FailingStore::default();
    let server = server_over(Arc::clone(&store) as Arc<Store>, ServerTime::from_system(), &[]).await;
    let token = guest(&server).await;
    let other = other_token(&server, &token).await;
    let address = server.address();
    store.interrupt(Read::Bearer, async move {
        let sign_out = Request::new("DELETE", "/api/v1/me/sessions").token(&other);
        assert_eq!(sign_out.send(address).await.expect("an answer").status, 204);
    });
    let stream = Request::new("GET", "/api/v1/me/events").header("accept", "application/x-ndjson");
    assert_problem(&send(&server, stream.token(&token)).await, 401, "unknown_token");
}

#[tokio::test]
async fn the_refusals_of_the_event_stream_are_described() {
    let server = server().await;
    let (id, _) = tablut(&server).await;
    let document = get(&server, "/api/openapi.json").await.json();
    let events = &document["paths"]["/api/v1/matches/{id}/events"]["get"];
    let parameter = |name: &str| {
        let parameters = events["parameters"].as_array().expect("parameters");
        parameters.iter().find(|parameter| parameter["name"] == name).expect("a parameter")["schema"].clone()
    };
    assert_eq!(events["responses"]["409"]["$ref"], "#/components/responses/Problem409");
    assert_eq!(
        (&parameter("since")["format"], &parameter("since")["maximum"]),
        (&json!("int64"), &json!(u32::MAX))
    );
    assert_eq!(parameter("limit")["default"], 100);
    for (since, status) in [("0", 200), ("99", 409), ("4294967295", 409), ("4294967296", 400)] {
        let path = format!("/api/v1/matches/{id}/events?since={since}");
        assert_eq!(get(&server, &path).await.status, status, "since={since}");
    }
}

/// As `dependentSchemas` of `CreateMatch` and its prose say.
#[tokio::test]
async fn terms_that_cannot_stand_together_are_refused() {
    let server = server().await;
    let token = guest(&server).await;
    let (computer, hash) =
        (json!({"computer": 1}), "e2770e6e67abfda9c1bf43462d75eb96c0f340a23d470a175b769a3e787a769d");
    for (terms, status) in [
        (json!({"stand_in": computer}), 422),
        (json!({"stand_in": computer, "opponent": null}), 422),
        (json!({"stand_in": computer, "opponent": computer, "seed_hash": hash}), 422),
        (json!({"stand_in": computer, "opponent": computer, "seed_hash": null}), 201),
        (json!({"stand_in": null, "opponent": computer, "seed_hash": hash}), 201),
        (json!({"stand_in": null, "seed_hash": hash}), 201),
        (json!({"opponent": computer, "admission": "both_seats"}), 422),
        (json!({"opponent": null, "admission": "both_seats"}), 201),
        (json!({"clock": {"kind": "days", "days": 0}}), 422),
    ] {
        let mut request = terms.clone();
        request["game"] = json!("zeno");
        let answer =
            send(&server, Request::new("POST", "/api/v1/matches").token(&token).json(&request)).await;
        assert_eq!(answer.status, status, "{terms}: {}", answer.body);
    }
}
