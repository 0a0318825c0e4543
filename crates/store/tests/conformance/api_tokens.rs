//! API tokens: what lets programs act for an account; and accounts that become a bot's.

use ApiTokenAddition::*;

use super::{
    accounts::{proof, wrong_proofs},
    *,
};

on_all_stores!(
    a_token_is_found_as_it_was_made,
    a_token_needs_the_password_and_the_session,
    an_account_has_so_many_tokens_and_expired_ones_make_room,
    a_token_is_revoked_once_by_its_owner,
    it_is_noted_when_a_token_was_used,
    what_expired_long_ago_is_swept,
    tokens_end_with_what_they_rest_on,
    an_account_becomes_a_bots_before_its_first_match,
    a_guest_with_a_match_stays_a_person,
    only_a_session_of_an_account_declares_a_bot,
);

pub(super) fn id(n: u32) -> ApiTokenId {
    ApiTokenId(session_id(n).0)
}

/// Token `n`, which expires at `expires_at`.
pub(super) fn new(n: u32, expires_at: u64) -> NewApiToken {
    NewApiToken {
        id: id(n),
        hash: hash(n),
        name: format!("token {n}"),
        scopes: "account:read match:read".to_owned(),
        created_at: 1_000 + u64::from(n),
        expires_at,
    }
}

fn token(n: u32, expires_at: u64) -> ApiToken {
    let NewApiToken { id, name, scopes, created_at, expires_at, .. } = new(n, expires_at);
    ApiToken { id, name, scopes, created_at, expires_at, used_at: None }
}

/// Adds tokens of an account, which expire at 9000.
async fn add(s: &Fixture, of: u32, numbers: &[u32]) {
    for n in numbers {
        is!(s.add_api_token(proof(of), new(*n, 9_000)), Added);
    }
}

async fn a_token_is_found_as_it_was_made(s: Fixture) {
    s.with_accounts([1, 2]).await;
    add(&s, 1, &[10, 11]).await;
    is!(s.add_api_token(proof(2), NewApiToken { scopes: String::new(), ..new(12, 9_000) }), Added);
    let bearer = ApiBearer { guest: guest(1), ban: None, token: token(10, 9_000) };
    is!(s.api_bearer(hash(10)), Some(bearer));
    assert_eq!(there!(s.api_bearer(hash(12))).token.scopes, "");
    is!(s.api_tokens(player(1)), [token(11, 9_000), token(10, 9_000)], "the newest first");
    is!(s.guest_of(10), None, "it is not a session");
    for n in [1, 13] {
        is!(s.api_bearer(hash(n)), None, "nor is a session one");
    }
    assert!(s.add_api_token(proof(2), new(10, 9_000)).await.is_err(), "it is there already");
}

async fn a_token_needs_the_password_and_the_session(s: Fixture) {
    s.with_accounts([1, 2]).await;
    for wrong in wrong_proofs() {
        is!(s.add_api_token(wrong.clone(), new(10, 9_000)), NotProven, "{wrong:?}");
    }
    s.block(1).await;
    is!(s.add_api_token(proof(1), new(10, 9_000)), NotProven);
    is!(s.api_bearer(hash(10)), None);
}

async fn an_account_has_so_many_tokens_and_expired_ones_make_room(s: Fixture) {
    s.with_accounts([1, 2]).await;
    for n in 0..API_TOKENS_PER_GUEST_MAX {
        is!(s.add_api_token(proof(1), new(10 + n, 2_000)), Added);
    }
    is!(s.add_api_token(proof(1), new(100, 9_000)), TooMany);
    add(&s, 2, &[100]).await;
    let later = NewApiToken { created_at: 2_000, ..new(101, 9_000) };
    is!(s.add_api_token(proof(1), later), Added);
    assert_eq!(done!(s.api_tokens(player(1))).iter().map(|token| token.id).collect::<Vec<_>>(), [id(101)]);
    is!(s.api_tokens(player(2)), [token(100, 9_000)], "each has their own");
}

async fn a_token_is_revoked_once_by_its_owner(s: Fixture) {
    s.with_accounts([1, 2]).await;
    add(&s, 1, &[10, 11]).await;
    for (of, is_revoked) in [(2, false), (1, true), (1, false)] {
        is!(s.revoke_api_token(player(of), id(10)), is_revoked);
    }
    is!(s.api_bearer(hash(10)), None);
    is!(s.api_tokens(player(1)), [token(11, 9_000)]);
}

