//! Watching matches: in order and without gaps, from any event.

use serde_json::json;

use super::world::World;

#[tokio::test(start_paused = true)]
async fn without_since_a_snapshot_comes_and_then_later_events() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    let watch = peer.ok("watch", json!({"match": game.id})).await;
    assert_eq!(watch["head"], game.head().await);
    assert_eq!(watch["snapshot"]["head"], watch["head"]);
    game.play().await;
    let (id, seq) = peer.event().await;
    assert_eq!((id, seq), (json!(game.id), watch["head"].as_u64().unwrap() + 1));
}

#[tokio::test(start_paused = true)]
async fn with_since_no_event_is_missing_whatever_happens_meanwhile() {
    let (world, game) = World::with_a_game().await;
    game.play_to(150).await;
    let mut peer = world.watcher().await;
    let watch = peer.ok("watch", json!({"match": game.id, "since": 10})).await;
    assert!(watch["head"].as_u64().unwrap() >= 150 && watch.get("snapshot").is_none());
    let playing = tokio::spawn(async move {
        game.play_to(400).await;
        game.head().await
    });
    for seq in 11..=400 {
        assert_eq!(peer.event().await.1, seq);
    }
    assert!(playing.await.unwrap() >= 400);
}

#[tokio::test(start_paused = true)]
async fn since_may_not_lie_beyond_the_head() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    let head = game.head().await;
    assert_eq!(peer.refused("watch", json!({"match": game.id, "since": head + 1})).await, "ahead_of_journal");
    assert_eq!(peer.refused("unwatch", json!({"match": game.id})).await, "not_watching");
    peer.ok("watch", json!({"match": game.id, "since": head})).await;
}

#[tokio::test(start_paused = true)]
async fn a_match_that_is_far_behind_delays_the_others_by_a_batch() {
    let world = World::new().await;
    let (long, short) = (world.game().await, world.game().await);
    long.play_to(300).await;
    let mut peer = world.watcher().await;
    peer.say("watch", json!({"match": long.id, "since": 0}));
    peer.say("watch", json!({"match": short.id, "since": 0}));
    peer.answer().await;
    peer.answer().await;
    let mut before = 0;
    while peer.event().await.0 != json!(short.id) {
        before += 1;
    }
    assert_eq!(before, crate::app::BATCH);
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_with_on_lag_snapshot_gets_a_snapshot() {
    let (world, game) = World::with_a_game().await;
    game.play_to(100).await;
    let head = game.head().await;
    let mut peer = world.watcher().await;
    peer.ok("watch", json!({"match": game.id, "since": 3, "on_lag": "snapshot"})).await;
    let skipped = peer.pushed().await;
    assert_eq!((&skipped["notice"], &skipped["match"]), (&json!("skipped"), &json!(game.id)));
    assert_eq!((&skipped["from"], &skipped["to"]), (&json!(4), &json!(head)));
    assert_eq!(skipped["snapshot"]["head"], head);
    game.play().await;
    assert_eq!(peer.event().await.1, u64::from(head) + 1);
}

#[tokio::test(start_paused = true)]
async fn a_watcher_a_little_behind_skips_nothing() {
    let (world, game) = World::with_a_game().await;
    game.play_to(20).await;
    let mut peer = world.watcher().await;
    peer.ok("watch", json!({"match": game.id, "since": 3, "on_lag": "snapshot"})).await;
    assert_eq!(peer.event().await.1, 4);
}

#[tokio::test(start_paused = true)]
async fn watching_again_reads_again_and_unwatching_ends_it() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    for _ in 0..2 {
        peer.ok("watch", json!({"match": game.id, "since": 1})).await;
        assert_eq!(peer.event().await.1, 2);
        for seq in 3..=game.head().await {
            assert_eq!(peer.event().await.1, u64::from(seq));
        }
    }
    peer.ok("unwatch", json!({"match": game.id})).await;
    assert_eq!(peer.refused("unwatch", json!({"match": game.id})).await, "not_watching");
    game.play().await;
    assert_eq!(peer.pushed().await["notice"], "time", "no event of the match");
}

#[tokio::test(start_paused = true)]
async fn the_watches_of_a_socket_are_limited() {
    let world = World::with(&["--watches-per-socket", "2"]).await;
    let games = [world.game().await, world.game().await, world.game().await];
    let mut peer = world.watcher().await;
    for game in &games[..2] {
        peer.ok("watch", json!({"match": game.id})).await;
    }
    let refused = peer.ask("watch", json!({"match": games[2].id})).await;
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["limit"]),
        (&json!("too_many_watches"), &json!(2))
    );
    peer.ok("watch", json!({"match": games[1].id})).await;
    peer.ok("unwatch", json!({"match": games[0].id})).await;
    peer.ok("watch", json!({"match": games[2].id})).await;
}

#[tokio::test(start_paused = true)]
async fn a_match_that_does_not_exist_cannot_be_watched() {
    let world = World::new().await;
    let mut peer = world.watcher().await;
    let id = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";
    assert_eq!(peer.refused("watch", json!({"match": id})).await, "no_such_match");
}
