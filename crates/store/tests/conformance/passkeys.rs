//! Passkeys: keys with which people sign in in place of a password.

use std::sync::Arc;

use lusoria_store::{
    AccountOpening, Credential, Guest, NewAccount, PASSKEYS_PER_GUEST_MAX, Passkey, PasskeyAddition,
    PasskeyId, PasskeyRemoval, PasskeyUse, PasswordHash, PasswordRemoval, Proof, Revoking, SessionOrigin,
    Shown, Store, TOKENS_PER_GUEST_MAX,
};

use super::{
    accounts::{account_of, new_account, password, proof, recover, with_accounts},
    guest, guest_of, hash,
    model::{self, words},
    on_all_stores, player, session, session_id,
};
use proptest::prelude::*;

on_all_stores!(
    a_passkey_is_read_as_it_was_added,
    a_passkey_needs_the_proof_and_the_session,
    a_credential_is_one_accounts,
    an_account_has_so_many_passkeys,
    a_passkey_is_renamed_by_its_owner,
    a_passkey_is_removed_with_a_proof,
    a_passkey_proves_until_it_is_removed,
    of_two_uses_by_one_counter_one_counts,
    who_signs_in_with_a_passkey_gets_a_session,
    a_blocked_guest_signs_in_with_nothing,
    a_recovery_code_removes_all_passkeys,
    passkeys_go_with_their_account,
    a_challenge_is_spent_once,
    an_account_opens_with_a_passkey_alone,
    the_last_way_in_is_never_removed,
    a_password_that_was_removed_signs_nobody_in,
);

pub(super) fn id(n: u8) -> PasskeyId {
    PasskeyId(session_id(n).0)
}

