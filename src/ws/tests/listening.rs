//! Notices: connected players, turns being built, the lobby, a player's own topic.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::world::{Game, World};

#[tokio::test(start_paused = true)]
async fn watchers_see_players_connect_and_disconnect() {
    let (world, game) = World::with_a_game().await;
    let mut peer = world.watcher().await;
    peer.ok("watch", json!({"match": game.id})).await;
    let mut player = world.client(&game.tokens[1]).await;
    let watch = player.ok("watch", json!({"match": game.id})).await;
    assert_eq!(watch["snapshot"]["players"]["2"]["connected"], true);
    let presence =
        |connected: bool| json!({"notice": "presence", "match": game.id, "seat": 2, "connected": connected});
    assert_eq!(peer.notice("presence").await, presence(true));
    player.leave().await;
    assert_eq!(peer.notice("presence").await, presence(false));
}

#[tokio::test(start_paused = true)]
async fn watchers_are_counted_and_not_named() {
    let (world, game) = World::with_a_game().await;
    let mut player = world.client(&game.tokens[0]).await;
    let watch = player.ok("watch", json!({"match": game.id})).await;
    assert!(watch["snapshot"].get("spectators").is_none(), "players are no spectators");
    let mut crowd = Vec::new();
    for _ in 0..3 {
        let mut peer = world.watcher().await;
        peer.ok("watch", json!({"match": game.id})).await;
        crowd.push(peer);
    }
    let told = |count: u32| json!({"notice": "spectators", "match": game.id, "count": count});
    assert_eq!(player.notice("spectators").await, told(3));
    assert_eq!(crowd[0].notice("spectators").await, told(3));
    assert_eq!(player.get(&format!("/matches/{}", game.id)).await["spectators"], 3);
    for peer in crowd {
        peer.leave().await;
    }
    assert_eq!(player.notice("spectators").await, told(0));
    assert!(player.get(&format!("/matches/{}", game.id)).await.get("spectators").is_none());
}

