//! Who reads slowly stays and misses nothing; who reads nothing is cut.

use std::{sync::atomic::Ordering, time::Duration};

use axum::extract::ws::Message;
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{
    super::{
        ending::Ending,
        limits::{PING_EVERY, WINDOW_BYTES_MIN},
    },
    world::{Game, Peer, World},
};
use crate::app::admin::AdminAction;

/// Plays so many turns a second, for ever.
async fn play_on(game: Game, turns_per_s: u32) {
    loop {
        game.play().await;
        sleep(Duration::from_secs(1) / turns_per_s).await;
    }
}

/// A client that watches a match from its beginning while it is played, so many turns a second.
async fn watching(world: &World, turns_per_s: u32) -> Peer {
    let game = world.game().await;
    let mut peer = world.watcher().await;
    peer.ok("watch", json!({"match": game.id, "since": 0})).await;
    tokio::spawn(play_on(game, turns_per_s));
    peer
}

#[tokio::test(start_paused = true)]
async fn a_reader_of_ten_messages_a_second_stays_and_misses_nothing() {
    let world = World::new().await;
    let mut peer = watching(&world, 12).await;
    let (start, mut last) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_mins(10) {
        let (_, seq) = peer.event().await;
        assert_eq!(seq, last + 1);
        last = seq;
        sleep(Duration::from_millis(100)).await;
    }
    assert!(last > 5_900, "{last}");
}

#[tokio::test(start_paused = true)]
async fn who_takes_a_message_in_ten_seconds_stays() {
    let world = World::new().await;
    let mut peer = watching(&world, 50).await;
    // Until now they were fast: as much as can be is under way.
    for _ in 0..1_000 {
        peer.event().await;
    }
    sleep(Duration::from_secs(10)).await;
    for _ in 0..180 {
        peer.event().await;
        sleep(Duration::from_millis(9_900)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn little_is_under_way_to_who_reads_slowly() {
    let world = World::new().await;
    let mut peer = watching(&world, 50).await;
    for _ in 0..300 {
        peer.event().await;
        sleep(Duration::from_millis(100)).await;
    }
    let bytes = peer.under_way_bytes();
    assert!(bytes <= WINDOW_BYTES_MIN, "{bytes} bytes");
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_is_answered_soon() {
    let world = World::new().await;
    let mut peer = watching(&world, 50).await;
    for _ in 0..300 {
        peer.event().await;
        sleep(Duration::from_millis(100)).await;
    }
    let id = peer.say("ping", json!({}));
    let asked_at = Instant::now();
    while peer.pushed().await["re"] != id {
        sleep(Duration::from_millis(100)).await;
    }
    assert!(asked_at.elapsed() < Duration::from_secs(4), "{:?}", asked_at.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_who_prefers_it_is_given_snapshots() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    peer.ok("watch", json!({"match": game.id, "since": 0, "on_lag": "snapshot"})).await;
    tokio::spawn(play_on(game, 50));
    let (mut last, mut skips) = (0, 0);
    for _ in 0..600 {
        let pushed = peer.pushed().await;
        if pushed["notice"] == "skipped" {
            assert_eq!(pushed["from"], last + 1);
            (last, skips) = (pushed["to"].as_u64().unwrap(), skips + 1);
        } else if let Some(seq) = pushed["seq"].as_u64() {
            assert_eq!(seq, last + 1);
            last = seq;
        }
        sleep(Duration::from_millis(100)).await;
    }
    assert!(skips > 10 && last > 2_500, "{skips} snapshots, {last} events");
}

#[tokio::test(start_paused = true)]
async fn who_takes_nothing_is_cut_after_two_minutes_and_told_so() {
    let world = World::new().await;
    let mut peer = watching(&world, 50).await;
    let start = Instant::now();
    assert_eq!(peer.end().await, (Ending::Silent, Some(4408)));
    assert_eq!(start.elapsed(), Duration::from_mins(2));
}

#[tokio::test(start_paused = true)]
async fn who_answers_no_pings_but_asks_is_sent_everything() {
    let world = World::new().await;
    let mut peer = watching(&world, 12).await;
    peer.answers_pings = false;
    let (mut last, start) = (0, Instant::now());
    while start.elapsed() < Duration::from_mins(5) {
        peer.say("ping", json!({}));
        sleep(Duration::from_secs(10)).await;
        while let Some(message) = peer.now() {
            if let Some(seq) = message["seq"].as_u64() {
                assert_eq!(seq, last + 1);
                last = seq;
            }
        }
    }
    assert!(last > 3_000, "{last}");
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_who_is_blocked_is_disconnected_soon() {
    let world = World::new().await;
    let (caller, token) = world.guest().await;
    let game = world.game().await;
    game.play_to(600).await;
    let mut peer = world.client(&token).await;
    peer.ok("watch", json!({"match": game.id, "since": 0})).await;
    sleep(Duration::from_secs(1)).await;
    let start = Instant::now();
    world.app.administer(AdminAction::Block { guest: caller.id().0.to_string() }).await.unwrap();
    assert_eq!(peer.end().await, (Ending::Blocked, Some(4403)));
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stops_does_not_wait_for_who_takes_nothing() {
    let world = World::new().await;
    let mut peer = watching(&world, 50).await;
    peer.stuck.store(true, Ordering::Relaxed);
    sleep(PING_EVERY).await;
    let start = Instant::now();
    world.stopping.cancel();
    assert_eq!(peer.end().await, (Ending::Stopping, None));
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn pongs_that_nobody_asked_for_are_a_flood() {
    let world = World::new().await;
    let mut peer = world.watcher().await;
    for _ in 0..=1_000 {
        peer.send(Message::Pong(Vec::new().into()));
    }
    assert_eq!(peer.end().await, (Ending::Flood, Some(4429)));
}
