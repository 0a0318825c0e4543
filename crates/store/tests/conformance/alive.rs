//! A node that has a store to itself: every stop is an outage, known while a match can need it.

use std::sync::Arc;

use lusoria_store::{Beat, Era, MatchState, Node, Outage, Store};

use super::{append, card, events, match_id, new_match, node, node_id, on_stores_of_one_node};

on_stores_of_one_node!(
    the_first_start_is_no_outage,
    the_time_between_last_sign_and_start_is_an_outage,
    a_clock_set_back_is_no_outage,
    outages_are_kept_for_unfinished_matches,
    a_beat_tells_the_time_and_the_node,
    a_stop_in_order_is_noted,
    a_lease_is_always_granted,
    no_outage_makes_a_writer_outdated,
);

async fn the_first_start_is_no_outage(store: Arc<Store>) {
    store.join(node(1), 1_000).await.expect("joined");
    assert_eq!(store.outages(0).await.expect("read"), []);
}

async fn the_time_between_last_sign_and_start_is_an_outage(store: Arc<Store>) {
    store.join(node(1), 1_000).await.expect("joined");
    store.beat(node_id(1), 2_000).await.expect("noted");
    store.beat(node_id(1), 3_000).await.expect("noted");
    store.join(node(1), 10_000).await.expect("joined");
    store.join(node(1), 20_000).await.expect("joined");
    let (first, second) = (Outage { from: 3_000, until: 10_000 }, Outage { from: 10_000, until: 20_000 });
    for (since, expected) in [(0, vec![first, second]), (9_999, vec![first, second]), (10_000, vec![second])]
    {
        assert_eq!(store.outages(since).await.expect("read"), expected, "since {since}");
    }
    assert_eq!(store.outages(20_000).await.expect("read"), []);
}

async fn a_clock_set_back_is_no_outage(store: Arc<Store>) {
    store.join(node(1), 5_000).await.expect("joined");
    store.join(node(1), 4_000).await.expect("joined");
    store.join(node(1), 4_000).await.expect("joined");
    assert_eq!(store.outages(0).await.expect("read"), []);
}

async fn outages_are_kept_for_unfinished_matches(store: Arc<Store>) {
    store.join(node(1), 500).await.expect("joined");
    // The match's only event is at 1000.
    store.create(new_match(1)).await.expect("created");
    for now in [900, 1_000, 3_000, 4_000] {
        store.join(node(1), now).await.expect("joined");
    }
    store.sweep(9_000).await.expect("swept");
    let (third, fourth) = (Outage { from: 1_000, until: 3_000 }, Outage { from: 3_000, until: 4_000 });
    assert_eq!(store.outages(0).await.expect("read"), [third, fourth]);

    let mut turn = append(1, 1);
    turn.events = events(1, 1, 3_000).into();
    store.append(turn).await.expect("appended");
    store.sweep(9_000).await.expect("swept");
    assert_eq!(store.outages(0).await.expect("read"), [fourth]);

    let mut end = append(1, 2);
    (end.events, end.card) = (events(2, 1, 3_500).into(), card(MatchState::Finished));
    store.append(end).await.expect("appended");
    store.sweep(9_000).await.expect("swept");
    assert_eq!(store.outages(0).await.expect("read"), []);
}

async fn a_beat_tells_the_time_and_the_node(store: Arc<Store>) {
    assert!(!store.is_shared());
    let first = store.join(node(1), 2_000).await.expect("joined");
    let beat = |time, since| Beat {
        time,
        era: Era(0),
        history: first.history,
        nodes: vec![Node {
            id: node_id(1),
            name: "node 1".to_owned(),
            release: "0.1.0".to_owned(),
            since,
            seen_at: time,
        }],
    };
    assert_eq!(first, beat(2_000, 2_000));
    assert_eq!(store.beat(node_id(1), 3_000).await.expect("noted"), beat(3_000, 2_000));
    assert_eq!(store.beat(node_id(1), 1_000).await.expect("noted"), beat(3_000, 2_000), "never back");
    assert_eq!(store.join(node(1), 2_500).await.expect("joined"), beat(3_000, 3_000));
    assert_eq!(store.join(node(1), 3_001).await.expect("joined"), beat(3_001, 3_001), "of an era for ever");
}

async fn a_stop_in_order_is_noted(store: Arc<Store>) {
    store.join(node(1), 1_000).await.expect("joined");
    store.leave(node_id(1), 9_000).await.expect("noted");
    store.join(node(1), 9_500).await.expect("joined");
    assert_eq!(store.outages(0).await.expect("read"), [Outage { from: 9_000, until: 9_500 }]);
}

async fn a_lease_is_always_granted(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    for n in [1, 1, 2] {
        assert!(store.lease(match_id(1), 1, node_id(n), 1_000).await.expect("asked"));
    }
}

async fn no_outage_makes_a_writer_outdated(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    for now in [1_000, 9_000] {
        store.join(node(1), now).await.expect("joined");
    }
    store.append(append(1, 1)).await.expect("appended");
}
