//! Accounts: what lets guests sign in anywhere.

use std::sync::Arc;

use lusoria_store::{
    Account, AccountOpening, DeviceCode, Guest, NewAccount, PasswordHash, Proof, Revoking, SessionOrigin,
    Shown, Store, TOKENS_PER_GUEST_MAX,
};

use super::{guest, guest_of, hash, on_all_stores, player, session, session_id};

on_all_stores!(
    an_account_is_read_as_it_was_opened,
    the_handle_is_the_name_of_who_has_not_chosen_one,
    a_guest_has_one_account_and_a_handle_one_guest,
    only_a_session_that_has_not_ended_opens_an_account,
    who_signs_in_gets_a_session,
    of_too_many_sessions_the_oldest_ends,
    a_password_that_was_replaced_meanwhile_is_refused,
    a_recovery_code_is_spent_once_and_ends_all_sessions,
    a_blocked_guest_signs_in_nowhere,
    a_new_password_ends_the_other_sessions,
    only_the_password_that_was_proved_is_replaced,
    recovery_codes_are_replaced_together,
    an_account_goes_with_its_guest,
);

pub(super) fn password(n: u8) -> PasswordHash {
    PasswordHash(format!("$argon2id$v=19$m=19456,t=2,p=1$salt${n}"))
}

