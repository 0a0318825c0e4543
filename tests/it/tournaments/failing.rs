//! Tournaments on a store that fails, or does not say whether it did.

use std::sync::Arc;

use lusoria::{config::Limits, live::Mailbox};
use lusoria_protocol::Code;

use super::*;
use crate::support::store::{FailingStore, Fault};

async fn world() -> (FailingStore, World) {
    let store = FailingStore::default();
    let inner = talk::World::at(store.store(), START, 0, &Limits::usual()).await;
    (store, World::with(4, inner).await)
}

/// Nobody asks for anything meanwhile, and no other node is there.
#[tokio::test(start_paused = true)]
async fn after_a_commit_of_unknown_outcome_it_goes_on_and_calls_who_plays() {
    for can_read in [true, false] {
        let (store, world) = world().await;
        let id = world.announce(&json!({})).await;
        for person in 0..4 {
            world.enter(person, id).await;
            world.entry(person, id, json!({"command": "here"})).await.expect("they may say so");
        }
        let (live, mailbox) = (world.inner.app.live(), Arc::new(Mailbox::default()));
        let _topic = live.subscribe_personal(&mailbox, world.people[1].caller.id());
        store.fail_writes(Some(if can_read { Fault::Unanswered } else { Fault::Unreadable }));
        let start = from_value(json!({"command": "start"})).expect("a command");
        let started = world.inner.app.direct_tournament(&world.people[0].caller, id, &start).await;
        assert_eq!(
            started.map(drop).map_err(|problem| problem.code),
            if can_read { Ok(()) } else { Err(Code::Unavailable) }
        );
        store.fail_writes(None);
        assert_eq!(world.seen_by(0, id).await["phase"], "running", "it was made");
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(world.seen_by(0, id).await["playing"], 2);
        let told = mailbox.take().await.notices;
        assert!(told.iter().any(|told| read(told)["notice"] == "tournament_call"), "{told:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn it_begins_soon_after_the_store_is_well_again() {
    let (store, world) = world().await;
    let id = world.about_to_begin(&json!({})).await;
    store.fail_writes(Some(Fault::Busy));
    tokio::time::sleep(Duration::from_secs(200)).await;
    store.fail_writes(None);
    assert_eq!(world.seen_by(0, id).await["round"], Value::Null);
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(world.seen_by(0, id).await["round"], 1);
}
