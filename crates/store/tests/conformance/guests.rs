//! Guests, and moving to another device.

use std::sync::Arc;

use futures_util::future::join_all;
use lusoria_play::{Level, Player, PlayerKind};
use lusoria_store::{DeviceCode, Guest, Store, StoreError, TOKENS_PER_GUEST_MAX};

use super::{guest, guest_of, hash, on_all_stores, player, session, session_id};

on_all_stores!(
    a_guest_is_found_by_token_and_by_id,
    a_guest_is_stored_once,
    a_guest_is_renamed,
    a_bot_stays_one,
    the_computer_has_an_account_at_every_level,
    a_device_code_gives_another_token,
    a_device_code_expires,
    a_later_device_code_replaces_the_earlier,
    a_device_code_is_spent_once,
    the_oldest_of_too_many_tokens_is_forgotten,
    a_device_code_needs_a_session_of_the_guest,
);

fn code(n: u8, of: u32) -> DeviceCode {
    DeviceCode { hash: hash(n), guest: player(of), expires_at: 5_000 }
}

async fn a_guest_is_found_by_token_and_by_id(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    store.add_guest(guest(2), session(2)).await.expect("added");
    assert_eq!(guest_of(&store, 1).await, Some(guest(1)));
    assert_eq!(guest_of(&store, 2).await, Some(guest(2)));
    assert_eq!(guest_of(&store, 3).await, None);
    assert_eq!(store.guest(player(2)).await.expect("read"), Some(guest(2)));
    assert_eq!(store.guest(player(3)).await.expect("read"), None);
}

async fn a_guest_is_stored_once(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    assert!(matches!(store.add_guest(guest(1), session(2)).await, Err(StoreError::Failed(_))));
    assert!(matches!(store.add_guest(guest(2), session(1)).await, Err(StoreError::Failed(_))));
    assert_eq!(guest_of(&store, 2).await, None);
    assert_eq!(store.guest(player(2)).await.expect("read"), None);
}

async fn a_guest_is_renamed(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    assert!(store.rename_guest(player(1), "Agathias".to_owned()).await.expect("renamed"));
    assert!(!store.rename_guest(player(2), "Nobody".to_owned()).await.expect("asked"));
    assert_eq!(guest_of(&store, 1).await.expect("a guest").name, "Agathias");
}

async fn a_bot_stays_one(store: Arc<Store>) {
    let bot = Guest { kind: PlayerKind::Bot, ..guest(1) };
    store.add_guest(bot.clone(), session(1)).await.expect("added");
    assert!(store.add_device_code(code(2, 1), session_id(1)).await.expect("added"));
    assert_eq!(store.spend_device_code(hash(2), session(3), 1).await.expect("spent"), Some(bot.clone()));
    assert!(store.rename_guest(player(1), "Agathias".to_owned()).await.expect("renamed"));
    for found in [store.guest(player(1)).await.expect("read"), guest_of(&store, 3).await] {
        assert_eq!(found.expect("a guest").kind, PlayerKind::Bot);
    }
}

async fn the_computer_has_an_account_at_every_level(store: Arc<Store>) {
    for level in Level::ALL {
        let Player { id, name, kind } = Player::computer(level);
        let computer = Guest { id, name, kind, created_at: 0, blocked_at: None };
        assert_eq!(store.guest(id).await.expect("read"), Some(computer.clone()));
        assert!(matches!(store.add_guest(computer, session(1)).await, Err(StoreError::Failed(_))));
    }
    assert_eq!(guest_of(&store, 1).await, None);
}

async fn a_device_code_gives_another_token(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    assert!(store.add_device_code(code(10, 1), session_id(1)).await.expect("added"));
    assert_eq!(store.spend_device_code(hash(10), session(2), 4_999).await.expect("spent"), Some(guest(1)));
    for token in [1, 2] {
        assert_eq!(guest_of(&store, token).await, Some(guest(1)));
    }
    assert_eq!(store.spend_device_code(hash(10), session(3), 4_999).await.expect("asked"), None);
    assert_eq!(guest_of(&store, 3).await, None);
}

async fn a_device_code_expires(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    assert!(store.add_device_code(code(10, 1), session_id(1)).await.expect("added"));
    assert_eq!(store.spend_device_code(hash(10), session(2), 5_000).await.expect("asked"), None);
    assert_eq!(guest_of(&store, 2).await, None);
}

async fn a_later_device_code_replaces_the_earlier(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    assert!(store.add_device_code(code(10, 1), session_id(1)).await.expect("added"));
    assert!(store.add_device_code(code(11, 1), session_id(1)).await.expect("added"));
    assert_eq!(store.spend_device_code(hash(10), session(2), 1).await.expect("asked"), None);
    assert_eq!(store.spend_device_code(hash(11), session(2), 1).await.expect("spent"), Some(guest(1)));
}

async fn a_device_code_is_spent_once(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    assert!(store.add_device_code(code(10, 1), session_id(1)).await.expect("added"));
    let answers = join_all((20..40).map(|token| store.spend_device_code(hash(10), session(token), 1))).await;
    assert_eq!(answers.iter().filter(|answer| matches!(answer, Ok(Some(_)))).count(), 1);
    assert_eq!(answers.iter().filter(|answer| matches!(answer, Ok(None))).count(), 19);
}

async fn the_oldest_of_too_many_tokens_is_forgotten(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    let max = u8::try_from(TOKENS_PER_GUEST_MAX).expect("a small number");
    for n in 2..=max + 1 {
        let by = session_id(n - 1);
        assert!(store.add_device_code(code(100, 1), by).await.expect("added"));
        let spent = store.spend_device_code(hash(100), session(n), 2_000 + u64::from(n)).await;
        assert_eq!(spent.expect("spent"), Some(guest(1)));
    }
    assert_eq!(guest_of(&store, 1).await, None);
    for n in 2..=max + 1 {
        assert_eq!(guest_of(&store, n).await, Some(guest(1)), "token {n}");
    }
}

async fn a_device_code_needs_a_session_of_the_guest(store: Arc<Store>) {
    assert!(!store.add_device_code(code(10, 1), session_id(1)).await.expect("asked"));
    store.add_guest(guest(1), session(1)).await.expect("added");
    store.add_guest(guest(2), session(2)).await.expect("added");
    assert!(!store.add_device_code(code(10, 1), session_id(2)).await.expect("asked"), "nor by another's");
    assert_eq!(store.spend_device_code(hash(10), session(3), 1).await.expect("asked"), None);
}
