//! Thoughts that fail, and servers that stop in the middle of one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use lusoria::{
    app::BackgroundPool,
    bots::{Mind, ThinkRequest},
};
use lusoria_search::{Choice, Value};
use lusoria_store::MatchState;

use super::world::{Anything, START, World, any, computers_seat};
use crate::support::{
    database,
    store::{FailingStore, Fault},
};

/// Fails at what is larger than so many positions.
struct Fragile {
    nodes_max: u32,
}

impl Mind for Fragile {
    fn choose(&self, question: &ThinkRequest) -> Choice {
        assert!(question.budget.nodes <= self.nodes_max, "on purpose");
        any(question)
    }

    fn appraise(&self, _: &ThinkRequest) -> Value {
        panic!("on purpose")
    }
}

/// Thinks of no step at all.
struct Empty;

impl Mind for Empty {
    fn choose(&self, _: &ThinkRequest) -> Choice {
        Choice { steps: Vec::new(), value: Value::EVEN, nodes: 1 }
    }

    fn appraise(&self, _: &ThinkRequest) -> Value {
        Value::EVEN
    }
}

/// Does not come to an end until it is let go.
#[derive(Default)]
struct Stuck {
    asked: AtomicU32,
    goes_on: AtomicBool,
}

impl Mind for Stuck {
    fn choose(&self, question: &ThinkRequest) -> Choice {
        self.asked.fetch_add(1, Ordering::SeqCst);
        while !self.goes_on.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        any(question)
    }

    fn appraise(&self, _: &ThinkRequest) -> Value {
        Value::EVEN
    }
}

/// Until the computer has played three turns; what it spent on them.
async fn three_turns(mind: Arc<dyn Mind>) -> Vec<u32> {
    let world = World::new(mind).await;
    let (guest, id) = world.against("tablut", 5).await;
    for _ in 0..3 {
        world.until_turn(id, &guest).await;
        world.play(&guest, id).await;
    }
    world.until_turn(id, &guest).await;
    world.budgets(id).await
}

#[tokio::test(start_paused = true)]
async fn a_thought_that_fails_is_followed_by_a_smaller_one() {
    for budget in three_turns(Arc::new(Fragile { nodes_max: 5_000 })).await {
        assert!((1..=5_000).contains(&budget), "{budget}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_computer_whose_thoughts_all_fail_still_plays() {
    assert!(three_turns(Arc::new(Fragile { nodes_max: 0 })).await.len() >= 3);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_not_legal_is_replaced_by_one_that_is() {
    assert!(three_turns(Arc::new(Empty)).await.len() >= 3);
}

#[tokio::test(start_paused = true)]
async fn a_restart_loses_no_turn() {
    let store = database::store();
    let stuck = Arc::new(Stuck::default());
    let before = World::over(store.clone(), START, &[]).await;
    before.start(Arc::clone(&stuck) as Arc<dyn Mind>, Arc::new(BackgroundPool::with_threads(1)));
    let (guest, id) = before.against("tablut", 1).await;
    let other = before.guest(false).await;
    let request = serde_json::json!({"game": "tavla", "opponent": {"computer": 2}});
    let unseen = before.create(&other, request).await;
    // Nothing sleeps here: the time stands still while the thread thinks.
    if before.state(id).await.waits_for() != Some(computers_seat(&*before.state(id).await)) {
        before.play(&guest, id).await;
    }
    while stuck.asked.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    let head = before.state(id).await.head();
    before.stop().await;

    let after = World::over(store, START + 60_000, &[]).await;
    assert_eq!(after.state(id).await.waits_for(), Some(computers_seat(&*after.state(id).await)));
    after.start_inline(Arc::new(Anything::default()));
    assert!(after.until_turn(id, &guest).await.head() > head);
    after.until_turn(unseen, &other).await;
    stuck.goes_on.store(true, Ordering::SeqCst);
}

/// Two matches that wait for the computer, in the first of which something is wrong: what is
/// tried within an hour. The other one is played, and the first one as soon as it is right.
async fn tried_with(fault: Fault, soon: Duration) -> u32 {
    let store = FailingStore::default();
    let before = World::over(store.store(), START, &[]).await;
    let guest = before.guest(false).await;
    let request = serde_json::json!({"game": "tablut", "side": "defenders", "opponent": {"computer": 1}});
    let bad = before.create(&guest, request.clone()).await;
    let good = before.create(&guest, request).await;
    before.stop().await;
    // After a restart, so that the matches have to be read.
    let world = World::over(store.store(), START, &[]).await;
    store.fail(bad, fault);
    world.start_inline(Arc::new(Anything::default()));
    for _ in 0..3 {
        world.until_turn(good, &guest).await;
        world.play(&guest, good).await;
    }
    tokio::time::sleep(Duration::from_hours(1)).await;
    let tried = store.tried();
    store.heal();
    tokio::time::sleep(soon).await;
    let state = world.state(bad).await;
    assert_eq!(state.waits_for(), Some(computers_seat(&state).other()), "it is right, and played");
    tried
}

#[tokio::test(start_paused = true)]
async fn the_computer_retries_often_a_busy_store_and_ever_more_rarely_what_fails_for_good() {
    for (fault, soon, times) in [
        (Fault::Busy, Duration::from_secs(9), 400..460),
        (Fault::Failed, Duration::from_mins(11), 10..20),
        // One bad match stops no other.
        (Fault::Panics, Duration::from_mins(11), 10..20),
    ] {
        let tried = tried_with(fault, soon).await;
        assert!(times.contains(&tried), "{fault:?}: {tried} times");
    }
}

#[tokio::test(start_paused = true)]
async fn a_restart_finds_the_draw_that_was_offered() {
    let store = database::store();
    let before = World::over(store.clone(), START, &[]).await;
    let (guest, id) = before
        .made(serde_json::json!({"game": "tablut", "side": "attackers", "opponent": {"computer": 1}}))
        .await;
    let offer = lusoria_protocol::Draw { action: lusoria_protocol::OfferAction::Offer };
    before.app.command(&guest, id, None, offer).await.expect("an offer");
    before.stop().await;

    let after = World::over(store.clone(), START + 60_000, &[]).await;
    let mind = Anything::default();
    // It is asked for the guest's chances.
    mind.values.lock().push_back(Value { win: 0.9, ..Value::LOST });
    after.start_inline(Arc::new(mind));
    // Nobody looks at the match meanwhile: the computer hears of whatever is looked at.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let row = store.row(id).await.expect("read").expect("a match");
    assert_eq!(row.card.state(), MatchState::Finished, "a bad position is worth a draw");
}
