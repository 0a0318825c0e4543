//! Outages: the time in which no server ran is charged to nobody.

use std::{sync::Arc, time::Duration};

use lusoria::live::{Cluster, Live, ServerTime};
use lusoria_play::{Event, Match, MatchEnd, Phase, Recorded};
use lusoria_store::{NewNode, NodeId};
use lusoria_testkit::seeded_bytes;
use uuid::Uuid;

use super::{Numbers, START, World, blitz};
use crate::support::{
    database,
    store::{Delayed, FailingStore},
};

#[tokio::test(start_paused = true)]
async fn an_outage_is_not_charged() {
    let (world, id) = blitz().await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    let before = world.state(id).await;
    let clock = |state: &Match, now| *state.clocks_ms(now).unwrap().get(state.to_play().unwrap().seat);
    assert_eq!(clock(&before, world.live.now()) / 1_000, 40);
    let world = world.starts_again(3_600_000).await;
    let state = world.state(id).await;
    let left_ms = clock(&state, world.live.now());
    assert!((38_900..=40_000).contains(&left_ms), "{left_ms} ms are left after an outage of an hour");
    assert_eq!(state.phase(), Phase::Playing);
    let credits = |journal: &[Recorded]| {
        journal.iter().filter(|recorded| matches!(recorded.event, Event::Credited { .. })).count()
    };
    assert_eq!(credits(&world.journal(id).await), 1);
    tokio::time::sleep(Duration::from_secs(41)).await;
    assert!(
        matches!(world.state(id).await.phase(), Phase::Ended(MatchEnd::Won(_))),
        "then the clock decides"
    );
    assert_eq!(credits(&world.journal(id).await), 1, "an outage is credited once");
}

/// What takes time in a start lies between preparing and beginning.
#[tokio::test(start_paused = true)]
async fn an_outage_lasts_until_the_server_is_ready() {
    let (world, id) = blitz().await;
    world.live.stop().await;
    let died_at = world.live.now();

    let entropy = Arc::new(seeded_bytes(1));
    let time = ServerTime::from_epoch(died_at + 5_000);
    let live = Live::prepare(world.store, Cluster::none(), time, entropy, Arc::new(Numbers));
    tokio::time::sleep(Duration::from_millis(2_345)).await;
    live.begin().await.expect("a good store");
    let state = live.state(id).await.expect("a match that was made");
    let clock = state.clocks_ms(live.now()).expect("clocks");
    assert_eq!(*clock.get(state.to_play().expect("a turn").seat), 60_000);
    let journal = live.store().events(id, 0, 100).await.expect("a journal").events;
    let credited = journal.iter().find_map(|recorded| match recorded.event {
        Event::Credited { credit_ms, .. } => Some(credit_ms),
        _ => None,
    });
    assert_eq!(credited, Some(5_000 + 2_345));
}

/// The note that the server runs again may take long to write: nobody is charged for it.
#[tokio::test(start_paused = true)]
async fn the_time_stands_still_while_a_start_is_noted() {
    let store = FailingStore::default();
    store.delay(Delayed::Join, Duration::from_secs(2));
    let (time, entropy) = (ServerTime::from_epoch(START), Arc::new(seeded_bytes(0)));
    let live = Live::prepare(store.store(), Cluster::none(), time, entropy, Arc::new(Numbers));
    live.begin().await.expect("a good store");
    assert_eq!(live.now(), START);
    assert!(live.is_well(), "it has a time of its own, however long it took");
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(live.now(), START + 100);
}

#[tokio::test(start_paused = true)]
async fn every_outage_is_credited_however_many_came_while_the_match_slept() {
    let (world, id) = blitz().await;
    let (store, mut died_at) = (world.store.clone(), world.live.now());
    world.live.stop().await;
    for _ in 1..=3 {
        // Nobody looks at the match in the runs between.
        let alive_for_ms = 2_000;
        let (id, name, release) = (NodeId(Uuid::nil()), "another run".to_owned(), String::new());
        store.join(NewNode { id, name, release }, died_at + 600_000).await.unwrap();
        died_at += 600_000 + alive_for_ms;
        store.leave(id, died_at).await.unwrap();
    }
    let world = World::on(store, died_at + 600_000, 1).await;
    let state = world.state(id).await;
    let left_ms = *state.clocks_ms(world.live.now()).unwrap().get(state.to_play().unwrap().seat);
    assert_eq!(left_ms, 60_000 - 3 * 2_000, "only what the server ran is charged");
    let credits: Vec<_> =
        world.journal(id).await.into_iter().filter(|r| matches!(r.event, Event::Credited { .. })).collect();
    assert_eq!(credits.len(), 4);
    assert!(credits.iter().all(|credit| credit.first == credit.seq), "each is an append of its own");
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_clock_was_set_back_goes_on_from_its_last_moment() {
    let store = database::store();
    let world = World::on(store.clone(), START, 0).await;
    world.live.stop().await;
    let world = World::on(store, START - 3_600_000, 1).await;
    assert!(world.live.now() >= START);
}

#[tokio::test(start_paused = true)]
async fn an_overdue_match_is_credited_before_the_scheduler_judges_it() {
    let (world, id) = blitz().await;
    // Nobody asks for the match; only the scheduler sees that its deadline has passed.
    let world = world.starts_again(600_000).await;
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert!(!world.journal(id).await.iter().any(|r| matches!(r.event, Event::GameEnded { .. })));
    tokio::time::sleep(Duration::from_secs(40)).await;
    assert!(world.journal(id).await.iter().any(|r| matches!(r.event, Event::GameEnded { .. })));
}
