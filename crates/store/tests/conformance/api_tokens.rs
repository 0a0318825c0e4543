//! API tokens: what lets programs act for an account; and accounts that become a bot's.

use std::sync::Arc;

use lusoria_play::PlayerKind;
use lusoria_store::{
    API_TOKENS_PER_GUEST_MAX, ApiBearer, ApiToken, ApiTokenAddition, ApiTokenId, BotDeclaration, Guest,
    NewApiToken, PasswordHash, Proof, Revoking, Shown, Store,
};

use super::{
    accounts::{password, proof, recover, with_accounts},
    card, guest, guest_of, hash, new_match, on_all_stores, player, session, session_id,
};

on_all_stores!(
    a_token_is_found_as_it_was_made,
    a_token_needs_the_password_and_the_session,
    an_account_has_so_many_tokens_and_expired_ones_make_room,
    a_token_is_revoked_once_by_its_owner,
    it_is_noted_when_a_token_was_used,
    what_expired_long_ago_is_swept,
    a_recovery_code_revokes_all_tokens,
    a_new_password_revokes_tokens_if_asked,
    tokens_go_with_their_guest,
    an_account_becomes_a_bots_before_its_first_match,
    who_has_a_match_stays_a_person,
    only_a_session_of_an_account_declares_a_bot,
);

const DAY_MS: u64 = 86_400_000;

fn id(n: u8) -> ApiTokenId {
    ApiTokenId(session_id(n).0)
}

/// Token `n`, which expires at `expires_at`.
fn new(n: u8, expires_at: u64) -> NewApiToken {
    NewApiToken {
        id: id(n),
        hash: hash(n),
        name: format!("token {n}"),
        scopes: "account:read match:read".to_owned(),
        created_at: 1_000 + u64::from(n),
        expires_at,
    }
}

fn token(n: u8, expires_at: u64) -> ApiToken {
    let NewApiToken { id, name, scopes, created_at, expires_at, .. } = new(n, expires_at);
    ApiToken { id, name, scopes, created_at, expires_at, used_at: None }
}

async fn add(store: &Arc<Store>, of: u8, new: NewApiToken) -> ApiTokenAddition {
    store.add_api_token(proof(of), new).await.expect("asked")
}

async fn tokens(store: &Arc<Store>, of: u8) -> Vec<ApiToken> {
    store.api_tokens(player(of.into())).await.expect("read")
}

async fn bearer(store: &Arc<Store>, n: u8) -> Option<ApiBearer> {
    store.api_bearer(hash(n)).await.expect("read")
}

async fn a_token_is_found_as_it_was_made(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for n in [10, 11] {
        assert_eq!(add(&store, 1, new(n, 9_000)).await, ApiTokenAddition::Added);
    }
    let of_none = NewApiToken { scopes: String::new(), ..new(12, 9_000) };
    assert_eq!(add(&store, 2, of_none).await, ApiTokenAddition::Added);
    assert_eq!(
        bearer(&store, 10).await,
        Some(ApiBearer { guest: guest(1), ban: None, token: token(10, 9_000) })
    );
    assert_eq!(bearer(&store, 12).await.expect("a token").token.scopes, "");
    assert_eq!(bearer(&store, 13).await, None);
    assert_eq!(tokens(&store, 1).await, [token(11, 9_000), token(10, 9_000)], "the newest first");
    assert_eq!(guest_of(&store, 10).await, None, "it is not a session");
    assert_eq!(bearer(&store, 1).await, None, "nor is a session one");
    assert!(store.add_api_token(proof(2), new(10, 9_000)).await.is_err(), "it is there already");
}

async fn a_token_needs_the_password_and_the_session(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for wrong in [
        Proof { shown: Shown::Password(password(2)), ..proof(1) },
        Proof { by: session_id(2), ..proof(1) },
        Proof { guest: player(3), ..proof(1) },
    ] {
        let added = store.add_api_token(wrong.clone(), new(10, 9_000)).await.expect("asked");
        assert_eq!(added, ApiTokenAddition::NotProven, "{wrong:?}");
    }
    assert!(store.set_blocked(player(1), Some(5)).await.expect("blocked"));
    assert_eq!(add(&store, 1, new(10, 9_000)).await, ApiTokenAddition::NotProven);
    assert_eq!(bearer(&store, 10).await, None);
}

