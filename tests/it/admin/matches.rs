//! Acts on many matches, some of which fail or go on meanwhile.

use std::{sync::Arc, time::Duration};

use lusoria::{
    app::admin::{AdminAction, AdminOutcome, Failed},
    live::MatchRequest,
};
use lusoria_play::{AbortReason, Command, MatchEnd, Phase, Seat};
use lusoria_protocol::JoinMatch;
use uuid::Uuid;

use super::world::World;
use crate::support::store::{Fault, Read};

/// What nobody asks for any more leaves the memory.
async fn forgotten_by_memory() {
    tokio::time::sleep(Duration::from_mins(2)).await;
}

fn ids(failed: &Failed) -> Vec<Uuid> {
    failed.told().map(|(id, _)| id).collect()
}

#[tokio::test(start_paused = true)]
async fn a_match_that_goes_on_while_old_ones_are_pruned_goes_on() {
    let world = World::new().await;
    let (guest, other) = (world.guest("Agathias").await, world.guest("Zeno").await);
    let (old, taken_up) = (world.open(&guest).await, world.open(&guest).await);
    tokio::time::sleep(Duration::from_hours(2)).await;
    let app = Arc::clone(&world.app);
    world.store.interrupt(Read::Stale, async move {
        app.command(&other, taken_up, None, JoinMatch::default()).await.expect("an open match");
    });
    let done = world.act(AdminAction::Prune { older_than_ms: 3_600_000 }).await.expect("pruned");
    let AdminOutcome::Pruned { ended: 1, forgotten: 1, failed, .. } = done else { panic!("{done:?}") };
    assert!(failed.is_empty());
    assert!(world.store.head(old).await.expect("read").is_none());
    assert_eq!(world.app.live().state(taken_up).await.expect("it is there").phase(), Phase::Playing);
}

/// Its row says that it has no turn, and it has one by the time it is ended.
#[tokio::test(start_paused = true)]
async fn a_match_is_ended_only_if_nothing_was_played_since() {
    let world = World::new().await;
    let (guest, other) = (world.guest("Agathias").await, world.guest("Zeno").await);
    let id = world.played(&guest, &other).await;
    let before = world.store.row(id).await.expect("read").expect("a row");
    world.turn(id).await;
    let answered = world
        .app
        .live()
        .request(id, MatchRequest::EndUnlessPlayed { since: before.head })
        .await
        .expect("asked");
    assert!(answered.events.is_empty(), "it was played since");
    assert_eq!(answered.state.phase(), Phase::Playing);
    let now = MatchRequest::EndUnlessPlayed { since: answered.state.head() };
    let answered = world.app.live().request(id, now).await.expect("asked");
    assert_eq!(answered.state.phase(), Phase::Ended(MatchEnd::Aborted(AbortReason::Operator)));
}

#[tokio::test(start_paused = true)]
async fn one_match_that_cannot_be_read_does_not_keep_the_others_from_being_ended() {
    let world = World::new().await;
    let (guest, other) = (world.guest("Agathias").await, world.guest("Zeno").await);
    let mut matches = Vec::new();
    for _ in 0..3 {
        matches.push(world.played(&guest, &other).await);
    }
    forgotten_by_memory().await;
    let bad = matches[1];
    world.store.fail(bad, Fault::Unreadable);
    let done = world.block(&guest).await;
    let AdminOutcome::Blocked { ended: 2, failed, .. } = &done else { panic!("{done:?}") };
    assert_eq!(ids(failed), [bad.0]);
    let prune = AdminAction::Prune { older_than_ms: 60_000 };
    let done = world.act(prune).await.expect("pruned");
    let AdminOutcome::Pruned { ended: 0, failed, .. } = &done else { panic!("{done:?}") };
    assert_eq!(ids(failed), [bad.0]);

    let done = world.act(AdminAction::Erase { guest: "Agathias".to_owned() }).await.expect("erased");
    let AdminOutcome::Erased { id, ended: 0, matches: 2, failed, .. } = &done else { panic!("{done:?}") };
    assert_eq!(ids(failed), [bad.0]);
    assert_eq!(world.store.guest(guest.id()).await.expect("read"), None, "the guest is erased nevertheless");
    // When it can be read again, the guest is found by id.
    world.store.heal();
    let done = world.act(AdminAction::Erase { guest: id.to_string() }).await.expect("erased");
    let AdminOutcome::Erased { ended: 1, matches: 3, failed, .. } = done else { panic!("{done:?}") };
    assert!(failed.is_empty());
    for id in matches {
        let state = world.app.live().state(id).await.expect("a match");
        assert_eq!(state.player(Seat::One).expect("seated").name, "Erased guest");
        let row = world.store.row(id).await.expect("read").expect("a row");
        assert!(!format!("{:?}", row.card).contains("Agathias"));
    }
}

