//! Push subscriptions: where messages for guests go.

use super::{accounts::proof, *};

on_all_stores!(
    an_endpoint_is_one_subscriptions,
    of_too_many_subscriptions_the_oldest_is_gone,
    a_subscription_needs_a_token_that_is_good,
    a_subscription_ends_with_its_session,
    a_subscription_ends_with_its_api_token_and_its_guest,
    a_subscription_is_removed_by_its_owner,
    no_messages_for_blocked_guests_or_expired_tokens,
);

fn id(n: u32) -> PushSubscriptionId {
    PushSubscriptionId(session_id(n).0)
}

/// Subscription `n` of guest `of`, made by their session `by`.
pub(super) fn subscription(
    n: impl TryInto<u8, Error: Debug>,
    of: impl TryInto<u32, Error: Debug>,
    by: impl TryInto<u32, Error: Debug>,
) -> PushSubscription {
    let n: u8 = few(n);
    let endpoint = format!("https://push.example/\"{n}\"");
    PushSubscription {
        id: id(n.into()),
        guest: player(of),
        bearer: PushBearer::Session(session_id(by)),
        target: PushTarget { endpoint, key: [n; 65], auth: [255 - n; 16] },
        language: (n % 2 == 1).then(|| "fr".to_owned()),
        created_at: 3_000 + u64::from(n),
    }
}

pub(super) fn by_api_token(
    n: impl TryInto<u8, Error: Debug>,
    of: impl TryInto<u32, Error: Debug>,
    by: impl TryInto<u32, Error: Debug>,
) -> PushSubscription {
    PushSubscription { bearer: PushBearer::ApiToken(ApiTokenId(session_id(by).0)), ..subscription(n, of, 0) }
}

async fn put<const N: usize>(s: &Fixture, all: [PushSubscription; N]) {
    for new in all {
        is!(s.put_push_subscription(new.clone()), Some(new));
    }
}

/// The subscriptions of a guest, by their numbers; the newest first.
async fn are(s: &Fixture, of: u32, expected: &[u32]) {
    let found: Vec<_> = done!(s.push_subscriptions(player(of))).into_iter().map(|one| one.id).collect();
    assert_eq!(found, expected.iter().map(|n| id(*n)).collect::<Vec<_>>(), "of {of}");
}

/// Which of them are told at that time.
async fn told(s: &Fixture, of: u32, now: u64, expected: &[PushSubscription]) {
    let mut found = done!(s.push_targets(player(of), now));
    found.sort_by_key(|one| one.id);
    assert_eq!(found, expected, "of {of} at {now}");
}

/// API token `n` of guest `of`.
async fn add_api_token(s: &Fixture, n: u32, of: u32, expires_at: u64) {
    is!(s.add_api_token(proof(of), api_tokens::new(n, expires_at)), ApiTokenAddition::Added);
}

async fn an_endpoint_is_one_subscriptions(s: Fixture) {
    s.with_accounts([1, 2]).await;
    put(&s, [subscription(10, 1, 1)]).await;
    let PushTarget { endpoint, .. } = subscription(10, 1, 1).target;
    let same = |n, of| {
        let new = subscription(n, of, of);
        PushSubscription { target: PushTarget { endpoint: endpoint.clone(), ..new.target }, ..new }
    };
    let again = PushSubscription { id: id(10), ..same(13, 1) };
    is!(s.put_push_subscription(same(13, 1)), Some(again.clone()), "it keeps its id");
    is!(s.push_subscriptions(player(1)), [again]);
    put(&s, [same(14, 2)]).await;
    are(&s, 1, &[]).await;
    are(&s, 2, &[14]).await;
}

async fn of_too_many_subscriptions_the_oldest_is_gone(s: Fixture) {
    const MOST: u32 = PUSH_SUBSCRIPTIONS_PER_GUEST_MAX;
    s.with_accounts([1, 2]).await;
    put(&s, [subscription(9, 2, 2)]).await;
    for n in 10..10 + MOST {
        put(&s, [subscription(n, 1, 1)]).await;
    }
    // Made again it is no longer the oldest.
    put(&s, [PushSubscription { created_at: 9_000, ..subscription(10, 1, 1) }, subscription(100, 1, 1)])
        .await;
    let left: Vec<_> = [10, 100].into_iter().chain((12..10 + MOST).rev()).collect();
    are(&s, 1, &left).await;
    are(&s, 2, &[9]).await;
}

