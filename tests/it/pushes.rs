//! Push messages: subscriptions, and on virtual time the messages that are sent, through a push service in memory.

use std::{collections::VecDeque, future::pending, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use lusoria::{
    app::{App, BackgroundPool, Caller, wire},
    config::{Limits, Site},
    live::{Cluster, Live, Mailbox, MatchRequest, ServerTime},
    push::{self, PushAnswer, PushRequest, PushSender, Unsent},
};
use lusoria_bus::Hub;
use lusoria_play::{MatchId, PlayerId};
use lusoria_protocol::{AcceptChallenge, CreateGuest, JoinMatch, Name, Resign, ResignScope};
use lusoria_store::{NodeId, PUSH_SUBSCRIPTIONS_PER_GUEST_MAX, Store};
use lusoria_testkit::{first_turn, seeded_bytes};
use parking_lot::Mutex;
use serde_json::{Value, from_value, json};
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::{
    http::{assert_problem, get, guest, other_token, send},
    support::{
        browser::{Browser, claims},
        database::{self, SharedStore},
        http::{Answer, Request},
        server::{self, server_with},
    },
};

const START: u64 = 1_700_000_000_000;
const URL: &str = "https://play.example.org";

/// What a push service does with a request.
#[derive(Clone, Copy)]
enum Does {
    Answer(u16),
    Wait(u16, u64),
    Break,
    Hang,
}

/// A push service in memory. It takes everything, once it has done what it was told.
#[derive(Default)]
struct Service {
    does: Mutex<VecDeque<Does>>,
    got: Mutex<Vec<(Instant, PushRequest)>>,
}

impl PushSender for Service {
    fn send(&self, request: PushRequest) -> BoxFuture<'_, Result<PushAnswer, Unsent>> {
        self.got.lock().push((Instant::now(), request));
        let does = self.does.lock().pop_front().unwrap_or(Does::Answer(201));
        Box::pin(async move {
            match does {
                Does::Answer(status) => Ok(PushAnswer { status, retry_after: None }),
                Does::Wait(status, seconds) => {
                    Ok(PushAnswer { status, retry_after: Some(Duration::from_secs(seconds)) })
                }
                Does::Break => Err(Unsent(std::io::ErrorKind::ConnectionReset.into())),
                Does::Hang => pending().await,
            }
        })
    }
}

struct World {
    app: Arc<App>,
    service: Arc<Service>,
}

impl World {
    async fn new() -> Self {
        Self::of(database::store(), Cluster::none(), 0).await
    }

    /// A node; `seed` tells its random numbers from another's.
    async fn of(store: Arc<Store>, cluster: Cluster, seed: u64) -> Self {
        let (time, bytes) = (ServerTime::from_epoch(START), Arc::new(seeded_bytes(seed)));
        let live = Live::prepare(store, cluster, time, bytes, Arc::new(wire::JsonRender));
        live.begin().await.expect("the store starts");
        let site = Site { public_url: Some(URL.parse().expect("a URL")), ..Site::default() };
        let app =
            App::new(live, Limits::usual(), site, BackgroundPool::Inline, Arc::new(BackgroundPool::Inline));
        let service = Arc::new(Service::default());
        push::start(&app, service.clone(), &TaskTracker::new());
        Self { app, service }
    }

    async fn guest(&self, name: &str) -> Caller {
        let name = Name::try_from(name.to_owned()).expect("a name");
        server::guest(&self.app, CreateGuest { name: Some(name), ..CreateGuest::default() }).await.0
    }

    /// A guest, and a browser of theirs that is told.
    async fn told(&self, name: &str) -> (Caller, Browser) {
        let guest = self.guest(name).await;
        let browser = self.subscribed(&guest, name).await;
        (guest, browser)
    }

    /// A browser of a guest that is told from now on; it reads one message.
    async fn subscribed(&self, guest: &Caller, name: &str) -> Browser {
        let browser = browser(name);
        let request = from_value(browser.subscription()).expect("a request");
        self.app.put_push_subscription(guest, &request).await.expect("subscribed");
        browser
    }

    /// A match of tablut between two, correspondence or without a clock. Seat 2 attacks, and begins.
    async fn played(&self, by: &Caller, with: &Caller, clock: Value) -> MatchId {
        let request = json!({"game": "tablut", "clock": clock, "side": "defenders"});
        let made = self.app.create(by, &from_value(request).expect("a request"), None).await;
        let id = made.expect("a new match").created.id;
        self.app.command(with, id, None, JoinMatch::default()).await.expect("an open match");
        id
    }