/// What may fail with the store before is told with the match that it fails with.
#[tokio::test(start_paused = true)]
async fn an_interrupted_action_reports_the_matches_it_could_not_change() {
    let world = World::new().await;
    let (guest, other) = (world.guest("Agathias").await, world.guest("Zeno").await);
    let (one, two) = (world.played(&guest, &other).await, world.played(&guest, &other).await);
    // They are taken in the order of their ids.
    let (bad, last) = if one.0 < two.0 { (one, two) } else { (two, one) };
    forgotten_by_memory().await;
    world.store.fail(bad, Fault::Unreadable);
    world.store.also_fail(last, Fault::Full);
    for act in [
        AdminAction::Block { guest: "Agathias".to_owned() },
        AdminAction::Erase { guest: "Agathias".to_owned() },
        AdminAction::Prune { older_than_ms: 60_000 },
    ] {
        let why = world.act(act).await.expect_err("the disk is full").to_string();
        assert!(why.contains(&format!("match {}: the disk is full", last.0)), "{why}");
        assert!(why.contains(&format!("could not be changed either: {} (", bad.0)), "{why}");
    }
    assert!(world.store.guest(guest.id()).await.expect("read").is_some(), "the guest is found by name");
}

/// It is told, not kept to itself, and it can be done again although there is no guest any more.
#[tokio::test(start_paused = true)]
async fn an_erasure_that_leaves_a_trace_is_done_and_can_be_done_again() {
    let world = World::new().await;
    let guest = world.guest("Agathias").await;
    world.store.keep_traces(true);
    let by_id = || AdminAction::Erase { guest: guest.id().0.to_string() };
    let done = world.act(by_id()).await.expect("the guest is erased");
    let AdminOutcome::Erased { is_left_in_log: true, matches: 0, .. } = done else { panic!("{done:?}") };
    assert!(!done.is_whole());
    assert_eq!(world.store.guest(guest.id()).await.expect("read"), None);
    let again = world.act(by_id()).await.expect("tried again");
    assert_eq!(again, AdminOutcome::NothingLeft { id: guest.id().0, is_left_in_log: true });
    assert!(!again.is_whole());
    world.store.keep_traces(false);
    let again = world.act(by_id()).await.expect("done again");
    assert_eq!(again, AdminOutcome::NothingLeft { id: guest.id().0, is_left_in_log: false });
    assert!(again.is_whole());
    let unknown = world.act(AdminAction::Erase { guest: "Agathias".to_owned() }).await;
    assert!(unknown.expect_err("nobody").to_string().contains("there is no guest"));
}

/// The name is written and nobody knows: it is not the old one that is written with the next
/// turn.
#[tokio::test(start_paused = true)]
async fn a_name_that_was_replaced_unawares_does_not_come_back() {
    #[derive(PartialEq)]
    enum Loaded {
        Before,
        Never,
        Meanwhile,
    }
    for loaded in [Loaded::Before, Loaded::Never, Loaded::Meanwhile] {
        let world = World::new().await;
        let (guest, other) = (world.guest("Agathias").await, world.guest("Zeno").await);
        let id = world.played(&guest, &other).await;
        if loaded != Loaded::Before {
            forgotten_by_memory().await;
        }
        if loaded == Loaded::Meanwhile {
            let app = Arc::clone(&world.app);
            let load = async move { drop(app.live().state(id).await.expect("a match")) };
            world.store.interrupt(Read::ToRewrite, load);
        }
        world.store.fail(id, Fault::Unknown);
        let done = world.rename("Agathias", "Quintus").await;
        let AdminOutcome::Renamed { matches: 0, failed, .. } = done else { panic!("{done:?}") };
        assert_eq!(ids(&failed), [id.0]);
        world.store.heal();
        let names = async || {
            let state = world.app.live().state(id).await.expect("a match");
            let card = world.store.row(id).await.expect("read").expect("a row").card;
            (state.player(Seat::One).expect("seated").name.clone(), format!("{card:?}").contains("Agathias"))
        };
        world.turn(id).await;
        assert_eq!(names().await, ("Quintus".to_owned(), false));
        let done = world.rename("Quintus", "Sextus").await;
        let AdminOutcome::Renamed { matches: 1, .. } = done else { panic!("{done:?}") };
        world.turn(id).await;
        assert_eq!(names().await, ("Sextus".to_owned(), false));
    }
}

/// A match that is not in memory is not loaded for that.
#[tokio::test(start_paused = true)]
async fn renaming_in_a_match_that_is_over_loads_no_match() {
    let world = World::new().await;
    let (guest, other) = (world.guest("Agathias").await, world.guest("Zeno").await);
    let id = world.played(&guest, &other).await;
    let end = MatchRequest::Command { command: Command::End, key: None, spends: None };
    world.app.live().request(id, end).await.expect("ended");
    forgotten_by_memory().await;
    let secrets_read = world.store.secrets_read();
    let done = world.rename("Agathias", "Quintus").await;
    let AdminOutcome::Renamed { matches: 1, .. } = done else { panic!("{done:?}") };
    assert_eq!(world.store.secrets_read(), secrets_read, "no dice are needed for that");
    let state = world.app.live().state(id).await.expect("a match");
    assert_eq!(state.player(Seat::One).expect("seated").name, "Quintus");
}
