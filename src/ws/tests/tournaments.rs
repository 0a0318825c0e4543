//! Tournaments: who follows one hears that it changes, and who plays hears that it needs them.

use std::time::Duration;

use serde_json::{Value, json};

use super::world::{Peer, World};

/// Three people with accounts, and the first one's round robin for them.
async fn three_who_play(world: &World) -> ([Peer; 3], String) {
    let mut peers = Vec::new();
    for handle in ["Agathias", "Zeno", "Hypatia"] {
        let mut peer = world.client(&world.guest().await.1).await;
        peer.post("/me/account", json!({"handle": handle, "password": "a long password"})).await;
        peers.push(peer);
    }
    let begins_at = world.app.live().now() + 3_600_000;
    let request = json!({
        "name": "Ours", "game": "tavla", "begins_at": begins_at,
        "format": {"kind": "round_robin", "ends_at": begins_at + 3_600_000},
        "clock": {"kind": "fischer", "base_ms": 60_000, "increment_ms": 1_000},
    });
    let id = peers[0].post("/tournaments", request).await["id"].as_str().expect("an id").to_owned();
    (peers.try_into().map_err(|_| "three").expect("three"), id)
}

impl Peer {
    async fn says(&mut self, id: &str, command: &str) -> Value {
        self.post(&format!("/tournaments/{id}/entry"), json!({"command": command})).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_follower_hears_of_changes_once_a_second_at_most() {
    let world = World::new().await;
    let ([mut one, mut two, _], id) = three_who_play(&world).await;
    let mut follower = world.watcher().await;
    let nowhere = json!({"tournament": "0190a0a0-0000-7000-8000-000000000000"});
    assert_eq!(follower.refused("tournament", nowhere).await, "no_such_tournament");
    let topic = json!({"tournament": id, "on": true});
    assert_eq!(follower.ok("tournament", topic).await, json!({"head": 1}));
    one.says(&id, "enter").await;
    two.says(&id, "enter").await;
    let mut last = Value::Null;
    for n in 0..20 {
        last = one.says(&id, if n % 2 == 0 { "pause" } else { "here" }).await["head"].clone();
        follower.listen(Duration::from_millis(250)).await;
    }
    follower.listen(Duration::from_secs(2)).await;
    let mut heads = Vec::new();
    while let Some(pushed) = follower.now_pushed() {
        if pushed["notice"] == "tournament_changed" {
            assert_eq!(pushed["tournament"], id.as_str());
            heads.push(pushed["head"].clone());
        }
    }
    assert!((4..=8).contains(&heads.len()), "20 changes in five seconds: {heads:?}");
    assert_eq!(heads.last(), Some(&last));
    follower.ok("tournament", json!({"tournament": id, "on": false})).await;
    two.says(&id, "pause").await;
    assert_eq!(follower.pushed().await["notice"], "time", "no notice of the tournament");
}

#[tokio::test(start_paused = true)]
async fn a_player_hears_the_call_also_if_they_listen_later() {
    let world = World::new().await;
    let (mut peers, id) = three_who_play(&world).await;
    peers[1].ok("personal", json!({"on": true})).await;
    for peer in &mut peers {
        peer.says(&id, "enter").await;
    }
    // The first one is away: the others meet.
    for peer in &mut peers[1..] {
        peer.says(&id, "here").await;
    }
    peers[0].post(&format!("/tournaments/{id}/direction"), json!({"command": "start"})).await;
    let heard = peers[1].notice("tournament_call").await;
    assert_eq!((&heard["name"], &heard["opponent"]["name"]), (&json!("Ours"), &json!("Hypatia")));
    assert!(heard["match"].is_string(), "{heard}");
    for (late, opponent) in [(2, Some("Zeno")), (0, None)] {
        peers[late].ok("personal", json!({"on": true})).await;
        peers[late].listen(Duration::from_secs(1)).await;
        let call =
            std::iter::from_fn(|| peers[late].now_pushed()).find(|of| of["notice"] == "tournament_call");
        assert_eq!(call.as_ref().map(|call| &call["match"]), opponent.map(|_| &heard["match"]), "{call:?}");
        assert_eq!(call.as_ref().and_then(|call| call["opponent"]["name"].as_str()), opponent);
    }
}
