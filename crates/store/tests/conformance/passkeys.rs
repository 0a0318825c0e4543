//! Passkeys: keys with which people sign in in place of a password.

use super::{
    accounts::{new_account, password, proof, wrong_proofs},
    *,
};

on_all_stores!(
    a_passkey_needs_the_proof_and_the_session,
    a_credential_is_one_accounts_and_there_are_so_many,
    a_passkey_is_renamed_and_removed_by_its_owner,
    a_passkey_proves_until_it_is_removed,
    who_signs_in_with_a_passkey_gets_a_session,
    a_blocked_guest_signs_in_with_nothing,
    passkeys_go_with_what_they_rest_on,
    a_challenge_is_spent_once,
    a_passkey_that_is_known_opens_no_account,
    the_last_way_in_is_never_removed,
    a_password_that_was_removed_signs_nobody_in,
);

pub(super) fn id(n: impl TryInto<u32, Error: Debug>) -> PasskeyId {
    PasskeyId(session_id(n).0)
}

/// Passkey `n` of guest `of`.
pub(super) fn passkey(n: impl TryInto<u8, Error: Debug>, of: impl TryInto<u32, Error: Debug>) -> Passkey {
    let n: u8 = few(n);
    Passkey {
        id: id(n),
        guest: player(of),
        name: format!("A \"key\" {n}"),
        credential: Credential {
            id: vec![n, 0, 255],
            cose_key: vec![n; 77],
            counter: u32::MAX - 5,
            is_backup_eligible: n.is_multiple_of(2),
            is_backed_up: false,
        },
        created_at: 3_000 + u64::from(n),
        used_at: None,
    }
}

/// Its next use after `before` others.
pub(super) fn use_of(n: impl TryInto<u8, Error: Debug>, before: u32) -> PasskeyUse {
    let Passkey { id, credential, .. } = passkey(n, 0);
    let counter_before = credential.counter + before;
    PasskeyUse { id, counter_before, counter: counter_before + 1, is_backed_up: true, at: 5_000 }
}

/// A proof of guest `n` by one of their passkeys.
pub(super) fn by_passkey(n: u32, key: u32) -> Proof {
    Proof { shown: Shown::Passkey(id(key)), ..proof(n) }
}

async fn add(s: &Fixture, of: u32, numbers: &[u32]) {
    for n in numbers {
        is!(s.add_passkey(proof(of), passkey(*n, of)), PasskeyAddition::Added);
    }
}

async fn found(s: &Fixture, n: u32) -> Answer<Option<Passkey>> {
    s.passkey(passkey(n, 0).credential.id).await
}

/// Uses passkey 10 once more; whether that counts.
pub(super) async fn count_to(s: &Fixture, counter_before: u32) -> bool {
    let counter = counter_before + 1;
    done!(s.use_passkey(PasskeyUse { counter_before, counter, ..use_of(10, 0) }))
}

async fn sign_in(s: &Fixture, used: PasskeyUse, new: u32) -> Answer<Option<Guest>> {
    s.sign_in_with_passkey(used, session(new)).await
}

async fn a_passkey_needs_the_proof_and_the_session(s: Fixture) {
    s.with_accounts([1, 2]).await;
    for wrong in wrong_proofs().into_iter().chain([by_passkey(1, 10)]) {
        is!(s.add_passkey(wrong.clone(), passkey(10, 1)), PasskeyAddition::NotProven, "{wrong:?}");
    }
    s.block(1).await;
    is!(s.add_passkey(proof(1), passkey(10, 1)), PasskeyAddition::NotProven);
    is!(found(&s, 10), None);
}

async fn a_credential_is_one_accounts_and_there_are_so_many(s: Fixture) {
    s.with_accounts([1, 2]).await;
    add(&s, 1, &[10]).await;
    for of in [1, 2] {
        is!(s.add_passkey(proof(of), Passkey { id: id(20), ..passkey(10, of) }), PasskeyAddition::Known);
    }
    is!(found(&s, 10), Some(passkey(10, 1)));
    for n in 1..PASSKEYS_PER_GUEST_MAX {
        add(&s, 1, &[10 + n]).await;
    }
    is!(s.add_passkey(proof(1), passkey(100, 1)), PasskeyAddition::TooMany);
    add(&s, 2, &[100]).await;
}

