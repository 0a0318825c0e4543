//! What somebody meets who sends too much, too long or what makes no sense.

use lusoria::server::Server;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    http::{assert_problem, get, guest, post, send, server, tablut},
    support::{
        http::{Answer, Request},
        server::server_with,
    },
};

/// Sends bytes and reads until the server closes the connection.
pub(crate) async fn raw(server: &Server, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
    stream.write_all(bytes).await.expect("bytes sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer to its end");
    answer
}

fn answer(bytes: &[u8]) -> Answer {
    Answer::read(bytes).unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(bytes)))
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_before_it_comes_or_read_no_further() {
    let server = server().await;
    let head = "POST /api/v1/guests HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    let chunk = format!("4000\r\n{}\r\n1\r\n \r\n", " ".repeat(0x4000));
    for rest in ["content-length: 16385\r\n\r\n", &format!("transfer-encoding: chunked\r\n\r\n{chunk}")] {
        let refused = raw(&server, format!("{head}{rest}").as_bytes()).await;
        assert_problem(&answer(&refused), 413, "body_too_large");
    }
}

/// The next request on such a connection would fail.
#[tokio::test]
async fn a_refusal_before_the_body_has_come_says_that_the_connection_closes() {
    let server = server().await;
    let head = |path: &str| {
        format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n")
    };
    let refused = answer(&raw(&server, format!("{}\r\n", head("/api/v1/matches")).as_bytes()).await);
    assert_problem(&refused, 401, "unauthorized");
    assert_eq!(refused.header("connection"), Some("close"));
    let one = format!("{}\r\n{{}}", head("/api/v1/guests"));
    let last = format!("{}connection: close\r\n\r\n{{}}", head("/api/v1/guests"));
    let both = raw(&server, [one, last].concat().as_bytes()).await;
    assert_eq!(answer(&both).header("connection"), None, "what was read to its end");
    assert_eq!(String::from_utf8_lossy(&both).matches("HTTP/1.1 201 ").count(), 2);
}

#[tokio::test]
async fn a_head_may_have_16_kib_and_no_more() {
    let server = server().await;
    let with = |bytes: usize| {
        let start = "GET /healthz HTTP/1.1\r\nconnection: close\r\nx: ";
        let fill = "x".repeat(bytes - start.len() - 4);
        format!("{start}{fill}\r\n\r\n")
    };
    assert_eq!(answer(&raw(&server, with(16 * 1024).as_bytes()).await).status, 200);
    let refused = answer(&raw(&server, with(16 * 1024 + 1).as_bytes()).await);
    assert_problem(&refused, 431, "head_too_large");
    assert_eq!(refused.header("connection"), Some("close"));
    let endless = raw(&server, with(80 * 1024).as_bytes()).await;
    assert!(endless.starts_with(b"HTTP/1.1 431 "), "{}", String::from_utf8_lossy(&endless));
}

#[tokio::test]
async fn a_request_may_have_64_headers_and_no_more() {
    let server = server().await;
    // Three are sent with every request.
    let with = |count: usize| {
        let request = Request::new("GET", "/healthz");
        (3..count).fold(request, |request, n| request.header(&format!("x-{n}"), "x"))
    };
    assert_eq!(send(&server, with(64)).await.status, 200);
    assert_problem(&send(&server, with(65)).await, 431, "head_too_large");
    assert_eq!(send(&server, with(101)).await.status, 431);
}

#[tokio::test]
async fn input_that_is_not_http_gets_an_http_error_and_is_closed() {
    let server = server().await;
    for bytes in [&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], b"hello\r\n\r\n", b"\0\0\0\0"] {
        let refused = raw(&server, bytes).await;
        assert!(refused.starts_with(b"HTTP/1.1 400 "), "{}", String::from_utf8_lossy(&refused));
    }
}

#[tokio::test]
async fn json_that_names_a_field_twice_or_is_nested_too_deeply_is_refused() {
    let server = server().await;
    let ask = |body: String| {
        send(&server, Request::new("POST", "/api/v1/rules/zeno").text("application/json", &body))
    };
    let side = r#"{"points": {"1": 1, "1": 2}, "supply": 12}"#;
    for body in [
        r#"{"dice": [1, 2, 3], "dice": [1.0, 2, 3]}"#.to_owned(),
        format!(r#"{{"position": {{"white": {side}, "black": {{}}, "to_move": "white"}}}}"#),
    ] {
        let refused = ask(body).await;
        assert_problem(&refused, 422, "invalid_body");
        assert!(refused.json()["detail"].as_str().expect("words").contains("duplicate field"), "{refused:?}");
    }
    assert_problem(&ask("[".repeat(8_000)).await, 400, "invalid_json");
}

#[tokio::test]
async fn errors_do_not_speak_the_programs_language() {
    let server = server().await;
    let token = guest(&server).await;
    let (id, _) = tablut(&server).await;
    let said = |answer: &Answer| answer.json()["detail"].as_str().expect("words").to_owned();
    let number = "from 0 to 4294967295";
    let refused = post(&server, &token, &format!("/matches/{id}/turn"), &json!({"seq": "x"})).await;
    assert!(said(&refused).contains(number), "{refused:?}");
    let refused = get(&server, &format!("/api/v1/matches/{id}/events?since=x")).await;
    assert_problem(&refused, 400, "invalid_query");
    for refused in [refused, post(&server, &token, "/matches", &Value::Null).await] {
        for word in ["u32", "u16", "struct", "integer"] {
            assert!(!said(&refused).contains(word), "{refused:?}");
        }
    }
}

#[tokio::test]
async fn a_cursor_beyond_the_head_is_refused() {
    let server = server().await;
    let (id, _) = tablut(&server).await;
    let path = |since: u32| format!("/api/v1/matches/{id}/events?since={since}&follow=false");
    for accept in ["application/json", "application/x-ndjson"] {
        let ask = |since| send(&server, Request::new("GET", &path(since)).header("accept", accept));
        assert_eq!(ask(3).await.status, 200, "{accept}");
        assert_problem(&ask(4).await, 409, "ahead_of_journal");
    }
}

#[tokio::test]
async fn a_crowd_of_guests_has_no_more_than_its_address() {
    let server = server_with(&["--address-total-per-s", "10"]).await;
    let mut codes = Vec::new();
    for _ in 0..20 {
        codes.push(get(&server, "/api/v1/games").await);
    }
    assert_eq!(codes[0].status, 200);
    let refused = codes.pop().expect("the last one");
    assert!([429, 503].contains(&refused.status), "a request, or the connection for it: {refused:?}");
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
    assert_eq!(refused.header("connection"), Some("close"));
}

#[tokio::test]
async fn a_client_that_reads_nothing_is_not_sent_ever_more() {
    let server = server_with(&["--unread-bytes-per-address", "20000"]).await;
    let path = "/api/openapi.json";
    let whole = get(&server, path).await;
    assert!(whole.body.len() > 20_000, "the answer is long enough");
    // The network takes a few answers that nobody reads; what it does not take counts.
    let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").repeat(400);
    let mut deaf = TcpStream::connect(server.address()).await.expect("a connection");
    deaf.write_all(head.as_bytes()).await.expect("requests sent");
    let refused = loop {
        let answer = get(&server, path).await;
        if answer.status != 200 {
            break answer;
        }
    };
    assert_problem(&refused, 429, "too_many_requests");
    assert_eq!(refused.header("retry-after"), Some("1"));
    drop(deaf);
    while get(&server, path).await.status != 200 {}
}
