//! Requests: the same as over HTTP, one after another.

use std::time::Duration;

use lusoria_protocol::CreateMatch;
use serde_json::{Value, json};

use super::world::World;
use crate::ws::Ending;

#[tokio::test(start_paused = true)]
async fn requests_are_answered_in_their_order() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    let record = format!("/api/v1/matches/{}/record", game.id);
    let mut asked = Vec::new();
    for _ in 0..10 {
        asked.push(peer.say("http", json!({"method": "GET", "path": record})));
        asked.push(peer.say("ping", json!({})));
        let dice = json!({"dice": [3, 2, 1]});
        asked.push(peer.say("http", json!({"method": "POST", "path": "/api/v1/rules/zeno", "body": dice})));
        asked.push(peer.say("dance", json!({})));
    }
    for id in asked {
        assert_eq!(peer.answer().await["re"], id);
    }
}

#[tokio::test(start_paused = true)]
async fn a_match_is_made_joined_and_played() {
    let world = World::new().await;
    let tokens = [world.guest().await.1, world.guest().await.1];
    let (mut one, mut two) = (world.client(&tokens[0]).await, world.client(&tokens[1]).await);
    let created = one.post("/matches", json!({"game": "tablut", "side": "attackers"})).await;
    let id = &created["match"]["id"];
    let path = format!("/matches/{}", id.as_str().unwrap());
    two.ok("join", json!({"match": id})).await;
    one.ok("watch", json!({"match": id, "since": 0})).await;
    let legal = one.post(&format!("{path}/legal"), json!({})).await;
    let turn = json!({"match": id, "seq": legal["seq"], "steps": [legal["steps"][0]]});
    assert_eq!(two.refused("turn", turn.clone()).await, "not_your_turn");
    let answer = one.ok("turn", turn).await;
    assert_eq!(answer["events"][0]["type"], "turned");
    let mut head = 0;
    while head < answer["head"].as_u64().unwrap() {
        head += 1;
        assert_eq!(one.event().await.1, head);
    }
    assert_eq!(two.get(&format!("{path}/events")).await["head"], head);
    assert_eq!(two.get("/me/matches").await["matches"][0]["id"], *id);
    assert_eq!(two.ok("resign", json!({"match": id})).await["match"], *id);
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_taken_back_against_the_computer_and_watchers_receive_it() {
    let world = World::new().await;
    let (mut one, mut other) = (world.client(&world.guest().await.1).await, world.watcher().await);
    let terms = json!({"game": "tablut", "side": "attackers", "opponent": {"computer": 1}});
    let created = one.post("/matches", terms).await;
    let id = &created["match"]["id"];
    let head = created["match"]["head"].as_u64().unwrap();
    other.ok("watch", json!({"match": id, "since": head})).await;
    let turn = json!({"match": id, "seq": head, "steps": [{"from": "d1", "to": "c1"}]});
    one.ok("turn", turn).await;
    let turned = head + 1;
    let snapshot = one.get(&format!("/matches/{}", id.as_str().unwrap())).await;
    assert_eq!(snapshot["may_take_back"], turned);
    assert_eq!(one.refused("takeback", json!({"match": id, "seq": head})).await, "not_last_turn");
    let answer = one.ok("takeback", json!({"match": id, "seq": turned})).await;
    let taken_back = &answer["events"][0];
    assert_eq!((&taken_back["type"], &taken_back["to"]), (&json!("taken_back"), &json!(head)));
    assert_eq!(taken_back["position"], created["match"]["position"]);
    for (kind, seq) in [("turned", turned), ("taken_back", turned + 1)] {
        let mut event = other.pushed().await;
        while event["seq"].is_null() {
            event = other.pushed().await;
        }
        assert_eq!((&event["type"], &event["seq"]), (&json!(kind), &json!(seq)));
    }
    // The event that took it back gives the turn.
    let again = json!({"match": id, "seq": turned + 1, "steps": [{"from": "d1", "to": "b1"}]});
    assert_eq!(one.ok("turn", again).await["events"][0]["type"], "turned");
}

#[tokio::test(start_paused = true)]
async fn playing_without_watching_counts_as_presence() {
    let (world, game) = World::with_a_game().await;
    let (player, turn) = game.turn().await;
    let mut peer = world.client(&game.tokens[player]).await;
    let mut other = world.watcher().await;
    tokio::time::advance(Duration::from_secs(30)).await;
    let request = json!({"match": game.id, "seq": turn.seq, "steps": turn.steps});
    let at = peer.ok("turn", request).await["events"][0]["at"].clone();
    tokio::time::advance(Duration::from_secs(5)).await;
    let players = other.get(&format!("/matches/{}", game.id)).await["players"].clone();
    assert_eq!(players[(player + 1).to_string()]["gone_since_at"], at, "{players}");
}

#[tokio::test(start_paused = true)]
async fn a_repeated_turn_gets_the_same_response() {
    let (world, game) = World::with_a_game().await;
    let (player, turn) = game.turn().await;
    let mut peer = world.client(&game.tokens[player]).await;
    let request = json!({"match": game.id, "seq": turn.seq, "steps": turn.steps});
    let first = peer.ok("turn", request.clone()).await;
    game.play_to(30).await;
    assert_eq!(peer.ok("turn", request).await, first);
    let other = json!({"match": game.id, "seq": turn.seq, "steps": []});
    let refused = peer.ask("turn", other).await;
    assert_eq!(refused["error"]["code"], "already_answered");
    assert!(!refused["error"]["events"].as_array().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_turn_repeated_after_hundreds_of_turns_gets_the_same_response() {
    let (world, game) = World::with_a_game().await;
    let (player, turn) = game.turn().await;
    let mut peer = world.client(&game.tokens[player]).await;
    let request = json!({"match": game.id, "seq": turn.seq, "steps": turn.steps});
    let first = peer.ok("turn", request.clone()).await;
    game.play_to(400).await;
    let state = world.app.live().state(game.id).await.expect("a match");
    assert!(state.has_forgotten(turn.seq), "otherwise the journal is not read");
    assert_eq!(peer.ok("turn", request).await, first);
    let mut other = world.client(&game.tokens[1 - player]).await;
    let refused = other.refused("turn", json!({"match": game.id, "seq": turn.seq, "steps": turn.steps}));
    assert!(["wrong_seq", "not_your_turn"].contains(&refused.await.as_str()));
}

#[tokio::test(start_paused = true)]
async fn a_repeated_key_gets_the_same_response() {
    let world = World::new().await;
    let mut peer = world.client(&world.guest().await.1).await;
    let create = |body: Value| json!({"method": "POST", "path": "/api/v1/matches", "key": "k", "body": body});
    let request = create(json!({"game": "zeno", "admission": "invitation"}));
    let first = peer.ask("http", request.clone()).await;
    let again = peer.ask("http", request).await;
    assert_eq!(first["status"], 201, "{first}");
    let made = |answer: &Value| {
        let ok = &answer["ok"];
        (answer["location"].clone(), ok["match"]["id"].clone(), ok["invitation"]["code"].clone())
    };
    assert_eq!(made(&again), made(&first));
    assert!(made(&first).0.as_str().is_some_and(|at| at.starts_with("/api/v1/matches/")), "{first}");
    assert_eq!(peer.refused("http", create(json!({"game": "tavla"}))).await, "key_reused");
}

#[tokio::test(start_paused = true)]
async fn without_a_token_a_client_can_only_read() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    peer.get(&format!("/matches/{}", game.id)).await;
    for (op, fields) in [
        ("http", json!({"method": "GET", "path": "/api/v1/me"})),
        ("personal", json!({"on": true})),
        ("join", json!({"match": game.id})),
        ("turn", json!({"match": game.id, "seq": 1, "steps": []})),
    ] {
        assert_eq!(peer.refused(op, fields).await, "unauthorized", "{op}");
    }
}

/// A request that a socket cannot carry is refused with its own code; the connection continues.
#[tokio::test(start_paused = true)]
async fn a_socket_refuses_what_is_not_json_too_long_or_outside_the_api() {
    let (world, game) = World::with_a_game().await;
    game.play_to(1_300).await;
    let mut peer = world.client(&game.tokens[0]).await;
    let events = format!("/matches/{}/events?limit=1000", game.id);
    let text = format!("/matches/{}/record?format=text", game.id);
    for (path, code) in [
        (events.as_str(), "body_too_large"),
        (text.as_str(), "not_acceptable"),
        ("/me/records", "not_acceptable"),
        ("/me/records?format=ndjson", "not_acceptable"),
        ("/me/export", "not_acceptable"),
        ("/statistics/tavla/counts.csv", "not_acceptable"),
        ("/socket", "not_found"),
        ("/../../rules", "not_found"),
        (" /me", "invalid_path"),
        ("/me?token=x", "secret_in_url"),
    ] {
        assert_eq!(peer.http_refused("GET", path, Value::Null).await, code, "{path}");
    }
    for path in ["/rules", "/healthz", "/api/openapi.json", "http://example.org/api/v1/me", "api/v1/me", ""] {
        let code = peer.refused("http", json!({"method": "GET", "path": path})).await;
        assert_eq!(code, if path.starts_with('/') { "not_found" } else { "invalid_path" }, "{path}");
    }
    let exports = peer.http_refused("GET", "/me/export", Value::Null).await;
    assert_eq!(exports, "not_acceptable", "a refused request keeps no place of an export");
    let long = json!({"name": "x".repeat(16 * 1024)});
    assert_eq!(peer.http_refused("PATCH", "/me", long).await, "body_too_large", "not 1009");
    assert_eq!(peer.http_refused("POST", "/seeks", Value::Null).await, "unsupported_media_type");
}

#[tokio::test(start_paused = true)]
async fn a_guest_is_created_renamed_and_moved_to_another_device() {
    let world = World::with(&["--new-guests-per-hour", "1"]).await;
    let mut nobody = world.watcher().await;
    let guest = nobody.post("/guests", json!({"name": "Agathias"})).await;
    assert_eq!(nobody.http_refused("POST", "/guests", Value::Null).await, "too_many_guests");
    let mut peer = world.client(&serde_json::from_value(guest["token"].clone()).unwrap()).await;
    assert_eq!(peer.http("PATCH", "/me", json!({"name": "Zeno"})).await["ok"]["name"], "Zeno");
    let code = peer.post("/me/device-code", Value::Null).await["code"].clone();
    let moved = nobody.post("/device-codes/spend", json!({"code": code})).await;
    assert_eq!(moved["id"], guest["id"]);
    assert_eq!(peer.http("DELETE", "/me/token", Value::Null).await["status"], 204);
    let mut late = world.connect();
    assert_eq!(late.refused("hello", json!({"token": guest["token"]})).await, "unknown_token");
    assert_eq!(late.ok("hello", json!({"token": moved["token"]})).await["you"]["name"], "Zeno");
}

#[tokio::test(start_paused = true)]
async fn the_sockets_own_operations_use_a_new_name_at_once() {
    let world = World::new().await;
    let (host, _) = world.guest().await;
    let open: CreateMatch = serde_json::from_value(json!({"game": "zeno"})).unwrap();
    let id = world.app.create(&host, &open, None).await.unwrap().created.id;
    let mut peer = world.client(&world.guest().await.1).await;
    assert_eq!(peer.http("PATCH", "/me", json!({"name": "Zeno"})).await["ok"]["name"], "Zeno");
    let joined = peer.ok("join", json!({"match": id})).await;
    assert_eq!(joined["events"][0]["player"]["name"], "Zeno");
}

#[tokio::test(start_paused = true)]
async fn sessions_are_listed_and_revoked() {
    let world = World::new().await;
    let (_, token) = world.guest().await;
    let mut peer = world.client(&token).await;
    let code = peer.post("/me/device-code", Value::Null).await["code"].clone();
    let mut stranger = world.watcher().await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(stranger.http_refused("GET", "/me/sessions", Value::Null).await, "unauthorized");
    let moved = stranger.post("/device-codes/spend", json!({"code": code, "device": " Phone "})).await;
    let mut phone = world.client(&serde_json::from_value(moved["token"].clone()).unwrap()).await;
    let told = phone.get("/me/sessions").await;
    let of = |n: usize| told["sessions"][n].clone();
    assert_eq!((&of(0)["device"], &of(0)["origin"]), (&json!("Phone"), &json!("device_code")));
    assert_eq!((&of(0)["current"], &of(1)["current"]), (&json!(true), &json!(false)));
    assert_eq!((&of(1)["origin"], of(1).get("device")), (&json!("guest"), None));
    let other = format!("/me/sessions/{}", of(1)["id"].as_str().unwrap());
    assert_eq!(phone.http("DELETE", &other, Value::Null).await["status"], 204);
    assert_eq!(peer.end().await, (Ending::TokenRevoked, Some(4401)), "without a request");
    assert_eq!(phone.http_refused("DELETE", &other, Value::Null).await, "no_such_session");
    assert_eq!(phone.http("DELETE", "/me/sessions", Value::Null).await["status"], 204);
    assert_eq!(phone.get("/me/sessions").await["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_last_use_of_a_session_is_shown_to_the_hour() {
    let world = World::new().await;
    let (caller, token) = world.guest().await;
    let seen_at = async || world.app.sessions(&caller).await.unwrap().sessions[0].seen_at;
    let begun = seen_at().await;
    let mut noted = Vec::new();
    for minutes in [59, 2, 58, 2] {
        tokio::time::sleep(Duration::from_mins(minutes)).await;
        world.client(&token).await.ok("ping", json!({})).await;
        world.app.note_seen().await;
        noted.push(Duration::from_millis(seen_at().await - begun).as_secs() / 60);
    }
    assert_eq!(noted, [0, 61, 61, 121]);
}
