//! How much the computer looks at when much waits for it, or little time is left.

use std::sync::Arc;

use lusoria::app::Aside;
use lusoria_play::Seat;
use lusoria_search::{Level, Player};
use serde_json::json;

use super::world::{Anything, START, World, computers_seat};

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
    let world = World::without_computer(Arc::default(), START, &["--new-guests-per-hour", "10000"]).await;
    let mut waiting = Vec::new();
    for _ in 0..100 {
        let guest = world.guest(false).await;
        let request = json!({"game": "tablut", "side": "defenders", "opponent": {"computer": 5}});
        let id = world.create(&guest, request).await;
        assert_eq!(world.state(id).await.waits_for(), Some(Seat::Two), "the attackers begin");
        waiting.push((guest, id));
    }
    let mind = Arc::new(Anything::default());
    world.start(Arc::<Anything>::clone(&mind), Arc::new(Aside::AtOnce));
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
async fn who_has_little_time_thinks_little_and_does_not_lose_on_time() {
    let mind = Arc::new(Anything::default());
    let world = World::new(Arc::<Anything>::clone(&mind)).await;
    let guest = world.guest(false).await;
    let clock = json!({"kind": "fischer", "base_ms": 5_000, "increment_ms": 0});
    let request = json!({"game": "tablut", "clock": clock, "opponent": {"computer": 5}});
    let id = world.create(&guest, request).await;
    for _ in 0..4 {
        world.until_turn(id, &guest).await;
        world.play(&guest, id).await;
    }
    let state = world.until_turn(id, &guest).await;
    let left_ms = *state.clocks_ms(state.last_at()).expect("a clock").get(computers_seat(&state));
    assert!(left_ms > 4_900, "{left_ms} ms");
    // 5,000 ms are to last for 40 turns: 125 of the 800 ms that there are without a clock.
    let budgets = asked(&mind);
    assert!(budgets.iter().all(|&nodes| nodes <= alone() / 800 * 125), "{budgets:?}");
}
