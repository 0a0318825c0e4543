//! Guests and their sessions: how one begins, moves to another device, and ends.

use super::*;

on_all_stores!(
    a_guest_and_a_session_are_stored_once,
    sessions_are_told_the_newest_first,
    a_device_code_begins_one_session_until_it_expires,
    a_device_code_needs_a_session_of_the_guest,
    of_too_many_sessions_the_oldest_ends,
    a_session_is_revoked_by_its_guest_alone,
    what_a_session_made_goes_with_it,
    when_a_session_was_seen_only_grows,
);

/// A guest with the session 1, made at 1001, and others made at `1000 * n` for each further `n`.
async fn with_sessions(s: &Fixture, others: impl IntoIterator<Item = u32>) {
    s.guests([1]).await;
    let mut last = 1;
    for n in others {
        let code = DeviceCode { hash: hash(200), guest: player(1), expires_at: u64::MAX >> 1 };
        // The last one makes it: the first may have ended.
        yes!(s.add_device_code(code, session_id(last)));
        is!(s.spend_device_code(hash(200), session(n), 1_000 * u64::from(n)), Some(guest(1)));
        last = n;
    }
}

async fn a_guest_and_a_session_are_stored_once(s: Fixture) {
    s.guests([1, 2]).await;
    for (token, found) in [(1, Some(guest(1))), (2, Some(guest(2))), (3, None)] {
        is!(s.guest_of(token), found);
    }
    for (n, found) in [(2, Some(guest(2))), (3, None)] {
        is!(s.guest(player(n)), found);
    }
    let same_id = NewSession { id: session_id(1), ..session(3) };
    let same_token = NewSession { token: hash(1), ..session(3) };
    for (n, again) in [(1, session(3)), (3, session(1)), (3, same_id), (3, same_token)] {
        refused!(s.add_guest(guest(n), again), StoreError::Failed(_));
    }
    is!(s.guest_of(3), None);
    is!(s.guest(player(3)), None);
}

async fn sessions_are_told_the_newest_first(s: Fixture) {
    with_sessions(&s, [2, 3]).await;
    let told = |n, created_at, origin| {
        let NewSession { id, device, .. } = session(n);
        Session { id, created_at, origin, device, seen_at: created_at }
    };
    let by_code = |n: u32| told(n, 1_000 * u64::from(n), SessionOrigin::DeviceCode);
    is!(s.sessions(player(1)), [by_code(3), by_code(2), told(1, 1_001, SessionOrigin::Guest)]);
    is!(s.sessions(player(2)), []);
    let bearer = Bearer { guest: guest(1), ban: None, session: session_id(3), seen_at: 3_000 };
    is!(s.bearer(hash(3)), Some(bearer));
}

async fn a_device_code_begins_one_session_until_it_expires(s: Fixture) {
    s.guests([1]).await;
    let add = async |n: u32| {
        let code = DeviceCode { hash: hash(n), guest: player(1), expires_at: 5_000 };
        yes!(s.add_device_code(code, session_id(1)));
    };
    let spend = |n: u32, new: u32, now| s.spend_device_code(hash(n), session(new), now);
    add(10).await;
    is!(spend(10, 2, 5_000), None, "it has expired");
    add(11).await;
    is!(spend(10, 2, 4_999), None, "a later one has taken its place");
    let answers = join_all((20..40).map(|new| spend(11, new, 4_999))).await;
    assert_eq!(answers.iter().filter(|answer| matches!(answer, Ok(Some(_)))).count(), 1);
    assert_eq!(answers.iter().filter(|answer| matches!(answer, Ok(None))).count(), 19);
    assert_eq!(done!(s.session_ids(1)).len(), 2);
    is!(s.guest_of(1), Some(guest(1)));
}

