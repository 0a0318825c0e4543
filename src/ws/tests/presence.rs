//! Connected and disconnected players, and the effect of a claim (api.md, "Gone").

use std::time::Duration;

use lusoria_protocol::MatchId;
use serde_json::{Value, json};

use super::world::{Game, Peer, World};
use crate::live::Positions;

/// Notices of the time in a minute.
const NOTICES_A_MINUTE: usize = 3;

/// Lets a client read for this many minutes, answering the server's pings.
async fn stays(peer: &mut Peer, minutes: usize) {
    for _ in 0..minutes * NOTICES_A_MINUTE {
        peer.notice("time").await;
    }
}

/// A player as a stranger sees them in a snapshot: whether they are connected, and for how many seconds they have
/// been gone.
async fn seen(world: &World, id: MatchId, player: usize) -> (bool, Option<u64>) {
    let snapshot = world.app.snapshot(id, None).await.expect("a match");
    let players = serde_json::to_value(snapshot.players).expect("plain data");
    let player = &players[(player + 1).to_string()];
    let gone = player["gone_since_at"].as_u64().map(|since| (world.app.live().now() - since) / 1_000);
    (player["connected"].as_bool().expect("a truth"), gone)
}

/// The player whose turn it is, and the other.
async fn turn_and_waiting(game: &Game) -> (usize, usize) {
    let (absent, _) = game.turn().await;
    (absent, 1 - absent)
}

/// Claims as a player, on a new connection.
async fn claims(world: &World, game: &Game, player: usize) -> Value {
    let mut peer = world.client(&game.tokens[player]).await;
    peer.ask("claim", json!({"match": game.id})).await
}

/// Plays until both sides have made their first turn.
async fn get_under_way(game: &Game) {
    let (first, _) = game.turn().await;
    while game.turn().await.0 == first {
        game.play().await;
    }
    game.play().await;
}

#[tokio::test(start_paused = true)]
async fn a_player_who_watches_nothing_after_hello_is_gone() {
    let (world, game) = World::with_a_game().await;
    get_under_way(&game).await;
    let (absent, waiting) = turn_and_waiting(&game).await;
    let mut peer = world.client(&game.tokens[absent]).await;
    peer.ok("personal", json!({"on": true})).await;
    peer.ok("lobby", json!({"on": true})).await;
    stays(&mut peer, 10).await;
    let (connected, gone) = seen(&world, game.id, absent).await;
    assert!(!connected && gone >= Some(600), "{gone:?}");
    let claimed = claims(&world, &game, waiting).await;
    assert_eq!(claimed["ok"]["events"][0]["reason"], "claimed", "{claimed}");
}

#[tokio::test(start_paused = true)]
async fn a_watching_player_is_connected_until_they_stop() {
    let (world, game) = World::with_a_game().await;
    let (absent, waiting) = turn_and_waiting(&game).await;
    let mut peer = world.client(&game.tokens[absent]).await;
    peer.ok("watch", json!({"match": game.id})).await;
    stays(&mut peer, 11).await;
    assert_eq!(seen(&world, game.id, absent).await, (true, None));
    let refused = claims(&world, &game, waiting).await;
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["retry_after_s"]),
        (&json!("not_gone"), &json!(600))
    );
    peer.ok("unwatch", json!({"match": game.id})).await;
    assert_eq!(seen(&world, game.id, absent).await, (false, Some(0)));
    stays(&mut peer, 9).await;
    assert_eq!(claims(&world, &game, waiting).await["error"]["code"], "not_gone");
    stays(&mut peer, 1).await;
    assert!(claims(&world, &game, waiting).await["ok"].is_object());
}

/// Like `GET …/events` with a token.
#[tokio::test(start_paused = true)]
async fn a_stream_of_the_match_is_presence() {
    let (world, game) = World::with_a_game().await;
    let id = game.id;
    let stream = world.app.read(id, 0, Positions::Sent, Some(&game.players[0])).await.expect("a stream");
    let others = world.app.read(id, 0, Positions::Sent, None).await.expect("a stream without a token");
    tokio::time::advance(Duration::from_mins(20)).await;
    assert_eq!(seen(&world, game.id, 0).await, (true, None));
    assert!(!seen(&world, game.id, 1).await.0, "a stream without a token is nobody's");
    drop((stream, others));
    assert_eq!(seen(&world, game.id, 0).await, (false, Some(0)));
}

