//! Slow readers stay and miss nothing; clients that read nothing are disconnected.

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

/// Plays this many turns a second, without end.
async fn play_on(game: Game, turns_per_s: u32) {
    loop {
        game.play().await;
        sleep(Duration::from_secs(1) / turns_per_s).await;
    }
}

/// A client that watches a match from its beginning while it is played at this rate.
async fn watching(world: &World, turns_per_s: u32) -> Peer {
    let game = world.game().await;
    let mut peer = world.watcher().await;
    peer.ok("watch", json!({"match": game.id, "since": 0})).await;
    tokio::spawn(play_on(game, turns_per_s));
    peer
}

#[tokio::test(start_paused = true)]
async fn a_reader_of_ten_messages_a_second_stays_connected_and_misses_nothing() {
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
async fn a_reader_of_a_message_in_ten_seconds_stays_connected() {
    let world = World::new().await;
    let mut peer = watching(&world, 50).await;
    // The client was fast until now: its window is as large as possible.
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
async fn little_is_in_flight_to_a_slow_reader() {
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
async fn a_slow_reader_gets_snapshots_if_it_prefers_them() {
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
async fn a_client_that_reads_nothing_is_disconnected_after_two_minutes_with_a_close_code() {
    let world = World::new().await;
    let mut peer = watching(&world, 50).await;
    let start = Instant::now();
    assert_eq!(peer.end().await, (Ending::Silent, Some(4408)));
    assert_eq!(start.elapsed(), Duration::from_mins(2));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_answers_no_pings_but_sends_requests_receives_everything() {
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
async fn a_stopping_server_does_not_wait_for_clients_that_read_nothing() {
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
async fn unsolicited_pongs_are_a_flood() {
    let world = World::new().await;
    let mut peer = world.watcher().await;
    for _ in 0..=1_000 {
        peer.send(Message::Pong(Vec::new().into()));
    }
    assert_eq!(peer.end().await, (Ending::Flood, Some(4429)));
}
