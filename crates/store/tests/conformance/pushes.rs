//! Push subscriptions: where guests are told of what waits for them.

use std::sync::Arc;

use lusoria_store::{
    ApiTokenAddition, ApiTokenId, KeyPurpose, NewApiToken, PUSH_SUBSCRIPTIONS_PER_GUEST_MAX, PushBearer,
    PushSubscription, PushSubscriptionId, PushTarget, Revoking, SecretKey, Store, TOKENS_PER_GUEST_MAX,
};
use proptest::prelude::*;

use super::{
    accounts::{password, proof, recover, with_accounts},
    hash,
    model::words,
    on_all_stores, player, session, session_id,
};

on_all_stores!(
    a_subscription_is_read_as_it_was_stored,
    an_endpoint_is_one_subscriptions,
    of_too_many_subscriptions_the_oldest_is_gone,
    a_subscription_needs_a_token_that_is_good,
    a_subscription_ends_with_its_session,
    a_subscription_ends_with_its_api_token,
    a_subscription_is_removed_by_its_owner,
    who_is_blocked_or_has_an_expired_token_is_told_nothing,
    nothing_is_left_of_who_is_gone,
    the_first_key_stays,
);

fn id(n: u8) -> PushSubscriptionId {
    PushSubscriptionId(session_id(n).0)
}

/// Subscription `n` of guest `of`, made by their session `by`.
pub(super) fn subscription(n: u8, of: u8, by: u8) -> PushSubscription {
    let endpoint = format!("https://push.example/\"{n}\"");
    PushSubscription {
        id: id(n),
        guest: player(of.into()),
        bearer: PushBearer::Session(session_id(by)),
        target: PushTarget { endpoint, key: [n; 65], auth: [255 - n; 16] },
        language: (n % 2 == 1).then(|| "fr".to_owned()),
        created_at: 3_000 + u64::from(n),
    }
}

pub(super) fn by_api_token(n: u8, of: u8, by: u8) -> PushSubscription {
    PushSubscription { bearer: PushBearer::ApiToken(ApiTokenId(session_id(by).0)), ..subscription(n, of, 0) }
}

async fn put(store: &Arc<Store>, new: PushSubscription) -> Option<PushSubscription> {
    store.put_push_subscription(new).await.expect("asked")
}

async fn subscriptions(store: &Arc<Store>, of: u8) -> Vec<PushSubscription> {
    store.push_subscriptions(player(of.into())).await.expect("read")
}

async fn targets(store: &Arc<Store>, of: u8, now: u64) -> Vec<PushSubscription> {
    let mut found = store.push_targets(player(of.into()), now).await.expect("read");
    found.sort_by_key(|one| one.id);
    found
}

/// API token `n` of guest `of`.
async fn add_api_token(store: &Arc<Store>, n: u8, of: u8, expires_at: u64) {
    let new = NewApiToken {
        id: ApiTokenId(session_id(n).0),
        hash: hash(n),
        name: "a program".to_owned(),
        scopes: "notify:write".to_owned(),
        created_at: 1_000,
        expires_at,
    };
    assert_eq!(store.add_api_token(proof(of), new).await.expect("asked"), ApiTokenAddition::Added);
}

async fn a_subscription_is_read_as_it_was_stored(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    add_api_token(&store, 20, 1, 90_000).await;
    for new in [subscription(10, 1, 1), by_api_token(11, 1, 20), subscription(12, 2, 2)] {
        assert_eq!(put(&store, new.clone()).await, Some(new));
    }
    let theirs = [by_api_token(11, 1, 20), subscription(10, 1, 1)];
    assert_eq!(subscriptions(&store, 1).await, theirs, "the newest first");
    assert_eq!(targets(&store, 1, 5_000).await, [subscription(10, 1, 1), by_api_token(11, 1, 20)]);
    assert_eq!(subscriptions(&store, 2).await, [subscription(12, 2, 2)]);
    assert_eq!((subscriptions(&store, 3).await, targets(&store, 3, 5_000).await), (vec![], vec![]));
    assert!(!format!("{:?}", subscription(10, 1, 1)).contains("push.example"), "no log tells it");
}

