//! Who may ask for what: every operation of the served OpenAPI document, and every one of the socket, by
//! everybody who could ask.

use std::collections::BTreeMap;

use futures_util::{SinkExt, StreamExt};
use lusoria::server::Server;
use lusoria_protocol::{Scope, socket::Op};
use serde_json::{Value, json};
use tokio_tungstenite::{connect_async, tungstenite::Message};

use crate::{
    http::{get, guest, post, send},
    support::{
        http::{Answer, Request},
        server::{GENEROUS, server_with},
    },
};

/// Names no match, session or token.
const NOTHING: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

/// An operation, as the document describes it.
struct Described {
    id: String,
    method: String,
    path: String,
    has_body: bool,
    needs: Needs,
}

/// What the document says that it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// Nothing, but those with one of these scopes see more.
    NothingBut(Vec<String>),
    Token,
    Scope(Vec<String>),
    Session,
}

async fn described(server: &Server) -> Vec<Described> {
    let document = get(server, "/api/openapi.json").await.json();
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let text = |field: &str| operation[field].as_str().expect("a text").to_owned();
            all.push(Described {
                id: text("operationId"),
                method: method.to_uppercase(),
                path: path.clone(),
                has_body: operation.get("requestBody").is_some(),
                needs: Needs::of(&operation["security"]),
            });
        }
    }
    all
}

impl Needs {
    fn of(security: &Value) -> Self {
        let ways = security.as_array().cloned().unwrap_or_default();
        let of_way = |way: &Value| way.get("api_token").and_then(Value::as_array).cloned();
        let scoped: Vec<Vec<Value>> = ways.iter().filter_map(of_way).collect();
        let names: Vec<String> =
            scoped.iter().flatten().map(|scope| scope.as_str().expect("a name").to_owned()).collect();
        if ways.is_empty() {
            return Self::Nothing;
        }
        assert!(ways.contains(&json!({"token": []})), "a session can do everything: {security}");
        if ways.contains(&json!({})) {
            Self::NothingBut(names)
        } else if scoped.iter().any(Vec::is_empty) {
            Self::Token
        } else if scoped.is_empty() {
            Self::Session
        } else {
            Self::Scope(names)
        }
    }

    /// The status and the code with which somebody is refused; none if they are let through.
    fn refusal(&self, caller: &Caller) -> Option<(u16, &'static str)> {
        match (self, caller.kind) {
            (Self::Nothing, _)
            | (Self::NothingBut(_), Kind::Nobody | Kind::ApiToken(_))
            | (Self::Token, Kind::ApiToken(_))
            | (_, Kind::Session) => None,
            (_, Kind::Stranger) => Some((401, "unknown_token")),
            (_, Kind::Nobody) => Some((401, "unauthorized")),
            (Self::Scope(enough), Kind::ApiToken(scope)) => {
                let has_one = scope.is_some_and(|scope| enough.iter().any(|one| one == scope));
                (!has_one).then_some((403, "missing_scope"))
            }
            (Self::Session, Kind::ApiToken(_)) => Some((403, "session_required")),
        }
    }
}

/// What somebody shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nobody,
    /// A token that nobody has.
    Stranger,
    Session,
    /// An API token with this scope, or with none.
    ApiToken(Option<&'static str>),
}

/// A caller.
struct Caller {
    name: String,
    kind: Kind,
    token: Option<String>,
}

const PASSWORD: &str = "three rolls of the dice";

async fn with_account(server: &Server, token: String, handle: &str) -> String {
    let body = json!({"handle": handle, "password": PASSWORD});
    assert_eq!(post(server, &token, "/me/account", &body).await.status, 201);
    token
}

async fn api_token(server: &Server, session: &str, scope: Option<&str>) -> String {
    let scopes: Vec<_> = scope.into_iter().collect();
    let body = json!({"name": "a program", "scopes": scopes, "password": PASSWORD});
    let made = post(server, session, "/me/tokens", &body).await;
    made.json()["token"].as_str().unwrap_or_else(|| panic!("{made:?}")).to_owned()
}

async fn bot(server: &Server) -> String {
    let answer = send(server, Request::new("POST", "/api/v1/guests").json(&json!({"bot": true}))).await;
    answer.json()["token"].as_str().expect("a token").to_owned()
}

/// Somebody of each kind, all of them new. Those with sessions come last: they can end the others' tokens.
async fn callers(server: &Server, round: &str) -> Vec<Caller> {
    let caller = |name: &str, kind, token| Caller { name: name.to_owned(), kind, token };
    let person = with_account(server, guest(server).await, &format!("human{round}")).await;
    let bots = with_account(server, bot(server).await, &format!("engine{round}")).await;
    let mut all = vec![
        caller("nobody", Kind::Nobody, None),
        caller("a stranger", Kind::Stranger, Some("wrong".to_owned())),
        caller("a stranger with a prefix", Kind::Stranger, Some(format!("lus_{}", "x".repeat(43)))),
    ];
    for (whose, session, others) in [("a person", &person, "bot:play"), ("a bot", &bots, "match:play")] {
        let names = Scope::ALL.iter().map(|scope| scope.as_str()).filter(|scope| *scope != others);
        for scope in names.map(Some).chain([None]) {
            let token = api_token(server, session, scope).await;
            let name = format!("a token of {whose} with {}", scope.unwrap_or("no scope"));
            all.push(caller(&name, Kind::ApiToken(scope), Some(token)));
        }
    }
    all.extend([
        caller("a guest", Kind::Session, Some(guest(server).await)),
        caller("a person with an account", Kind::Session, Some(person)),
        caller("a bot with an account", Kind::Session, Some(bots)),
    ]);
    all
}