    async fn turn(&self, id: MatchId) {
        let command = first_turn(&self.app.live().state(id).await.expect("a match"));
        let wanted = MatchRequest::Command { command, key: None, spends: None };
        self.app.live().request(id, wanted).await.expect("a legal turn");
    }

    /// What the push service has got within a minute.
    async fn got(&self) -> Vec<PushRequest> {
        tokio::time::sleep(Duration::from_mins(1)).await;
        std::mem::take(&mut *self.service.got.lock()).into_iter().map(|(_, request)| request).collect()
    }

    /// The only one.
    async fn got_one(&self) -> PushRequest {
        let got = self.got().await;
        let paths: Vec<_> = got.iter().map(|request| request.endpoint.path().to_owned()).collect();
        assert_eq!(got.len(), 1, "{paths:?}");
        got.into_iter().next().expect("one")
    }

    async fn subscriptions(&self, of: &Caller) -> usize {
        self.app.push_subscriptions(of).await.expect("read").subscriptions.len()
    }
}

fn browser(name: &str) -> Browser {
    Browser::at(&format!("https://web.push.apple.com/{name}"))
}

fn correspondence() -> Value {
    json!({"kind": "days", "days": 3})
}

#[tokio::test(start_paused = true)]
async fn a_player_is_notified_of_their_turn_in_a_correspondence_match() {
    let world = World::new().await;
    let ((one, reads_one), (two, reads_two)) = (world.told("Agathias").await, world.told("Zeno").await);
    let id = world.played(&one, &two, correspondence()).await;
    let request = world.got_one().await;
    assert_eq!(request.endpoint.path(), "/Zeno");
    assert_eq!((request.ttl_s, request.urgency, request.topic.len()), (86_400, "normal", 22));
    let key = world.app.push_server_key().await.expect("a key").key;
    let claims = claims(&request.authorization, key.as_str()).expect("signed by the server");
    let until = claims["exp"].as_u64().expect("a time") * 1_000;
    assert_eq!((&claims["aud"], &claims["sub"]), (&json!("https://web.push.apple.com"), &json!(URL)));
    assert!((START..START + 24 * 3_600_000).contains(&until), "{until}");
    let said = reads_two.read(&request.body);
    let expected =
        json!({"kind": "your_turn", "match": id, "game": "tablut", "opponent": "Agathias", "waiting": 1});
    assert_eq!(said, expected);
    world.turn(id).await;
    let request = world.got_one().await;
    assert_eq!(reads_one.read(&request.body)["opponent"], "Zeno");
}

#[tokio::test(start_paused = true)]
async fn no_message_is_sent_for_a_turn_that_is_seen_or_past() {
    let world = World::new().await;
    let ((one, _), (two, _)) = (world.told("Agathias").await, world.told("Zeno").await);
    world.played(&one, &two, json!({"kind": "none"})).await;
    assert_eq!(world.got().await.len(), 0, "only correspondence matches send messages");
    let id = world.played(&one, &two, correspondence()).await;
    world.turn(id).await;
    world.turn(id).await;
    world.turn(id).await;
    assert_eq!(world.got_one().await.endpoint.path(), "/Agathias", "whose turn it still is");
    let watch = world.app.live().watch(id, Arc::new(Mailbox::default()), Some(two.id())).await;
    let watch = watch.expect("a match");
    world.turn(id).await;
    assert_eq!(world.got().await.len(), 0, "they watch");
    drop(watch);
    world.turn(id).await;
    world.turn(id).await;
    assert_eq!(world.got_one().await.endpoint.path(), "/Zeno");
}

#[tokio::test(start_paused = true)]
async fn all_browsers_are_told_in_their_language_how_much_waits() {
    let world = World::new().await;
    let (one, (two, first)) = (world.guest("Agathias").await, world.told("Zeno").await);
    let second = browser("other");
    let mut request = second.subscription();
    request["language"] = json!("pt-BR");
    let request = from_value(request).expect("a request");
    world.app.put_push_subscription(&two, &request).await.expect("subscribed");
    world.played(&one, &two, correspondence()).await;
    assert_eq!(world.got().await.len(), 2);
    world.played(&one, &two, correspondence()).await;
    let mut got = world.got().await;
    got.sort_by(|a, b| a.endpoint.path().cmp(b.endpoint.path()));
    let said = [first, second].into_iter().zip(&got).map(|(browser, request)| browser.read(&request.body));
    let said: Vec<_> = said.map(|said| (said["waiting"].clone(), said.get("language").cloned())).collect();
    assert_eq!(said, [(json!(2), None), (json!(2), Some(json!("pt-BR")))]);
}

