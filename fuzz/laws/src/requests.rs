//! Requests of the HTTP API to a server without a network.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderName, HeaderValue, Method, Request, StatusCode, header, response::Parts},
};
use lusoria::{
    app::{App, BackgroundPool, ClientAddress, Connections, wire},
    config::{Config, Site},
    http,
    live::{Cluster, Live, ServerTime},
    ws,
};
use lusoria_protocol::{CreateGuest, CreateMatch, JoinMatch, Problem};
use lusoria_store::Store;
use lusoria_testkit::{parsed, seeded_bytes};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// Requests in one case.
const REQUESTS_MAX: usize = 6;
/// No answer that is read to its end here is longer.
const ANSWER_BYTES_MAX: usize = 8 << 20;
/// What stands between two requests.
const NEXT: &str = "\n%%\n";

/// Any request is answered, never with an internal error. A refusal is a problem document with a known
/// code, the status of that code and its headers.
///
/// The bytes are requests as one would write them: a line with method and path, headers, an
/// empty line, a body. `$1` and `$2` stand for the tokens of two guests, `$m` for the id of a
/// match that they play, `$o` for that of one which waits for somebody.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime without a network").block_on(async {
        let world = World::new().await;
        for request in text.split(NEXT).take(REQUESTS_MAX) {
            if let Some(request) = world.request(request) {
                world.is_answered(request).await;
            }
        }
    });
}

/// A server whose limits are out of reach, two guests and two matches.
struct World {
    router: Router,
    names: Vec<(&'static str, String)>,
}

impl World {
    async fn new() -> Self {
        let most = u32::MAX.to_string();
        let flags = ["--guest-burst", "--address-burst", "--new-guests-per-hour"];
        let flags: Vec<&str> = flags.iter().flat_map(|flag| [*flag, most.as_str()]).collect();
        let config: Config = parsed(&flags);
        let time = ServerTime::from_epoch(1_700_000_000_000);
        let entropy = Arc::new(seeded_bytes(0));
        let store = Arc::new(Store::in_memory());
        let live = Live::prepare(store, Cluster::none(), time, entropy, Arc::new(wire::JsonRender));
        live.begin().await.expect("a store in memory always starts");
        let app = App::new(
            live,
            config.limits.clone(),
            Site::default(),
            BackgroundPool::Inline,
            Arc::new(BackgroundPool::Inline),
        );
        let connections = Connections::until(&CancellationToken::new());
        let socket = |api| ws::route(&app, api, &config.limits, &connections);
        let router = http::router(&app, &config, &connections, socket);
        Self { names: names(&app).await, router }
    }

    /// The request that a text means, if a server would get that far.
    fn request(&self, text: &str) -> Option<Request<Body>> {
        let text = self.names.iter().fold(text.to_owned(), |text, (name, means)| text.replace(name, means));
        let (head, body) = text.split_once("\n\n").unwrap_or((&text, ""));
        let mut lines = head.lines();
        let (method, path) = lines.next()?.split_once(' ')?;
        let mut request = Request::builder().method(Method::from_bytes(method.as_bytes()).ok()?).uri(path);
        for line in lines {
            let (name, value) = line.split_once(':')?;
            let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
            request = request.header(name, HeaderValue::from_str(value.trim()).ok()?);
        }
        let mut request = request.body(Body::from(body.to_owned())).ok()?;
        request.extensions_mut().insert(ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        Some(request)
    }

    async fn is_answered(&self, request: Request<Body>) {
        let asked = format!("{} {}", request.method(), request.uri());
        let bodiless = request.method() == Method::HEAD;
        let answer = self.router.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
        let (parts, body) = answer.into_parts();
        assert!(!parts.status.is_server_error(), "{asked}: {}", parts.status);
        assert!(parts.headers.contains_key("x-request-id"), "{asked}");
        let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().to_owned();
        // A stream has no end to wait for.
        if bodiless || !kind.ends_with("json") || kind.contains("ndjson") {
            assert!(bodiless || !parts.status.is_client_error(), "{asked}: a refusal as {kind:?}");
            return;
        }
        let body = to_bytes(body, ANSWER_BYTES_MAX).await.expect("an answer comes to its end");
        if parts.status.is_client_error() {
            is_a_problem(&asked, &parts, &kind, &body);
        } else {
            assert!(serde_json::from_slice::<Value>(&body).is_ok(), "{asked}: not JSON");
        }
    }
}

fn is_a_problem(asked: &str, parts: &Parts, kind: &str, body: &[u8]) {
    assert_eq!(kind, "application/problem+json", "{asked}");
    let problem: Problem = serde_json::from_slice(body).unwrap_or_else(|why| panic!("{asked}: {why}"));
    assert_eq!(problem.status, parts.status.as_u16(), "{asked}");
    assert_eq!(problem.code.status(), problem.status, "{asked}");
    assert_eq!(problem.kind, format!("/problems/{}", problem.code.as_str()));
    assert!(!problem.detail.is_empty() && !problem.title.is_empty(), "{asked}");
    let needed = match parts.status {
        StatusCode::UNAUTHORIZED => Some(header::WWW_AUTHENTICATE),
        StatusCode::TOO_MANY_REQUESTS => Some(header::RETRY_AFTER),
        StatusCode::METHOD_NOT_ALLOWED => Some(header::ALLOW),
        _ => None,
    };
    assert!(needed.is_none_or(|name| parts.headers.contains_key(name)), "{asked}: a header is missing");
}

/// Two guests, a match that they play and one that waits.
async fn names(app: &Arc<App>) -> Vec<(&'static str, String)> {
    let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let guest = app.create_guest(CreateGuest::default(), address).await.expect("a new guest");
        tokens.push(guest.token);
    }
    let creator = app.authenticate(tokens[0].clone()).await.expect("a good token");
    let joiner = app.authenticate(tokens[1].clone()).await.expect("a good token");
    let wanted = |game: &str| -> CreateMatch {
        serde_json::from_value(json!({"game": game, "points": 3, "side": "white"})).expect("a match")
    };
    let played = app.create(&creator, &wanted("zeno"), None).await.expect("a new match").created.id;
    let seat = JoinMatch { seed: None };
    app.command(&joiner, played, None, seat).await.expect("an open match");
    let open = app.create(&creator, &wanted("tavla"), None).await.expect("a new match").created.id;
    let [one, two] = [&tokens[0], &tokens[1]].map(|token| token.as_str().to_owned());
    vec![("$1", one), ("$2", two), ("$m", played.to_string()), ("$o", open.to_string())]
}
