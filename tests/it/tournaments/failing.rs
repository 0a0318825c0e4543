//! Tournaments on a store that fails, or does not say whether it did.

use lusoria::config::Limits;

use super::*;
use crate::support::store::{FailingStore, Fault};

async fn world() -> (FailingStore, World) {
    let store = FailingStore::default();
    let inner = talk::World::at(store.store(), START, 0, &Limits::usual()).await;
    (store, World::with(4, inner).await)
}

/// Nobody asks for anything meanwhile, and no other node is there.
#[tokio::test(start_paused = true)]
async fn after_a_commit_of_unknown_outcome_it_goes_on_at_once() {
    let (store, world) = world().await;
    let id = world.announce(&json!({})).await;
    for person in 0..4 {
        world.enter(person, id).await;
        world.entry(person, id, json!({"command": "here"})).await.expect("they may say so");
    }
    let direct = async |command: Value| {
        let command = from_value(command).expect("a command");
        world.inner.app.direct_tournament(&world.people[0].caller, id, &command).await
    };
    store.fail_writes(Some(Fault::Unanswered));
    let problem = direct(json!({"command": "start"})).await.expect_err("nobody knows");
    assert_eq!(problem.code, lusoria_protocol::Code::Unavailable);
    store.fail_writes(None);
    assert_eq!(world.seen_by(0, id).await["phase"], "running");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(world.seen_by(0, id).await["playing"], 2);
}

#[tokio::test(start_paused = true)]
async fn it_begins_soon_after_the_store_is_well_again() {
    let (store, world) = world().await;
    let id = world.about_to_begin(&json!({})).await;
    store.fail_writes(Some(Fault::Busy));
    tokio::time::sleep(Duration::from_secs(200)).await;
    assert_eq!(world.seen_by(0, id).await["round"], Value::Null);
    store.fail_writes(None);
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(world.seen_by(0, id).await["round"], 1);
}