/// Passkey `n` of guest `of`.
pub(super) fn passkey(n: u8, of: u8) -> Passkey {
    Passkey {
        id: id(n),
        guest: player(of.into()),
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

async fn add(store: &Arc<Store>, n: u8, of: u8) -> PasskeyAddition {
    store.add_passkey(proof(of), passkey(n, of)).await.expect("asked")
}

async fn passkeys(store: &Arc<Store>, of: u8) -> Vec<Passkey> {
    store.passkeys(player(of.into())).await.expect("read")
}

async fn by_credential(store: &Arc<Store>, n: u8) -> Option<Passkey> {
    store.passkey(passkey(n, 0).credential.id).await.expect("read")
}

/// Its next use after `before` others.
pub(super) fn use_of(n: u8, before: u32) -> PasskeyUse {
    let counter_before = passkey(n, 0).credential.counter + before;
    PasskeyUse { id: id(n), counter_before, counter: counter_before + 1, is_backed_up: true, at: 5_000 }
}

async fn sign_in(store: &Arc<Store>, used: PasskeyUse, new: u8) -> Option<Guest> {
    store.sign_in_with_passkey(used, session(new)).await.expect("asked")
}

async fn a_passkey_is_read_as_it_was_added(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for n in [10, 11] {
        assert_eq!(add(&store, n, 1).await, PasskeyAddition::Added);
    }
    assert_eq!(passkeys(&store, 1).await, [passkey(11, 1), passkey(10, 1)], "the newest first");
    assert_eq!(passkeys(&store, 2).await, []);
    assert_eq!(by_credential(&store, 10).await, Some(passkey(10, 1)));
    assert_eq!(by_credential(&store, 12).await, None);
}

async fn a_passkey_needs_the_proof_and_the_session(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for wrong in [
        Proof { shown: Shown::Password(password(2)), ..proof(1) },
        Proof { shown: Shown::Passkey(id(10)), ..proof(1) },
        Proof { by: session_id(2), ..proof(1) },
        Proof { guest: player(3), ..proof(1) },
    ] {
        let added = store.add_passkey(wrong.clone(), passkey(10, 1)).await.expect("asked");
        assert_eq!(added, PasskeyAddition::NotProven, "{wrong:?}");
    }
    assert!(store.set_blocked(player(1), Some(5)).await.expect("blocked"));
    assert_eq!(add(&store, 10, 1).await, PasskeyAddition::NotProven);
    assert_eq!(by_credential(&store, 10).await, None);
}

async fn a_credential_is_one_accounts(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    assert_eq!(add(&store, 10, 1).await, PasskeyAddition::Added);
    for of in [1, 2] {
        let same = Passkey { id: id(20), guest: player(of.into()), ..passkey(10, of) };
        let added = store.add_passkey(proof(of), same).await.expect("asked");
        assert_eq!(added, PasskeyAddition::Known);
    }
    assert_eq!(by_credential(&store, 10).await, Some(passkey(10, 1)));
}

async fn an_account_has_so_many_passkeys(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    let most = u8::try_from(PASSKEYS_PER_GUEST_MAX).expect("few");
    for n in 0..most {
        assert_eq!(add(&store, 10 + n, 1).await, PasskeyAddition::Added);
    }
    assert_eq!(add(&store, 100, 1).await, PasskeyAddition::TooMany);
    assert_eq!(add(&store, 100, 2).await, PasskeyAddition::Added, "each has their own");
}

async fn a_passkey_is_renamed_by_its_owner(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    add(&store, 10, 1).await;
    let rename = async |of: u8, n: u8| {
        store.rename_passkey(player(of.into()), id(n), "Ring".to_owned()).await.expect("asked")
    };
    assert!(!rename(2, 10).await);
    assert!(!rename(1, 11).await);
    assert_eq!(by_credential(&store, 10).await, Some(passkey(10, 1)));
    assert!(rename(1, 10).await);
    assert_eq!(by_credential(&store, 10).await.expect("a passkey").name, "Ring");
}

async fn a_passkey_is_removed_with_a_proof(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for n in [10, 11] {
        add(&store, n, 1).await;
    }
    let remove = async |proof: Proof, n: u8| store.remove_passkey(proof, id(n)).await.expect("asked");
    let wrong = Proof { shown: Shown::Password(password(2)), ..proof(1) };
    assert_eq!(remove(wrong, 10).await, PasskeyRemoval::NotProven);
    assert_eq!(remove(proof(2), 10).await, PasskeyRemoval::NotFound);
    assert_eq!(passkeys(&store, 1).await.len(), 2);
    assert_eq!(remove(proof(1), 10).await, PasskeyRemoval::Removed);
    assert_eq!(remove(proof(1), 10).await, PasskeyRemoval::NotFound);
    assert_eq!(passkeys(&store, 1).await, [passkey(11, 1)]);
}

async fn a_passkey_proves_until_it_is_removed(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for n in [10, 11] {
        add(&store, n, 1).await;
    }
    let by = |n: u8, of: u8| Proof { shown: Shown::Passkey(id(n)), ..proof(of) };
    assert!(
        !store.change_password(by(10, 2), password(7), Revoking::default()).await.expect("asked"),
        "another's"
    );
    assert!(store.change_password(by(10, 1), password(7), Revoking::default()).await.expect("changed"));
    assert!(store.replace_recovery_codes(by(11, 1), vec![hash(120)]).await.expect("replaced"));
    assert_eq!(store.remove_passkey(by(10, 1), id(10)).await.expect("asked"), PasskeyRemoval::Removed);
    assert!(!store.change_password(by(10, 1), password(8), Revoking::default()).await.expect("asked"));
    let other = Proof { by: session_id(2), ..by(11, 1) };
    assert!(
        !store.change_password(other, password(8), Revoking::default()).await.expect("asked"),
        "not their session"
    );
}

async fn of_two_uses_by_one_counter_one_counts(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    add(&store, 10, 1).await;
    let (one, two) = tokio::join!(store.use_passkey(use_of(10, 0)), store.use_passkey(use_of(10, 0)));
    assert_eq!(u8::from(one.expect("asked")) + u8::from(two.expect("asked")), 1);
    let found = by_credential(&store, 10).await.expect("a passkey");
    let credential = Credential { counter: u32::MAX - 4, is_backed_up: true, ..passkey(10, 1).credential };
    assert_eq!(found, Passkey { credential, used_at: Some(5_000), ..passkey(10, 1) });
    assert!(!store.use_passkey(use_of(11, 0)).await.expect("asked"), "there is none");
    assert!(store.use_passkey(use_of(10, 1)).await.expect("used"));
}

async fn who_signs_in_with_a_passkey_gets_a_session(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    add(&store, 10, 1).await;
    assert_eq!(sign_in(&store, use_of(11, 0), 30).await, None);
    assert_eq!(sign_in(&store, use_of(10, 1), 30).await, None, "by another counter");
    assert_eq!(guest_of(&store, 30).await, None);
    assert!(store.sign_in_with_passkey(use_of(10, 0), session(2)).await.is_err(), "it is there already");
    assert_eq!(by_credential(&store, 10).await, Some(passkey(10, 1)));
    assert_eq!(sign_in(&store, use_of(10, 0), 30).await, Some(guest(1)));
    assert_eq!(guest_of(&store, 30).await, Some(guest(1)));
    assert_eq!(sign_in(&store, use_of(10, 0), 31).await, None, "used before");
    let newest = store.sessions(player(1)).await.expect("read").remove(0);
    assert_eq!((newest.id, newest.origin), (session_id(30), SessionOrigin::Passkey));
    assert_eq!(newest.created_at, 5_000);
    for n in 1..=u8::try_from(TOKENS_PER_GUEST_MAX).expect("few") {
        let counter = use_of(10, 1).counter_before;
        let used = PasskeyUse { counter_before: counter, counter, ..use_of(10, 1) };
        assert_eq!(sign_in(&store, used, 30 + n).await, Some(guest(1)), "who does not count signs in");
    }
    assert_eq!(store.sessions(player(1)).await.expect("read").len(), TOKENS_PER_GUEST_MAX as usize);
    assert_eq!(guest_of(&store, 1).await, None, "the oldest has ended");
}

async fn a_blocked_guest_signs_in_with_nothing(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    add(&store, 10, 1).await;
    assert!(store.set_blocked(player(1), Some(5)).await.expect("blocked"));
    let found = sign_in(&store, use_of(10, 0), 30).await.expect("a guest");
    assert_eq!((found.blocked_at, guest_of(&store, 30).await), (Some(5), None));
    assert_eq!(by_credential(&store, 10).await, Some(passkey(10, 1)), "it was not used");
}

async fn a_recovery_code_removes_all_passkeys(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for n in [1, 2] {
        add(&store, 10 + n, n).await;
    }
    assert_eq!(recover(&store, 1, 101, 30).await, Some(guest(1)));
    assert_eq!(passkeys(&store, 1).await, []);
    assert_eq!(passkeys(&store, 2).await.len(), 1);
}

async fn passkeys_go_with_their_account(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for n in [1, 2] {
        add(&store, 10 + n, n).await;
        sign_in(&store, use_of(10 + n, 0), 20 + n).await.expect("signed in");
    }
    assert_eq!(store.remove_account(player(1)).await.expect("removed"), Some(1));
    assert_eq!((guest_of(&store, 21).await, guest_of(&store, 1).await), (None, Some(guest(1))));
    assert!(store.forget_guest(player(2)).await.expect("forgotten"));
    for n in [1, 2] {
        assert_eq!((by_credential(&store, 10 + n).await, passkeys(&store, n).await), (None, vec![]));
    }
}

async fn a_challenge_is_spent_once(store: Arc<Store>) {
    let spend = async |n, expires_at| store.spend_challenge(hash(n), expires_at).await.expect("asked");
    assert!(spend(50, 9_000).await && spend(51, 9_500).await);
    store.sweep(8_999).await.expect("swept");
    for expires_at in [9_000, 20_000] {
        assert!(!spend(50, expires_at).await);
    }
    store.sweep(9_000).await.expect("swept");
    assert!(spend(50, 9_000).await, "nothing is kept of what has expired");
    assert!(!spend(51, 9_500).await);
}

/// The account of guest `n` with passkey `key` and no password, to be opened.
fn without_password(n: u8, key: u8) -> NewAccount {
    NewAccount { password: None, passkey: Some(passkey(key, n)), ..new_account(n) }
}

fn by_passkey(n: u8, key: u8) -> Proof {
    Proof { shown: Shown::Passkey(id(key)), ..proof(n) }
}

async fn an_account_opens_with_a_passkey_alone(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    store.add_guest(guest(2), session(2)).await.expect("added");
    add(&store, 10, 1).await;
    let open = async |new| store.open_account(new).await.expect("asked");
    assert_eq!(open(without_password(2, 10)).await, AccountOpening::PasskeyKnown);
    assert_eq!(account_of(&store, 2).await, None, "nothing is left of it");
    assert_eq!(recover(&store, 2, 102, 30).await, None, "not even its recovery codes");
    assert_eq!(open(without_password(2, 11)).await, AccountOpening::Opened);
    assert_eq!(account_of(&store, 2).await.map(|account| account.password), Some(None));
    assert_eq!(passkeys(&store, 2).await, [passkey(11, 2)]);
    assert_eq!(sign_in(&store, use_of(11, 0), 31).await, Some(guest(2)));
    assert!(
        store.change_password(by_passkey(2, 11), password(7), Revoking::default()).await.expect("asked"),
        "a first one"
    );
    let signed_in = store.sign_in(player(2), password(7), session(32), 1).await.expect("asked");
    assert_eq!(signed_in, Some(guest(2)));
}

async fn the_last_way_in_is_never_removed(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    let remove = async |proof: Proof, n: u8| store.remove_passkey(proof, id(n)).await.expect("asked");
    let remove_password = async |proof: Proof| store.remove_password(proof).await.expect("asked");
    assert_eq!(remove_password(proof(1)).await, PasswordRemoval::LastWayIn);
    for n in [10, 11] {
        assert_eq!(add(&store, n, 1).await, PasskeyAddition::Added);
    }
    assert_eq!(remove_password(proof(1)).await, PasswordRemoval::Removed);
    assert_eq!(remove(by_passkey(1, 10), 12).await, PasskeyRemoval::NotFound);
    assert_eq!(remove(by_passkey(1, 10), 10).await, PasskeyRemoval::Removed);
    assert_eq!(remove(by_passkey(1, 11), 11).await, PasskeyRemoval::LastWayIn);
    assert_eq!(passkeys(&store, 1).await, [passkey(11, 1)]);
    assert!(store.change_password(by_passkey(1, 11), password(1), Revoking::default()).await.expect("asked"));
    assert_eq!(remove(by_passkey(1, 11), 11).await, PasskeyRemoval::Removed);
    assert_eq!(remove_password(proof(1)).await, PasswordRemoval::LastWayIn);
}

async fn a_password_that_was_removed_signs_nobody_in(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    add(&store, 10, 1).await;
    assert!(store.sign_in(player(1), password(1), session(30), 1).await.expect("asked").is_some());
    let remove = async |proof: Proof| store.remove_password(proof).await.expect("asked");
    for wrong in [
        Proof { shown: Shown::Password(password(2)), ..proof(1) },
        Proof { by: session_id(2), ..proof(1) },
        by_passkey(1, 11),
    ] {
        assert_eq!(remove(wrong.clone()).await, PasswordRemoval::NotProven, "{wrong:?}");
    }
    assert_eq!(remove(proof(1)).await, PasswordRemoval::Removed);
    let sessions = store.sessions(player(1)).await.expect("read");
    assert_eq!(sessions.iter().map(|of| of.id).collect::<Vec<_>>(), [session_id(1)], "the others have ended");
    for gone in [password(1), PasswordHash(String::new())] {
        let signed_in = store.sign_in(player(1), gone.clone(), session(31), 1).await.expect("asked");
        assert_eq!(signed_in, None, "{gone:?}");
        let proof = Proof { shown: Shown::Password(gone), ..proof(1) };
        assert_eq!(remove(proof).await, PasswordRemoval::NotProven);
    }
    assert_eq!(remove(by_passkey(1, 10)).await, PasswordRemoval::Removed, "there is none");
}

/// What is done with passkeys where stores are compared.
#[derive(Debug, Clone)]
pub(super) enum PasskeyOp {
    Add { n: u32, by: u8, key: u8, proving: Option<u8> },
    Remove { n: u32, by: u8, key: u8 },
    RemovePassword { n: u32, by: u8, key: u8 },
    Use { key: u8, counter: u32, token: Option<u8> },
    SpendChallenge { of: u8, expires_at: u64 },
}

/// One of them, among so many guests and codes.
pub(super) fn op(guests: u32, codes: u8) -> impl Strategy<Value = PasskeyOp> {
    let (n, code) = (0..guests, 0..codes);
    prop_oneof![
        2 => (n.clone(), code.clone(), code.clone(), prop::option::of(code.clone()))
            .prop_map(|(n, by, key, proving)| PasskeyOp::Add { n, by, key, proving }),
        1 => (n.clone(), code.clone(), code.clone()).prop_map(|(n, by, key)| PasskeyOp::Remove { n, by, key }),
        1 => (n.clone(), code.clone(), code.clone())
            .prop_map(|(n, by, key)| PasskeyOp::RemovePassword { n, by, key }),
        2 => (code.clone(), 0..3_u32, prop::option::of(code.clone()))
            .prop_map(|(key, counter, token)| PasskeyOp::Use { key, counter, token }),
        1 => (code, 0..10_u64).prop_map(|(of, expires_at)| PasskeyOp::SpendChallenge { of, expires_at }),
    ]
}

/// A passkey that guest `n` could add. An id is never given twice.
pub(super) async fn new(store: &Arc<Store>, n: u32, key: u8) -> Passkey {
    let mut new = passkey(key, 0);
    (new.guest, new.credential.counter) = (player(n), 0);
    if store.passkey(new.credential.id.clone()).await.expect("read").is_some() {
        new.id = id(key + 100);
    }
    new
}

/// Does it, and tells what came of it.
pub(super) async fn apply(store: &Arc<Store>, op: PasskeyOp) -> String {
    match op {
        PasskeyOp::Add { n, by, key, proving } => {
            let shown = proving.map_or(Shown::Password(model::password(0)), |key| Shown::Passkey(id(key)));
            let proof = Proof { guest: player(n), by: session_id(by), shown };
            words(store.add_passkey(proof, new(store, n, key).await).await)
        }
        PasskeyOp::Remove { n, by, key } => {
            let proof = Proof { guest: player(n), by: session_id(by), shown: Shown::Passkey(id(key)) };
            words(store.remove_passkey(proof, id(key)).await)
        }
        PasskeyOp::RemovePassword { n, by, key } => {
            let proof = Proof { guest: player(n), by: session_id(by), shown: Shown::Passkey(id(key)) };
            words(store.remove_password(proof).await)
        }
        PasskeyOp::Use { key, counter, token } => {
            let (counter_before, is_backed_up, at) = (counter / 2, true, 7);
            let used = PasskeyUse { id: id(key), counter_before, counter, is_backed_up, at };
            match token {
                Some(token) => words(store.sign_in_with_passkey(used, session(token)).await),
                None => words(store.use_passkey(used).await),
            }
        }
        PasskeyOp::SpendChallenge { of, expires_at } => {
            words(store.spend_challenge(hash(of), expires_at).await)
        }
    }
}
