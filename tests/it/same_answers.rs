//! The socket's operation `http` responds to every operation of the OpenAPI document as HTTP does, for every kind of
//! caller: the same status, the same bytes, the same `Location`.
//!
//! Two servers with the same random bytes and the same virtual time get the same requests, one over HTTP and one over
//! sockets. So even new tokens and ids must be equal.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, ws::Message},
    http::{StatusCode, header},
    middleware::{Next, from_fn},
    response::Response,
};
use lusoria::{
    app::{
        App, ClientAddress, Connections,
        admin::{AdminAction, Grounds},
    },
    config::Config,
    http,
    live::LastRead,
    ws::Sockets,
};
use lusoria_protocol::{CreateGuest, CreateMatch, Scope};
use lusoria_testkit::parsed;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use tokio::{runtime, sync::mpsc};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::{
    arrival::Channel,
    support::{
        database,
        server::{self, ADDRESS, GENEROUS},
    },
};

const START: u64 = 1_700_000_000_000;
const PASSWORD: &str = "three rolls of the dice";

/// Limits by real time are too high to be reached.
const MORE_THAN_GENEROUS: [&str; 6] = [
    "--new-guests-per-hour",
    "1000000",
    "--hints-per-minute",
    "1000000",
    "--evaluations-per-minute",
    "1000000",
];

/// The id of no match, session or token.
const NOTHING: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

/// Operations that change their caller: each has callers of its own.
const ABOUT_THE_CALLER: [&str; 4] = ["revoke_token", "declare_bot", "erase_guest", "revoke_other_sessions"];

/// An operation of the document.
struct Described {
    id: String,
    method: String,
    path: String,
    has_body: bool,
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    status: u16,
    location: Option<String>,
    /// Without the request id; none if it is not JSON.
    body: Option<String>,
}

/// The name of a caller here, and their token.
type Caller = (String, Option<String>);

/// The transport of the requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Http,
    Socket,
}

struct World {
    app: Arc<App>,
    router: Router,
    sockets: Arc<Sockets>,
    /// A match without any of the callers.
    id: String,
    _stopping: CancellationToken,
}

impl World {
    /// A server, with this layer around the API of its sockets.
    async fn new(with: fn(Router) -> Router) -> Self {
        let config: Config = parsed(&[&GENEROUS[..], &MORE_THAN_GENEROUS].concat());
        let app = server::app(database::store(), START, 0, &config.limits).await.expect("a store");
        let stopping = CancellationToken::new();
        let connections = Connections::until(&stopping);
        let socket = |api| lusoria::ws::route(&app, api, &config.limits, &connections);
        let router = http::router(&app, &config, &connections, socket);
        let api = with(http::api(&app, &config, &connections));
        let sockets = Sockets::new(&app, api, &config.limits, &connections);
        let (host, _) = server::guest(&app, CreateGuest::default()).await;
        let terms: CreateMatch = serde_json::from_value(json!({"game": "tablut"})).expect("a match");
        let id = app.create(&host, &terms, None).await.expect("a match").created.id.to_string();
        Self { app, router, sockets, id, _stopping: stopping }
    }