fn request(of: &Described, caller: &Caller) -> Request {
    let path = of.path.replace("{id}", NOTHING).replace("{game}", "zeno").replace("{pace}", "live");
    let path = path.replace("{handle}", "nobody-here").replace("{other}", "nobody-here");
    assert!(!path.contains('{'), "{path} has a part that this test does not know");
    let request = Request::new(&of.method, &path);
    let request = caller.token.iter().fold(request, |request, token| request.token(token));
    if of.has_body { request.json(&json!({})) } else { request }
}

fn refused(answer: &Answer) -> Option<(u16, String)> {
    let code = if answer.status < 400 { String::new() } else { code(&answer.json()) };
    let is_of_access = ["missing_scope", "session_required"].contains(&code.as_str());
    (answer.status == 401 || is_of_access).then_some((answer.status, code))
}

fn code(problem: &Value) -> String {
    problem["code"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn everybody_may_ask_for_what_the_document_says_over_http() {
    let server = server_with(&GENEROUS).await;
    let operations = described(&server).await;
    let usual = callers(&server, "").await;
    let mut tried = 0;
    for of in &operations {
        // They change who the callers are.
        let own = ["revoke_token", "declare_bot", "erase_guest"].contains(&of.id.as_str());
        let others = if own { callers(&server, &tried.to_string()).await } else { Vec::new() };
        for caller in if own { &others } else { &usual } {
            let answer = request(of, caller).send(server.address()).await.expect("an answer");
            let expected = of.needs.refusal(caller).map(|(status, code)| (status, code.to_owned()));
            assert_eq!(refused(&answer), expected, "{} by {}: {answer:?}", of.id, caller.name);
            tried += 1;
        }
    }
    assert_eq!(tried, operations.len() * usual.len());
}

/// The socket's own operations: each with what it takes, and its id in the document; none if it concerns the
/// connection alone. What `http` carries is compared with HTTP (`same_answers.rs`).
fn of_socket() -> Vec<(&'static str, Value, Option<&'static str>)> {
    let of = json!({"match": NOTHING});
    let with = |more: Value| {
        let mut fields = of.clone();
        fields.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
        fields
    };
    vec![
        ("ping", json!({}), None),
        ("watch", of.clone(), Some("events")),
        ("unwatch", of.clone(), None),
        ("lobby", json!({"on": true}), Some("lobby_events")),
        ("personal", json!({"on": true}), Some("my_events")),
        ("talk", with(json!({"room": "watchers"})), Some("talk")),
        ("tournament", json!({"tournament": NOTHING}), Some("tournament")),
        ("http", json!({"method": "GET", "path": "/api/v1/me"}), Some("me")),
        ("join", of.clone(), Some("join")),
        ("seed", with(json!({"seed": "00"})), Some("reveal_seed")),
        ("turn", with(json!({"seq": 1, "steps": []})), Some("play_turn")),
        ("resign", with(json!({"scope": "game"})), Some("resign")),
        ("abort", of.clone(), Some("abort")),
        ("claim", of.clone(), Some("claim")),
        ("takeback", with(json!({"seq": 1})), Some("takeback")),
        ("draw", with(json!({"action": "offer"})), Some("draw")),
        ("rematch", with(json!({"action": "offer"})), Some("rematch")),
    ]
}

#[tokio::test]
async fn everybody_may_ask_for_the_same_over_the_socket() {
    let server = server_with(&GENEROUS).await;
    let needs: BTreeMap<String, Needs> =
        described(&server).await.into_iter().map(|of| (of.id, of.needs)).collect();
    let operations = of_socket();
    let mut names: Vec<&str> = operations.iter().map(|(name, ..)| *name).chain(["hello"]).collect();
    let mut all = Op::NAMES.to_vec();
    names.sort_unstable();
    all.sort_unstable();
    assert_eq!(names, all, "every operation of the socket is tried");
    for caller in callers(&server, "").await {
        if caller.kind == Kind::Stranger {
            // They get no further than hello.
            continue;
        }
        let url = format!("ws://{}/api/v1/socket", server.address());
        let (mut socket, _) = connect_async(url).await.expect("a socket");
        let hello = caller.token.as_ref().map_or(json!({}), |token| json!({"token": token}));
        let all = [("hello", hello, None)].into_iter().chain(operations.clone());
        for (n, (name, fields, id)) in all.enumerate() {
            let mut message = json!({"id": n, "op": name});
            message.as_object_mut().expect("fields").extend(fields.as_object().expect("fields").clone());
            socket.send(Message::text(message.to_string())).await.expect("an open socket");
            let reply = loop {
                let heard = socket.next().await.expect("a reply").expect("a message");
                let Message::Text(text) = heard else { continue };
                let heard: Value = serde_json::from_str(&text).expect("JSON");
                if heard["re"] == json!(n) {
                    break heard;
                }
            };
            let expected = id.and_then(|id| needs[id].refusal(&caller));
            let expected = expected.map(|(_, code)| code.to_owned());
            let code = code(&reply["error"]);
            assert_ne!(code, "invalid_body", "{name}: {reply}");
            let is_of_access = ["unauthorized", "missing_scope", "session_required"].contains(&code.as_str());
            assert_eq!(is_of_access.then_some(code), expected, "{name} by {}: {reply}", caller.name);
        }
    }
}
