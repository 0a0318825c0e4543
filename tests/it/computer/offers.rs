//! Draws and rematches.

use std::sync::Arc;

use lusoria::app::Caller;
use lusoria_play::{MatchEnd, MatchId, Phase};
use lusoria_protocol::{Draw, EventKind, OfferAction, Rematch, RematchAnswer};
use lusoria_search::Value;
use serde_json::json;

use super::world::{Anything, World, computers_seat, is_turn_of};

const MUCH_WORSE: Value = Value { win: 0.3, ..Value::LOST };
const WORSE: Value = Value { win: 0.4, ..Value::LOST };
const BETTER: Value = Value { win: 0.6, ..Value::LOST };

/// Each side has played as many turns as make an even game worth a draw.
const LATE: u32 = 10;

async fn kinds(world: &World, id: MatchId) -> Vec<EventKind> {
    let record = world.app.record(id, super::ADDRESS).await.expect("a record");
    record.events.into_iter().map(|event| event.kind).collect()
}

/// A draw offered on one's own turn, after so many turns of each side, where the opponent finds its
/// position worth that.
async fn offered(to_computer: Value, turns: u32) -> Option<MatchEnd> {
    let mind = Arc::new(Anything::default());
    let world = World::new(Arc::<Anything>::clone(&mind)).await;
    let (guest, id) = world.against("scripta", 1).await;
    let mut state = world.until_turn(id, &guest).await;
    while state.game().is_some_and(|game| game.turns.0.min(game.turns.1) < turns) {
        world.play(&guest, id).await;
        state = world.until_turn(id, &guest).await;
    }
    assert_eq!(state.end(), None);
    // It is asked for the chances of the side to move.
    mind.values.lock().push_back(to_computer.turned());
    world.app.command(&guest, id, None, Draw { action: OfferAction::Offer }).await.expect("an offer");
    world.until(id, |state| state.draw_offer().is_none()).await.end()
}

#[tokio::test(start_paused = true)]
async fn it_accepts_a_draw_unless_it_stands_better() {
    assert_eq!(offered(WORSE, LATE).await, Some(MatchEnd::Drawn));
    assert_eq!(offered(Value::DRAWN, LATE).await, Some(MatchEnd::Drawn));
    assert_eq!(offered(BETTER, LATE).await, None);
}

#[tokio::test(start_paused = true)]
async fn early_in_a_game_it_accepts_a_draw_only_if_it_stands_clearly_worse() {
    for turns in [0, LATE - 1] {
        assert_eq!(offered(MUCH_WORSE, turns).await, Some(MatchEnd::Drawn));
        assert_eq!(offered(WORSE, turns).await, None);
        assert_eq!(offered(Value::DRAWN, turns).await, None);
    }
}

#[tokio::test(start_paused = true)]
async fn it_answers_a_draw_that_is_offered_on_its_own_turn_by_playing_on_or_accepting() {
    for (value, end) in [(MUCH_WORSE, Some(MatchEnd::Drawn)), (WORSE, None)] {
        let mind = Arc::new(Anything::default());
        let world = World::with(&[]).await;
        let (guest, id) =
            world.made(json!({"game": "tablut", "side": "defenders", "opponent": {"computer": 5}})).await;
        assert!(!is_turn_of(&*world.state(id).await, &guest));
        world.app.command(&guest, id, None, Draw { action: OfferAction::Offer }).await.expect("an offer");
        mind.values.lock().push_back(value);
        world.start_inline(mind);
        let state = world.until_turn(id, &guest).await;
        assert_eq!(state.end(), end);
        assert_eq!(state.draw_offer(), None);
    }
}

async fn resigned(world: &World, bot: bool) -> (Caller, MatchId) {
    let guest = world.guest(bot).await;
    let id = world.create(&guest, json!({"game": "tablut", "opponent": {"computer": 2}})).await;
    world.until_turn(id, &guest).await;
    world.resign(&guest, id).await;
    (guest, id)
}

fn rematch(action: OfferAction) -> Rematch {
    Rematch { action, seed_hash: None }
}