async fn it_is_noted_when_a_token_was_used(s: Fixture) {
    s.with_accounts([1]).await;
    add(&s, 1, &[10]).await;
    for (noted, expected) in [(5_000, 5_000), (4_000, 5_000), (6_000, 6_000)] {
        done!(s.note_used(vec![(id(10), noted), (id(99), noted)]));
        assert_eq!(there!(s.api_bearer(hash(10))).token.used_at, Some(expected));
    }
}

async fn what_expired_long_ago_is_swept(s: Fixture) {
    const DAY_MS: u64 = 86_400_000;
    s.with_accounts([1]).await;
    for (n, expires_at) in [(10, 2_000), (11, 2_001)] {
        is!(s.add_api_token(proof(1), new(n, expires_at)), Added);
    }
    done!(s.sweep(1_999 + 30 * DAY_MS));
    is!(s.api_tokens(player(1)), [token(11, 2_001), token(10, 2_000)], "programs learn why they are refused");
    done!(s.sweep(2_000 + 30 * DAY_MS));
    is!(s.api_tokens(player(1)), [token(11, 2_001)]);
}

async fn tokens_end_with_what_they_rest_on(s: Fixture) {
    s.with_accounts(1..=5).await;
    for n in 1..=5 {
        add(&s, n, &[10 + n]).await;
    }
    is!(s.recover_with(1, 102, 30), None, "the code of another");
    yes!(s.set_password(proof(2), 7, false));
    no!(s.set_password(proof(2), 8, true), "the password is another");
    for n in [1, 2] {
        is!(s.api_tokens(player(n)), [token(10 + n, 9_000)], "{n}");
    }
    is!(s.recover_with(1, 101, 30), Some(guest(1)));
    yes!(s.set_password(Proof { shown: Shown::Password(accounts::password(7)), ..proof(2) }, 8, true));
    s.forget(3).await;
    is!(s.remove_account(player(4)), Some(0));
    for n in 1..=5 {
        assert_eq!(done!(s.api_bearer(hash(10 + n))).is_some(), n == 5, "{n}");
        assert_eq!(done!(s.api_tokens(player(n))).len(), usize::from(n == 5), "{n}");
    }
}

async fn declares(s: &Fixture, n: u32, by: u32, expected: BotDeclaration) {
    is!(s.declare_bot(player(n), session_id(by)), expected, "{n} by {by}");
}

async fn an_account_becomes_a_bots_before_its_first_match(s: Fixture) {
    s.with_accounts([7, 8]).await;
    add(&s, 7, &[10]).await;
    for _ in 0..2 {
        declares(&s, 7, 7, BotDeclaration::Declared).await;
    }
    is!(s.guest_of(7), Some(Guest { kind: PlayerKind::Bot, ..guest(7) }));
    is!(s.api_bearer(hash(10)), None, "it was a person's token");
    is!(s.guest(player(8)), Some(guest(8)));
    // One that is there from the beginning stays one.
    let bot = Guest { kind: PlayerKind::Bot, ..guest(9) };
    done!(s.add_guest(bot.clone(), session(9)));
    yes!(s.add_code(9, 9));
    is!(s.spend_code(20), Some(bot.clone()));
    is!(s.guest_of(20), Some(bot));
}

async fn a_guest_with_a_match_stays_a_person(s: Fixture) {
    s.with_accounts([1, 2, 7]).await;
    done!(s.create(NewMatch { made_by: Some(player(7)), ..match_of(1, 1, Some(2)) }));
    add(&s, 1, &[10]).await;
    for n in [1, 2, 7] {
        declares(&s, n, n, BotDeclaration::HasPlayed).await;
        is!(s.guest(player(n)), Some(guest(n)));
    }
    is!(s.api_tokens(player(1)), [token(10, 9_000)]);
}

async fn only_a_session_of_an_account_declares_a_bot(s: Fixture) {
    s.with_accounts([7]).await;
    s.guests([8]).await;
    declares(&s, 8, 8, BotDeclaration::NoAccount).await;
    declares(&s, 7, 8, BotDeclaration::SessionEnded).await;
    declares(&s, 9, 9, BotDeclaration::SessionEnded).await;
    s.block(7).await;
    declares(&s, 7, 7, BotDeclaration::SessionEnded).await;
    assert_eq!(there!(s.guest(player(7))).kind, PlayerKind::Person);
}