async fn a_subscription_needs_a_token_that_is_good(s: Fixture) {
    s.with_accounts([1, 2]).await;
    add_api_token(&s, 20, 1, 3_010).await;
    for wrong in [
        subscription(10, 1, 2),
        subscription(10, 3, 3),
        subscription(10, 1, 20),
        by_api_token(9, 2, 20),
        by_api_token(9, 1, 21),
        by_api_token(10, 1, 20),
    ] {
        is!(s.put_push_subscription(wrong.clone()), None, "{wrong:?}");
    }
    put(&s, [by_api_token(9, 1, 20)]).await;
    s.block(1).await;
    for new in [subscription(10, 1, 1), by_api_token(8, 1, 20)] {
        is!(s.put_push_subscription(new), None);
    }
}

async fn a_subscription_ends_with_its_session(s: Fixture) {
    s.with_accounts([1, 2]).await;
    put(&s, [subscription(10, 1, 1), subscription(11, 2, 2)]).await;
    for n in [30, 31, 32] {
        is!(s.enter(1, 1, n), Some(guest(1)));
        put(&s, [subscription(n, 1, n)]).await;
    }
    yes!(s.revoke_session(player(1), session_id(30), session_id(1)));
    are(&s, 1, &[32, 31, 10]).await;
    is!(s.remove_account(player(1)), Some(2));
    are(&s, 1, &[10]).await;
    is!(s.revoke_other_sessions(player(1), session_id(99)), 1);
    are(&s, 1, &[]).await;
    yes!(s.set_password(proof(2), 7, false));
    are(&s, 2, &[11]).await;
    is!(s.recover_with(2, 102, 40), Some(guest(2)));
    are(&s, 2, &[]).await;
    put(&s, [subscription(41, 2, 40)]).await;
    for n in 0..TOKENS_PER_GUEST_MAX {
        is!(s.enter(2, 9, 60 + n), Some(guest(2)));
    }
    are(&s, 2, &[]).await;
}

async fn a_subscription_ends_with_its_api_token_and_its_guest(s: Fixture) {
    s.with_accounts([1, 2]).await;
    for n in [20, 21, 22] {
        add_api_token(&s, n, 1, 5_000).await;
        put(&s, [by_api_token(n, 1, n)]).await;
    }
    yes!(s.revoke_api_token(player(1), ApiTokenId(session_id(20).0)));
    are(&s, 1, &[22, 21]).await;
    yes!(s.set_password(proof(1), 7, true));
    are(&s, 1, &[]).await;
    put(&s, [subscription(10, 1, 1)]).await;
    s.forget(1).await;
    are(&s, 1, &[]).await;
    told(&s, 1, 0, &[]).await;
    put(&s, [subscription(10, 2, 2)]).await;
}

async fn a_subscription_is_removed_by_its_owner(s: Fixture) {
    s.with_accounts([1, 2]).await;
    put(&s, [subscription(10, 1, 1)]).await;
    for (of, n, is_removed) in [(2, 10, false), (1, 11, false), (1, 10, true), (1, 10, false)] {
        is!(s.remove_push_subscription(player(of), id(n)), is_removed);
    }
    are(&s, 1, &[]).await;
}

async fn no_messages_for_blocked_guests_or_expired_tokens(s: Fixture) {
    s.with_accounts([1]).await;
    add_api_token(&s, 20, 1, 5_000).await;
    let both = [subscription(10, 1, 1), by_api_token(11, 1, 20)];
    put(&s, both.clone()).await;
    told(&s, 1, 4_999, &both).await;
    told(&s, 1, 5_000, &both[..1]).await;
    assert!(!format!("{both:?}").contains("push.example"), "no log tells it");
    s.block(1).await;
    told(&s, 1, 4_999, &[]).await;
    are(&s, 1, &[11, 10]).await;
    s.unblock(1).await;
    told(&s, 1, 4_999, &both).await;
}
