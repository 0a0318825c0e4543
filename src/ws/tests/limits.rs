//! Endings of a conversation, and harm that a client cannot do to others.

use std::{sync::atomic::Ordering, time::Duration};

use axum::extract::ws::Message;
use serde_json::json;
use tokio::time::Instant;

use super::{
    super::{
        ending::{Ending, ReadError},
        limits::PING_EVERY,
    },
    world::World,
};
use crate::app::admin::AdminAction;

#[tokio::test(start_paused = true)]
async fn each_bad_frame_has_its_close_code() {
    let long = format!(r#"{{"id":1,"op":"ping","x":"{}"}}"#, "x".repeat(17 * 1024));
    for (frame, ending, code) in [
        (Ok(Message::Binary(vec![1].into())), Ending::Binary, Some(1003)),
        (Ok(Message::Text(long.into())), Ending::TooBig, Some(1009)),
        (Err(ReadError::TooBig), Ending::TooBig, Some(1009)),
        (Err(ReadError::NotUtf8), Ending::NotUtf8, Some(1007)),
        (Err(ReadError::BadFrame), Ending::BadFrame, Some(1002)),
        (Err(ReadError::Broken), Ending::Broken, None),
        (Ok(Message::Close(None)), Ending::Closed, None),
    ] {
        let world = World::new().await;
        let mut strangers = world.connect();
        strangers.receive(frame.clone());
        assert_eq!(strangers.end().await, (ending, code), "before hello");
        let mut peer = world.watcher().await;
        peer.receive(frame);
        assert_eq!(peer.end().await, (ending, code));
    }
}

#[tokio::test(start_paused = true)]
async fn too_many_requests_are_refused_and_later_ones_accepted() {
    let world = World::with(&["--address-burst", "5", "--address-requests-per-s", "1"]).await;
    let mut peer = world.watcher().await;
    let mut codes = Vec::new();
    for _ in 0..10 {
        let answer = peer.ask("ping", json!({})).await;
        codes.push(answer["error"]["code"].as_str().map(str::to_owned));
    }
    assert_eq!(codes[0], None);
    assert_eq!(codes[9].as_deref(), Some("too_many_requests"));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_ignores_refusals_is_disconnected() {
    let world = World::with(&["--address-burst", "5", "--address-requests-per-s", "1"]).await;
    let mut peer = world.watcher().await;
    for _ in 0..250 {
        peer.say("ping", json!({}));
    }
    assert_eq!(peer.end().await, (Ending::Flood, Some(4429)));
}

#[tokio::test(start_paused = true)]
async fn requests_on_all_sockets_of_an_address_count_together() {
    let world = World::with(&["--address-total-per-s", "10"]).await;
    let tokens = [world.guest().await.1, world.guest().await.1];
    let mut peers = [world.client(&tokens[0]).await, world.client(&tokens[1]).await];
    let mut answered = 0;
    for _ in 0..15 {
        for peer in &mut peers {
            let answer = peer.ask("ping", json!({})).await;
            answered += u32::from(answer.get("ok").is_some());
            if answer.get("error").is_some() {
                assert_eq!(answer["error"]["code"], "too_many_requests");
            }
        }
    }
    // Time stands still for sockets, but not for the token buckets: one more request may be accepted.
    assert!((18..=22).contains(&answered), "{answered} of twenty, both hellos included");
}

#[tokio::test(start_paused = true)]
async fn long_answers_count_for_more_than_short_ones() {
    let world = World::with(&["--address-total-per-s", "10"]).await;
    let game = world.game().await;
    game.play_to(150).await;
    let mut peer = world.watcher().await;
    let page = |limit: u32| {
        let path = format!("/api/v1/matches/{}/events?limit={limit}", game.id);
        json!({"method": "GET", "path": path})
    };
    let mut asked = |limit: u32| peer.say("http", page(limit));
    // Twenty in two seconds, less the hello: 13 for the first one, then 5 short ones.
    let ids: Vec<_> = [140, 20, 20, 20, 20, 140].map(&mut asked).into();
    let mut refused = Vec::new();
    for _ in &ids {
        let answer = peer.answer().await;
        if answer["error"]["code"] == "too_many_requests" {
            refused.push(answer["re"].clone());
        }
    }
    assert_eq!(refused, [*ids.last().expect("six questions")]);
}

#[tokio::test(start_paused = true)]
async fn a_long_page_waits_for_a_permit_but_not_without_end() {
    let (world, game) = World::with_a_game().await;
    game.play_to(60).await;
    let mut peer = world.watcher().await;
    let held = world.app.hold_long_pages().await;
    let page = |limit: u32| {
        let path = format!("/api/v1/matches/{}/events?limit={limit}", game.id);
        json!({"method": "GET", "path": path})
    };
    assert_eq!(peer.refused("http", page(21)).await, "unavailable");
    peer.ok("http", page(20)).await;
    peer.say("http", page(21));
    drop(held);
    assert!(peer.answer().await["ok"].is_object(), "it got a permit");
}

#[tokio::test(start_paused = true)]
async fn a_flood_closes_the_connection_even_one_of_pings() {
    let world = World::new().await;
    let mut peer = world.watcher().await;
    for _ in 0..=1_000 {
        peer.send(Message::Ping(Vec::new().into()));
    }
    assert_eq!(peer.end().await, (Ending::Flood, Some(4429)));
}

#[tokio::test(start_paused = true)]
async fn after_a_minute_of_silence_a_client_is_disconnected_but_not_if_it_answers_pings() {
    let world = World::new().await;
    let start = Instant::now();
    let mut deaf = world.watcher().await;
    assert_eq!(deaf.end().await, (Ending::Silent, Some(4408)));
    assert_eq!(start.elapsed(), Duration::from_mins(1));

    let mut alive = world.watcher().await;
    let start = Instant::now();
    while start.elapsed() < Duration::from_mins(5) {
        let time = alive.notice("time").await;
        assert!(time["server_time"].is_u64());
    }
    alive.ok("ping", json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn a_stopping_server_sends_its_close_code() {
    let world = World::new().await;
    let (mut stranger, mut peer) = (world.connect(), world.watcher().await);
    world.stopping.cancel();
    assert_eq!(peer.end().await, (Ending::Stopping, Some(1012)));
    assert_eq!(stranger.end().await, (Ending::Stopping, Some(1012)));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_disconnected_and_delays_nobody() {
    let (world, game) = World::with_a_game().await;
    let (mut slow, mut other) = (world.watcher().await, world.watcher().await);
    for peer in [&mut slow, &mut other] {
        peer.ok("watch", json!({"match": game.id, "since": game.head().await})).await;
    }
    slow.stuck.store(true, Ordering::Relaxed);
    let (start, before) = (Instant::now(), game.head().await);
    game.play_to(before + 200).await;
    for seq in before + 1..=before + 200 {
        assert_eq!(other.event().await.1, u64::from(seq));
    }
    assert_eq!(start.elapsed(), Duration::ZERO, "nobody waited");
    assert_eq!(slow.end().await, (Ending::Stuck, None));
    // A minute, and a moment for the close frame, which it does not read either.
    assert_eq!(start.elapsed(), Duration::from_secs(62));
}

#[tokio::test(start_paused = true)]
async fn a_revoked_token_sends_no_requests_and_soon_receives_nothing() {
    let world = World::new().await;
    let (caller, token) = world.guest().await;
    let (mut asking, mut listening) = (world.client(&token).await, world.client(&token).await);
    let start = Instant::now();
    world.app.revoke_token(&caller).await.unwrap();
    asking.say("http", json!({"method": "GET", "path": "/api/v1/me"}));
    assert_eq!(asking.end().await, (Ending::TokenRevoked, Some(4401)), "no more requests");
    assert_eq!(listening.end().await, (Ending::TokenRevoked, Some(4401)));
    assert!(start.elapsed() <= PING_EVERY, "and no messages after the next ping");
}

#[tokio::test(start_paused = true)]
async fn a_blocked_guest_is_disconnected_at_once() {
    let world = World::new().await;
    let (caller, token) = world.guest().await;
    let (mut theirs, mut other) = (world.client(&token).await, world.watcher().await);
    let start = Instant::now();
    let guest = caller.id().0.to_string();
    world.app.administer(AdminAction::Block { guest }).await.unwrap();
    assert_eq!(theirs.end().await, (Ending::Blocked, Some(4403)));
    assert_eq!(start.elapsed(), Duration::ZERO, "nobody waits for a ping");
    other.ok("ping", json!({})).await;
    let mut again = world.connect();
    assert_eq!(again.refused("hello", json!({"token": token})).await, "blocked");
}

/// An idle socket costs its task, its buffers and its watches; this is the task.
#[tokio::test(start_paused = true)]
async fn an_idle_socket_is_small() {
    let world = World::new().await;
    let bytes = world.conversation_bytes();
    assert!(bytes < 2_176, "{bytes} bytes");
}
