//! Who may open an account, and what the operator does with accounts.

use std::sync::Arc;

use lusoria_store::{
    Account, AccountFilter, AccountOpening, DeviceCode, NewAccount, RECOVERY_CODES_MAX, SignUpPolicy,
    SignUps, Store,
};

use super::{
    accounts::{account, account_of, new_account, recover, sign_in, with_accounts},
    guest, guest_of, hash, on_all_stores, player, session, session_id,
};

on_all_stores!(
    everybody_may_open_an_account_at_first,
    nobody_opens_an_account_where_that_is_closed,
    a_sign_up_code_opens_one_account,
    two_who_spend_the_same_code_do_not_both_get_an_account,
    a_code_that_opens_nothing_is_not_spent,
    sign_up_codes_are_swept_when_they_have_expired,
    accounts_are_listed_by_when_they_were_opened,
    accounts_are_found_by_the_beginning_of_their_handles,
    a_recovery_code_is_added_to_the_others,
    an_account_that_is_removed_leaves_its_guest,
);

async fn guests(store: &Arc<Store>, numbers: &[u8]) {
    for n in numbers {
        store.add_guest(guest((*n).into()), session(*n)).await.expect("added");
    }
}

async fn sign_ups(store: &Arc<Store>, now: u64) -> (SignUpPolicy, u64) {
    let SignUps { policy, codes } = store.sign_ups(now).await.expect("read");
    (policy, codes)
}

/// Guest `n` opens an account with that code, at 2000.
async fn open_with(store: &Arc<Store>, n: u8, code: Option<u8>) -> AccountOpening {
    let new = NewAccount { sign_up_code: code.map(hash), ..new_account(n) };
    store.open_account(new).await.expect("asked")
}

async fn invite(store: &Arc<Store>, codes: &[u8]) {
    store.set_sign_ups(SignUpPolicy::InviteOnly).await.expect("set");
    let codes = codes.iter().map(|code| hash(*code)).collect();
    store.add_sign_up_codes(codes, 2_001).await.expect("added");
}

async fn everybody_may_open_an_account_at_first(store: Arc<Store>) {
    guests(&store, &[1]).await;
    assert_eq!(sign_ups(&store, 0).await, (SignUpPolicy::Open, 0));
    store.add_sign_up_codes(vec![hash(50)], 3_000).await.expect("added");
    assert_eq!(open_with(&store, 1, Some(50)).await, AccountOpening::Opened);
    assert_eq!(sign_ups(&store, 2_999).await, (SignUpPolicy::Open, 1), "it was not needed");
}

async fn nobody_opens_an_account_where_that_is_closed(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    guests(&store, &[2]).await;
    invite(&store, &[50]).await;
    store.set_sign_ups(SignUpPolicy::Closed).await.expect("set");
    for code in [None, Some(50)] {
        assert_eq!(open_with(&store, 2, code).await, AccountOpening::SignUpsClosed);
    }
    assert_eq!(open_with(&store, 1, None).await, AccountOpening::HasAccount);
    assert_eq!(sign_in(&store, 1, 1, 3, 3_000).await, Some(guest(1)), "those that are there stay");
    store.set_sign_ups(SignUpPolicy::Open).await.expect("set");
    assert_eq!(open_with(&store, 2, None).await, AccountOpening::Opened);
}

async fn a_sign_up_code_opens_one_account(store: Arc<Store>) {
    guests(&store, &[1, 2]).await;
    invite(&store, &[50, 51]).await;
    assert_eq!(sign_ups(&store, 2_000).await, (SignUpPolicy::InviteOnly, 2));
    assert_eq!(open_with(&store, 1, None).await, AccountOpening::SignUpCodeRequired);
    assert_eq!(open_with(&store, 1, Some(52)).await, AccountOpening::UnknownSignUpCode);
    assert_eq!(open_with(&store, 1, Some(50)).await, AccountOpening::Opened);
    assert_eq!(open_with(&store, 2, Some(50)).await, AccountOpening::UnknownSignUpCode);
    assert_eq!(account_of(&store, 2).await, None);
    assert_eq!(open_with(&store, 2, Some(51)).await, AccountOpening::Opened);
    assert_eq!(sign_ups(&store, 2_000).await, (SignUpPolicy::InviteOnly, 0));
}

async fn two_who_spend_the_same_code_do_not_both_get_an_account(store: Arc<Store>) {
    guests(&store, &[1, 2]).await;
    invite(&store, &[50]).await;
    let (one, other) = tokio::join!(open_with(&store, 1, Some(50)), open_with(&store, 2, Some(50)));
    let opened = [one, other].into_iter().filter(|opening| *opening == AccountOpening::Opened).count();
    assert_eq!(opened, 1, "{one:?}, {other:?}");
    let refused = [one, other].into_iter().find(|opening| *opening != AccountOpening::Opened);
    assert_eq!(refused, Some(AccountOpening::UnknownSignUpCode));
}

async fn a_code_that_opens_nothing_is_not_spent(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    guests(&store, &[2]).await;
    invite(&store, &[50]).await;
    assert_eq!(open_with(&store, 1, Some(50)).await, AccountOpening::HasAccount);
    let taken = NewAccount { skeleton: "handle1".to_owned(), sign_up_code: Some(hash(50)), ..new_account(2) };
    assert_eq!(store.open_account(taken).await.expect("asked"), AccountOpening::HandleTaken);
    assert_eq!(open_with(&store, 3, Some(50)).await, AccountOpening::SessionEnded);
    assert_eq!(open_with(&store, 2, Some(50)).await, AccountOpening::Opened);
}

