//! Requests: the same as over HTTP, one after another.

use std::time::Duration;

use serde_json::json;

use super::world::World;
use crate::ws::Ending;

#[tokio::test(start_paused = true)]
async fn requests_are_answered_in_their_order() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    let mut asked = Vec::new();
    for _ in 0..10 {
        asked.push(peer.say("record", json!({"match": game.id})));
        asked.push(peer.say("ping", json!({})));
        asked.push(peer.say("rules", json!({"game": "zeno", "dice": [3, 2, 1]})));
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
    let created = one.ok("create", json!({"game": "tablut", "side": "attackers"})).await;
    let id = &created["match"]["id"];
    two.ok("join", json!({"match": id})).await;
    one.ok("watch", json!({"match": id, "since": 0})).await;
    let legal = one.ok("legal", json!({"match": id})).await;
    let turn = json!({"match": id, "seq": legal["seq"], "steps": [legal["steps"][0]]});
    assert_eq!(two.refused("turn", turn.clone()).await, "not_your_turn");
    let answer = one.ok("turn", turn).await;
    assert_eq!(answer["events"][0]["type"], "turned");
    let mut head = 0;
    while head < answer["head"].as_u64().unwrap() {
        head += 1;
        assert_eq!(one.event().await.1, head);
    }
    assert_eq!(two.ok("events", json!({"match": id})).await["head"], head);
    assert_eq!(two.ok("my_matches", json!({})).await["matches"][0]["id"], *id);
    assert_eq!(two.ok("resign", json!({"match": id})).await["match"], *id);
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_taken_back_against_the_computer_and_those_who_watch_are_told() {
    let world = World::new().await;
    let (mut one, mut other) = (world.client(&world.guest().await.1).await, world.watcher().await);
    let terms = json!({"game": "tablut", "side": "attackers", "opponent": {"computer": 1}});
    let created = one.ok("create", terms).await;
    let id = &created["match"]["id"];
    let head = created["match"]["head"].as_u64().unwrap();
    other.ok("watch", json!({"match": id, "since": head})).await;
    let turn = json!({"match": id, "seq": head, "steps": [{"from": "d1", "to": "c1"}]});
    one.ok("turn", turn).await;
    let turned = head + 1;
    let snapshot = one.ok("snapshot", json!({"match": id})).await;
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
    // The turn is given by the event that took it back.
    let again = json!({"match": id, "seq": turned + 1, "steps": [{"from": "d1", "to": "b1"}]});
    assert_eq!(one.ok("turn", again).await["events"][0]["type"], "turned");
}

#[tokio::test(start_paused = true)]
async fn who_plays_without_watching_has_been_seen() {
    let (world, game) = World::with_a_game().await;
    let (player, turn) = game.turn().await;
    let mut peer = world.client(&game.tokens[player]).await;
    let mut other = world.watcher().await;
    tokio::time::advance(Duration::from_secs(30)).await;
    let request = json!({"match": game.id, "seq": turn.seq, "steps": turn.steps});
    let at = peer.ok("turn", request).await["events"][0]["at"].clone();
    tokio::time::advance(Duration::from_secs(5)).await;
    let players = other.ok("snapshot", json!({"match": game.id})).await["players"].clone();
    assert_eq!(players[(player + 1).to_string()]["gone_since_at"], at, "{players}");
}

#[tokio::test(start_paused = true)]
async fn the_same_turn_again_gets_the_same_answer_again() {
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
async fn the_same_turn_again_after_hundreds_of_turns_gets_the_same_answer_again() {
    let (world, game) = World::with_a_game().await;
    let (player, turn) = game.turn().await;
    let mut peer = world.client(&game.tokens[player]).await;
    let request = json!({"match": game.id, "seq": turn.seq, "steps": turn.steps});
    let first = peer.ok("turn", request.clone()).await;
    game.play_to(400).await;
    let state = world.app.live().state(game.id).await.expect("a match");
    assert!(state.has_forgotten(turn.seq), "else the journal is not asked");
    assert_eq!(peer.ok("turn", request).await, first);
    let mut other = world.client(&game.tokens[1 - player]).await;
    let refused = other.refused("turn", json!({"match": game.id, "seq": turn.seq, "steps": turn.steps}));
    assert!(["wrong_seq", "not_your_turn"].contains(&refused.await.as_str()));
}

#[tokio::test(start_paused = true)]
async fn the_same_key_again_gets_the_same_answer_again() {
    let world = World::new().await;
    let mut peer = world.client(&world.guest().await.1).await;
    let request = json!({"game": "zeno", "admission": "invitation", "key": "k"});
    let first = peer.ok("create", request.clone()).await;
    let again = peer.ok("create", request).await;
    assert_eq!(
        (&again["match"]["id"], &again["invitation"]["code"]),
        (&first["match"]["id"], &first["invitation"]["code"])
    );
    assert_eq!(peer.refused("create", json!({"game": "tavla", "key": "k"})).await, "key_reused");
}

#[tokio::test(start_paused = true)]
async fn who_has_no_token_can_only_look() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    peer.ok("snapshot", json!({"match": game.id})).await;
    peer.ok("events", json!({"match": game.id, "since": 1, "limit": 2})).await;
    peer.ok("record", json!({"match": game.id})).await;
    peer.ok("legal", json!({"match": game.id})).await;
    peer.ok("matches", json!({"state": "live"})).await;
    for (op, fields) in [
        ("me", json!({})),
        ("create", json!({"game": "zeno"})),
        ("join", json!({"match": game.id})),
        ("resign", json!({"match": game.id})),
        ("my_matches", json!({})),
        ("turn", json!({"match": game.id, "seq": 1, "steps": []})),
    ] {
        assert_eq!(peer.refused(op, fields).await, "unauthorized", "{op}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_match_that_is_over_is_analysed_for_anybody() {
    let world = World::with(&["--analysis-nodes", "100"]).await;
    let tasks = tokio_util::task::TaskTracker::new();
    world.app.start_analyses(&tasks);
    let game = world.game().await;
    game.play_to(10).await;
    let mut peer = world.watcher().await;
    assert_eq!(peer.refused("analysis", json!({"match": game.id})).await, "match_not_over");
    let mut player = world.client(&game.tokens[0]).await;
    player.ok("resign", json!({"match": game.id, "scope": "match"})).await;
    let record = json!({"match": game.id, "analysis": true});
    assert!(peer.ok("record", record.clone()).await.get("analysis").is_none());
    assert_eq!(peer.ok("analysis", json!({"match": game.id})).await["state"], "pending");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let analysis = peer.ok("analysis", json!({"match": game.id})).await;
    assert_eq!((&analysis["state"], &analysis["done"]), (&json!("ready"), &analysis["turns"]));
    assert_eq!(peer.ok("record", record).await["analysis"], analysis);
    assert!(peer.ok("record", json!({"match": game.id})).await.get("analysis").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_guest_is_made_renamed_and_moved_to_another_device() {
    let world = World::with(&["--new-guests-per-hour", "1"]).await;
    let mut nobody = world.watcher().await;
    let guest = nobody.ok("guest", json!({"name": "Agathias"})).await;
    assert_eq!(nobody.refused("guest", json!({})).await, "too_many_guests");
    let mut peer = world.client(&serde_json::from_value(guest["token"].clone()).unwrap()).await;
    assert_eq!(peer.ok("rename", json!({"name": "Zeno"})).await["name"], "Zeno");
    let created = peer.ok("create", json!({"game": "zeno"})).await;
    assert_eq!(created["match"]["players"]["1"]["name"], "Zeno");
    let code = peer.ok("device_code", json!({})).await["code"].clone();
    let moved = nobody.ok("spend_device_code", json!({"code": code})).await;
    assert_eq!(moved["id"], guest["id"]);
    peer.ok("revoke_token", json!({})).await;
    let mut late = world.connect();
    assert_eq!(late.refused("hello", json!({"token": guest["token"]})).await, "unknown_token");
    assert_eq!(late.ok("hello", json!({"token": moved["token"]})).await["you"]["name"], "Zeno");
}

#[tokio::test(start_paused = true)]
async fn sessions_are_told_and_revoked() {
    let world = World::new().await;
    let (_, token) = world.guest().await;
    let mut peer = world.client(&token).await;
    let code = peer.ok("device_code", json!({})).await["code"].clone();
    let mut stranger = world.watcher().await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(stranger.refused("sessions", json!({})).await, "unauthorized");
    let moved = stranger.ok("spend_device_code", json!({"code": code, "device": " Phone "})).await;
    let mut phone = world.client(&serde_json::from_value(moved["token"].clone()).unwrap()).await;
    let told = phone.ok("sessions", json!({})).await;
    let of = |n: usize| told["sessions"][n].clone();
    assert_eq!((&of(0)["device"], &of(0)["origin"]), (&json!("Phone"), &json!("device_code")));
    assert_eq!((&of(0)["current"], &of(1)["current"]), (&json!(true), &json!(false)));
    assert_eq!((&of(1)["origin"], of(1).get("device")), (&json!("guest"), None));
    phone.ok("revoke_session", json!({"session": of(1)["id"]})).await;
    assert_eq!(peer.end().await, (Ending::TokenRevoked, Some(4401)), "without having asked for anything");
    assert_eq!(phone.refused("revoke_session", json!({"session": of(1)["id"]})).await, "no_such_session");
    phone.ok("revoke_other_sessions", json!({})).await;
    assert_eq!(phone.ok("sessions", json!({})).await["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn when_a_session_was_seen_is_told_to_the_hour() {
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

#[tokio::test(start_paused = true)]
async fn an_invitation_is_made_looked_at_and_withdrawn() {
    let world = World::new().await;
    let (mut host, mut invited) =
        (world.client(&world.guest().await.1).await, world.client(&world.guest().await.1).await);
    let created = host.ok("create", json!({"game": "zeno", "admission": "invitation"})).await;
    let (id, first) = (&created["match"]["id"], &created["invitation"]["code"]);
    let second = host.ok("invite", json!({"match": id})).await["code"].clone();
    assert_eq!(invited.refused("look_invitation", json!({"code": first})).await, "unknown_code");
    assert_eq!(invited.ok("look_invitation", json!({"code": second})).await["id"], *id);
    assert_eq!(invited.refused("invite", json!({"match": id})).await, "not_a_player");
    host.ok("withdraw_invitation", json!({"match": id})).await;
    assert_eq!(invited.refused("spend_invitation", json!({"code": second})).await, "unknown_code");
}

#[tokio::test(start_paused = true)]
async fn the_games_fit_into_a_message() {
    let world = World::new().await;
    let mut peer = world.watcher().await;
    let games = peer.ok("games", json!({})).await;
    for game in games["games"].as_array().unwrap() {
        assert_eq!(peer.ok("game", json!({"game": game["id"]})).await, *game);
    }
}

#[tokio::test(start_paused = true)]
async fn pages_have_their_limits() {
    let (world, game) = World::with_a_game().await;
    game.play_to(250).await;
    let mut peer = world.watcher().await;
    for (op, limit) in [("events", 0), ("events", 1_001), ("matches", 0), ("matches", 101)] {
        let mut fields = json!({"limit": limit});
        if op == "events" {
            fields["match"] = json!(game.id);
        }
        assert_eq!(peer.refused(op, fields).await, "invalid_body", "{op} {limit}");
    }
    let page = peer.ok("events", json!({"match": game.id, "limit": 1_000})).await;
    assert_eq!(page["events"].as_array().unwrap().len(), 200, "a page fits into a message");
}
