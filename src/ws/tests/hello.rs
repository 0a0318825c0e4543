//! The first stage: `hello`.

use std::time::Duration;

use axum::extract::ws::Message;
use serde_json::json;
use tokio::time::Instant;

use super::{super::ending::Ending, world::World};

#[tokio::test(start_paused = true)]
async fn everything_is_refused_before_hello_and_a_second_hello_after_it() {
    let world = World::new().await;
    let mut peer = world.connect();
    assert_eq!(peer.refused("ping", json!({})).await, "hello_required");
    assert_eq!(peer.refused("hello", json!({"token": "nobodys"})).await, "unknown_token");
    assert_eq!(peer.refused("hello", json!({"name": "Zeno"})).await, "invalid_body");
    let hello = peer.ok("hello", json!({})).await;
    assert!(hello["server_time"].is_u64() && hello.get("you").is_none(), "{hello}");
    assert_eq!(hello["limits"]["watches_max"], 200);
    assert_eq!(peer.refused("hello", json!({})).await, "already_ready");
}

#[tokio::test(start_paused = true)]
async fn hello_with_a_token_says_who_you_are() {
    let world = World::new().await;
    let (caller, token) = world.guest().await;
    let mut peer = world.connect();
    let hello = peer.ok("hello", json!({"token": token.as_str()})).await;
    assert_eq!(hello["you"], serde_json::to_value(world.app.me(&caller).await.unwrap()).unwrap());
    assert_eq!(peer.get("/me").await, hello["you"]);
}

#[tokio::test(start_paused = true)]
async fn the_connection_closes_without_a_hello_in_time() {
    let world = World::new().await;
    let mut peer = world.connect();
    let start = Instant::now();
    for _ in 0..3 {
        assert_eq!(peer.refused("ping", json!({})).await, "hello_required");
    }
    assert_eq!(peer.end().await, (Ending::NoHello, Some(4401)));
    assert_eq!(start.elapsed(), Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn an_unreadable_request_is_refused_with_its_id_if_that_is_readable() {
    let world = World::new().await;
    let mut peer = world.watcher().await;
    for (text, re, code) in [
        ("{", None, "invalid_json"),
        ("[]", None, "invalid_body"),
        (r#"{"op":"ping"}"#, None, "invalid_body"),
        (r#"{"id":-1,"op":"ping"}"#, None, "invalid_body"),
        (r#"{"id":7}"#, Some(7), "invalid_body"),
        (r#"{"id":8,"op":"dance"}"#, Some(8), "unknown_op"),
        (r#"{"id":9,"op":"ping","why":1}"#, Some(9), "invalid_body"),
        (r#"{"id":10,"op":"watch","match":"X"}"#, Some(10), "invalid_body"),
    ] {
        peer.send(Message::Text(text.into()));
        let answer = peer.answer().await;
        assert_eq!(answer.get("re").and_then(serde_json::Value::as_u64), re, "{answer}");
        assert_eq!(answer["error"]["code"], code, "{text}: {answer}");
    }
    peer.ok("ping", json!({})).await;
}
