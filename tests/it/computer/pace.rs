//! How the computer spends the time on its clocks.

use std::{sync::Arc, time::Duration};

use futures_util::FutureExt;
use lusoria::bots::{Mind, ThinkRequest};
use lusoria_play::GameEnd;
use lusoria_search::{Choice, Level, Player, Value};
use serde_json::{Value as Json, json};

use super::world::{World, any, computers_seat};

/// Takes all the time that it is given, on a machine that is so many times slower than it is
/// taken to be at first.
pub(super) struct Thorough {
    pub(super) slowness: f64,
}

impl Mind for Thorough {
    fn choose(&self, question: &ThinkRequest) -> Choice {
        let game = question.turn.position.variant().game();
        let in_a_second = Player::Level(Level::HIGHEST).budget_max(game).nodes;
        let nodes = question.budget.nodes;
        let took_s = f64::from(nodes) / f64::from(in_a_second) * self.slowness;
        // The clock is put forward when it is first polled.
        tokio::time::advance(Duration::from_secs_f64(took_s)).now_or_never();
        Choice { nodes, ..any(question) }
    }

    fn appraise(&self, _: &ThinkRequest) -> Value {
        Value::EVEN
    }
}

fn fischer(base_ms: u32, increment_ms: u32) -> Json {
    json!({"kind": "fischer", "base_ms": base_ms, "increment_ms": increment_ms})
}

fn delay(base_ms: u32, delay_ms: u32) -> Json {
    json!({"kind": "delay", "base_ms": base_ms, "delay_ms": delay_ms})
}

async fn world(slowness: f64) -> World {
    World::new(Arc::new(Thorough { slowness })).await
}

#[tokio::test(start_paused = true)]
async fn against_itself_it_plays_whole_games_within_its_clocks() {
    for slowness in [1.0, 4.0] {
        let world = world(slowness).await;
        let guest = world.guest(false).await;
        let computer = json!({"computer": 5});
        let clocks =
            [fischer(5_000, 1_000), fischer(5_000, 200), fischer(60_000, 1_000), delay(5_000, 1_000)];
        let mut matches = Vec::new();
        for clock in clocks {
            let request =
                json!({"game": "tavla", "clock": clock, "opponent": computer, "stand_in": computer});
            matches.push((world.create(&guest, request).await, clock));
        }
        for (id, clock) in matches {
            let state = world.until(id, |state| state.end().is_some()).await;
            let reason = state.game().and_then(|game| game.result).map(|result| result.reason);
            assert!(state.turns() > 40, "{clock}: {} turns", state.turns());
            assert_ne!(reason, Some(GameEnd::Time), "{clock}, slow as {slowness}: {} turns", state.turns());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn against_others_it_plays_whole_games_within_its_clock() {
    for clock in [fischer(5_000, 100), fischer(5_000, 1_000), delay(5_000, 0), delay(5_000, 1_000)] {
        let world = world(2.0).await;
        let (guest, id) =
            world.made(json!({"game": "tavla", "clock": clock, "opponent": {"computer": 5}})).await;
        while world.until_turn(id, &guest).await.end().is_none() {
            world.play(&guest, id).await;
        }
        let state = world.state(id).await;
        let reason = state.game().and_then(|game| game.result).map(|result| result.reason);
        assert_ne!(reason, Some(GameEnd::Time), "{clock}: {} turns", state.turns());
    }
}

/// What has been waiting for long is done in what is left of its time.
#[tokio::test(start_paused = true)]
async fn a_turn_that_arrives_late_takes_no_longer_than_one_in_time() {
    let world = World::with(&[]).await;
    let (guest, id) = world
        .made(json!({"game": "tablut", "side": "attackers", "clock": fischer(5_000, 800),
        "opponent": {"computer": 5}}))
        .await;
    world.play(&guest, id).await;
    // Its first turn is free.
    world.play_as_computer(id).await;
    world.play(&guest, id).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    world.start_inline(Arc::new(Thorough { slowness: 1.0 }));
    let state = world.until_turn(id, &guest).await;
    let left_ms = *state.clocks_ms(state.last_at()).expect("a clock").get(computers_seat(&state));
    // 5,000 / 40 + 800 * 3/4 ms, and what the turn adds.
    assert!((5_000 - 725 + 800..5_000 - 700 + 800).contains(&left_ms), "{left_ms} ms");
}