async fn a_device_code_needs_a_session_of_the_guest(s: Fixture) {
    no!(s.add_code(1, 1));
    s.guests([2]).await;
    with_sessions(&s, [3]).await;
    no!(s.add_code(1, 2), "nor by another's");
    yes!(s.add_code(1, 3));
    yes!(s.revoke_session(player(1), session_id(1), session_id(1)));
    no!(s.add_code(1, 1), "it has ended");
    is!(s.spend_code(4), Some(guest(1)), "a code made by another session stays valid");
}

/// However they begin.
async fn of_too_many_sessions_the_oldest_ends(s: Fixture) {
    const MOST: u32 = TOKENS_PER_GUEST_MAX;
    s.with_accounts([50, 51]).await;
    is!(s.add_passkey(accounts::proof(51), passkeys::passkey(10, 51)), PasskeyAddition::Added);
    with_sessions(&s, 2..=MOST + 3).await;
    for n in 0..MOST + 2 {
        let now = 3_000 + u64::from(n);
        is!(s.sign_in(player(50), accounts::password(50), session(100 + n), now), Some(guest(50)));
        let counter = passkeys::use_of(10, 0).counter_before;
        let used = PasskeyUse { counter_before: counter, counter, at: now, ..passkeys::use_of(10, 0) };
        is!(s.sign_in_with_passkey(used, session(200 + n)), Some(guest(51)));
    }
    for (of, newest) in [(1, MOST + 3), (50, 101 + MOST), (51, 201 + MOST)] {
        is!(s.session_ids(of), (newest + 1 - MOST..=newest).rev().map(session_id).collect::<Vec<_>>());
        is!(s.guest_of(newest - MOST), None);
        is!(s.guest_of(newest + 1 - MOST), Some(guest(of)));
    }
}

async fn a_session_is_revoked_by_its_guest_alone(s: Fixture) {
    s.guests([9]).await;
    with_sessions(&s, 2..=5).await;
    no!(s.revoke_session(player(9), session_id(1), session_id(9)));
    is!(s.revoke_other_sessions(player(9), session_id(1)), 1, "their own");
    for is_revoked in [true, false] {
        is!(s.revoke_session(player(1), session_id(1), session_id(2)), is_revoked);
    }
    is!(s.guest_of(1), None);
    is!(s.session_ids(1), [5, 4, 3, 2].map(session_id));
    for ended in [3, 0] {
        is!(s.revoke_other_sessions(player(1), session_id(3)), ended);
    }
    is!(s.session_ids(1), [session_id(3)]);
    is!(s.guest(player(1)), Some(guest(1)));
}

async fn what_a_session_made_goes_with_it(s: Fixture) {
    with_sessions(&s, [2, 3]).await;
    yes!(s.add_code(1, 1));
    no!(s.revoke_session(player(1), session_id(9), session_id(2)));
    yes!(s.revoke_session(player(1), session_id(1), session_id(2)));
    is!(s.spend_code(100), None);
    yes!(s.add_code(1, 3));
    is!(s.revoke_other_sessions(player(1), session_id(2)), 1);
    is!(s.spend_code(100), None);
    // One that ends itself leaves a code to come back by.
    yes!(s.add_code(1, 2));
    yes!(s.revoke_session(player(1), session_id(2), session_id(2)));
    is!(s.spend_code(100), Some(guest(1)));
}

async fn when_a_session_was_seen_only_grows(s: Fixture) {
    with_sessions(&s, [2]).await;
    // More than one write takes, most of them of sessions that have ended.
    let ended = (100..=700).map(|n: u32| (session_id(n), 9_000));
    let seen = ended.chain([(session_id(2), 5_000), (session_id(1), 1_000), (session_id(2), 4_000)]);
    done!(s.note_seen(seen.collect()));
    let told = done!(s.sessions(player(1)));
    assert_eq!(told.iter().map(|session| session.seen_at).collect::<Vec<_>>(), [5_000, 1_001]);
    assert_eq!(there!(s.bearer(hash(2))).seen_at, 5_000);
}