/// A page that shows small boards watches them like this.
#[tokio::test(start_paused = true)]
async fn a_small_board_is_no_spectator() {
    let (world, game) = World::with_a_game().await;
    let (mut afar, mut peer) = (world.watcher().await, world.watcher().await);
    let from_afar = json!({"match": game.id, "spectating": false});
    let watch = afar.ok("watch", from_afar.clone()).await;
    assert!(watch["snapshot"].get("spectators").is_none(), "{watch}");
    let watch = peer.ok("watch", json!({"match": game.id})).await;
    assert_eq!(watch["snapshot"]["spectators"], 1);
    let told = |count: u32| json!({"notice": "spectators", "match": game.id, "count": count});
    for who in [&mut afar, &mut peer] {
        assert_eq!(who.notice("spectators").await, told(1));
    }
    afar.ok("watch", json!({"match": game.id})).await;
    assert_eq!(peer.notice("spectators").await, told(2));
    afar.ok("watch", from_afar).await;
    assert_eq!(peer.notice("spectators").await, told(1));
    afar.leave().await;
    assert_eq!(peer.get(&format!("/matches/{}", game.id)).await["spectators"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_watcher_who_joins_becomes_a_player() {
    let world = World::new().await;
    let (one, two) = (world.guest().await.1, world.guest().await.1);
    let (mut creator, mut joiner) = (world.client(&one).await, world.client(&two).await);
    let created = creator.post("/matches", json!({"game": "tablut"})).await;
    let id = created["match"]["id"].clone();
    creator.ok("watch", json!({"match": id})).await;
    joiner.ok("watch", json!({"match": id})).await;
    joiner.ok("join", json!({"match": id})).await;
    loop {
        let presence = creator.notice("presence").await;
        if presence["seat"] == 2 {
            assert_eq!(presence["connected"], true);
            break;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_being_built_is_shown() {
    let (world, game) = World::with_a_game().await;
    let (player, turn) = game.turn().await;
    let mut watcher = world.watcher().await;
    watcher.ok("watch", json!({"match": game.id})).await;
    let mut builder = world.client(&game.tokens[player]).await;
    let path = format!("/matches/{}/building", game.id);
    builder.post(&path, json!({"seq": turn.seq, "steps": &turn.steps[..1]})).await;
    let notice = watcher.notice("building").await;
    assert_eq!((&notice["answers"], &notice["steps"]), (&json!(turn.seq), &json!(&turn.steps[..1])));
    assert_eq!(notice["seat"], player + 1);
    // A new watcher sees it, too.
    let shown =
        world.watcher().await.ok("watch", json!({"match": game.id})).await["snapshot"]["building"].clone();
    assert_eq!((&shown["steps"], &shown["position"]), (&notice["steps"], &notice["position"]));
    let mut other = world.client(&game.tokens[1 - player]).await;
    let building = json!({"seq": turn.seq, "steps": []});
    assert_eq!(other.http_refused("POST", &path, building).await, "not_your_turn");
}

#[tokio::test(start_paused = true)]
async fn the_lobby_lists_open_matches_and_their_changes() {
    let world = World::new().await;
    let (one, two) = (world.guest().await.1, world.guest().await.1);
    let mut creator = world.client(&one).await;
    let first = creator.post("/matches", json!({"game": "zeno"})).await["match"]["id"].clone();
    let mut watcher = world.watcher().await;
    let lobby = watcher.ok("lobby", json!({"on": true})).await;
    assert_eq!(lobby["open"][0]["id"], first);
    let second = creator.post("/matches", json!({"game": "zeno"})).await["match"]["id"].clone();
    assert_eq!(watcher.notice("opened").await["match"]["id"], second);
    let mut joiner = world.client(&two).await;
    joiner.ok("join", json!({"match": first})).await;
    assert_eq!(watcher.notice("closed").await["match"], first);
    watcher.ok("lobby", json!({"on": false})).await;
    joiner.ok("join", json!({"match": second})).await;
    assert_eq!(watcher.pushed().await["notice"], "time", "no notice of the lobby");
}

#[tokio::test(start_paused = true)]
async fn the_personal_topic_lists_the_matches_with_the_players_turn() {
    let (world, game) = World::with_a_game().await;
    let (player, _) = game.turn().await;
    let mut waited_for = world.client(&game.tokens[player]).await;
    let mut opponent = world.client(&game.tokens[1 - player]).await;
    let waiting = waited_for.ok("personal", json!({"on": true})).await;
    assert_eq!(waiting["waiting"][0]["id"], json!(game.id));
    assert_eq!(opponent.ok("personal", json!({"on": true})).await["waiting"], json!([]));
    while game.turn().await.0 == player {
        game.play().await;
    }
    assert_eq!(opponent.notice("your_turn").await["match"]["id"], json!(game.id));
    let mut stranger = world.watcher().await;
    assert_eq!(stranger.refused("personal", json!({"on": true})).await, "unauthorized");
}

/// A client whose mailbox overflowed receives the notices in it, and then a new list of the waiting matches.
#[tokio::test(start_paused = true)]
async fn a_slow_reader_gets_a_new_list_of_waiting_matches() {
    let (world, game) = World::with_a_game().await;
    let (player, _) = game.turn().await;
    let mut slow = world.client(&game.tokens[player]).await;
    slow.ok("personal", json!({"on": true})).await;
    slow.stuck.store(true, Ordering::Relaxed);
    let other = world.another(&game).await;
    // More than a mailbox holds, because each turn of theirs is a notice; those of the other player are not.
    other.play_to(400).await;
    slow.stuck.store(false, Ordering::Relaxed);
    let mut told = Vec::new();
    // When nothing else is left to send, it is sent the time.
    while told.last().is_none_or(|told: &Value| told["notice"] != "time") {
        told.push(slow.pushed().await);
    }
    let of = |game: &Game| told.iter().filter(|told| told["match"]["id"] == json!(game.id)).count();
    assert!(of(&other) >= 64, "the notices in the mailbox were sent: {told:?}");
    assert_eq!(of(&game), 1, "the waiting matches were listed again");
}

#[tokio::test(start_paused = true)]
async fn the_turns_being_built_that_a_match_shows_in_a_second_are_limited() {
    let (world, game) = World::with_a_game().await;
    let (player, turn) = game.turn().await;
    let mut builder = world.client(&game.tokens[player]).await;
    let (path, building) = (format!("/matches/{}/building", game.id), json!({"seq": turn.seq, "steps": []}));
    for _ in 0..20 {
        builder.post(&path, building.clone()).await;
    }
    let refused = builder.http("POST", &path, building.clone()).await["error"].clone();
    assert_eq!(
        (&refused["code"], &refused["retry_after_s"]),
        (&json!("too_many_requests"), &json!(1)),
        "{refused}"
    );
    tokio::time::advance(std::time::Duration::from_secs(1)).await;
    builder.post(&path, building).await;
}