    async fn over_http(&self, method: &str, path: &str, token: Option<&str>, body: Option<&str>) -> Answer {
        let mut request =
            Request::builder().method(method).uri(path).header(header::ACCEPT, "application/json");
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(body) = body {
            let length = body.len();
            request = request
                .header(header::CONTENT_TYPE, "application/json")
                .header(header::CONTENT_LENGTH, length);
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_owned()));
        let mut request = request.body(body).expect("a request");
        request.extensions_mut().insert(ClientAddress(ADDRESS));
        http::note_arrival(&self.app, &LastRead::default(), &mut request);
        let (head, body) = self.router.clone().oneshot(request).await.expect("an answer").into_parts();
        let kind =
            head.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let location = head.headers.get(header::LOCATION).map(|at| at.to_str().expect("a URL").to_owned());
        let body = if kind.is_empty() || kind.ends_with("json") && !kind.ends_with("ndjson") {
            let bytes = to_bytes(body, usize::MAX).await.expect("a body");
            Some(without_request_id(str::from_utf8(&bytes).expect("JSON")))
        } else {
            drop(body);
            // The writer of an archive notices that its reader has gone.
            tokio::task::yield_now().await;
            None
        };
        Answer { status: head.status.as_u16(), location, body }
    }

    /// The response to a request over HTTP before the comparison.
    async fn made(&self, token: &str, path: &str, body: &Value) -> Value {
        let answer = self.over_http("POST", path, Some(token), Some(&body.to_string())).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        serde_json::from_str(&answer.body.expect("a body")).expect("JSON")
    }

    async fn guest(&self, is_bot: bool) -> String {
        let (_, token) =
            server::guest(&self.app, CreateGuest { bot: is_bot, ..CreateGuest::default() }).await;
        token.as_str().to_owned()
    }

    /// New callers, one of each kind.
    async fn callers(&self, round: usize) -> Vec<Caller> {
        let mut all = vec![("nobody".to_owned(), None)];
        for (whose, is_bot, others) in [("a person", false, "bot:play"), ("a bot", true, "match:play")] {
            let session = self.guest(is_bot).await;
            let handle = format!("{}{round}", if is_bot { "engine" } else { "human" });
            self.made(&session, "/api/v1/me/account", &json!({"handle": handle, "password": PASSWORD})).await;
            let names = Scope::ALL.iter().map(|scope| scope.as_str()).filter(|scope| *scope != others);
            for scope in names.map(Some).chain([None]) {
                let scopes: Vec<_> = scope.into_iter().collect();
                let body = json!({"name": "a program", "scopes": scopes, "password": PASSWORD});
                let made = self.made(&session, "/api/v1/me/tokens", &body).await;
                let name = format!("a token of {whose} with {}", scope.unwrap_or("no scope"));
                all.push((name, made["token"].as_str().map(str::to_owned)));
            }
            all.push((format!("{whose} with an account"), Some(session)));
        }
        all.push(("a guest".to_owned(), Some(self.guest(false).await)));
        let (banned, token) = server::guest(&self.app, CreateGuest::default()).await;
        let ban =
            AdminAction::Ban { guest: banned.id().0.to_string(), for_ms: None, grounds: Grounds::default() };
        self.app.administer(ban).await.expect("a guest who can be banned");
        all.push(("a banned guest".to_owned(), Some(token.as_str().to_owned())));
        all
    }

    async fn described(&self) -> Vec<Described> {
        let document = self.over_http("GET", "/api/openapi.json", None, None).await.body.expect("JSON");
        let document: Value = serde_json::from_str(&document).expect("JSON");
        let mut all = Vec::new();
        for (path, methods) in document["paths"].as_object().expect("paths") {
            for (method, operation) in methods.as_object().expect("methods") {
                all.push(Described {
                    id: operation["operationId"].as_str().expect("an id").to_owned(),
                    method: method.to_uppercase(),
                    path: path.clone(),
                    has_body: operation.get("requestBody").is_some(),
                });
            }
        }
        all
    }
}

/// The response with a fixed request id.
fn without_request_id(text: &str) -> String {
    const FIELD: &str = r#""request_id":""#;
    let Some((before, rest)) = text.split_once(FIELD) else { return text.to_owned() };
    let (_, after) = rest.split_once('"').expect("the end of an id");
    format!("{before}{FIELD}…\"{after}")
}

/// A caller's connection.
struct Line {
    to: mpsc::UnboundedSender<Message>,
    from: mpsc::UnboundedReceiver<Message>,
    asked: u32,
}

/// A reply with the original texts of its parts.
#[derive(Deserialize)]
struct Reply<'a> {
    re: Option<u32>,
    status: Option<u16>,
    location: Option<String>,
    #[serde(borrow)]
    ok: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

impl Line {
    /// A connection before `hello`.
    fn silent(world: &World) -> Self {
        let (to, incoming) = mpsc::unbounded_channel();
        let (outgoing, from) = mpsc::unbounded_channel();
        let frames = Channel { incoming, outgoing };
        let sockets = Arc::clone(&world.sockets);
        tokio::spawn(sockets.converse(frames, ClientAddress(ADDRESS), LastRead::default()));
        Self { to, from, asked: 0 }
    }

