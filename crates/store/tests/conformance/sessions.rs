//! Sessions: the tokens of a guest, as they may see them.

use std::sync::Arc;

use lusoria_store::{
    Bearer, DeviceCode, NewSession, Session, SessionOrigin, Store, StoreError, TOKENS_PER_GUEST_MAX,
};

use super::{guest, guest_of, hash, on_all_stores, player, session, session_id};

on_all_stores!(
    sessions_are_told_the_newest_first,
    a_session_is_begun_once,
    a_revoked_session_is_nobodys,
    nobody_revokes_another_guests_session,
    all_sessions_but_one_are_revoked,
    what_a_session_made_goes_with_it,
    a_session_that_ends_itself_leaves_a_code_to_come_back_by,
    a_session_that_has_ended_makes_no_code,
    of_too_many_sessions_the_newest_are_told,
    when_a_session_was_seen_only_grows,
);

/// A guest with the session 1, made at 1001, and others made at `1000 * n` for each further `n`.
async fn with_sessions(store: &Arc<Store>, others: &[u8]) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    let mut last = session_id(1);
    for n in others {
        let code = DeviceCode { hash: hash(200), guest: player(1), expires_at: u64::MAX >> 1 };
        // The last one makes it: the first may have been forgotten.
        assert!(store.add_device_code(code, last).await.expect("added"));
        last = session_id(*n);
        let spent = store.spend_device_code(hash(200), session(*n), 1_000 * u64::from(*n)).await;
        assert_eq!(spent.expect("spent"), Some(guest(1)));
    }
}

async fn ids(store: &Arc<Store>, of: u32) -> Vec<lusoria_store::SessionId> {
    store.sessions(player(of)).await.expect("read").into_iter().map(|session| session.id).collect()
}

async fn sessions_are_told_the_newest_first(store: Arc<Store>) {
    with_sessions(&store, &[2, 3]).await;
    let told = |n: u8, created_at, origin| Session {
        id: session_id(n),
        created_at,
        origin,
        device: session(n).device,
        seen_at: created_at,
    };
    assert_eq!(
        store.sessions(player(1)).await.expect("read"),
        [
            told(3, 3_000, SessionOrigin::DeviceCode),
            told(2, 2_000, SessionOrigin::DeviceCode),
            told(1, 1_001, SessionOrigin::Guest),
        ]
    );
    assert_eq!(store.sessions(player(2)).await.expect("read"), []);
    let bearer = Bearer { guest: guest(1), ban: None, session: session_id(3), seen_at: 3_000 };
    assert_eq!(store.bearer(hash(3)).await.expect("read"), Some(bearer));
}

async fn a_session_is_begun_once(store: Arc<Store>) {
    with_sessions(&store, &[]).await;
    let same_id = NewSession { id: session_id(1), ..session(2) };
    let same_token = NewSession { token: hash(1), ..session(2) };
    for again in [same_id, same_token] {
        assert!(matches!(store.add_guest(guest(2), again).await, Err(StoreError::Failed(_))));
    }
    assert_eq!(store.guest(player(2)).await.expect("read"), None);
}

async fn a_revoked_session_is_nobodys(store: Arc<Store>) {
    with_sessions(&store, &[2]).await;
    let revoke = || store.revoke_session(player(1), session_id(1), session_id(2));
    assert!(revoke().await.expect("revoked"));
    assert!(!revoke().await.expect("asked"));
    assert_eq!((guest_of(&store, 1).await, guest_of(&store, 2).await), (None, Some(guest(1))));
    assert_eq!(ids(&store, 1).await, [session_id(2)]);
    assert_eq!(store.guest(player(1)).await.expect("read"), Some(guest(1)));
}