async fn an_account_has_so_many_tokens_and_expired_ones_make_room(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    let most = u8::try_from(API_TOKENS_PER_GUEST_MAX).expect("few");
    for n in 0..most {
        assert_eq!(add(&store, 1, new(10 + n, 2_000)).await, ApiTokenAddition::Added);
    }
    assert_eq!(add(&store, 1, new(100, 9_000)).await, ApiTokenAddition::TooMany);
    assert_eq!(add(&store, 2, new(100, 9_000)).await, ApiTokenAddition::Added, "each has their own");
    let later = NewApiToken { created_at: 2_000, ..new(101, 9_000) };
    assert_eq!(add(&store, 1, later).await, ApiTokenAddition::Added);
    let ids: Vec<_> = tokens(&store, 1).await.iter().map(|token| token.id).collect();
    assert_eq!(ids, [id(101)], "those that have expired are gone");
    assert_eq!(tokens(&store, 2).await.len(), 1);
}

async fn a_token_is_revoked_once_by_its_owner(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for n in [10, 11] {
        add(&store, 1, new(n, 9_000)).await;
    }
    assert!(!store.revoke_api_token(player(2), id(10)).await.expect("asked"));
    assert!(store.revoke_api_token(player(1), id(10)).await.expect("revoked"));
    assert!(!store.revoke_api_token(player(1), id(10)).await.expect("asked"));
    assert_eq!(bearer(&store, 10).await, None);
    assert_eq!(tokens(&store, 1).await, [token(11, 9_000)]);
}

async fn it_is_noted_when_a_token_was_used(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    add(&store, 1, new(10, 9_000)).await;
    let used_at = async || tokens(&store, 1).await[0].used_at;
    for (noted, expected) in [(5_000, 5_000), (4_000, 5_000), (6_000, 6_000)] {
        store.note_used(vec![(id(10), noted), (id(99), noted)]).await.expect("noted");
        assert_eq!(used_at().await, Some(expected));
    }
    assert_eq!(bearer(&store, 10).await.expect("a token").token.used_at, Some(6_000));
}

async fn what_expired_long_ago_is_swept(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    for (n, expires_at) in [(10, 2_000), (11, 2_001)] {
        add(&store, 1, new(n, expires_at)).await;
    }
    store.sweep(1_999 + 30 * DAY_MS).await.expect("swept");
    assert_eq!(tokens(&store, 1).await.len(), 2, "their programs learn why they are refused");
    store.sweep(2_000 + 30 * DAY_MS).await.expect("swept");
    assert_eq!(tokens(&store, 1).await, [token(11, 2_001)]);
}

async fn a_recovery_code_revokes_all_tokens(store: Arc<Store>) {
    with_accounts(&store, &[1, 2]).await;
    for n in [1, 2] {
        add(&store, n, new(10 + n, 9_000)).await;
    }
    assert_eq!(recover(&store, 1, 102, 30).await, None, "the code of another");
    assert_eq!(tokens(&store, 1).await.len(), 1);
    assert_eq!(recover(&store, 1, 101, 30).await, Some(guest(1)));
    assert_eq!((bearer(&store, 11).await, tokens(&store, 1).await), (None, vec![]));
    assert!(bearer(&store, 12).await.is_some());
}

async fn a_new_password_revokes_tokens_if_asked(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    add(&store, 1, new(10, 9_000)).await;
    let proof = |n| Proof { shown: Shown::Password(password(n)), ..proof(1) };
    assert!(store.change_password(proof(1), password(7), Revoking::default()).await.expect("changed"));
    assert!(bearer(&store, 10).await.is_some());
    assert!(
        !store
            .change_password(proof(1), password(8), Revoking { api_tokens: true, passkeys: false })
            .await
            .expect("asked")
    );
    assert!(bearer(&store, 10).await.is_some());
    assert!(
        store
            .change_password(proof(7), password(8), Revoking { api_tokens: true, passkeys: false })
            .await
            .expect("changed")
    );
    assert_eq!(bearer(&store, 10).await, None);
}