    async fn open(world: &World, token: Option<&str>) -> Self {
        let mut line = Self::silent(world);
        let hello = token.map_or_else(|| json!({}), |token| json!({"token": token}));
        let greeted =
            line.ask("hello", hello.as_object().expect("fields").clone().into_iter().collect()).await;
        assert_eq!(greeted.expect("an open line").status, 0, "hello is no request of HTTP");
        line
    }

    /// The response to an operation; status 0 if it is one of the socket's own. None if the connection is closed.
    async fn ask(&mut self, op: &str, mut message: BTreeMap<String, Value>) -> Option<Answer> {
        self.asked += 1;
        message.extend([("id".to_owned(), self.asked.into()), ("op".to_owned(), op.into())]);
        self.say(&serde_json::to_string(&message).expect("plain data")).await
    }

    async fn say(&mut self, message: &str) -> Option<Answer> {
        self.to.send(Message::text(message)).ok()?;
        loop {
            let text = match self.from.recv().await? {
                Message::Text(text) => text,
                Message::Close(_) => return None,
                Message::Binary(_) | Message::Ping(_) | Message::Pong(_) => continue,
            };
            let Reply { re, status, location, ok, error } = serde_json::from_str(&text).expect("JSON");
            if re.is_none() {
                continue;
            }
            assert_eq!(re, Some(self.asked), "{text}");
            assert!(ok.is_none() || error.is_none(), "{text}");
            let body = ok.or(error).map(|said| without_request_id(said.get())).unwrap_or_default();
            return Some(Answer { status: status.unwrap_or(0), location, body: Some(body) });
        }
    }