/// A knock-out of four, two of whom never touch a piece.
#[tokio::test(start_paused = true)]
async fn a_player_is_called_by_their_tournament_and_hears_of_its_end() {
    let store = database::store();
    let world = World::of(Arc::clone(&store), Cluster::none(), 0).await;
    let mut people = Vec::new();
    let (one, reads_one) = world.told("Agathias").await;
    people.push(one);
    for name in ["Zeno", "Hypatia", "Theodora"] {
        people.push(world.guest(name).await);
    }
    for (n, caller) in people.iter().enumerate() {
        server::open_account(&store, caller.id(), &format!("Player{n}"), START).await;
    }
    let app = &world.app;
    let request = json!({
        "name": "A Cup", "game": "tablut", "format": {"kind": "knockout"}, "begins_at": START + 3_600_000,
        "clock": {"kind": "fischer", "base_ms": 3_600_000, "increment_ms": 0},
    });
    let made = app.create_tournament(&people[0], &from_value(request).expect("a request"), None).await;
    let made: Value = serde_json::from_slice(&made.expect("good settings")).expect("JSON");
    let id = from_value(made["id"].clone()).expect("an id");
    for caller in &people {
        for command in ["enter", "here"] {
            let command = from_value(json!({"command": command})).expect("a command");
            app.enter_tournament(caller, id, &command).await.expect("they may");
        }
    }
    let start = from_value(json!({"command": "start"})).expect("a command");
    app.direct_tournament(&people[0], id, &start).await.expect("all are there");
    let seen_by = async |n: usize| {
        let seen = app.tournament(id, people.get(n)).await.expect("a tournament");
        serde_json::from_slice::<Value>(&seen).expect("JSON")
    };
    tokio::time::sleep(Duration::from_secs(1)).await;
    let seen = seen_by(0).await;
    let pairing = &seen["you"]["pairing"];
    let opponent = &pairing["opponent"]["id"];
    let opponent = people.iter().position(|of| json!(of.id()) == *opponent).expect("one of them");
    let in_other = (1..4).find(|&n| n != opponent).expect("two of them");
    let mut losers = Vec::new();
    for loser in [opponent, in_other] {
        let playing = from_value(seen_by(loser).await["you"]["pairing"]["match"].clone()).expect("a match");
        world.turn(playing).await;
        world.turn(playing).await;
        losers.push((loser, playing));
    }
    let request = world.got_one().await;
    let call = json!({
        "kind": "tournament_call", "tournament": id, "name": "A Cup", "game": "tablut",
        "opponent": pairing["opponent"]["name"], "match": pairing["match"],
    });
    assert_eq!((reads_one.read(&request.body), request.urgency), (call, "high"));

    // Nobody is at the board any more when the final is called.
    tokio::time::sleep(Duration::from_mins(11)).await;
    let reads_final = world.subscribed(&people[0], "Agathias").await;
    for (loser, playing) in losers {
        let resign = Resign { scope: ResignScope::Match };
        app.command(&people[loser], playing, None, resign).await.expect("it is played");
    }
    let request = world.got_one().await;
    let said = reads_final.read(&request.body);
    assert!((170..=180).contains(&request.ttl_s), "the final waits three minutes, not {} s", request.ttl_s);
    assert_eq!((&said["kind"], said.get("match")), (&json!("tournament_call"), None), "{said}");
    assert_ne!(said["opponent"], pairing["opponent"]["name"]);
    let reads_end = world.subscribed(&people[0], "Agathias").await;
    tokio::time::sleep(Duration::from_mins(3)).await;
    let over = json!({"kind": "tournament_ended", "tournament": id, "name": "A Cup"});
    assert_eq!(reads_end.read(&world.got_one().await.body), over);
    assert_eq!(seen_by(0).await["phase"], "ended");
}