/// The account of guest `n`, to be opened by their session `n` with the password and the recovery codes
/// `100 + n` and `110 + n`.
pub(super) fn new_account(n: u8) -> NewAccount {
    NewAccount {
        guest: player(n.into()),
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

pub(super) fn account(n: u8) -> Account {
    let NewAccount { guest, handle, skeleton, password, created_at, .. } = new_account(n);
    Account { guest, handle, skeleton, password, recovery_codes: 2, created_at }
}

pub(super) fn proof(n: u8) -> Proof {
    Proof { guest: player(n.into()), by: session_id(n), shown: Shown::Password(password(n)) }
}

/// Guests with accounts.
pub(super) async fn with_accounts(store: &Arc<Store>, guests: &[u8]) {
    for n in guests {
        store.add_guest(guest((*n).into()), session(*n)).await.expect("added");
        let opened = store.open_account(new_account(*n)).await.expect("opened");
        assert_eq!(opened, AccountOpening::Opened);
    }
}

pub(super) async fn account_of(store: &Arc<Store>, n: u8) -> Option<Account> {
    store.account(player(n.into())).await.expect("read")
}

pub(super) async fn sign_in(store: &Arc<Store>, n: u8, with: u8, new: u8, now: u64) -> Option<Guest> {
    store.sign_in(player(n.into()), password(with), session(new), now).await.expect("asked")
}

pub(super) async fn recover(store: &Arc<Store>, n: u8, code: u8, new: u8) -> Option<Guest> {
    store.recover(player(n.into()), hash(code), password(9), session(new), 3_000).await.expect("asked")
}

async fn add_code(store: &Arc<Store>, n: u8) {
    let code = DeviceCode { hash: hash(200), guest: player(n.into()), expires_at: 9_000 };
    assert!(store.add_device_code(code, session_id(n)).await.expect("added"));
}

async fn is_spent(store: &Arc<Store>) -> bool {
    store.spend_device_code(hash(200), session(201), 1).await.expect("asked").is_some()
}

async fn an_account_is_read_as_it_was_opened(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    assert_eq!(account_of(&store, 1).await, Some(account(1)));
    assert_eq!(store.account_by_skeleton("handle2".to_owned()).await.expect("read"), Some(account(2)));
    assert_eq!(store.account_by_skeleton("Handle2".to_owned()).await.expect("read"), None);
    assert_eq!(account_of(&store, 3).await, None);
    assert_eq!(store.guest(player(1)).await.expect("read"), Some(guest(1)), "they stay the same person");
}

async fn the_handle_is_the_name_of_who_has_not_chosen_one(store: Arc<Store>) {
    let named = async |n: u8, name: &str| {
        let guest = Guest { name: name.to_owned(), ..guest(n.into()) };
        store.add_guest(guest, session(n)).await.expect("added");
        assert_eq!(store.open_account(new_account(n)).await.expect("asked"), AccountOpening::Opened);
        store.guest(player(n.into())).await.expect("read").expect("a guest").name
    };
    assert_eq!(named(1, "unnamed 1").await, "Handle1");
    assert_eq!(named(2, "unnamed 1").await, "unnamed 1", "somebody has chosen it");
}

async fn a_guest_has_one_account_and_a_handle_one_guest(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    let open = |new| store.open_account(new);
    let again = NewAccount { skeleton: "other".to_owned(), recovery_codes: vec![], ..new_account(1) };
    assert_eq!(open(again).await.expect("asked"), AccountOpening::HasAccount);
    store.add_guest(guest(3), session(3)).await.expect("added");
    let same = NewAccount { skeleton: "handle1".to_owned(), ..new_account(3) };
    assert_eq!(open(same).await.expect("asked"), AccountOpening::HandleTaken);
    assert_eq!(account_of(&store, 3).await, None);
    assert_eq!(recover(&store, 3, 103, 30).await, None, "nothing is left of it");
    assert_eq!(open(new_account(3)).await.expect("asked"), AccountOpening::Opened);
    assert_eq!(account_of(&store, 1).await, Some(account(1)));
}

async fn only_a_session_that_has_not_ended_opens_an_account(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    store.add_guest(guest(2), session(2)).await.expect("added");
    let of_another = NewAccount { by: session_id(2), ..new_account(1) };
    let ended = AccountOpening::SessionEnded;
    assert_eq!(store.open_account(of_another).await.expect("asked"), ended);
    assert_eq!(store.open_account(new_account(3)).await.expect("asked"), ended);
    assert!(store.set_blocked(player(1), Some(5)).await.expect("blocked"));
    assert_eq!(store.open_account(new_account(1)).await.expect("asked"), ended);
    assert!(store.revoke_session(player(2), session_id(2), session_id(2)).await.expect("revoked"));
    assert_eq!(store.open_account(new_account(2)).await.expect("asked"), ended);
    assert_eq!((account_of(&store, 1).await, account_of(&store, 2).await), (None, None));
}

async fn who_signs_in_gets_a_session(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    assert_eq!(sign_in(&store, 1, 1, 3, 3_000).await, Some(guest(1)));
    assert_eq!(guest_of(&store, 3).await, Some(guest(1)));
    assert_eq!(guest_of(&store, 1).await, Some(guest(1)), "the first session goes on");
    let sessions = store.sessions(player(1)).await.expect("read");
    let told: Vec<_> = sessions.iter().map(|session| (session.id, session.origin)).collect();
    assert_eq!(told, [(session_id(3), SessionOrigin::Password), (session_id(1), SessionOrigin::Guest)]);
    assert_eq!((sessions[0].created_at, sessions[0].seen_at), (3_000, 3_000));
    assert_eq!(sign_in(&store, 1, 2, 4, 3_000).await, None, "the password of another");
    assert_eq!(sign_in(&store, 3, 3, 4, 3_000).await, None, "there is no such account");
    assert_eq!(guest_of(&store, 4).await, None);
}

async fn of_too_many_sessions_the_oldest_ends(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    for n in 0..u8::try_from(TOKENS_PER_GUEST_MAX).expect("few") {
        assert!(sign_in(&store, 1, 1, 10 + n, 3_000 + u64::from(n)).await.is_some());
    }
    assert_eq!(guest_of(&store, 1).await, None);
    assert_eq!(guest_of(&store, 10).await, Some(guest(1)));
    assert_eq!(store.sessions(player(1)).await.expect("read").len(), TOKENS_PER_GUEST_MAX as usize);
}

async fn a_password_that_was_replaced_meanwhile_is_refused(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    assert!(store.change_password(proof(1), password(7), Revoking::default()).await.expect("changed"));
    assert_eq!(sign_in(&store, 1, 1, 3, 3_000).await, None);
    assert_eq!(sign_in(&store, 1, 7, 3, 3_000).await, Some(guest(1)));
}

async fn a_recovery_code_is_spent_once_and_ends_all_sessions(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    add_code(&store, 1).await;
    assert_eq!(recover(&store, 2, 101, 3).await, None, "the code of another");
    assert_eq!(recover(&store, 1, 101, 3).await, Some(guest(1)));
    assert_eq!(recover(&store, 1, 101, 4).await, None);
    assert_eq!((guest_of(&store, 1).await, guest_of(&store, 3).await), (None, Some(guest(1))));
    let sessions = store.sessions(player(1)).await.expect("read");
    let origins: Vec<_> = sessions.iter().map(|session| session.origin).collect();
    assert_eq!(origins, [SessionOrigin::RecoveryCode]);
    assert!(!is_spent(&store).await, "a device code may have been made by somebody else");
    let now = Account { password: Some(password(9)), recovery_codes: 1, ..account(1) };
    assert_eq!(account_of(&store, 1).await, Some(now));
    assert_eq!(account_of(&store, 2).await, Some(account(2)));
}

async fn a_blocked_guest_signs_in_nowhere(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    assert!(store.set_blocked(player(1), Some(5)).await.expect("blocked"));
    let blocked = Guest { blocked_at: Some(5), ..guest(1) };
    assert_eq!(sign_in(&store, 1, 1, 3, 3_000).await, Some(blocked.clone()));
    assert_eq!(recover(&store, 1, 101, 3).await, Some(blocked));
    assert_eq!(guest_of(&store, 3).await, None);
    assert!(!store.change_password(proof(1), password(7), Revoking::default()).await.expect("asked"));
    assert!(!store.replace_recovery_codes(proof(1), vec![hash(120)]).await.expect("asked"));
    assert_eq!(account_of(&store, 1).await, Some(account(1)));
}

async fn a_new_password_ends_the_other_sessions(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    assert!(sign_in(&store, 1, 1, 3, 3_000).await.is_some());
    add_code(&store, 1).await;
    assert!(store.change_password(proof(1), password(7), Revoking::default()).await.expect("changed"));
    assert_eq!((guest_of(&store, 1).await, guest_of(&store, 3).await), (Some(guest(1)), None));
    assert!(!is_spent(&store).await);
    assert_eq!(account_of(&store, 1).await, Some(Account { password: Some(password(7)), ..account(1) }));
}

async fn only_the_password_that_was_proved_is_replaced(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for wrong in [
        Proof { shown: Shown::Password(password(2)), ..proof(1) },
        Proof { by: session_id(2), ..proof(1) },
        Proof { guest: player(3), ..proof(1) },
    ] {
        assert!(
            !store.change_password(wrong.clone(), password(7), Revoking::default()).await.expect("asked"),
            "{wrong:?}"
        );
        assert!(!store.replace_recovery_codes(wrong, vec![hash(120)]).await.expect("asked"));
    }
    assert_eq!(account_of(&store, 1).await, Some(account(1)));
    assert_eq!(guest_of(&store, 1).await, Some(guest(1)));
}

async fn recovery_codes_are_replaced_together(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    let codes = vec![hash(120), hash(121), hash(122)];
    assert!(store.replace_recovery_codes(proof(1), codes).await.expect("replaced"));
    assert_eq!(account_of(&store, 1).await, Some(Account { recovery_codes: 3, ..account(1) }));
    assert_eq!(recover(&store, 1, 101, 3).await, None);
    assert_eq!(recover(&store, 1, 121, 3).await, Some(guest(1)));
    assert_eq!(recover(&store, 2, 102, 4).await, Some(guest(2)));
}

async fn an_account_goes_with_its_guest(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    assert!(store.forget_guest(player(1)).await.expect("forgotten"));
    assert_eq!(account_of(&store, 1).await, None);
    assert_eq!(store.account_by_skeleton("handle1".to_owned()).await.expect("read"), None);
    assert_eq!(sign_in(&store, 1, 1, 3, 3_000).await, None);
    assert_eq!(recover(&store, 1, 101, 3).await, None);
    with_accounts(&store, &[1]).await;
}