async fn tokens_go_with_their_guest(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    add(&store, 1, new(10, 9_000)).await;
    assert!(store.forget_guest(player(1)).await.expect("forgotten"));
    assert_eq!((bearer(&store, 10).await, tokens(&store, 1).await), (None, vec![]));
}

async fn declare(store: &Arc<Store>, n: u8, by: u8) -> BotDeclaration {
    store.declare_bot(player(n.into()), session_id(by)).await.expect("asked")
}

async fn an_account_becomes_a_bots_before_its_first_match(store: Arc<Store>) {
    with_accounts(&store, &[7, 8]).await;
    add(&store, 7, new(10, 9_000)).await;
    assert_eq!(declare(&store, 7, 7).await, BotDeclaration::Declared);
    let bot = Guest { kind: PlayerKind::Bot, ..guest(7) };
    assert_eq!(store.guest(player(7)).await.expect("read"), Some(bot.clone()));
    assert_eq!(guest_of(&store, 7).await, Some(bot));
    assert_eq!(bearer(&store, 10).await, None, "it was a person's token");
    assert_eq!(declare(&store, 7, 7).await, BotDeclaration::Declared, "again");
    assert_eq!(store.guest(player(8)).await.expect("read"), Some(guest(8)));
}

async fn who_has_a_match_stays_a_person(store: Arc<Store>) {
    with_accounts(&store, &[1, 7]).await;
    let mut made = new_match(1);
    assert_eq!(made.card.players.0.as_ref().map(|player| player.id), Some(player(1)));
    made.made_by = Some(player(7));
    store.create(made).await.expect("made");
    add(&store, 1, new(10, 9_000)).await;
    for n in [1, 7] {
        assert_eq!(declare(&store, n, n).await, BotDeclaration::HasPlayed);
        assert_eq!(store.guest(player(n.into())).await.expect("read"), Some(guest(n.into())));
    }
    assert!(bearer(&store, 10).await.is_some());
    let two = card(lusoria_store::MatchState::Live).players.1.map(|player| player.id);
    assert_eq!(two, Some(player(2)), "seat 2 of a live match");
    let mut live = new_match(2);
    live.card = card(lusoria_store::MatchState::Live);
    store.add_guest(guest(2), session(2)).await.expect("added");
    let account = lusoria_store::NewAccount {
        guest: player(2),
        by: session_id(2),
        handle: "Second".to_owned(),
        skeleton: "second".to_owned(),
        default_name: String::new(),
        password: Some(PasswordHash("none".to_owned())),
        passkey: None,
        recovery_codes: vec![],
        sign_up_code: None,
        created_at: 1,
    };
    store.open_account(account).await.expect("opened");
    store.create(live).await.expect("made");
    assert_eq!(declare(&store, 2, 2).await, BotDeclaration::HasPlayed);
}

async fn only_a_session_of_an_account_declares_a_bot(store: Arc<Store>) {
    with_accounts(&store, &[7]).await;
    store.add_guest(guest(8), session(8)).await.expect("added");
    assert_eq!(declare(&store, 8, 8).await, BotDeclaration::NoAccount);
    assert_eq!(declare(&store, 7, 8).await, BotDeclaration::SessionEnded);
    assert_eq!(declare(&store, 9, 9).await, BotDeclaration::SessionEnded);
    assert!(store.set_blocked(player(7), Some(5)).await.expect("blocked"));
    assert_eq!(declare(&store, 7, 7).await, BotDeclaration::SessionEnded);
    let kind = store.guest(player(7)).await.expect("read").map(|guest| guest.kind);
    assert_eq!(kind, Some(PlayerKind::Person));
}