async fn challenge(world: &World, by: &Caller, to: PlayerId, clock: Value) -> MatchId {
    let request = json!({"to": to, "game": "tablut", "clock": clock, "side": "attackers"});
    let made = world.app.challenge(by, &from_value(request).expect("a request")).await;
    made.expect("a challenge").id
}

#[tokio::test(start_paused = true)]
async fn a_challenge_is_told_once_and_so_is_what_came_of_it() {
    let world = World::new().await;
    let ((one, reads_one), (two, reads_two)) = (world.told("Agathias").await, world.told("Zeno").await);
    let id = challenge(&world, &one, two.id(), correspondence()).await;
    assert_eq!(challenge(&world, &one, two.id(), correspondence()).await, id, "the same again");
    let request = world.got_one().await;
    assert_eq!((request.ttl_s, request.urgency), (14 * 86_400 - 2, "normal"));
    let said = reads_two.read(&request.body);
    let expected = json!({"kind": "challenge", "challenge": id, "from": "Agathias", "game": "tablut"});
    assert_eq!(said, expected);
    challenge(&world, &one, two.id(), correspondence()).await;
    assert_eq!(world.got().await.len(), 0);
    world.app.accept_challenge(&two, id, &AcceptChallenge::default()).await.expect("accepted");
    // The attackers begin: it is also the turn of who made it.
    let request = world.got_one().await;
    let expected = json!({"kind": "seek", "match": id, "game": "tablut", "opponent": "Zeno"});
    assert_eq!(reads_one.read(&request.body), expected);
}

#[tokio::test(start_paused = true)]
async fn a_live_challenge_is_urgent_and_a_withdrawn_one_is_not_sent() {
    let world = World::new().await;
    let (one, (two, _)) = (world.guest("Agathias").await, world.told("Zeno").await);
    let id = challenge(&world, &one, two.id(), json!({"kind": "none"})).await;
    world.app.withdraw_challenge(&one, id).await.expect("withdrawn");
    assert_eq!(world.got().await.len(), 0);
    challenge(&world, &one, two.id(), json!({"kind": "none"})).await;
    let request = world.got_one().await;
    assert_eq!((request.ttl_s, request.urgency), (58, "high"));
}

#[tokio::test(start_paused = true)]
async fn those_whose_seeks_were_answered_are_told() {
    let world = World::new().await;
    let ((one, reads_one), (two, _)) = (world.told("Agathias").await, world.told("Zeno").await);
    let request = from_value(json!({"games": ["zeno"], "clocks": [correspondence()]})).expect("a request");
    world.app.seek(&one, &request).await.expect("waits");
    assert_eq!(world.got().await.len(), 0);
    let answered = world.app.seek(&two, &request).await.expect("answered");
    let mut got = world.got().await;
    got.sort_by(|a, b| a.endpoint.path().cmp(b.endpoint.path()));
    let told: Vec<_> = got.iter().map(|request| request.endpoint.path()).collect();
    assert_eq!(told, ["/Agathias", "/Zeno"], "each once");
    let said = reads_one.read(&got[0].body);
    let id = answered.answered.expect("a match");
    assert_eq!(said, json!({"kind": "seek", "match": id, "game": "zeno", "opponent": "Zeno"}));
}

/// After how many seconds since the first the push service was asked again, and how many subscriptions are left.
async fn attempts(does: &[Does], within: Duration) -> (Vec<u64>, usize) {
    let world = World::new().await;
    let (one, (two, _)) = (world.guest("Agathias").await, world.told("Zeno").await);
    world.service.does.lock().extend(does);
    world.played(&one, &two, correspondence()).await;
    tokio::time::sleep(within).await;
    let times: Vec<_> = world.service.got.lock().iter().map(|(at, _)| *at).collect();
    let after = times.iter().map(|at| (*at - times[0]).as_secs()).collect();
    (after, world.subscriptions(&two).await)
}