/// As over HTTP: each of these sends the token and watches nothing.
#[tokio::test(start_paused = true)]
async fn a_request_about_the_match_counts_as_presence() {
    let (world, game) = World::with_a_game().await;
    let (absent, waiting) = turn_and_waiting(&game).await;
    let (caller, id) = (&game.players[absent], game.id);
    let mut socket = world.client(&game.tokens[absent]).await;
    for asked in ["snapshot", "events", "legal", "draw", "invitation", "socket"] {
        tokio::time::advance(Duration::from_secs(20)).await;
        assert!(seen(&world, game.id, absent).await.1 >= Some(20), "before {asked}");
        match asked {
            "snapshot" => drop(world.app.snapshot(id, Some(caller)).await.expect("a match")),
            "legal" => {
                drop(world.app.legal(Some(caller), id, &lusoria_protocol::LegalQuestion::default()).await);
            }
            "events" => drop(socket.get(&format!("/matches/{id}/events")).await),
            "draw" => drop(socket.refused("draw", json!({"match": game.id, "action": "accept"})).await),
            "invitation" => drop(world.app.invite(caller, id).await.expect_err("nobody is invited")),
            _ => drop(socket.get(&format!("/matches/{}", game.id)).await),
        }
        assert_eq!(seen(&world, game.id, absent).await, (false, Some(0)), "{asked}");
    }
    // The ten minutes begin with the last of them.
    tokio::time::advance(Duration::from_secs(599)).await;
    let refused = claims(&world, &game, waiting).await;
    assert_eq!(refused["error"]["retry_after_s"], 1, "{refused}");
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(claims(&world, &game, waiting).await["ok"].is_object());
}

#[tokio::test(start_paused = true)]
async fn requests_elsewhere_or_of_others_do_not_count() {
    let (world, game) = World::with_a_game().await;
    let (absent, waiting) = turn_and_waiting(&game).await;
    tokio::time::advance(Duration::from_mins(5)).await;
    let mut peer = world.client(&game.tokens[absent]).await;
    peer.get("/me/matches").await;
    peer.get(&format!("/matches/{}/record", game.id)).await;
    let mut other = world.client(&game.tokens[waiting]).await;
    other.get(&format!("/matches/{}", game.id)).await;
    assert!(seen(&world, game.id, absent).await.1 >= Some(300));
    assert_eq!(seen(&world, game.id, waiting).await, (false, Some(0)));
}

/// A server that started long ago knows nothing about the time before the match.
#[tokio::test(start_paused = true)]
async fn nobody_has_been_gone_for_longer_than_the_match_exists() {
    let world = World::new().await;
    tokio::time::advance(Duration::from_hours(24)).await;
    let game = world.game().await;
    tokio::time::advance(Duration::from_secs(7)).await;
    for player in [0, 1] {
        assert_eq!(seen(&world, game.id, player).await, (false, Some(7)));
    }
}

#[tokio::test(start_paused = true)]
async fn absence_before_the_players_turn_does_not_count() {
    let (world, game) = World::with_a_game().await;
    tokio::time::advance(Duration::from_hours(1)).await;
    game.play().await;
    let (_, waiting) = turn_and_waiting(&game).await;
    let refused = claims(&world, &game, waiting).await;
    assert_eq!(refused["error"]["retry_after_s"], 600, "{refused}");
}

#[tokio::test(start_paused = true)]
async fn before_the_opponents_first_turn_a_claim_aborts_the_match() {
    let world = World::new().await;
    for turns in [0, 1] {
        let game = world.game().await;
        for _ in 0..turns {
            game.play().await;
        }
        let (absent, waiting) = turn_and_waiting(&game).await;
        tokio::time::advance(Duration::from_mins(10)).await;
        let claimed = claims(&world, &game, waiting).await;
        let last = claimed["ok"]["events"].as_array().expect("events").last().expect("an event").clone();
        assert_eq!((&last["type"], &last["reason"]), (&json!("match_ended"), &json!("no_show")), "{last}");
        assert_eq!((&last["result"], &last["by_seat"]), (&json!("aborted"), &json!(absent + 1)), "{last}");
    }
}

#[tokio::test(start_paused = true)]
async fn afterwards_a_claim_wins_the_game_and_a_series_goes_on() {
    let (world, game) = World::with_a_game().await;
    get_under_way(&game).await;
    let (_, waiting) = turn_and_waiting(&game).await;
    let own = claims(&world, &game, 1 - waiting).await;
    assert_eq!(own["error"]["code"], "own_turn");
    tokio::time::advance(Duration::from_mins(10)).await;
    let claimed = claims(&world, &game, waiting).await;
    let events = &claimed["ok"]["events"];
    assert_eq!((&events[0]["reason"], &events[0]["winner_seat"]), (&json!("claimed"), &json!(waiting + 1)));
    assert_eq!(events[0]["points"], 2, "tavla: a player without a piece borne off loses two points");
    assert_eq!(events[1]["type"], "game_started");
}

/// No computer plays on this server.
#[tokio::test(start_paused = true)]
async fn the_computer_is_always_connected() {
    let world = World::new().await;
    let (caller, token) = world.guest().await;
    let request = json!({"game": "tablut", "side": "defenders", "opponent": {"computer": 1}});
    let request = serde_json::from_value(request).expect("a match");
    let id = world.app.create(&caller, &request, None).await.expect("a new match").created.id;
    tokio::time::advance(Duration::from_hours(1)).await;
    assert_eq!(seen(&world, id, 1).await, (true, None));
    let mut peer = world.client(&token).await;
    assert_eq!(peer.refused("claim", json!({"match": id})).await, "not_gone");
}
