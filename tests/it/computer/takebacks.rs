//! Taking turns back against the computer: with it, over HTTP and over a socket.

use std::sync::Arc;

use lusoria_protocol::{Answer, EventKind, MatchStage, OfferAction, Takeback};
use serde_json::json;

use super::world::{ADDRESS, Anything, World, is_turn_of};
use crate::{
    http::{get, post, send, server},
    support::{assert_sound, http::Request},
};

#[tokio::test(start_paused = true)]
async fn it_plays_on_from_the_turn_that_was_taken_back() {
    for game in ["zeno", "tavla", "scripta", "tabula", "tablut"] {
        let world = World::new(Arc::new(Anything::default())).await;
        let (guest, id) = world.against(game, 3).await;
        for round in 0..4 {
            let before = world.until_turn(id, &guest).await;
            world.play(&guest, id).await;
            if world.until_turn(id, &guest).await.end().is_some() {
                break;
            }
            world.take_back(&guest, id).await;
            let after = world.state(id).await;
            let dice = |state: &lusoria_play::Match| state.to_play().map(|to_play| to_play.dice.clone());
            assert_eq!((dice(&after), after.turns()), (dice(&before), before.turns()), "{game}");
            assert_eq!(after.takebacks(), round + 1);
            world.play(&guest, id).await;
            if world.until_turn(id, &guest).await.end().is_some() {
                break;
            }
        }
        while world.until_turn(id, &guest).await.end().is_none() {
            world.play(&guest, id).await;
        }
        assert_sound(&world.app.record(id, ADDRESS).await.expect("a record"));
        world.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_it_was_thinking_of_is_forgotten() {
    let world = World::with(&[]).await;
    let (guest, id) =
        world.made(json!({"game": "tablut", "side": "attackers", "opponent": {"computer": 2}})).await;
    world.play(&guest, id).await;
    assert!(!is_turn_of(&*world.state(id).await, &guest));
    world.take_back(&guest, id).await;
    assert!(is_turn_of(&*world.state(id).await, &guest));
    world.start_inline(Arc::new(Anything::default()));
    world.play(&guest, id).await;
    let state = world.until_turn(id, &guest).await;
    assert_eq!((state.turns(), state.takebacks()), (2, 1));
    assert_sound(&world.app.record(id, ADDRESS).await.expect("a record"));
}

#[tokio::test(start_paused = true)]
async fn the_match_is_marked_and_a_request_is_carried_out_once() {
    let world = World::new(Arc::new(Anything::default())).await;
    let (guest, id) = world.against("tavla", 1).await;
    world.until_turn(id, &guest).await;
    let snapshot = world.app.snapshot(id, Some(&guest)).await.expect("a match");
    assert_eq!((snapshot.takebacks, snapshot.may_take_back), (None, None));
    for _ in 0..2 {
        world.play(&guest, id).await;
        world.until_turn(id, &guest).await;
    }
    let snapshot = world.app.snapshot(id, Some(&guest)).await.expect("a match");
    let seq = snapshot.may_take_back.expect("their last turn");
    assert_eq!(world.app.snapshot(id, None).await.expect("a match").may_take_back, None, "not a watcher's");
    let key = "again".to_owned().try_into().expect("a key");
    let mut answers = Vec::new();
    for _ in 0..2 {
        let answer = world
            .app
            .command(&guest, id, Some(&key), Takeback { seq, action: OfferAction::Offer })
            .await
            .expect("their own turn");
        answers.push(answer);
    }
    assert_eq!(answers[0], answers[1]);
    let answer: Answer = serde_json::from_slice(&answers.remove(0).into_json()).expect("an answer");
    assert!(matches!(answer.events[..], [ref event] if matches!(event.kind, EventKind::TakenBack { .. })));
    let refused = world
        .app
        .command(&guest, id, None, Takeback { seq, action: OfferAction::Offer })
        .await
        .expect_err("taken back already");
    let first = world.app.snapshot(id, Some(&guest)).await.expect("a match").may_take_back;
    assert_eq!((refused.code.as_str(), refused.expected_seq), ("not_last_turn", first));
    let live = world.app.matches(MatchStage::Live, None, None, 10, ADDRESS).await.expect("a list").matches;
    assert_eq!(live[0].takebacks, Some(1));
    assert_eq!(world.app.snapshot(id, None).await.expect("a match").takebacks, Some(1));
}

#[tokio::test]
async fn no_bot_takes_a_turn_back_from_the_computer() {
    let server = server().await;
    let turn = json!({"seq": 3, "steps": [{"from": "d1", "to": "c1"}]});
    let made = send(&server, Request::new("POST", "/api/v1/guests").json(&json!({"bot": true}))).await;
    let bot = made.json()["token"].as_str().expect("a token").to_owned();
    let terms = json!({"game": "tablut", "side": "attackers", "opponent": {"computer": 1}});
    let made = post(&server, &bot, "/matches", &terms).await.json();
    let id = made["match"]["id"].as_str().expect("an id");
    assert_eq!(post(&server, &bot, &format!("/matches/{id}/turn"), &turn).await.status, 200);
    let refused = post(&server, &bot, &format!("/matches/{id}/takeback"), &json!({"seq": 4})).await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (409, Some("no_takebacks")));
    let snapshot = get(&server, &format!("/api/v1/matches/{id}")).await.json();
    assert_eq!(snapshot.get("takebacks"), None);
}
