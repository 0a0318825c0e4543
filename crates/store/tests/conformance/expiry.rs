//! What has expired is forgotten.

use std::sync::Arc;

use lusoria_store::{KEYS_KEPT_MS, Store};

use super::{guest, hash, invitation, key, match_id, new_match, on_all_stores, player, session};

on_all_stores!(keys_are_kept_for_a_day, expired_codes_are_forgotten);

async fn keys_are_kept_for_a_day(store: Arc<Store>) {
    let mut new = new_match(1);
    new.key = Some(key(1, "make"));
    store.create(new).await.expect("created");
    let used = || store.used_key(player(1), "make".to_owned());
    store.sweep(1_000 + KEYS_KEPT_MS).await.expect("swept");
    assert!(used().await.expect("read").is_some());
    store.sweep(1_001 + KEYS_KEPT_MS).await.expect("swept");
    assert!(used().await.expect("read").is_none());
}

async fn expired_codes_are_forgotten(store: Arc<Store>) {
    let mut new = new_match(1);
    new.invitation = Some(invitation(1));
    store.create(new).await.expect("created");
    store.add_guest(guest(1), session(1)).await.expect("added");
    let code = lusoria_store::DeviceCode { hash: hash(2), guest: player(1), expires_at: 5_000 };
    assert!(store.add_device_code(code, super::session_id(1)).await.expect("added"));
    store.sweep(4_999).await.expect("swept");
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), Some(match_id(1)));
    store.sweep(5_000).await.expect("swept");
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), None);
    assert_eq!(store.spend_device_code(hash(2), session(3), 0).await.expect("asked"), None);
}
