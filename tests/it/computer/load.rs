//! How much the computer looks at when much waits for it, or little time is left.

use std::sync::Arc;

use lusoria_play::Seat;
use lusoria_search::{Level, Player};
use serde_json::json;

use super::{
    pace::Thorough,
    world::{Anything, World, computers_seat},
};

/// The most for a turn of tablut, and what a queue of one is worth of it: 800 of 1,000 ms.
fn alone() -> u32 {
    let full = Player::Level(Level::HIGHEST).budget_max(lusoria_rules::Game::Tablut).nodes;
    full / 10 * 8
}

fn asked(mind: &Anything) -> Vec<u32> {
    mind.asked.lock().iter().map(|question| question.budget.nodes).collect()
}

#[tokio::test(start_paused = true)]
async fn a_turn_alone_has_almost_a_second() {
    let mind = Arc::new(Anything::default());
    let world = World::new(Arc::<Anything>::clone(&mind)).await;
    let (guest, id) = world.against("tablut", 5).await;
    world.until_turn(id, &guest).await;
    world.play(&guest, id).await;
    world.until_turn(id, &guest).await;
    let budgets = asked(&mind);
    assert!(!budgets.is_empty() && budgets.iter().all(|&nodes| nodes == alone()), "{budgets:?}");
    assert_eq!(world.budgets(id).await, budgets, "it is recorded");
}

#[tokio::test(start_paused = true)]
async fn a_hundred_turns_share_what_one_has_alone() {
    let world = World::with(&["--new-guests-per-hour", "10000"]).await;
    let mut waiting = Vec::new();
    for _ in 0..100 {
        let (guest, id) =
            world.made(json!({"game": "tablut", "side": "defenders", "opponent": {"computer": 5}})).await;
        assert_eq!(world.state(id).await.waits_for(), Some(Seat::Two), "the attackers begin");
        waiting.push((guest, id));
    }
    let mind = Arc::new(Anything::default());
    world.start_inline(Arc::<Anything>::clone(&mind));
    for (guest, id) in &waiting {
        world.until_turn(*id, guest).await;
    }
    let budgets = asked(&mind);
    assert_eq!(budgets.len(), 100);
    // It begins before it has heard of all of them.
    assert!(budgets[0] <= alone() / 50, "{budgets:?}");
    assert!(budgets[50] <= alone() / 50, "{budgets:?}");
    assert_eq!(budgets[99], alone(), "the last one is alone");
}

#[tokio::test(start_paused = true)]
async fn the_computer_thinks_less_with_little_time_and_does_not_lose_on_time() {
    let world = World::new(Arc::new(Thorough { slowness: 1.0 })).await;
    let guest = world.guest(false).await;
    let clock = json!({"kind": "fischer", "base_ms": 5_000, "increment_ms": 0});
    let request = json!({"game": "tablut", "side": "attackers", "clock": clock, "opponent": {"computer": 5}});
    let id = world.create(&guest, request).await;
    for _ in 0..4 {
        world.until_turn(id, &guest).await;
        world.play(&guest, id).await;
    }
    let state = world.until_turn(id, &guest).await;
    let left_ms = *state.clocks_ms(state.last_at()).expect("a clock").get(computers_seat(&state));
    // What is left is to last for 40 turns: of four the first one is free, the others take
    // 125, 122 and 119 of the 800 ms that there are without a clock.
    assert!((5_000 - 125 - 122 - 119..5_000 - 350).contains(&left_ms), "{left_ms} ms");
    let budgets = world.budgets(id).await;
    assert_eq!(budgets.len(), 4);
    assert!(budgets.iter().all(|&nodes| nodes <= alone() / 800 * 125), "{budgets:?}");
}

#[tokio::test(start_paused = true)]
async fn matches_of_the_computer_against_itself_take_little_time_from_others() {
    let world = World::with(&["--computer-matches", "100"]).await;
    let guest = world.guest(false).await;
    let computer = json!({"computer": 5});
    for _ in 0..50 {
        world.create(&guest, json!({"game": "tablut", "opponent": computer, "stand_in": computer})).await;
    }
    let id = world.create(&guest, json!({"game": "tablut", "side": "defenders", "opponent": computer})).await;
    world.start_inline(Arc::new(Thorough { slowness: 1.0 }));
    for _ in 0..20 {
        world.until_turn(id, &guest).await;
        world.play(&guest, id).await;
    }
    world.until_turn(id, &guest).await;
    // At most 200 of 800 ms: so much may be in progress when the guest has played.
    let budgets = world.budgets(id).await;
    assert!(budgets.len() >= 20 && budgets.iter().all(|&nodes| nodes >= alone() / 8 * 5), "{budgets:?}");
}
