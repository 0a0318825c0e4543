//! What the holders of accounts prefer.

use std::sync::Arc;

use lusoria_store::{
    PREFERENCES_PER_GUEST_MAX, PreferenceChange, PreferenceChanges, PreferenceValues, Store,
};
use proptest::prelude::*;

use super::{accounts::with_accounts, guest, model::words, on_all_stores, player, session, session_id};

on_all_stores!(
    preferences_are_read_as_they_were_stored,
    what_is_not_named_stays,
    too_many_preferences_change_nothing,
    two_changes_at_once_both_hold,
    who_has_no_account_keeps_nothing,
    a_session_that_has_ended_changes_nothing,
    preferences_go_with_the_account,
    preferences_go_with_the_guest,
);

fn changes(named: &[(&str, Option<&str>)]) -> PreferenceChanges {
    named.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect()
}

fn values(named: &[(&str, &str)]) -> PreferenceValues {
    named.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

async fn change(store: &Arc<Store>, of: u8, named: &[(&str, Option<&str>)]) -> PreferenceChange {
    let change = store.change_preferences(player(of.into()), session_id(of), changes(named));
    change.await.expect("asked")
}

async fn preferences(store: &Arc<Store>, of: u8) -> PreferenceValues {
    store.preferences(player(of.into())).await.expect("read")
}

async fn preferences_are_read_as_they_were_stored(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    assert_eq!(preferences(&store, 1).await, values(&[]));
    let expected = values(&[("board.zeno", "\"it's \\\"wood\\\"\""), ("sounds", "true")]);
    let named = [("sounds", Some("true")), ("board.zeno", Some("\"it's \\\"wood\\\"\""))];
    assert_eq!(change(&store, 1, &named).await, PreferenceChange::Changed(expected.clone()));
    assert_eq!((preferences(&store, 1).await, preferences(&store, 2).await), (expected, values(&[])));
}

async fn what_is_not_named_stays(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    change(&store, 1, &[("a", Some("1")), ("b", Some("2")), ("c", Some("3"))]).await;
    let expected = values(&[("a", "1"), ("c", "4"), ("d", "5")]);
    let named = [("b", None), ("c", Some("4")), ("d", Some("5")), ("never there", None)];
    assert_eq!(change(&store, 1, &named).await, PreferenceChange::Changed(expected.clone()));
    assert_eq!(change(&store, 1, &[]).await, PreferenceChange::Changed(expected.clone()));
    assert_eq!(preferences(&store, 1).await, expected);
}

async fn too_many_preferences_change_nothing(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    let most: PreferenceChanges =
        (0..PREFERENCES_PER_GUEST_MAX).map(|n| (format!("n{n}"), Some(n.to_string()))).collect();
    let ask =
        async |changes| store.change_preferences(player(1), session_id(1), changes).await.expect("asked");
    assert!(matches!(ask(most).await, PreferenceChange::Changed(_)));
    let before = preferences(&store, 1).await;
    assert_eq!(before.len(), PREFERENCES_PER_GUEST_MAX as usize);
    let one_more = [("n0", Some("9")), ("other", Some("1"))];
    assert_eq!(change(&store, 1, &one_more).await, PreferenceChange::TooMany);
    assert_eq!(preferences(&store, 1).await, before);
    let in_its_place = [("n0", None), ("other", Some("1"))];
    assert!(matches!(change(&store, 1, &in_its_place).await, PreferenceChange::Changed(_)));
}

async fn two_changes_at_once_both_hold(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    let (one, two) =
        tokio::join!(change(&store, 1, &[("a", Some("1"))]), change(&store, 1, &[("b", Some("2"))]));
    let both = values(&[("a", "1"), ("b", "2")]);
    assert_eq!(preferences(&store, 1).await, both);
    let last = PreferenceChange::Changed(both);
    assert!(one == last || two == last, "{one:?} {two:?}");
}

async fn who_has_no_account_keeps_nothing(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    assert_eq!(change(&store, 1, &[("a", Some("1"))]).await, PreferenceChange::NoAccount);
    assert_eq!(preferences(&store, 1).await, values(&[]));
    assert_eq!(preferences(&store, 9).await, values(&[]));
}

async fn a_session_that_has_ended_changes_nothing(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    let theirs = store.change_preferences(player(1), session_id(2), changes(&[("a", Some("1"))])).await;
    assert_eq!(theirs.expect("asked"), PreferenceChange::SessionEnded);
    assert!(store.set_blocked(player(1), Some(5)).await.expect("blocked"));
    assert_eq!(change(&store, 1, &[("a", Some("1"))]).await, PreferenceChange::SessionEnded);
    assert!(store.set_blocked(player(1), None).await.expect("unblocked"));
    assert!(store.revoke_session(player(1), session_id(1), session_id(1)).await.expect("ended"));
    assert_eq!(change(&store, 1, &[("a", Some("1"))]).await, PreferenceChange::SessionEnded);
    assert_eq!(preferences(&store, 1).await, values(&[]));
}

async fn preferences_go_with_the_account(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    change(&store, 1, &[("a", Some("1"))]).await;
    change(&store, 2, &[("a", Some("2"))]).await;
    assert!(store.remove_account(player(1)).await.expect("removed").is_some());
    assert_eq!(preferences(&store, 1).await, values(&[]));
    assert_eq!(preferences(&store, 2).await, values(&[("a", "2")]));
}

async fn preferences_go_with_the_guest(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    change(&store, 1, &[("a", Some("1"))]).await;
    assert!(store.forget_guest(player(1)).await.expect("forgotten"));
    assert_eq!(preferences(&store, 1).await, values(&[]));
}

/// What is done with preferences where stores are compared.
#[derive(Debug, Clone)]
pub(super) struct PreferenceOp {
    of: u8,
    by: u8,
    changes: Vec<(u8, Option<u8>)>,
}

/// One of them, among so many guests and sessions.
pub(super) fn op(guests: u32, codes: u8) -> impl Strategy<Value = PreferenceOp> {
    let of = 0..u8::try_from(guests).expect("few");
    let changes = prop::collection::vec((0..4_u8, prop::option::of(0..3_u8)), 0..4);
    (of, 0..codes, changes).prop_map(|(of, by, changes)| PreferenceOp { of, by, changes })
}

/// Does it, and tells what came of it.
pub(super) async fn apply(store: &Arc<Store>, op: PreferenceOp) -> String {
    let named = |(name, value): (u8, Option<u8>)| (format!("n{name}"), value.map(|value| value.to_string()));
    let changes = op.changes.into_iter().map(named).collect();
    words(store.change_preferences(player(op.of.into()), session_id(op.by), changes).await)
}

/// All that is told of the preferences of a guest.
pub(super) async fn contents(store: &Arc<Store>, of: u32) -> String {
    words(store.preferences(player(of)).await)
}