async fn an_endpoint_is_one_subscriptions(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    put(&store, subscription(10, 1, 1)).await;
    let PushTarget { endpoint, .. } = subscription(10, 1, 1).target;
    let same = |n, of| {
        let new = subscription(n, of, of);
        PushSubscription { target: PushTarget { endpoint: endpoint.clone(), ..new.target }, ..new }
    };
    let again = put(&store, same(13, 1)).await.expect("stored");
    assert_eq!(again, PushSubscription { id: id(10), ..same(13, 1) }, "it keeps its id");
    assert_eq!(subscriptions(&store, 1).await, [again]);
    let moved = put(&store, same(14, 2)).await;
    assert_eq!((moved, subscriptions(&store, 1).await), (Some(same(14, 2)), vec![]));
    assert_eq!(subscriptions(&store, 2).await, [same(14, 2)]);
}

async fn of_too_many_subscriptions_the_oldest_is_gone(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    put(&store, subscription(9, 2, 2)).await;
    let most = u8::try_from(PUSH_SUBSCRIPTIONS_PER_GUEST_MAX).expect("few");
    for n in 0..most {
        put(&store, subscription(10 + n, 1, 1)).await.expect("stored");
    }
    // Made again it is no longer the oldest.
    let again = PushSubscription { created_at: 9_000, ..subscription(10, 1, 1) };
    put(&store, again.clone()).await.expect("stored");
    put(&store, subscription(100, 1, 1)).await.expect("stored");
    let found = subscriptions(&store, 1).await;
    assert_eq!((found.len(), &found[0]), (usize::from(most), &again));
    assert_eq!(found.last(), Some(&subscription(12, 1, 1)));
    assert_eq!(subscriptions(&store, 2).await.len(), 1, "each has their own");
}

async fn a_subscription_needs_a_token_that_is_good(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    add_api_token(&store, 20, 1, 3_010).await;
    for wrong in [
        subscription(10, 1, 2),
        subscription(10, 3, 3),
        subscription(10, 1, 20),
        by_api_token(9, 2, 20),
        by_api_token(9, 1, 21),
        by_api_token(10, 1, 20),
    ] {
        assert_eq!(put(&store, wrong.clone()).await, None, "{wrong:?}");
    }
    assert!(put(&store, by_api_token(9, 1, 20)).await.is_some(), "it expires a moment later");
    assert!(store.set_blocked(player(1), Some(5)).await.expect("blocked"));
    for new in [subscription(10, 1, 1), by_api_token(8, 1, 20)] {
        assert_eq!(put(&store, new).await, None);
    }
}

async fn a_subscription_ends_with_its_session(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for n in [30, 31, 32] {
        store.sign_in(player(1), password(1), session(n), 4_000).await.expect("asked").expect("signed in");
        put(&store, subscription(n, 1, n)).await.expect("stored");
    }
    put(&store, subscription(10, 1, 1)).await.expect("stored");
    put(&store, subscription(11, 2, 2)).await.expect("stored");
    let left = async || {
        let mut left: Vec<_> = subscriptions(&store, 1).await.into_iter().map(|one| one.id).collect();
        left.sort_unstable();
        left
    };
    assert!(store.revoke_session(player(1), session_id(30), session_id(1)).await.expect("revoked"));
    assert_eq!(left().await, [id(10), id(31), id(32)]);
    assert_eq!(store.remove_account(player(1)).await.expect("removed"), Some(2));
    assert_eq!(left().await, [id(10)], "those that were signed in have ended");
    assert_eq!(store.revoke_other_sessions(player(1), session_id(99)).await.expect("revoked"), 1);
    assert_eq!(left().await, []);
    assert!(store.change_password(proof(2), password(7), Revoking::default()).await.expect("changed"));
    assert_eq!(subscriptions(&store, 2).await.len(), 1, "the session that asks goes on");
    recover(&store, 2, 102, 40).await.expect("recovered");
    assert_eq!(subscriptions(&store, 2).await, []);
    put(&store, subscription(41, 2, 40)).await.expect("stored");
    for n in 0..u8::try_from(TOKENS_PER_GUEST_MAX).expect("few") {
        let signed_in = store.sign_in(player(2), password(9), session(60 + n), 9_000).await;
        signed_in.expect("asked").expect("signed in");
    }
    assert_eq!(subscriptions(&store, 2).await, [], "of too many sessions the oldest has ended");
}

async fn a_subscription_ends_with_its_api_token(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    for n in [20, 21, 22] {
        add_api_token(&store, n, 1, 5_000).await;
        put(&store, by_api_token(n, 1, n)).await.expect("stored");
    }
    assert!(store.revoke_api_token(player(1), ApiTokenId(session_id(20).0)).await.expect("revoked"));
    assert_eq!(subscriptions(&store, 1).await, [by_api_token(22, 1, 22), by_api_token(21, 1, 21)]);
    assert!(
        store
            .change_password(proof(1), password(7), Revoking { api_tokens: true, passkeys: false })
            .await
            .expect("changed")
    );
    assert_eq!(subscriptions(&store, 1).await, []);
}

