//! What an operator sees of a server: metrics, and a log without secrets.

use std::{
    fs::{self, File},
    net::SocketAddr,
    path::PathBuf,
    process::Command,
};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

use super::{child::Process, table::Table};
use crate::support::{database::DatabasePlace, http::Request};

/// A server that logs everything it can, as JSON, into a file.
struct Observed {
    address: SocketAddr,
    log: PathBuf,
    // It ends before what it uses goes.
    _process: Process,
    _folder: TempDir,
    _place: DatabasePlace,
}

impl Observed {
    fn start() -> Self {
        let (folder, place) = (TempDir::new().expect("a temporary folder"), DatabasePlace::new());
        let log = folder.path().join("server.log");
        let mut command = Command::new(env!("CARGO_BIN_EXE_lusoria"));
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
            .args(["--log", "lusoria=trace,info", "--log-format", "json"])
            .arg("--database")
            .arg(place.path())
            .stderr(File::create(&log).expect("room"));
        let process = Process::of(&mut command);
        Self { address: process.address(), log, _process: process, _folder: folder, _place: place }
    }

    fn lines(&self) -> Vec<Value> {
        let log = fs::read_to_string(&self.log).expect("a log");
        log.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    }

    /// What is told where the log says that metrics are.
    async fn metrics(&self) -> String {
        let lines = self.lines();
        let line = lines.iter().find(|line| line["fields"]["message"] == "serving metrics");
        let address = line.expect("it says so")["fields"]["address"].as_str().expect("a text").to_owned();
        let address = address.parse().expect("an address");
        Request::new("GET", "/metrics").send(address).await.expect("it is served").body
    }

    async fn socket(&self) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
        let url = format!("ws://{}/api/v1/socket", self.address);
        connect_async(url).await.expect("it is open").0
    }
}