async fn a_passkey_is_renamed_and_removed_by_its_owner(s: Fixture) {
    use PasskeyRemoval::*;
    s.with_accounts([1, 2]).await;
    add(&s, 1, &[10, 11]).await;
    for (of, n, is_renamed) in [(2, 10, false), (1, 12, false), (1, 10, true)] {
        is!(s.rename_passkey(player(of), id(n), "Ring".to_owned()), is_renamed);
        assert_eq!(there!(found(&s, 10)).name == "Ring", is_renamed);
    }
    let [wrong, ..] = wrong_proofs();
    for (by, expected) in
        [(wrong, NotProven), (proof(2), NotFound), (proof(1), Removed), (proof(1), NotFound)]
    {
        is!(s.remove_passkey(by, id(10)), expected);
    }
    is!(s.passkeys(player(1)), [passkey(11, 1)]);
}

async fn a_passkey_proves_until_it_is_removed(s: Fixture) {
    s.with_accounts([1, 2]).await;
    add(&s, 1, &[10, 11]).await;
    is!(s.passkeys(player(1)), [passkey(11, 1), passkey(10, 1)], "the newest first");
    no!(s.set_password(by_passkey(2, 10), 7, false), "another's");
    yes!(s.set_password(by_passkey(1, 10), 7, false));
    yes!(s.replace_recovery_codes(by_passkey(1, 11), vec![hash(120)]));
    is!(s.remove_passkey(by_passkey(1, 10), id(10)), PasskeyRemoval::Removed);
    no!(s.set_password(by_passkey(1, 10), 8, false));
    no!(s.set_password(Proof { by: session_id(2), ..by_passkey(1, 11) }, 8, false), "not their session");
    let revoking = Revoking { api_tokens: false, passkeys: true };
    yes!(s.change_password(by_passkey(1, 11), password(8), revoking));
    is!(s.passkeys(player(1)), []);
}

async fn who_signs_in_with_a_passkey_gets_a_session(s: Fixture) {
    s.with_accounts([1, 2]).await;
    add(&s, 1, &[10]).await;
    is!(sign_in(&s, use_of(11, 0), 30), None);
    is!(sign_in(&s, use_of(10, 1), 30), None, "by another counter");
    no!(s.use_passkey(use_of(11, 0)), "there is none");
    assert!(sign_in(&s, use_of(10, 0), 2).await.is_err(), "the session is there already");
    is!(found(&s, 10), Some(passkey(10, 1)), "it was not used");
    is!(sign_in(&s, use_of(10, 0), 30), Some(guest(1)));
    is!(sign_in(&s, use_of(10, 0), 31), None, "used before");
    no!(s.use_passkey(use_of(10, 0)));
    let credential = Credential { counter: u32::MAX - 4, is_backed_up: true, ..passkey(10, 1).credential };
    is!(found(&s, 10), Some(Passkey { credential, used_at: Some(5_000), ..passkey(10, 1) }));
    yes!(s.use_passkey(use_of(10, 1)));
    let newest = done!(s.sessions(player(1))).remove(0);
    assert_eq!(
        (newest.id, newest.origin, newest.created_at),
        (session_id(30), SessionOrigin::Passkey, 5_000)
    );
    let counter = use_of(10, 2).counter_before;
    let same = PasskeyUse { counter_before: counter, counter, ..use_of(10, 2) };
    is!(sign_in(&s, same, 31), Some(guest(1)), "who does not count signs in");
}

async fn a_blocked_guest_signs_in_with_nothing(s: Fixture) {
    s.with_accounts([1]).await;
    add(&s, 1, &[10]).await;
    s.block(1).await;
    is!(sign_in(&s, use_of(10, 0), 30), Some(Guest { blocked_at: Some(5), ..guest(1) }));
    is!(s.guest_of(30), None);
    is!(found(&s, 10), Some(passkey(10, 1)), "it was not used");
}

