//! Outages are known while a match can need them; what has expired is forgotten.

use std::sync::Arc;

use lusoria_store::{KEYS_KEPT_MS, MatchState, Outage, Store};

use super::{
    append, card, events, guest, hash, invitation, key, match_id, new_match, on_both_stores, player, session,
};

on_both_stores!(
    the_first_start_is_no_outage,
    the_time_between_last_sign_and_start_is_an_outage,
    a_clock_set_back_is_no_outage,
    outages_are_kept_for_unfinished_matches,
    keys_are_kept_for_a_day,
    expired_codes_are_forgotten,
);

async fn the_first_start_is_no_outage(store: Arc<dyn Store>) {
    store.begin(1_000).await.expect("begun");
    assert_eq!(store.outages(0).await.expect("read"), []);
}

async fn the_time_between_last_sign_and_start_is_an_outage(store: Arc<dyn Store>) {
    store.begin(1_000).await.expect("begun");
    store.note_alive(2_000).await.expect("noted");
    store.note_alive(3_000).await.expect("noted");
    store.begin(10_000).await.expect("begun");
    store.begin(20_000).await.expect("begun");
    let (first, second) = (Outage { from: 3_000, until: 10_000 }, Outage { from: 10_000, until: 20_000 });
    for (since, expected) in [(0, vec![first, second]), (9_999, vec![first, second]), (10_000, vec![second])]
    {
        assert_eq!(store.outages(since).await.expect("read"), expected, "since {since}");
    }
    assert_eq!(store.outages(20_000).await.expect("read"), []);
}

async fn a_clock_set_back_is_no_outage(store: Arc<dyn Store>) {
    store.begin(5_000).await.expect("begun");
    store.begin(4_000).await.expect("begun");
    store.begin(4_000).await.expect("begun");
    assert_eq!(store.outages(0).await.expect("read"), []);
}

async fn outages_are_kept_for_unfinished_matches(store: Arc<dyn Store>) {
    store.begin(500).await.expect("begun");
    // The match's only event is at 1000.
    store.create(new_match(1)).await.expect("created");
    for now in [900, 1_000, 3_000, 4_000] {
        store.begin(now).await.expect("begun");
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

async fn keys_are_kept_for_a_day(store: Arc<dyn Store>) {
    let mut new = new_match(1);
    new.key = Some(key(1, "make"));
    store.create(new).await.expect("created");
    let used = || store.used_key(player(1), "make".to_owned());
    store.sweep(1_000 + KEYS_KEPT_MS).await.expect("swept");
    assert!(used().await.expect("read").is_some());
    store.sweep(1_001 + KEYS_KEPT_MS).await.expect("swept");
    assert!(used().await.expect("read").is_none());
}

async fn expired_codes_are_forgotten(store: Arc<dyn Store>) {
    let mut new = new_match(1);
    new.invitation = Some(invitation(1));
    store.create(new).await.expect("created");
    store.add_guest(guest(1), session(1)).await.expect("added");
    let code = lusoria_store::DeviceCode { hash: hash(2), guest: player(1), expires_at: 5_000 };
    assert!(store.add_device_code(code, super::session_id(1)).await.expect("added"));
    store.sweep(4_999).await.expect("swept");
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), Some(match_id(1)));
    store.sweep(5_000).await.expect("swept");
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), None);
    assert_eq!(store.spend_device_code(hash(2), session(3), 0).await.expect("asked"), None);
}
