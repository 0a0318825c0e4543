//! The computer as a player, from the making of a match to the offer of another one.

mod analysis;
mod evaluation;
mod failing;
mod hints;
mod load;
mod offers;
mod pace;
mod rollouts;
mod takebacks;
mod world;

use std::sync::Arc;

use lusoria_play::{AbortReason, MatchEnd, Phase, Seat};
use lusoria_protocol::{Abort, EventKind, MatchStage, RevealSeed};
use serde_json::json;
use world::{ADDRESS, Anything, World};

use crate::support::assert_sound;

#[tokio::test(start_paused = true)]
async fn every_game_is_played_against_it_to_its_end() {
    let world = World::new(Arc::new(Anything::default())).await;
    for game in ["zeno", "tavla", "scripta", "tabula", "tablut"] {
        let (guest, id) = world.against(game, 3).await;
        while world.until_turn(id, &guest).await.end().is_none() {
            world.play(&guest, id).await;
        }
        let record = world.app.record(id, ADDRESS).await.expect("a record");
        for event in &record.events {
            if let EventKind::Turned { seat, thought, .. } = &event.kind {
                let by_computer = *seat == lusoria_protocol::Seat::Two;
                assert_eq!(thought.is_some(), by_computer, "{game}: {event:?}");
            }
        }
        assert_sound(&record);
    }
}

#[tokio::test(start_paused = true)]
async fn a_guest_whose_match_the_computer_plays_may_watch_and_abort_it() {
    let world = World::new(Arc::new(Anything::default())).await;
    let guest = world.guest(false).await;
    let request = json!({"game": "tavla", "opponent": {"computer": 5}, "stand_in": {"computer": 1}});
    let [watched, broken_off] =
        [world.create(&guest, request.clone()).await, world.create(&guest, request).await];
    let open = world.app.open_matches().await.expect("a list").open;
    assert!(open.is_empty(), "nobody can join: {open:?}");
    let live = world.app.matches(MatchStage::Live, None, None, 10, ADDRESS).await.expect("a list").matches;
    assert_eq!(live.len(), 2);
    assert_eq!(live[0].players.one.level.map(u8::from), Some(1));

    let begun = world.app.live().now();
    let state = world.until(watched, |state| state.end().is_some()).await;
    let lasted_ms = world.app.live().now() - begun;
    // A pause before each, so that it can be followed.
    let turns = u64::from(state.turns());
    assert!((turns * 2_500..turns * 2_510).contains(&lasted_ms), "{lasted_ms} ms for {turns} turns");
    assert!(state.rematch().offer_standing().is_none(), "it has had enough of itself");
    assert_sound(&world.app.record(watched, ADDRESS).await.expect("a record"));

    let another = world
        .create(&guest, json!({"game": "tablut", "opponent": {"computer": 2}, "stand_in": {"computer": 2}}))
        .await;
    world.until(another, lusoria_play::Match::under_way).await;
    let stranger = world.guest(false).await;
    let refused = world.app.command(&stranger, another, None, Abort {}).await.expect_err("not theirs");
    assert_eq!(refused.code.as_str(), "not_a_player");
    world.app.command(&guest, another, None, Abort {}).await.expect("their own");
    let end = MatchEnd::Aborted(AbortReason::Withdrawn);
    assert_eq!(world.state(another).await.phase(), Phase::Ended(end));
    assert_sound(&world.app.record(another, ADDRESS).await.expect("a record"));
    world.until(broken_off, |state| state.end().is_some()).await;
}

#[tokio::test(start_paused = true)]
async fn against_itself_it_plays_no_more_than_so_many_matches_for_all() {
    let world = World::with(&["--computer-against-itself", "2"]).await;
    let computer = json!({"computer": 1});
    let request = json!({"game": "tablut", "opponent": computer, "stand_in": computer});
    let (first, second) = (world.guest(false).await, world.guest(false).await);
    let watched = world.create(&first, request.clone()).await;
    world.create(&second, request.clone()).await;
    let refused = world.try_create(&second, request.clone()).await.expect_err("too many");
    assert_eq!((refused.code.as_str(), refused.limit), ("unavailable", Some(2)));
    assert!(refused.retry_after_s.is_some());
    world.create(&second, json!({"game": "tablut", "opponent": computer})).await;
    world.app.command(&first, watched, None, Abort {}).await.expect("their own");
    world.create(&second, request).await;
}

#[tokio::test(start_paused = true)]
async fn it_takes_the_second_seat_at_once_with_a_seed_drawn_for_it() {
    let world = World::new(Arc::new(Anything::default())).await;
    let guest = world.guest(true).await;
    let seed_hash = lusoria_play::Bytes32(lusoria_dice::seed_hash("alea iacta est")).to_string();
    let request = json!({"game": "zeno", "opponent": {"computer": 4}, "seed_hash": seed_hash});
    let id = world.create(&guest, request).await;
    let snapshot = world.app.snapshot(id, None).await.expect("a match");
    assert_eq!(snapshot.head, 2);
    let computer = snapshot.players.two.expect("the computer");
    assert_eq!((computer.name.as_str(), computer.connected), ("Computer 4", true));
    assert_eq!(snapshot.players.one.kind, lusoria_protocol::PlayerKind::Bot);
    let seed: RevealSeed = serde_json::from_value(json!({"seed": "alea iacta est"})).expect("a request");
    world.app.command(&guest, id, None, seed).await.expect("the right seed");
    world.until_turn(id, &guest).await;
    assert_sound(&world.app.record(id, ADDRESS).await.expect("a record"));
}

#[tokio::test(start_paused = true)]
async fn invalid_requests_are_refused_and_its_matches_are_limited() {
    let world = World::with(&["--computer-matches", "2"]).await;
    let guest = world.guest(false).await;
    let level = json!({"computer": 1});
    for request in [
        json!({"game": "zeno", "stand_in": level}),
        json!({"game": "zeno", "opponent": level, "admission": "both_seats"}),
        json!({"game": "zeno", "opponent": level, "stand_in": level, "seed_hash": "00".repeat(32)}),
    ] {
        let refused = world.try_create(&guest, request.clone()).await.expect_err("nonsense");
        assert_eq!(refused.code.as_str(), "invalid_body", "{request}");
    }
    let first = world.create(&guest, json!({"game": "zeno", "opponent": level})).await;
    world.create(&guest, json!({"game": "zeno", "opponent": level, "stand_in": level})).await;
    let request = json!({"game": "zeno", "opponent": level, "admission": "invitation"});
    let refused = world.try_create(&guest, request.clone()).await.expect_err("too many");
    assert_eq!((refused.code.as_str(), refused.limit), ("too_many_matches", Some(2)));
    world.create(&guest, json!({"game": "zeno"})).await;
    world.app.command(&guest, first, None, Abort {}).await.expect("not under way");
    let created = world.try_create(&guest, request).await.expect("there is room again");
    assert!(created.invitation.is_none(), "nobody is invited");
    let listed = world.app.matches(MatchStage::Live, None, None, 10, ADDRESS).await.expect("a list");
    assert_eq!(listed.matches.len(), 1, "what is by invitation is not listed");
    assert!(world.state(created.created.id).await.is_computer(Seat::Two));
}