#[tokio::test(start_paused = true)]
async fn it_offers_a_person_another_match_and_plays_it() {
    let world = World::new(Arc::new(Anything::default())).await;
    let (guest, id) = resigned(&world, false).await;
    let state = world.until(id, |state| state.rematch().offer_standing().is_some()).await;
    let offer = state.rematch().offer_standing().expect("an offer");
    assert_eq!(offer.seat, computers_seat(&state));
    let answer = world.app.command(&guest, id, None, rematch(OfferAction::Accept)).await.expect("an offer");
    let answer: RematchAnswer = serde_json::from_slice(&answer.into_json()).expect("an answer");
    let next = answer.next.expect("another match");
    for _ in 0..2 {
        assert_eq!(world.until_turn(next, &guest).await.phase(), Phase::Playing);
        world.play(&guest, next).await;
    }
}

#[tokio::test(start_paused = true)]
async fn it_offers_once_and_accepts_what_is_offered_to_it() {
    let world = World::new(Arc::new(Anything::default())).await;
    let (guest, id) = resigned(&world, false).await;
    world.until(id, |state| state.rematch().offer_standing().is_some()).await;
    world.app.command(&guest, id, None, rematch(OfferAction::Decline)).await.expect("an offer");
    tokio::time::sleep(std::time::Duration::from_hours(1)).await;
    let offers = kinds(&world, id).await;
    let offers = offers.iter().filter(|kind| matches!(kind, EventKind::RematchOffered { .. })).count();
    assert_eq!(offers, 1);
    world.app.command(&guest, id, None, rematch(OfferAction::Offer)).await.expect("another mind");
    let state = world.until(id, |state| state.rematch().next().is_some()).await;
    world.until_turn(state.rematch().next().expect("another match"), &guest).await;
}

#[tokio::test(start_paused = true)]
async fn it_offers_a_bot_nothing_but_agrees_with_it() {
    let world = World::new(Arc::new(Anything::default())).await;
    let (bot, id) = resigned(&world, true).await;
    tokio::time::sleep(std::time::Duration::from_hours(1)).await;
    assert_eq!(world.state(id).await.rematch().offer_standing(), None);
    world.app.command(&bot, id, None, rematch(OfferAction::Offer)).await.expect("a match that has ended");
    world.until(id, |state| state.rematch().next().is_some()).await;
}

#[tokio::test(start_paused = true)]
async fn another_match_counts_like_the_first() {
    let world = World::with(&["--computer-matches", "1"]).await;
    world.start_inline(Arc::new(Anything::default()));
    let (guest, id) = resigned(&world, false).await;
    world.until(id, |state| state.rematch().offer_standing().is_some()).await;
    let other = world.create(&guest, json!({"game": "tablut", "opponent": {"computer": 2}})).await;
    let refused = world.app.command(&guest, id, None, rematch(OfferAction::Accept)).await;
    assert_eq!(refused.expect_err("one is played").code.as_str(), "too_many_matches");
    world.app.command(&guest, other, None, lusoria_protocol::Abort {}).await.expect("nothing was played");
    world.app.command(&guest, id, None, rematch(OfferAction::Accept)).await.expect("there is room again");
}

#[tokio::test(start_paused = true)]
async fn it_agrees_to_no_more_matches_than_it_may_play() {
    let world = World::with(&["--computer-matches", "2"]).await;
    let bot = world.guest(true).await;
    let mut over = Vec::new();
    for _ in 0..3 {
        let request = json!({"game": "tablut", "side": "attackers", "opponent": {"computer": 2}});
        let id = world.create(&bot, request).await;
        world.resign(&bot, id).await;
        over.push(id);
    }
    // There is room for each while it is offered.
    for &id in &over {
        world.app.command(&bot, id, None, rematch(OfferAction::Offer)).await.expect("it is over");
    }
    world.start_inline(Arc::new(Anything::default()));
    let mut made = 0;
    for &id in &over {
        let state = world.until(id, |state| state.rematch().offer_standing().is_none()).await;
        made += u32::from(state.rematch().next().is_some());
    }
    assert_eq!(made, 2);
}
