//! Accounts: who may open one, what lets guests sign in anywhere, and what the operator does with accounts.

use AccountOpening::*;

use super::*;

on_all_stores!(
    an_account_is_read_as_it_was_opened,
    what_opens_no_account_leaves_nothing,
    only_a_session_that_has_not_ended_opens_an_account,
    who_signs_in_gets_a_session,
    a_recovery_code_is_spent_once_and_ends_all_sessions,
    a_blocked_guest_signs_in_nowhere,
    a_new_password_ends_the_other_sessions,
    only_what_was_proved_is_replaced,
    recovery_codes_are_replaced_together_and_added_one_by_one,
    sign_ups_are_open_closed_or_for_those_with_a_code,
    a_code_that_opens_nothing_is_not_spent,
    sign_up_codes_are_swept_when_they_have_expired,
    accounts_are_listed_by_when_they_were_opened_and_by_their_handles,
    an_account_that_is_removed_leaves_its_guest,
);

pub(super) fn password(n: u32) -> PasswordHash {
    PasswordHash(format!("$argon2id$v=19$m=19456,t=2,p=1$salt${n}"))
}

/// The account of guest `n`, to be opened by their session `n` with the password and the recovery codes
/// `100 + n` and `110 + n`.
pub(super) fn new_account(n: impl TryInto<u32, Error: Debug>) -> NewAccount {
    let n: u32 = few(n);
    NewAccount {
        guest: player(n),
        by: session_id(n),
        handle: format!("Handle{n}"),
        skeleton: format!("handle{n}"),
        default_name: format!("unnamed {n}"),
        password: Some(password(n)),
        passkey: None,
        recovery_codes: vec![hash(100 + n), hash(110 + n)],
        sign_up_code: None,
        created_at: 2_000,
    }
}

fn account(n: u32) -> Account {
    let NewAccount { guest, handle, skeleton, password, created_at, .. } = new_account(n);
    Account { guest, handle, skeleton, password, recovery_codes: 2, created_at }
}

pub(super) fn proof(n: u32) -> Proof {
    Proof { guest: player(n), by: session_id(n), shown: Shown::Password(password(n)) }
}

/// Proofs that do not hold of guest 1: of another password, session and guest.
pub(super) fn wrong_proofs() -> [Proof; 3] {
    [
        Proof { shown: Shown::Password(password(2)), ..proof(1) },
        Proof { by: session_id(2), ..proof(1) },
        Proof { guest: player(3), ..proof(1) },
    ]
}

async fn an_account_is_read_as_it_was_opened(s: Fixture) {
    s.with_accounts([1, 2]).await;
    is!(s.account(player(1)), Some(account(1)));
    is!(s.account(player(3)), None);
    for (skeleton, found) in [("handle2", Some(account(2))), ("Handle2", None)] {
        is!(s.account_by_skeleton(skeleton.to_owned()), found);
    }
    is!(s.guest(player(1)), Some(guest(1)), "they stay the same person");
    // The handle is the name of those who have not chosen one.
    for (n, named) in [(3, "Handle3"), (4, "unnamed 3")] {
        done!(s.add_guest(Guest { name: "unnamed 3".to_owned(), ..guest(n) }, session(n)));
        is!(s.open_account(new_account(n)), Opened);
        assert_eq!(there!(s.guest(player(n))).name, named);
    }
    s.forget(1).await;
    is!(s.account(player(1)), None);
    is!(s.account_by_skeleton("handle1".to_owned()), None);
    is!(s.recover_with(1, 101, 30), None);
    s.with_accounts([1]).await;
}

async fn what_opens_no_account_leaves_nothing(s: Fixture) {
    s.with_accounts([1, 2]).await;
    s.guests([3]).await;
    let again = NewAccount { skeleton: "other".to_owned(), recovery_codes: vec![], ..new_account(1) };
    is!(s.open_account(again), HasAccount);
    is!(s.open_account(NewAccount { skeleton: "handle1".to_owned(), ..new_account(3) }), HandleTaken);
    is!(s.account(player(3)), None);
    is!(s.recover_with(3, 103, 30), None);
    is!(s.open_account(new_account(3)), Opened);
    is!(s.account(player(1)), Some(account(1)));
}

async fn only_a_session_that_has_not_ended_opens_an_account(s: Fixture) {
    s.guests([1, 2]).await;
    is!(s.open_account(NewAccount { by: session_id(2), ..new_account(1) }), SessionEnded);
    is!(s.open_account(new_account(3)), SessionEnded);
    s.block(1).await;
    yes!(s.revoke_session(player(2), session_id(2), session_id(2)));
    for n in [1, 2] {
        is!(s.open_account(new_account(n)), SessionEnded);
        is!(s.account(player(n)), None);
    }
}