    async fn http(&mut self, method: &str, path: &str, body: Option<&str>) -> Option<Answer> {
        self.asked += 1;
        // Written by hand, so that the body arrives as it does over HTTP.
        let body = body.map_or_else(String::new, |body| format!(r#","body":{body}"#));
        let id = self.asked;
        self.say(&format!(r#"{{"id":{id},"op":"http","method":"{method}","path":"{path}"{body}}}"#)).await
    }
}

/// Requests with invented arguments, most of which are refused. For API tokens a few are enough: they differ only in
/// access.
fn requests(of: &Described, id: &str, by: &str) -> Vec<(String, Option<&'static str>)> {
    let path = |id: &str| {
        let path = of.path.replace("{id}", id).replace("{game}", "zeno").replace("{pace}", "live");
        path.replace("{handle}", "human0").replace("{other}", NOTHING)
    };
    let sense = of.has_body.then_some("{}");
    if by.starts_with("a token") {
        let mut few = vec![(path(NOTHING), sense), (path(id), sense)];
        few.dedup();
        return few;
    }
    let bodies: &[Option<&str>] = if of.has_body {
        &[None, Some("{}"), Some("[]"), Some(r#"{ "name": "x", "nonsense": [1, 1.0], "nonsense": 2 }"#)]
    } else {
        &[None, Some("{}")]
    };
    let with_bodies = |path: String| bodies.iter().map(move |body| (path.clone(), *body));
    let mut all: Vec<_> = with_bodies(path(NOTHING)).collect();
    if of.path.contains("{id}") {
        all.extend(with_bodies(path(id)));
        all.push((path("X"), None));
    }
    all.push((format!("{}?nonsense=1", path(NOTHING)), sense));
    all.push((format!("{}?room=watchers", path(id)), sense));
    all.push((format!("{}?seq=1", path(id)), sense));
    all
}

/// Sends every request as every caller. Returns the requests with their responses, in order.
async fn asked_for_everything(way: Way, with: fn(Router) -> Router) -> Vec<(String, Answer)> {
    let world = World::new(with).await;
    let operations = world.described().await;
    let mut told = Vec::new();
    let usual = world.callers(0).await;
    for caller in &usual {
        let plain = operations.iter().filter(|of| !ABOUT_THE_CALLER.contains(&of.id.as_str()));
        told.extend(ask_as(&world, way, caller, plain).await);
    }
    for (round, own) in operations.iter().filter(|of| ABOUT_THE_CALLER.contains(&of.id.as_str())).enumerate()
    {
        for caller in &world.callers(round + 1).await {
            told.extend(ask_as(&world, way, caller, [own].into_iter()).await);
        }
    }
    told
}

async fn ask_as<'a>(
    world: &World,
    way: Way,
    (name, token): &Caller,
    operations: impl Iterator<Item = &'a Described>,
) -> Vec<(String, Answer)> {
    let token = token.as_deref();
    let mut line = match way {
        Way::Http => None,
        Way::Socket => Some(Line::open(world, token).await),
    };
    let mut told = Vec::new();
    for of in operations {
        for (path, body) in requests(of, &world.id, name) {
            let asked = format!("{} ({} {path}, {body:?}) by {name}", of.id, of.method);
            let answer = match &mut line {
                None => world.over_http(&of.method, &path, token, body).await,
                Some(line) => match line.http(&of.method, &path, body).await {
                    Some(answer) => answer,
                    // The caller's token is gone: the connection is closed, and a new one would be refused.
                    None => break,
                },
            };
            told.push((asked, answer));
        }
    }
    told
}

/// Runs in a runtime of its own, whose time begins anew.
fn in_a_runtime<T>(run: impl Future<Output = T>) -> T {
    let runtime = runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.expect("a runtime").block_on(run)
}

/// The unchanged API.
fn honest(api: Router) -> Router {
    api
}

/// Changes the status of one operation and the body of another.
fn faulty(api: Router) -> Router {
    async fn twist(request: Request, next: Next) -> Response {
        let path = request.uri().path().to_owned();
        let mut response = next.run(request).await;
        match path.as_str() {
            "/api/v1/me/standing" => *response.status_mut() = StatusCode::ACCEPTED,
            "/api/v1/push" => *response.body_mut() = Body::from("{}"),
            _ => {}
        }
        response
    }
    api.layer(from_fn(twist))
}

/// The differences, by the ids of the operations.
fn differences(
    over_http: &[(String, Answer)],
    over_socket: Vec<(String, Answer)>,
) -> BTreeMap<String, String> {
    let over_socket: BTreeMap<String, Answer> = over_socket.into_iter().collect();
    let mut found = BTreeMap::new();
    for (asked, answer) in over_http {
        let is_same = match (over_socket.get(asked), &answer.body) {
            // The caller's token is gone: the connection is closed.
            (None, _) => answer.status == 401,
            (Some(told), Some(_)) => told == answer,
            // Responses that are not JSON.
            (Some(told), None) => {
                let body = told.body.as_deref().unwrap_or_default();
                told.status == 406 && body.contains(r#""code":"not_acceptable""#)
            }
        };
        if !is_same {
            let told = over_socket.get(asked);
            let id = asked.split(' ').next().unwrap_or_default().to_owned();
            found
                .entry(id)
                .or_insert_with(|| format!("{asked}: {answer:?} over HTTP, {told:?} over a socket"));
        }
    }
    found
}

#[test]
fn hello_refuses_an_invalid_token_as_http_does() {
    in_a_runtime(async {
        let world = World::new(honest).await;
        let over_http = world.over_http("GET", "/api/v1/me", Some("wrong"), None).await;
        let mut line = Line::silent(&world);
        let over_socket = line.ask("hello", BTreeMap::from([("token".to_owned(), json!("wrong"))])).await;
        assert_eq!((over_http.status, over_http.body), (401, over_socket.expect("an answer").body));
    });
}

#[test]
fn a_socket_responds_to_every_operation_as_http_does() {
    let over_http = in_a_runtime(asked_for_everything(Way::Http, honest));
    let granted = over_http.iter().filter(|(_, answer)| answer.status < 300).count();
    assert!(over_http.len() > 7_000 && granted > 1_000, "{granted} of {} are granted", over_http.len());
    let over_socket = in_a_runtime(asked_for_everything(Way::Socket, honest));
    let missing = over_http.len() - over_socket.len();
    assert!(missing < 100, "{missing} are not asked for over sockets");
    assert_eq!(differences(&over_http, over_socket), BTreeMap::new());
    // The comparison finds every difference.
    let over_socket = in_a_runtime(asked_for_everything(Way::Socket, faulty));
    let found: Vec<String> = differences(&over_http, over_socket).into_keys().collect();
    assert_eq!(found, ["push_server_key", "standing"]);
}