async fn passkeys_go_with_what_they_rest_on(s: Fixture) {
    s.with_accounts(1..=4).await;
    for n in 1..=4 {
        add(&s, n, &[10 + n]).await;
        is!(sign_in(&s, use_of(10 + n, 0), 20 + n), Some(guest(n)));
    }
    is!(s.recover_with(1, 101, 30), Some(guest(1)));
    is!(s.remove_account(player(2)), Some(1));
    s.forget(3).await;
    is!(s.session_ids(2), [session_id(2)]);
    for n in 1..=4 {
        assert_eq!(done!(found(&s, 10 + n)).is_some(), n == 4, "{n}");
        assert_eq!(done!(s.passkeys(player(n))).len(), usize::from(n == 4), "{n}");
    }
}

async fn a_challenge_is_spent_once(s: Fixture) {
    let spend = async |n, expires_at| s.spend_challenge(hash(n), expires_at).await;
    yes!(spend(50, 9_000));
    yes!(spend(51, 9_500));
    done!(s.sweep(8_999));
    for expires_at in [9_000, 20_000] {
        no!(spend(50, expires_at));
    }
    done!(s.sweep(9_000));
    yes!(spend(50, 9_000), "nothing is kept of what has expired");
    no!(spend(51, 9_500));
}

async fn a_passkey_that_is_known_opens_no_account(s: Fixture) {
    s.with_accounts([1]).await;
    s.guests([2]).await;
    add(&s, 1, &[10]).await;
    let with = |key| NewAccount { password: None, passkey: Some(passkey(key, 2)), ..new_account(2) };
    is!(s.open_account(with(10)), AccountOpening::PasskeyKnown);
    is!(s.account(player(2)), None, "nothing is left of it");
    is!(s.recover_with(2, 102, 30), None, "not even its recovery codes");
    is!(s.open_account(with(11)), AccountOpening::Opened);
    is!(s.passkeys(player(2)), [passkey(11, 2)]);
}

async fn the_last_way_in_is_never_removed(s: Fixture) {
    use PasskeyRemoval::*;
    s.with_accounts([1]).await;
    is!(s.remove_password(proof(1)), PasswordRemoval::LastWayIn);
    add(&s, 1, &[10, 11]).await;
    is!(s.remove_password(proof(1)), PasswordRemoval::Removed);
    for (by, n, expected) in [(10, 12, NotFound), (10, 10, Removed), (11, 11, LastWayIn)] {
        is!(s.remove_passkey(by_passkey(1, by), id(n)), expected);
    }
    is!(s.passkeys(player(1)), [passkey(11, 1)]);
    yes!(s.set_password(by_passkey(1, 11), 1, false));
    is!(s.remove_passkey(by_passkey(1, 11), id(11)), Removed);
    is!(s.remove_password(proof(1)), PasswordRemoval::LastWayIn);
}

async fn a_password_that_was_removed_signs_nobody_in(s: Fixture) {
    s.with_accounts([1]).await;
    add(&s, 1, &[10]).await;
    is!(s.enter(1, 1, 30), Some(guest(1)));
    for wrong in wrong_proofs().into_iter().chain([by_passkey(1, 11)]) {
        is!(s.remove_password(wrong.clone()), PasswordRemoval::NotProven, "{wrong:?}");
    }
    yes!(s.add_code(1, 30));
    is!(s.remove_password(proof(1)), PasswordRemoval::Removed);
    is!(s.session_ids(1), [session_id(1)], "the others have ended");
    is!(s.spend_code(31), None);
    for gone in [password(1), PasswordHash(String::new())] {
        is!(s.sign_in(player(1), gone.clone(), session(31), 1), None, "{gone:?}");
        let proof = Proof { shown: Shown::Password(gone), ..proof(1) };
        is!(s.remove_password(proof), PasswordRemoval::NotProven);
    }
    is!(s.remove_password(by_passkey(1, 10)), PasswordRemoval::Removed, "there is none");
}