#[tokio::test]
async fn metrics_tell_what_was_done_and_explain_themselves() {
    let server = Observed::start();
    let mut table = Table::new("tavla", server.address).await.expect("the server runs");
    for _ in 0..3 {
        table.turn(server.address).await.expect("the server runs");
    }
    let mut socket = server.socket().await;
    for asked in [json!({"op": "hello", "id": 1}), json!({"op": "watch", "id": 2, "match": table.id()})] {
        socket.send(Message::text(asked.to_string())).await.expect("it is open");
        let answer = socket.next().await.expect("it is open").expect("an answer");
        assert!(answer.to_text().expect("text").contains(r#""ok":"#), "{answer}");
    }
    table.turn(server.address).await.expect("the server runs");
    loop {
        let heard = socket.next().await.expect("it is open").expect("a message");
        if heard.to_text().expect("text").contains(r#""type":"turned""#) {
            break;
        }
    }
    let missing = Request::new("GET", "/api/v1/matches/1").send(server.address).await;
    assert_eq!(missing.expect("the server runs").status, 404);
    let text = server.metrics().await;
    for line in [
        r#"lusoria_turns_total{game="tavla"} 4"#,
        "lusoria_sockets_open 1",
        r#"lusoria_turns_total{game="zeno"} 0"#,
        r#"lusoria_refusals_total{code="no_such_match"} 1"#,
        "lusoria_matches_recent 1",
        "lusoria_readers_lagging_total 0",
        "lusoria_matches_loaded 1",
        "# TYPE lusoria_append_seconds histogram",
        "# TYPE lusoria_store_batch_writes histogram",
    ] {
        assert!(text.lines().any(|told| told == line), "{line}\n{text}");
    }
    // How many depends on who was faster.
    for beginning in [
        r#"lusoria_append_seconds_bucket{le="+Inf"}"#,
        "lusoria_mailbox_depth_count ",
        "lusoria_reader_lag_events_count ",
        r#"lusoria_matches{state="open"} "#,
        r#"lusoria_matches{state="live"} "#,
    ] {
        assert!(text.lines().any(|told| told.starts_with(beginning)), "{beginning}\n{text}");
    }
    // Whatever is told is explained.
    let names = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    for name in names {
        assert!(text.contains(&format!("# HELP {name} ")), "{name}");
    }
}

#[tokio::test]
async fn methods_that_clients_make_up_are_counted_as_one() {
    let server = Observed::start();
    for method in ["FIRST-INVENTED", "SECOND-INVENTED"] {
        let refused = Request::new(method, "/healthz").send(server.address).await;
        assert_eq!(refused.expect("the server runs").status, 405);
    }
    let text = server.metrics().await;
    let other = |line: &&str| line.starts_with("lusoria_http_requests_total{method=\"other\"");
    let told: Vec<_> = text.lines().filter(other).collect();
    assert!(matches!(told[..], [line] if line.ends_with(" 2")), "{told:?}");
    assert!(!text.contains("INVENTED"), "{text}");
}

/// Within a match it has the match, beside the socket that asked.
#[tokio::test]
async fn a_refusal_on_a_socket_names_the_match() {
    let server = Observed::start();
    let table = Table::new("tablut", server.address).await.expect("the server runs");
    let mut socket = server.socket().await;
    let hello = json!({"op": "hello", "id": 1, "token": table.token(0)});
    let draw = json!({"op": "draw", "id": 2, "match": table.id(), "action": "accept"});
    let mut answers = Vec::new();
    for asked in [hello, draw] {
        socket.send(Message::text(asked.to_string())).await.expect("it is open");
        let answer = socket.next().await.expect("it is open").expect("an answer");
        answers.push(serde_json::from_str::<Value>(answer.to_text().expect("text")).expect("JSON"));
    }
    let id = answers[1]["error"]["request_id"].as_str().expect("a refusal").to_owned();
    let lines = server.lines();
    let names = |line: &Value| {
        let spans = line["spans"].as_array().cloned().unwrap_or_default();
        spans.iter().map(|span| span["name"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let in_match = lines.iter().find(|line| names(line) == ["socket", "match"]).expect("a line of the match");
    assert_eq!(in_match["fields"]["message"], "refused", "{in_match}");
    assert_eq!(in_match["spans"][1]["id"], table.id(), "{in_match}");
    assert!(id.starts_with(in_match["spans"][0]["id"].as_str().expect("an id")), "{in_match}");
    // Every message leaves a line, and so does the socket itself.
    let said = |message: &str| {
        lines.iter().filter(|line| names(line) == ["socket"] && line["fields"]["message"] == message).count()
    };
    assert_eq!(["opened", "answered", "refused"].map(said), [1, 1, 1]);
}

/// Every secret that a client knows, and the name of the request that was refused.
#[tokio::test]
async fn a_log_finds_a_report_and_gives_no_secret_away() {
    let server = Observed::start();
    let at = server.address;
    let mut table = Table::new("zeno", at).await.expect("the server runs");
    table.turn(at).await.expect("the server runs");
    let ask = async |request: Request| request.send(at).await.expect("the server runs");
    let code = ask(Request::new("POST", "/api/v1/me/device-code").token(table.token(0))).await.json();
    let code = code["code"].as_str().expect("a code").to_owned();
    let spend = Request::new("POST", "/api/v1/device-codes/spend").json(&json!({"code": code}));
    let moved = ask(spend.clone()).await.json();
    let token = moved["token"].as_str().expect("a token").to_owned();
    // Once more: refused, with the code in the request.
    let refused = ask(spend).await;
    assert_eq!(refused.status, 404);
    let invite = json!({"game": "tavla", "admission": "invitation"});
    let invited = ask(Request::new("POST", "/api/v1/matches").token(&token).json(&invite)).await.json();
    let invitation = invited["invitation"]["code"].as_str().expect("an invitation").to_owned();

    let id = refused.json()["request_id"].as_str().expect("an id").to_owned();
    assert!(refused.headers.iter().any(|(name, value)| name == "x-request-id" && *value == id));
    let of_request =
        |line: &Value| line["span"]["id"] == id.as_str() && line["fields"]["code"] == "unknown_code";
    assert!(server.lines().iter().any(of_request), "the log names the request");
    let log = fs::read_to_string(&server.log).expect("a log");
    assert!(log.contains("/api/v1/device-codes/spend"), "it was written down");
    for secret in [table.token(0), table.token(1), &token, &code, &invitation] {
        assert!(!log.contains(secret), "a secret is in the log");
    }
}
