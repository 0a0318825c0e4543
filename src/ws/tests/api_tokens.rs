//! API tokens on a socket: they end while it is open.

use std::time::Duration;

use axum::extract::ws::Message;
use lusoria_protocol::{CreateApiToken, CreatedApiToken, OpenAccount};
use serde_json::json;

use super::{
    super::ending::Ending,
    world::{ADDRESS, World},
};
use crate::app::{Caller, ClientAddress};

/// Ten seconds before an API token of one day expires. A silent socket is closed after sixty seconds.
const SHORTLY_BEFORE_ITS_END: Duration = Duration::from_secs(24 * 3_600 - 10);

/// A guest with an account, and an API token that is valid for a day.
async fn with_api_token(world: &World) -> (Caller, CreatedApiToken) {
    let (caller, _) = world.guest().await;
    let address = ClientAddress(ADDRESS);
    let password = "three rolls of the dice";
    let account: OpenAccount =
        serde_json::from_value(json!({"handle": "agathias", "password": password})).unwrap();
    world.app.open_account(&caller, &account, address).await.unwrap();
    let request =
        json!({"name": "bot", "scopes": ["match:read"], "expires_in_days": 1, "password": password});
    let request: CreateApiToken = serde_json::from_value(request).unwrap();
    let made = world.app.create_api_token(&caller, &request, address).await.unwrap();
    (caller, made)
}

#[tokio::test(start_paused = true)]
async fn a_revoked_api_token_closes_its_sockets_alone() {
    let world = World::new().await;
    let (caller, made) = with_api_token(&world).await;
    let mut peer = world.client(&made.token).await;
    peer.ok("personal", json!({"on": true})).await;
    assert_eq!(peer.http_refused("PATCH", "/me", json!({"name": "another"})).await, "session_required");
    assert_eq!(peer.http_refused("POST", "/matches", json!({"game": "zeno"})).await, "missing_scope");
    world.app.revoke_api_token(&caller, made.shown.id).await.unwrap();
    assert_eq!(peer.end().await, (Ending::TokenRevoked, Some(4401)), "without a request");
}

#[tokio::test(start_paused = true)]
async fn an_api_token_expires_while_its_socket_is_open() {
    let world = World::new().await;
    let (_, made) = with_api_token(&world).await;
    tokio::time::advance(SHORTLY_BEFORE_ITS_END).await;
    let mut peer = world.client(&made.token).await;
    peer.get("/me").await;
    assert_eq!(peer.end().await, (Ending::TokenExpired, Some(4401)), "without a request");
    let mut late = world.connect();
    let refused = late.refused("hello", json!({"token": made.token.as_str()})).await;
    assert_eq!(refused, "token_expired");
}

#[tokio::test(start_paused = true)]
async fn requests_do_not_keep_a_socket_beyond_the_end_of_its_api_token() {
    let world = World::new().await;
    let (_, made) = with_api_token(&world).await;
    tokio::time::advance(SHORTLY_BEFORE_ITS_END).await;
    let mut peer = world.client(&made.token).await;
    tokio::time::sleep(Duration::from_secs(9)).await;
    peer.get("/games").await;
    tokio::time::sleep(Duration::from_secs(9)).await;
    let began = tokio::time::Instant::now();
    peer.send(Message::Text(r#"{"id":9,"op":"http","method":"GET","path":"/api/v1/games"}"#.into()));
    assert_eq!(peer.end().await, (Ending::TokenExpired, Some(4401)));
    assert_eq!(began.elapsed(), Duration::ZERO, "with the request, not at a later ping");
}

#[tokio::test(start_paused = true)]
async fn the_last_use_of_an_api_token_is_shown_to_the_hour() {
    let world = World::new().await;
    let (caller, made) = with_api_token(&world).await;
    let used_at = async || world.app.api_tokens(&caller).await.unwrap().tokens[0].used_at;
    let mut noted = vec![used_at().await];
    for minutes in [5, 58, 2] {
        tokio::time::sleep(Duration::from_mins(minutes)).await;
        world.client(&made.token).await.ok("ping", json!({})).await;
        world.app.note_seen().await;
        noted.push(used_at().await);
    }
    let minutes =
        |at: Option<u64>| at.map(|at| Duration::from_millis(at - made.shown.created_at).as_secs() / 60);
    let noted: Vec<_> = noted.into_iter().map(minutes).collect();
    assert_eq!(noted, [None, Some(5), Some(5), Some(65)]);
}