async fn a_subscription_is_removed_by_its_owner(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    put(&store, subscription(10, 1, 1)).await.expect("stored");
    let remove =
        async |of: u8, n| store.remove_push_subscription(player(of.into()), id(n)).await.expect("asked");
    assert!(!remove(2, 10).await);
    assert!(!remove(1, 11).await);
    assert!(remove(1, 10).await);
    assert!(!remove(1, 10).await);
    assert_eq!(subscriptions(&store, 1).await, []);
}

async fn who_is_blocked_or_has_an_expired_token_is_told_nothing(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    add_api_token(&store, 20, 1, 5_000).await;
    put(&store, subscription(10, 1, 1)).await.expect("stored");
    put(&store, by_api_token(11, 1, 20)).await.expect("stored");
    assert_eq!(targets(&store, 1, 4_999).await.len(), 2);
    assert_eq!(targets(&store, 1, 5_000).await, [subscription(10, 1, 1)]);
    assert!(store.set_blocked(player(1), Some(5)).await.expect("blocked"));
    assert_eq!(targets(&store, 1, 4_999).await, []);
    assert_eq!(subscriptions(&store, 1).await.len(), 2);
    assert!(store.set_blocked(player(1), None).await.expect("unblocked"));
    assert_eq!(targets(&store, 1, 4_999).await.len(), 2);
}

async fn nothing_is_left_of_who_is_gone(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    add_api_token(&store, 20, 1, 5_000).await;
    put(&store, subscription(10, 1, 1)).await.expect("stored");
    put(&store, by_api_token(11, 1, 20)).await.expect("stored");
    assert!(store.forget_guest(player(1)).await.expect("forgotten"));
    assert_eq!((subscriptions(&store, 1).await, targets(&store, 1, 0).await), (vec![], vec![]));
    assert!(put(&store, subscription(10, 2, 2)).await.is_some(), "the endpoint is free");
}

async fn the_first_key_stays(store: Arc<Store>) {
    let key = |n| SecretKey(vec![n; 138]);
    let read = |purpose, n| store.server_key(purpose, key(n));
    let (one, two) = tokio::join!(read(KeyPurpose::Push, 1), read(KeyPurpose::Push, 2));
    let (one, two) = (one.expect("a key"), two.expect("a key"));
    assert!(one == two && (one == key(1) || one == key(2)));
    assert!(read(KeyPurpose::Push, 3).await.expect("a key") == one);
    assert!(read(KeyPurpose::Messages, 3).await.expect("a key") == key(3), "each purpose has its own");
}

/// What is done with push subscriptions where stores are compared.
#[derive(Debug, Clone)]
pub(super) enum PushOp {
    Put { n: u8, of: u8, by: u8, endpoint: u8, is_api_token: bool, at: u64 },
    Remove { n: u8, of: u8 },
}

/// One of them, among so many guests and codes.
pub(super) fn op(guests: u32, codes: u8) -> impl Strategy<Value = PushOp> {
    let of = 0..u8::try_from(guests).expect("few");
    prop_oneof![
        4 => (any::<u8>(), of.clone(), 0..codes, 0..codes, any::<bool>(), 0..10_u64).prop_map(
            |(n, of, by, endpoint, is_api_token, at)| PushOp::Put { n, of, by, endpoint, is_api_token, at }
        ),
        1 => (0..codes, of).prop_map(|(n, of)| PushOp::Remove { n, of }),
    ]
}

/// Does it, and tells what came of it.
pub(super) async fn apply(store: &Arc<Store>, op: PushOp) -> String {
    match op {
        PushOp::Put { n, of, by, endpoint, is_api_token, at } => {
            let new = if is_api_token { by_api_token(n, of, by) } else { subscription(n, of, by) };
            let target = subscription(endpoint, of, by).target;
            words(store.put_push_subscription(PushSubscription { target, created_at: at, ..new }).await)
        }
        PushOp::Remove { n, of } => words(store.remove_push_subscription(player(of.into()), id(n)).await),
    }
}

/// All that is told of the subscriptions of a guest.
pub(super) async fn contents(store: &Arc<Store>, of: u32) -> Vec<String> {
    let mut targets = store.push_targets(player(of), 5).await.expect("read");
    targets.sort_by_key(|one| one.id);
    vec![words(store.push_subscriptions(player(of)).await), format!("{targets:?}")]
}