async fn sign_up_codes_are_swept_when_they_have_expired(store: Arc<Store>) {
    guests(&store, &[1]).await;
    invite(&store, &[50]).await;
    store.add_sign_up_codes(vec![hash(51)], 2_000).await.expect("added");
    assert_eq!(open_with(&store, 1, Some(51)).await, AccountOpening::UnknownSignUpCode, "it expires at 2000");
    assert_eq!(sign_ups(&store, 1_999).await.1, 2);
    store.sweep(2_000).await.expect("swept");
    assert_eq!(sign_ups(&store, 1_999).await.1, 1);
    assert_eq!(open_with(&store, 1, Some(50)).await, AccountOpening::Opened);
    assert!(store.add_sign_up_codes(vec![hash(60), hash(60)], 3_000).await.is_err(), "twice the same");
    assert_eq!(sign_ups(&store, 1_999).await.1, 0, "all or none");
}

async fn accounts_are_listed_by_when_they_were_opened(store: Arc<Store>) {
    guests(&store, &[1, 2, 3]).await;
    for (n, created_at) in [(1, 3_000), (2, 1_000), (3, 2_000)] {
        store.open_account(NewAccount { created_at, ..new_account(n) }).await.expect("opened");
    }
    let listed = async |since, limit| {
        let found = store.accounts(AccountFilter::Since(since), limit).await.expect("read");
        found.into_iter().map(|account| account.guest).collect::<Vec<_>>()
    };
    assert_eq!(listed(0, 9).await, [player(1), player(3), player(2)]);
    assert_eq!(listed(0, 2).await, [player(1), player(3)]);
    assert_eq!(listed(2_000, 9).await, [player(1), player(3)]);
    assert!(listed(3_001, 9).await.is_empty());
    let newest = store.accounts(AccountFilter::Since(0), 1).await.expect("read");
    assert_eq!(newest, [Account { created_at: 3_000, ..account(1) }]);
}

async fn accounts_are_found_by_the_beginning_of_their_handles(store: Arc<Store>) {
    guests(&store, &[1, 2, 3, 4]).await;
    for (n, handle) in [(1, "Zeno_2"), (2, "zen"), (3, "ZENOBIA"), (4, "xeno")] {
        let (handle, skeleton) = (handle.to_owned(), handle.to_lowercase());
        store.open_account(NewAccount { handle, skeleton, ..new_account(n) }).await.expect("opened");
    }
    let starting = async |prefix: &str, limit| {
        let found = store.accounts(AccountFilter::Starting(prefix.to_owned()), limit).await.expect("read");
        found.into_iter().map(|account| account.handle).collect::<Vec<_>>()
    };
    assert_eq!(starting("ze", 9).await, ["zen", "Zeno_2", "ZENOBIA"]);
    assert_eq!(starting("ZEN", 2).await, ["zen", "Zeno_2"]);
    assert_eq!(starting("zeno_", 9).await, ["Zeno_2"]);
    assert!(starting("%e", 9).await.is_empty() && starting("eno", 9).await.is_empty());
}

async fn a_recovery_code_is_added_to_the_others(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    guests(&store, &[2]).await;
    assert!(!store.add_recovery_code(player(2), hash(150)).await.expect("asked"), "there is no account");
    for code in 150..150 + u8::try_from(RECOVERY_CODES_MAX).expect("few") - 2 {
        assert!(store.add_recovery_code(player(1), hash(code)).await.expect("added"));
    }
    assert!(!store.add_recovery_code(player(1), hash(199)).await.expect("asked"), "there are too many");
    let now = Account { recovery_codes: RECOVERY_CODES_MAX, ..account(1) };
    assert_eq!(account_of(&store, 1).await, Some(now));
    assert_eq!(guest_of(&store, 1).await, Some(guest(1)), "nothing ends");
    assert_eq!(recover(&store, 1, 199, 3).await, None);
    assert_eq!(recover(&store, 1, 150, 3).await, Some(guest(1)));
    assert_eq!(guest_of(&store, 1).await, None);
}

async fn an_account_that_is_removed_leaves_its_guest(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    assert!(sign_in(&store, 1, 1, 3, 3_000).await.is_some());
    let code = DeviceCode { hash: hash(200), guest: player(1), expires_at: 9_000 };
    assert!(store.add_device_code(code, session_id(3)).await.expect("added"));
    assert_eq!(store.remove_account(player(3)).await.expect("asked"), None);
    assert_eq!(store.remove_account(player(1)).await.expect("removed"), Some(1));
    assert_eq!(store.remove_account(player(1)).await.expect("asked"), None);
    assert_eq!((guest_of(&store, 1).await, guest_of(&store, 3).await), (Some(guest(1)), None));
    assert_eq!(account_of(&store, 1).await, None);
    assert_eq!(store.spend_device_code(hash(200), session(201), 1).await.expect("asked"), None);
    assert_eq!(sign_in(&store, 1, 1, 4, 3_000).await, None);
    assert_eq!(recover(&store, 1, 101, 4).await, None);
    assert_eq!(account_of(&store, 2).await, Some(account(2)));
    assert_eq!(open_with(&store, 1, None).await, AccountOpening::Opened, "the handle is free again");
}
