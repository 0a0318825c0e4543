//! What TV shows.

use lusoria::server::Server;
use serde_json::{Value, json};

use crate::{
    accounts::account,
    http::{get, guest, post, server},
};

/// Begins a game against the computer, and says which match it is.
async fn against_computer(server: &Server, token: &str, game: &str) -> Value {
    let terms = json!({"game": game, "opponent": {"computer": 1}});
    let created = post(server, token, "/matches", &terms).await;
    assert_eq!(created.status, 201, "{created:?}");
    created.json()["match"]["id"].clone()
}

/// They have not agreed to it, and have no preferences in which to refuse it.
#[tokio::test]
async fn a_guests_game_against_the_computer_is_not_shown() {
    let server = server().await;
    against_computer(&server, &guest(&server).await, "tablut").await;
    let (_, holder, _) = account(&server, "agathias").await;
    let shown = against_computer(&server, &holder, "tavla").await;
    let tv = get(&server, "/api/v1/tv").await.json();
    let channels = tv["channels"].as_array().expect("channels");
    let channel = |game: &str| channels.iter().find(|channel| channel["game"] == game).expect("a channel");
    assert_eq!(channel("tablut").get("match"), None, "{tv}");
    assert_eq!(channel("tavla")["match"]["id"], shown, "{tv}");
}
