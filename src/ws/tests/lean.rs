//! Watching without the position after each turn (`positions: false`).

use serde_json::{Value, json};

use super::world::{Game, Peer, World};

/// The next events of a match, up to number `last`.
async fn events_to(peer: &mut Peer, game: &Game, last: u32) -> Vec<Value> {
    let mut events = Vec::new();
    while events.last().is_none_or(|event: &Value| event["seq"] != last) {
        let pushed = peer.pushed().await;
        if pushed["match"] == json!(game.id) && pushed.get("seq").is_some() {
            events.push(pushed);
        }
    }
    events
}

/// The same events without positions; at least one has a position.
fn without_positions(events: &[Value]) -> Vec<Value> {
    let mut lean = events.to_vec();
    let positions = lean
        .iter_mut()
        .filter(|event| event["type"] == "turned")
        .filter_map(|event| event.as_object_mut()?.remove("position"));
    assert!(positions.count() > 0, "{events:?}");
    lean
}

async fn watch(peer: &mut Peer, game: &Game, since: u32, positions: bool) {
    peer.ok("watch", json!({"match": game.id, "since": since, "positions": positions})).await;
}

#[tokio::test(start_paused = true)]
async fn lean_and_full_watchers_get_the_same_events_but_for_the_positions() {
    let (world, game) = World::with_a_game().await;
    let (mut full, mut lean, mut usual) =
        (world.watcher().await, world.watcher().await, world.watcher().await);
    watch(&mut full, &game, 0, true).await;
    watch(&mut lean, &game, 0, false).await;
    usual.ok("watch", json!({"match": game.id, "since": 0})).await;
    game.play_to(60).await;
    let head = game.head().await;
    let told = events_to(&mut full, &game, head).await;
    assert_eq!(told.len(), head as usize);
    assert_eq!(events_to(&mut lean, &game, head).await, without_positions(&told));
    assert_eq!(events_to(&mut usual, &game, head).await, told, "positions are sent by default");
    let started = told.iter().find(|event| event["type"] == "game_started").expect("a game");
    assert!(started["position"].is_object(), "the start has its position for everyone");
}

#[tokio::test(start_paused = true)]
async fn a_lean_watcher_who_is_behind_reads_on_from_the_journal() {
    let (world, game) = World::with_a_game().await;
    let (mut full, mut lean) = (world.watcher().await, world.watcher().await);
    game.play_to(300).await;
    watch(&mut lean, &game, 3, false).await;
    watch(&mut full, &game, 3, true).await;
    // Events beyond those in memory come from the journal, and then again from memory.
    for last in [300, 310] {
        game.play_to(last).await;
        let head = game.head().await;
        let told = events_to(&mut full, &game, head).await;
        assert_eq!(events_to(&mut lean, &game, head).await, without_positions(&told));
    }
}

#[tokio::test(start_paused = true)]
async fn watching_again_changes_whether_positions_come() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    let mut told = Vec::new();
    for positions in [true, false, true] {
        watch(&mut peer, &game, 0, positions).await;
        told.push(events_to(&mut peer, &game, game.head().await).await);
        game.play().await;
        let head = game.head().await;
        let since = events_to(&mut peer, &game, head).await;
        let turn = since.iter().find(|event| event["type"] == "turned").expect("a turn");
        assert_eq!(turn.get("position").is_some(), positions);
    }
    let known = told[1].len();
    assert_eq!(told[1], without_positions(&told[2][..known]), "the form follows the latest watch");
}

#[tokio::test(start_paused = true)]
async fn a_lean_watcher_who_skips_gets_a_whole_snapshot() {
    let (world, game) = World::with_a_game().await;
    game.play_to(100).await;
    let mut peer = world.watcher().await;
    let fields = json!({"match": game.id, "since": 3, "on_lag": "snapshot", "positions": false});
    peer.ok("watch", fields).await;
    assert!(peer.notice("skipped").await["snapshot"]["position"].is_object());
    let watch = peer.ok("watch", json!({"match": game.id, "positions": false})).await;
    assert!(watch["snapshot"]["position"].is_object());
}

#[tokio::test(start_paused = true)]
async fn positions_are_true_or_false() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    for positions in [json!("no"), json!(0), Value::Null] {
        let answer = peer.ask("watch", json!({"match": game.id, "positions": positions})).await;
        assert_eq!(answer["error"]["code"], "invalid_body", "{answer}");
    }
}