async fn who_signs_in_gets_a_session(s: Fixture) {
    s.with_accounts([1, 2]).await;
    is!(s.enter(1, 1, 3), Some(guest(1)));
    for token in [1, 3] {
        is!(s.guest_of(token), Some(guest(1)));
    }
    let told = done!(s.sessions(player(1)));
    let told: Vec<_> = told.iter().map(|of| (of.id, of.origin, of.created_at, of.seen_at)).collect();
    let of = |n, origin, at| (session_id(n), origin, at, at);
    assert_eq!(told, [of(3, SessionOrigin::Password, 3_000), of(1, SessionOrigin::Guest, 1_001)]);
    is!(s.enter(1, 2, 4), None, "the password of another");
    is!(s.enter(3, 3, 4), None, "there is no such account");
    yes!(s.set_password(proof(1), 7, false));
    is!(s.enter(1, 1, 4), None, "it was replaced meanwhile");
    is!(s.guest_of(4), None);
    is!(s.enter(1, 7, 4), Some(guest(1)));
}

async fn a_recovery_code_is_spent_once_and_ends_all_sessions(s: Fixture) {
    s.with_accounts([1, 2]).await;
    yes!(s.add_code(1, 1));
    is!(s.recover_with(2, 101, 3), None, "the code of another");
    is!(s.recover_with(1, 101, 3), Some(guest(1)));
    is!(s.recover_with(1, 101, 4), None);
    is!(s.guest_of(1), None);
    let told = done!(s.sessions(player(1)));
    assert_eq!(
        told.iter().map(|of| (of.id, of.origin)).collect::<Vec<_>>(),
        [(session_id(3), SessionOrigin::RecoveryCode)]
    );
    is!(s.spend_code(5), None, "a stranger may have made it");
    let now = Account { password: Some(password(9)), recovery_codes: 1, ..account(1) };
    is!(s.account(player(1)), Some(now));
    is!(s.account(player(2)), Some(account(2)));
}

async fn a_blocked_guest_signs_in_nowhere(s: Fixture) {
    s.with_accounts([1]).await;
    s.block(1).await;
    let blocked = Guest { blocked_at: Some(5), ..guest(1) };
    is!(s.enter(1, 1, 3), Some(blocked.clone()));
    is!(s.recover_with(1, 101, 3), Some(blocked));
    is!(s.guest_of(3), None);
    no!(s.set_password(proof(1), 7, false));
    no!(s.replace_recovery_codes(proof(1), vec![hash(120)]));
    is!(s.account(player(1)), Some(account(1)));
}

async fn a_new_password_ends_the_other_sessions(s: Fixture) {
    s.with_accounts([1]).await;
    is!(s.enter(1, 1, 3), Some(guest(1)));
    yes!(s.add_code(1, 1));
    yes!(s.set_password(proof(1), 7, false));
    is!(s.session_ids(1), [session_id(1)]);
    is!(s.spend_code(5), None);
    is!(s.account(player(1)), Some(Account { password: Some(password(7)), ..account(1) }));
}

async fn only_what_was_proved_is_replaced(s: Fixture) {
    s.with_accounts([1, 2]).await;
    for wrong in wrong_proofs() {
        no!(s.set_password(wrong.clone(), 7, true), "{wrong:?}");
        no!(s.replace_recovery_codes(wrong, vec![hash(120)]));
    }
    is!(s.account(player(1)), Some(account(1)));
    is!(s.recover_with(1, 120, 3), None);
    is!(s.guest_of(1), Some(guest(1)));
}

async fn recovery_codes_are_replaced_together_and_added_one_by_one(s: Fixture) {
    s.with_accounts([1, 2]).await;
    s.guests([3]).await;
    yes!(s.replace_recovery_codes(proof(1), vec![hash(120), hash(121), hash(122)]));
    is!(s.account(player(1)), Some(Account { recovery_codes: 3, ..account(1) }));
    is!(s.recover_with(1, 101, 4), None);
    no!(s.add_recovery_code(player(3), hash(150)), "there is no account");
    for code in 3..RECOVERY_CODES_MAX {
        yes!(s.add_recovery_code(player(1), hash(150 + code)));
    }
    no!(s.add_recovery_code(player(1), hash(199)), "there are too many");
    is!(s.account(player(1)), Some(Account { recovery_codes: RECOVERY_CODES_MAX, ..account(1) }));
    is!(s.guest_of(1), Some(guest(1)), "nothing ends");
    for (n, code) in [(1, 121), (1, 153), (2, 102)] {
        is!(s.recover_with(n, code, code), Some(guest(n)));
    }
}

/// Guest `n` opens an account with that code, at 2000.
pub(super) async fn open_with(s: &Fixture, n: u32, code: Option<u32>) -> Answer<AccountOpening> {
    s.open_account(NewAccount { sign_up_code: code.map(hash), ..new_account(n) }).await
}

/// Accounts take a code by now; these expire at 2001.
async fn invite(s: &Fixture, codes: &[u32]) {
    done!(s.set_sign_ups(SignUpPolicy::InviteOnly));
    done!(s.add_sign_up_codes(codes.iter().map(|code| hash(*code)).collect(), 2_001));
}