#[tokio::test(start_paused = true)]
async fn a_push_service_that_is_busy_is_asked_again_and_a_browser_that_is_gone_never() {
    use Does::{Answer, Break, Hang, Wait};
    for (does, expected) in [
        (&[Answer(201)][..], (vec![0], 1)),
        (&[Answer(503), Answer(429)], (vec![0, 5, 35], 1)),
        (&[Wait(429, 60), Wait(503, 1)], (vec![0, 60, 90], 1)),
        (&[Break, Hang], (vec![0, 5, 45], 1)),
        (&[Answer(500); 4], (vec![0, 5, 35, 155], 1)),
        (&[Answer(400)], (vec![0], 1)),
        (&[Answer(307)], (vec![0], 1)),
        (&[Answer(404)], (vec![0], 0)),
        (&[Answer(502), Answer(410)], (vec![0, 5], 0)),
    ] {
        assert_eq!(attempts(does, Duration::from_mins(10)).await, expected);
    }
    // Nobody wants to know so much later.
    assert_eq!(attempts(&[Wait(429, 3_600)], Duration::from_mins(61)).await, (vec![0], 1));
}

#[tokio::test(start_paused = true)]
async fn a_push_service_that_hangs_makes_nobody_wait() {
    let world = World::new().await;
    let ((one, _), (two, _)) = (world.told("Agathias").await, world.told("Zeno").await);
    world.service.does.lock().extend([Does::Hang; 1_000]);
    let began = Instant::now();
    for _ in 0..5 {
        let id = world.played(&one, &two, correspondence()).await;
        for _ in 0..4 {
            world.turn(id).await;
        }
    }
    assert_eq!(began.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn no_message_is_sent_after_signing_out() {
    let world = World::new().await;
    let (one, (two, _)) = (world.guest("Agathias").await, world.told("Zeno").await);
    let id = world.played(&one, &two, correspondence()).await;
    world.app.revoke_token(&two).await.expect("signed out");
    assert_eq!(world.got().await.len(), 0);
    world.turn(id).await;
    world.turn(id).await;
    assert_eq!(world.got().await.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn of_several_nodes_the_one_that_commits_tells() {
    let started = Instant::now();
    let clock = move || START + u64::try_from(started.elapsed().as_millis()).expect("a short while");
    let (shared, hub) = (SharedStore::new(clock), Hub::default());
    let node = async |number: u32| {
        let bus = Arc::new(hub.connect(number as usize));
        let id = NodeId(Uuid::from_u128(number.into()));
        let cluster = Cluster { id, name: format!("node {number}"), bus };
        World::of(shared.connect(), cluster, number.into()).await
    };
    let (here, there) = (node(1).await, node(2).await);
    let key = async |node: &World| node.app.push_server_key().await.expect("a key").key;
    assert_eq!(key(&here).await, key(&there).await);
    let ((one, _), (two, _)) = (here.told("Agathias").await, here.told("Zeno").await);
    let id = here.played(&one, &two, correspondence()).await;
    assert_eq!((here.got_one().await.endpoint.path(), there.got().await.len()), ("/Zeno", 0));
    there.turn(id).await;
    assert_eq!((there.got_one().await.endpoint.path(), here.got().await.len()), ("/Agathias", 0));
    let watch = here.app.live().watch(id, Arc::new(Mailbox::default()), Some(two.id())).await;
    let watch = watch.expect("a match");
    there.turn(id).await;
    assert_eq!((here.got().await.len(), there.got().await.len()), (0, 0), "they watch at the other node");
    drop(watch);
}

// --- over HTTP ---

async fn put(server: &lusoria::server::Server, token: &str, body: &Value) -> Answer {
    send(server, Request::new("PUT", "/api/v1/me/push-subscriptions").token(token).json(body)).await
}

async fn list(server: &lusoria::server::Server, token: &str) -> Vec<Value> {
    let request = Request::new("GET", "/api/v1/me/push-subscriptions").token(token);
    send(server, request).await.json()["subscriptions"].as_array().cloned().expect("a list")
}

#[tokio::test]
async fn without_an_address_or_switched_off_a_server_sends_nothing() {
    for flags in [&[][..], &["--public-url", URL, "--push", "off"]] {
        let server = server_with(flags).await;
        let token = guest(&server).await;
        assert_problem(&get(&server, "/api/v1/push").await, 409, "no_push");
        assert_problem(&put(&server, &token, &browser("one").subscription()).await, 409, "no_push");
        assert!(list(&server, &token).await.is_empty());
        server.stop().await;
    }
}

#[tokio::test]
async fn a_subscription_is_listed_without_its_endpoint_and_ended() {
    let server = server_with(&["--public-url", URL]).await;
    let (token, other) = (guest(&server).await, guest(&server).await);
    let key = get(&server, "/api/v1/push").await.json()["key"].as_str().expect("a key").to_owned();
    assert_eq!((key.len(), get(&server, "/api/v1/push").await.json()["key"].as_str()), (87, Some(&*key)));
    let request = browser("secret-path").subscription();
    let made = put(&server, &token, &request).await;
    assert_eq!((made.status, made.json()["host"].as_str()), (200, Some("web.push.apple.com")), "{made:?}");
    let again = put(&server, &token, &request).await.json();
    assert_eq!(again["id"], made.json()["id"]);
    assert_eq!(list(&server, &token).await, std::slice::from_ref(&again));
    assert!(!list(&server, &token).await[0].to_string().contains("secret-path"));
    assert_eq!(put(&server, &other, &request).await.status, 200, "it is theirs now");
    assert_eq!((list(&server, &token).await.len(), list(&server, &other).await.len()), (0, 1));
    let id = list(&server, &other).await[0]["id"].as_str().expect("an id").to_owned();
    let end = async |token: &str, id: &str| {
        let path = format!("/api/v1/me/push-subscriptions/{id}");
        send(&server, Request::new("DELETE", &path).token(token)).await
    };
    for (token, id) in [(&token, id.as_str()), (&other, "nonsense")] {
        assert_problem(&end(token, id).await, 404, "no_such_push_subscription");
    }
    assert_eq!(end(&other, &id).await.status, 204);
    assert_problem(&end(&other, &id).await, 404, "no_such_push_subscription");
    server.stop().await;
}

#[tokio::test]
async fn endpoints_inside_the_operators_network_and_keys_that_are_none_are_refused() {
    let server = server_with(&["--public-url", URL, "--push-host", "push.club.example:8443"]).await;
    let token = guest(&server).await;
    let good = browser("one").subscription();
    let with = |endpoint: &str| {
        let mut request = good.clone();
        request["endpoint"] = json!(endpoint);
        request
    };
    for endpoint in [
        "http://web.push.apple.com/one",
        "https://127.0.0.1/one",
        "https://10.0.0.7:8443/one",
        "https://[::1]/one",
        "https://2130706433/one",
        "https://localhost/one",
        "https://169.254.169.254/latest/meta-data/",
        "https://web.push.apple.com:8443/one",
        "https://web.push.apple.com@10.0.0.7/one",
        "https://10.0.0.7\\.push.apple.com/one",
        "https://push.club.example/one",
    ] {
        assert_problem(&put(&server, &token, &with(endpoint)).await, 409, "push_endpoint_refused");
    }
    assert_eq!(put(&server, &token, &with("https://push.club.example:8443/one")).await.status, 200);
    let long = format!("https://web.push.apple.com/{}", "a".repeat(1_024));
    assert_problem(&put(&server, &token, &with(&long)).await, 422, "invalid_body");
    for (name, wrong) in [
        ("p256dh", json!("BCVxsr7N")),
        ("p256dh", json!("A".repeat(87))),
        ("auth", json!("AAAA")),
        ("auth", json!(null)),
    ] {
        let mut request = good.clone();
        request["keys"][name] = wrong;
        assert_problem(&put(&server, &token, &request).await, 422, "invalid_body");
    }
    for language in ["f", "français", "fr_FR", "fr--FR", "x".repeat(36).as_str()] {
        let mut request = good.clone();
        request["language"] = json!(language);
        assert_problem(&put(&server, &token, &request).await, 422, "invalid_body");
    }
    server.stop().await;
}

#[tokio::test]
async fn of_too_many_subscriptions_the_oldest_is_gone_and_signing_out_ends_them() {
    let server = server_with(&["--public-url", URL]).await;
    let token = guest(&server).await;
    let most = PUSH_SUBSCRIPTIONS_PER_GUEST_MAX as usize;
    for n in 0..=most {
        assert_eq!(put(&server, &token, &browser(&format!("b{n}")).subscription()).await.status, 200);
    }
    assert_eq!(list(&server, &token).await.len(), most);
    let other = other_token(&server, &token).await;
    assert!(list(&server, &other).await.iter().all(|one| one["current"] == false));
    let sign_out = Request::new("DELETE", "/api/v1/me/token").token(&token);
    assert_eq!(send(&server, sign_out).await.status, 204);
    assert_eq!(list(&server, &other).await.len(), 0);
    server.stop().await;
}