async fn nobody_revokes_another_guests_session(store: Arc<Store>) {
    with_sessions(&store, &[2]).await;
    store.add_guest(guest(2), session(9)).await.expect("added");
    assert!(!store.revoke_session(player(2), session_id(1), session_id(9)).await.expect("asked"));
    assert_eq!(store.revoke_other_sessions(player(2), session_id(1)).await.expect("revoked"), 1);
    assert_eq!((ids(&store, 1).await.len(), ids(&store, 2).await.len()), (2, 0));
}

async fn all_sessions_but_one_are_revoked(store: Arc<Store>) {
    with_sessions(&store, &[2, 3, 4]).await;
    assert_eq!(store.revoke_other_sessions(player(1), session_id(3)).await.expect("revoked"), 3);
    assert_eq!(store.revoke_other_sessions(player(1), session_id(3)).await.expect("asked"), 0);
    assert_eq!(ids(&store, 1).await, [session_id(3)]);
}

/// Has a session make the guest's code; whether it could.
async fn make_code(store: &Arc<Store>, by: u8) -> bool {
    let code = DeviceCode { hash: hash(200), guest: player(1), expires_at: 9_000 };
    store.add_device_code(code, session_id(by)).await.expect("asked")
}

/// Whether the code was good: a session 100 begins by it.
async fn is_spent(store: &Arc<Store>) -> bool {
    store.spend_device_code(hash(200), session(100), 1).await.expect("asked").is_some()
}

async fn what_a_session_made_goes_with_it(store: Arc<Store>) {
    with_sessions(&store, &[2, 3]).await;
    assert!(make_code(&store, 1).await);
    assert!(!store.revoke_session(player(1), session_id(9), session_id(2)).await.expect("asked"));
    assert!(store.revoke_session(player(1), session_id(1), session_id(2)).await.expect("revoked"));
    assert!(!is_spent(&store).await);
    assert!(make_code(&store, 3).await);
    assert_eq!(store.revoke_other_sessions(player(1), session_id(2)).await.expect("revoked"), 1);
    assert!(!is_spent(&store).await);
    assert!(make_code(&store, 2).await);
    assert!(is_spent(&store).await, "who is still there makes a new one");
}

async fn a_session_that_ends_itself_leaves_a_code_to_come_back_by(store: Arc<Store>) {
    with_sessions(&store, &[]).await;
    assert!(make_code(&store, 1).await);
    assert!(store.revoke_session(player(1), session_id(1), session_id(1)).await.expect("revoked"));
    assert!(is_spent(&store).await);
}

async fn a_session_that_has_ended_makes_no_code(store: Arc<Store>) {
    with_sessions(&store, &[2]).await;
    assert!(make_code(&store, 2).await);
    assert!(store.revoke_session(player(1), session_id(1), session_id(1)).await.expect("revoked"));
    assert!(!make_code(&store, 1).await);
    assert!(is_spent(&store).await, "what another one made is still good");
}

async fn of_too_many_sessions_the_newest_are_told(store: Arc<Store>) {
    let most = u8::try_from(TOKENS_PER_GUEST_MAX).expect("a small number");
    with_sessions(&store, &(2..=most + 3).collect::<Vec<_>>()).await;
    assert_eq!(ids(&store, 1).await, (4..=most + 3).rev().map(session_id).collect::<Vec<_>>());
}

async fn when_a_session_was_seen_only_grows(store: Arc<Store>) {
    with_sessions(&store, &[2]).await;
    // More than one write takes, most of them of sessions that have ended.
    let ended = (100..=255).map(|n| (session_id(n), 9_000));
    let seen = ended.chain([(session_id(2), 5_000), (session_id(1), 1_000), (session_id(2), 4_000)]);
    store.note_seen(seen.collect()).await.expect("noted");
    let told = store.sessions(player(1)).await.expect("read");
    assert_eq!(told.iter().map(|session| session.seen_at).collect::<Vec<_>>(), [5_000, 1_001]);
    assert_eq!(store.bearer(hash(2)).await.expect("read").expect("somebody").seen_at, 5_000);
}