async fn sign_ups_are_open_closed_or_for_those_with_a_code(s: Fixture) {
    s.guests(1..=4).await;
    is!(s.sign_ups(0), SignUps { policy: SignUpPolicy::Open, codes: 0 });
    done!(s.add_sign_up_codes(vec![hash(49)], 2_001));
    is!(open_with(&s, 1, Some(49)), Opened);
    invite(&s, &[50, 51]).await;
    is!(s.sign_ups(2_000), SignUps { policy: SignUpPolicy::InviteOnly, codes: 3 }, "one was not needed");
    for (n, code, opening) in [
        (2, None, SignUpCodeRequired),
        (2, Some(52), UnknownSignUpCode),
        (2, Some(50), Opened),
        (3, Some(50), UnknownSignUpCode),
        (3, Some(51), Opened),
    ] {
        is!(open_with(&s, n, code), opening, "{n} with {code:?}");
    }
    done!(s.set_sign_ups(SignUpPolicy::Closed));
    for code in [None, Some(49)] {
        is!(open_with(&s, 4, code), SignUpsClosed);
    }
    is!(s.account(player(4)), None);
    is!(open_with(&s, 1, None), HasAccount);
    is!(s.enter(1, 1, 5), Some(guest(1)), "those that are there stay");
    done!(s.set_sign_ups(SignUpPolicy::Open));
    is!(open_with(&s, 4, None), Opened);
}

async fn a_code_that_opens_nothing_is_not_spent(s: Fixture) {
    s.with_accounts([1]).await;
    s.guests([2]).await;
    invite(&s, &[50]).await;
    is!(open_with(&s, 1, Some(50)), HasAccount);
    let taken = NewAccount { skeleton: "handle1".to_owned(), sign_up_code: Some(hash(50)), ..new_account(2) };
    is!(s.open_account(taken), HandleTaken);
    is!(open_with(&s, 3, Some(50)), SessionEnded);
    is!(open_with(&s, 2, Some(50)), Opened);
}

async fn sign_up_codes_are_swept_when_they_have_expired(s: Fixture) {
    s.guests([1]).await;
    invite(&s, &[50]).await;
    done!(s.add_sign_up_codes(vec![hash(51)], 2_000));
    is!(open_with(&s, 1, Some(51)), UnknownSignUpCode, "it expires at 2000");
    let codes = async || done!(s.sign_ups(1_999)).codes;
    assert_eq!(codes().await, 2);
    done!(s.sweep(2_000));
    assert_eq!(codes().await, 1);
    assert!(s.add_sign_up_codes(vec![hash(60), hash(60)], 3_000).await.is_err(), "twice the same");
    assert_eq!(codes().await, 1, "all or none");
}

async fn accounts_are_listed_by_when_they_were_opened_and_by_their_handles(s: Fixture) {
    s.guests(1..=4).await;
    for (n, created_at, handle) in
        [(1, 3_000, "Zeno_2"), (2, 1_000, "zen"), (3, 2_000, "ZENOBIA"), (4, 500, "xeno")]
    {
        let (handle, skeleton) = (handle.to_owned(), handle.to_lowercase());
        is!(s.open_account(NewAccount { created_at, handle, skeleton, ..new_account(n) }), Opened);
    }
    let since = AccountFilter::Since;
    let starting = |prefix: &str| AccountFilter::Starting(prefix.to_owned());
    for (which, limit, expected) in [
        (since(0), 9, &["Zeno_2", "ZENOBIA", "zen", "xeno"][..]),
        (since(0), 2, &["Zeno_2", "ZENOBIA"]),
        (since(2_000), 9, &["Zeno_2", "ZENOBIA"]),
        (since(3_001), 9, &[]),
        (starting("ze"), 9, &["zen", "Zeno_2", "ZENOBIA"]),
        (starting("ZEN"), 2, &["zen", "Zeno_2"]),
        (starting("zeno_"), 9, &["Zeno_2"]),
        (starting("%e"), 9, &[]),
        (starting("eno"), 9, &[]),
    ] {
        let found = done!(s.accounts(which.clone(), limit));
        assert_eq!(found.iter().map(|of| &*of.handle).collect::<Vec<_>>(), expected, "{which:?}");
        assert!(found.iter().all(|of| of.recovery_codes == 2));
    }
}

async fn an_account_that_is_removed_leaves_its_guest(s: Fixture) {
    s.with_accounts([1, 2]).await;
    is!(s.enter(1, 1, 3), Some(guest(1)));
    yes!(s.add_code(1, 3));
    is!(s.remove_account(player(3)), None);
    is!(s.remove_account(player(1)), Some(1));
    is!(s.remove_account(player(1)), None);
    is!(s.session_ids(1), [session_id(1)]);
    is!(s.account(player(1)), None);
    is!(s.spend_code(5), None);
    is!(s.enter(1, 1, 4), None);
    is!(s.recover_with(1, 101, 4), None);
    is!(s.account(player(2)), Some(account(2)));
    is!(s.open_account(new_account(1)), Opened, "the handle is free again");
}
