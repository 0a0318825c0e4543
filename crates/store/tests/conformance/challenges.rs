//! Challenges, what comes of them, which of them players take, and whom they follow.

use std::sync::Arc;

use lusoria_play::{Bytes32, ChallengeSettings, ChallengesFrom, Clock, DeclineReason, Level, Terms};
use lusoria_rules::Game;
use lusoria_store::{
    Answers, AppendError, CHALLENGES_BY_GUEST_MAX, CHALLENGES_TO_GUEST_MAX, Challenge, ChallengeAdding,
    ChallengeEnd, ChallengeEnding, ENDED_CHALLENGE_KEPT_MS, FOLLOWS_PER_GUEST_MAX, Following, MatchState,
    NewMatch, NewSession, SecretHash, SeekAdding, SessionId, Store,
};

use super::{
    accounts::with_accounts, card, events, guest, match_id, new_match, on_all_stores, player, seeks, session,
};

on_all_stores!(
    a_challenge_is_read_as_it_was_added,
    a_challenge_has_the_handles_of_those_with_an_account,
    the_same_challenge_again_is_the_one_that_waits,
    only_guests_challenge_guests,
    who_is_blocked_is_not_challenged,
    a_guest_says_which_challenges_they_take,
    so_many_challenges_wait,
    a_challenge_expires_and_is_prolonged,
    a_challenge_is_declined_once_by_whom_it_is_for,
    a_challenge_is_withdrawn_by_who_made_it,
    a_match_comes_of_a_challenge_once,
    no_match_comes_of_a_challenge_that_ended,
    with_a_match_what_both_wait_for_in_one_go_ends,
    a_match_of_seeks_withdraws_live_challenges,
    follows_are_listed_and_taken_back,
    a_guest_follows_so_many,
    all_of_it_goes_with_its_guest,
);

const NOW: u64 = 2_000;
const LATER: u64 = 62_000;

fn terms(clock: Clock) -> Terms {
    Terms { clock, ..card(MatchState::Live).terms }
}

/// Challenge `n`; of two with other numbers the terms differ.
pub(super) fn challenge(n: u32, by: u32, to: u32) -> Challenge {
    Challenge {
        id: match_id(n),
        challenger: player(by),
        challenged: player(to),
        terms: terms(Clock::Fischer { base_ms: 60_000 + u64::from(n), increment_ms: 1_000 }),
        seed_hash: (n % 2 == 1).then_some(Bytes32([7; 32])),
        created_at: NOW + u64::from(n),
        expires_at: LATER,
        end: None,
    }
}

pub(super) fn by_days(n: u32, by: u32, to: u32) -> Challenge {
    Challenge { terms: terms(Clock::Days { days: 2 }), ..challenge(n, by, to) }
}

async fn with_guests(store: &Arc<Store>, count: u8) {
    for n in 1..=count {
        store.add_guest(guest(n.into()), session(n)).await.expect("added");
    }
}

async fn asked(store: &Arc<Store>, new: Challenge) -> ChallengeAdding {
    store.add_challenge(new).await.expect("asked")
}

async fn add(store: &Arc<Store>, new: Challenge) {
    assert_eq!(asked(store, new.clone()).await, ChallengeAdding::Waits(new));
}

async fn of(store: &Arc<Store>, n: u32, now: u64) -> Vec<Challenge> {
    let found = store.challenges_of(player(n), now).await.expect("read");
    found.into_iter().map(|named| named.challenge).collect()
}

async fn end_of(store: &Arc<Store>, n: u32) -> Option<ChallengeEnd> {
    store.challenge(match_id(n), NOW).await.expect("read").expect("it is there").challenge.end
}

async fn end(store: &Arc<Store>, n: u32, by: u32, end: ChallengeEnd) -> ChallengeEnding {
    store.end_challenge(match_id(n), player(by), end, 3_000).await.expect("asked")
}

/// The match of challenge `n`.
fn accepting(n: u32, clock: Clock) -> NewMatch {
    let mut new = NewMatch {
        answers: Some(Answers::Challenge),
        card: card(MatchState::Live),
        events: events(0, 1, 3_000),
        ..new_match(n)
    };
    new.card.terms = terms(clock);
    new
}

const LIVE: Clock = Clock::Fischer { base_ms: 60_000, increment_ms: 1_000 };

async fn is_refused(store: &Arc<Store>, new: NewMatch) -> bool {
    let id = new.id;
    let refused = matches!(store.create(new).await, Err(AppendError::ChallengeGone));
    assert_eq!(store.head(id).await.expect("read").is_none(), refused, "a refused match is not there");
    refused
}

async fn a_challenge_is_read_as_it_was_added(store: Arc<Store>) {
    with_guests(&store, 3).await;
    add(&store, challenge(1, 1, 2)).await;
    add(&store, by_days(2, 2, 1)).await;
    add(&store, challenge(3, 3, 2)).await;
    assert_eq!(of(&store, 1, NOW).await, [by_days(2, 2, 1), challenge(1, 1, 2)]);
    let named = store.challenge(match_id(1), NOW).await.expect("read").expect("it is there");
    assert_eq!(named.challenge, challenge(1, 1, 2));
    let players = [&named.challenger, &named.challenged].map(|player| (player.id, player.name.clone()));
    assert_eq!(players, [1, 2].map(|n| (player(n), guest(n).name)));
    assert_eq!(store.challenge(match_id(9), NOW).await.expect("read"), None);
}

async fn a_challenge_has_the_handles_of_those_with_an_account(store: Arc<Store>) {
    with_guests(&store, 2).await;
    with_accounts(&store, &[3]).await;
    for new in [challenge(1, 3, 2), challenge(2, 1, 3)] {
        add(&store, new).await;
    }
    let handles =
        async |n| store.challenge(match_id(n), NOW).await.expect("read").expect("a challenge").handles;
    assert_eq!(handles(1).await, [Some("Handle3".to_owned()), None]);
    assert_eq!(handles(2).await, [None, Some("Handle3".to_owned())]);
}

async fn the_same_challenge_again_is_the_one_that_waits(store: Arc<Store>) {
    with_guests(&store, 3).await;
    add(&store, challenge(1, 1, 2)).await;
    let again =
        Challenge { id: match_id(9), created_at: NOW + 500, expires_at: LATER + 500, ..challenge(1, 1, 2) };
    let same = Challenge { expires_at: LATER + 500, ..challenge(1, 1, 2) };
    assert_eq!(asked(&store, again.clone()).await, ChallengeAdding::Waits(same.clone()));
    assert_eq!(of(&store, 1, NOW).await, [same]);
    add(&store, Challenge { challenged: player(3), ..again }).await;
}

async fn only_guests_challenge_guests(store: Arc<Store>) {
    with_guests(&store, 3).await;
    assert_eq!(asked(&store, challenge(1, 9, 2)).await, ChallengeAdding::GuestGone);
    assert_eq!(asked(&store, challenge(1, 1, 9)).await, ChallengeAdding::NoSuchGuest);
    let computer = Challenge { challenged: Level::ALL[0].player_id(), ..challenge(1, 1, 2) };
    assert_eq!(asked(&store, computer).await, ChallengeAdding::NoSuchGuest);
    store.set_blocked(player(3), Some(NOW)).await.expect("blocked");
    assert_eq!(asked(&store, challenge(1, 3, 2)).await, ChallengeAdding::GuestGone);
    assert_eq!(asked(&store, challenge(1, 1, 3)).await, ChallengeAdding::NoSuchGuest);
    assert_eq!(of(&store, 1, NOW).await, []);
}

async fn who_is_blocked_is_not_challenged(store: Arc<Store>) {
    with_guests(&store, 2).await;
    add(&store, challenge(3, 2, 1)).await;
    store.add_block(player(1), player(2), NOW).await.expect("asked");
    for (one, other) in [(1, 2), (2, 1)] {
        assert_eq!(asked(&store, challenge(1, one, other)).await, ChallengeAdding::NotWelcome);
    }
    assert!(is_refused(&store, accepting(3, LIVE)).await);
    store.remove_block(player(1), player(2)).await.expect("asked");
    assert!(!is_refused(&store, accepting(3, LIVE)).await);
}

async fn a_guest_says_which_challenges_they_take(store: Arc<Store>) {
    with_guests(&store, 2).await;
    assert_eq!(store.challenge_settings(player(2)).await.expect("read"), ChallengeSettings::default());
    let other =
        *Game::ALL.iter().find(|game| **game != challenge(1, 1, 2).terms.variant.game()).expect("a game");
    let set = async |from, games: &[Game]| {
        let settings = ChallengeSettings { from, games: games.to_vec() };
        assert!(store.set_challenge_settings(player(2), settings.clone()).await.expect("set"));
        assert_eq!(store.challenge_settings(player(2)).await.expect("read"), settings);
    };
    set(ChallengesFrom::Nobody, &[]).await;
    assert_eq!(asked(&store, challenge(1, 1, 2)).await, ChallengeAdding::NotTaken);
    set(ChallengesFrom::Followed, &[]).await;
    assert_eq!(asked(&store, challenge(1, 1, 2)).await, ChallengeAdding::NotTaken);
    store.add_follow(player(2), player(1), NOW).await.expect("asked");
    set(ChallengesFrom::Followed, &[other]).await;
    assert_eq!(asked(&store, challenge(1, 1, 2)).await, ChallengeAdding::OtherGames);
    set(ChallengesFrom::Followed, &Game::ALL).await;
    add(&store, challenge(1, 1, 2)).await;
    let nobody = store.set_challenge_settings(player(9), ChallengeSettings::default()).await;
    assert!(!nobody.expect("asked"));
}

async fn so_many_challenges_wait(store: Arc<Store>) {
    with_guests(&store, 20).await;
    for n in 0..CHALLENGES_BY_GUEST_MAX {
        add(&store, challenge(n, 1, 2 + n)).await;
    }
    assert_eq!(asked(&store, challenge(30, 1, 15)).await, ChallengeAdding::TooMany);
    for n in 1..CHALLENGES_TO_GUEST_MAX {
        add(&store, challenge(40 + n, 3 + n / 5, 2)).await;
    }
    assert_eq!(asked(&store, challenge(30, 20, 2)).await, ChallengeAdding::TooManyForThem);
    let later = Challenge { created_at: LATER, expires_at: LATER + 10, ..challenge(30, 1, 2) };
    add(&store, later).await;
}

async fn a_challenge_expires_and_is_prolonged(store: Arc<Store>) {
    with_guests(&store, 2).await;
    add(&store, challenge(1, 1, 2)).await;
    add(&store, by_days(2, 1, 2)).await;
    add(&store, challenge(3, 2, 1)).await;
    assert_eq!(of(&store, 2, LATER - 1).await.len(), 3);
    assert_eq!(of(&store, 2, LATER).await, []);
    assert_eq!(store.challenge(match_id(1), LATER).await.expect("read"), None);
    store.prolong_challenges(vec![player(1)], NOW, LATER + 9).await.expect("written");
    assert_eq!(of(&store, 2, LATER).await, [Challenge { expires_at: LATER + 9, ..challenge(1, 1, 2) }]);
    store.prolong_challenges(vec![player(1)], NOW, LATER).await.expect("written");
    assert_eq!(of(&store, 2, LATER).await.len(), 1);
    store.sweep(LATER + 9).await.expect("swept");
    assert_eq!(of(&store, 2, NOW).await, []);
}

async fn a_challenge_is_declined_once_by_whom_it_is_for(store: Arc<Store>) {
    with_guests(&store, 3).await;
    add(&store, challenge(1, 1, 2)).await;
    let declined = ChallengeEnd::Declined(Some(DeclineReason::TooFast));
    for by in [1, 3] {
        assert_eq!(end(&store, 1, by, declined).await, ChallengeEnding::NoSuchChallenge);
    }
    let expires_at = 3_000 + ENDED_CHALLENGE_KEPT_MS;
    let now = Challenge { end: Some(declined), expires_at, ..challenge(1, 1, 2) };
    assert_eq!(end(&store, 1, 2, declined).await, ChallengeEnding::Ended(now.clone()));
    assert_eq!(
        end(&store, 1, 2, ChallengeEnd::Declined(None)).await,
        ChallengeEnding::EndedBefore(now.clone())
    );
    assert_eq!(end(&store, 1, 1, ChallengeEnd::Withdrawn).await, ChallengeEnding::EndedBefore(now.clone()));
    assert_eq!(of(&store, 1, LATER).await, [now]);
    let ended = |since| store.ended_challenges(since);
    assert_eq!(ended(3_000).await.expect("read").len(), 1);
    assert_eq!(ended(3_001).await.expect("read").len(), 0);
}

async fn a_challenge_is_withdrawn_by_who_made_it(store: Arc<Store>) {
    with_guests(&store, 2).await;
    add(&store, challenge(1, 1, 2)).await;
    assert_eq!(end(&store, 1, 2, ChallengeEnd::Withdrawn).await, ChallengeEnding::NoSuchChallenge);
    assert!(matches!(end(&store, 1, 1, ChallengeEnd::Withdrawn).await, ChallengeEnding::Ended(_)));
    assert!(is_refused(&store, accepting(1, LIVE)).await);
    assert_eq!(end_of(&store, 1).await, Some(ChallengeEnd::Withdrawn));
}

async fn a_match_comes_of_a_challenge_once(store: Arc<Store>) {
    with_guests(&store, 2).await;
    add(&store, challenge(1, 1, 2)).await;
    assert!(!is_refused(&store, accepting(1, LIVE)).await);
    assert_eq!(end_of(&store, 1).await, Some(ChallengeEnd::Accepted));
    assert!(matches!(end(&store, 1, 2, ChallengeEnd::Declined(None)).await, ChallengeEnding::EndedBefore(_)));
    assert!(matches!(store.create(accepting(1, LIVE)).await, Err(AppendError::ChallengeGone)));
}

async fn no_match_comes_of_a_challenge_that_ended(store: Arc<Store>) {
    with_guests(&store, 2).await;
    add(&store, Challenge { expires_at: 3_000, ..challenge(1, 1, 2) }).await;
    assert!(is_refused(&store, accepting(1, LIVE)).await);
    assert!(is_refused(&store, accepting(2, LIVE)).await);
    assert_eq!(end_of(&store, 1).await, None);
}

async fn with_a_match_what_both_wait_for_in_one_go_ends(store: Arc<Store>) {
    with_guests(&store, 3).await;
    for new in
        [challenge(1, 1, 2), challenge(2, 1, 3), challenge(3, 2, 3), challenge(4, 3, 1), by_days(5, 1, 3)]
    {
        add(&store, new).await;
    }
    for seek in [seeks::seek(1, 1), seeks::by_days(2, 2), seeks::seek(3, 2), seeks::seek(4, 3)] {
        assert!(matches!(store.add_seek(seek).await.expect("asked"), SeekAdding::Waits(_)));
    }
    assert!(!is_refused(&store, accepting(1, LIVE)).await);
    for (n, end) in
        [(2, Some(ChallengeEnd::Withdrawn)), (3, Some(ChallengeEnd::Withdrawn)), (4, None), (5, None)]
    {
        assert_eq!(end_of(&store, n).await, end, "challenge {n}");
    }
    let left = store.waiting_seeks(NOW).await.expect("read");
    let left: Vec<_> = left.iter().map(|waiting| waiting.seek.id).collect();
    assert_eq!(left, [2, 4].map(seeks::seek_id));
    assert!(!is_refused(&store, accepting(5, Clock::Days { days: 2 })).await);
    assert_eq!(end_of(&store, 4).await, None);
}

async fn a_match_of_seeks_withdraws_live_challenges(store: Arc<Store>) {
    with_guests(&store, 3).await;
    add(&store, challenge(1, 1, 3)).await;
    add(&store, by_days(2, 2, 3)).await;
    for seek in [seeks::seek(1, 1), seeks::seek(2, 2)] {
        assert!(matches!(store.add_seek(seek).await.expect("asked"), SeekAdding::Waits(_)));
    }
    let both = Some(Answers::Seeks([1, 2].map(seeks::seek_id)));
    let new = NewMatch { answers: both, ..accepting(7, LIVE) };
    store.create(new).await.expect("created");
    assert_eq!([end_of(&store, 1).await, end_of(&store, 2).await], [Some(ChallengeEnd::Withdrawn), None]);
}

async fn follows_are_listed_and_taken_back(store: Arc<Store>) {
    with_guests(&store, 3).await;
    for (at, n) in [(NOW, 2), (NOW + 1, 3), (NOW + 2, 2)] {
        assert_eq!(store.add_follow(player(1), player(n), at).await.expect("asked"), Following::Followed);
    }
    let nobody = store.add_follow(player(1), player(9), NOW).await.expect("asked");
    assert_eq!(nobody, Following::NoSuchGuest);
    let followed = async || {
        let found = store.followed_by(player(1)).await.expect("read");
        found.iter().map(|guest| guest.id).collect::<Vec<_>>()
    };
    assert_eq!(followed().await, [player(3), player(2)]);
    assert!(store.remove_follow(player(1), player(3)).await.expect("asked"));
    assert!(!store.remove_follow(player(1), player(3)).await.expect("asked"));
    assert_eq!(followed().await, [player(2)]);
}

async fn a_guest_follows_so_many(store: Arc<Store>) {
    with_guests(&store, 2).await;
    let follow = async |n| store.add_follow(player(1), player(n), NOW).await.expect("asked");
    for n in 1_000..1_000 + FOLLOWS_PER_GUEST_MAX {
        let mut token = [0; 32];
        token[..4].copy_from_slice(&n.to_be_bytes());
        let session = NewSession { id: SessionId(player(n).0), token: SecretHash(token), device: None };
        store.add_guest(guest(n), session).await.expect("added");
        assert_eq!(follow(n).await, Following::Followed);
    }
    assert_eq!(follow(2).await, Following::TooMany);
    assert_eq!(follow(1_000).await, Following::Followed, "who is followed already");
}

async fn all_of_it_goes_with_its_guest(store: Arc<Store>) {
    with_guests(&store, 3).await;
    for new in [challenge(1, 1, 2), challenge(2, 2, 1), challenge(3, 2, 3)] {
        add(&store, new).await;
    }
    for (by, followed) in [(1, 2), (2, 1), (2, 3)] {
        store.add_follow(player(by), player(followed), NOW).await.expect("asked");
    }
    let settings = ChallengeSettings { from: ChallengesFrom::Nobody, games: vec![] };
    store.set_challenge_settings(player(1), settings).await.expect("set");
    assert!(store.forget_guest(player(1)).await.expect("forgotten"));
    assert_eq!(of(&store, 2, NOW).await, [challenge(3, 2, 3)]);
    assert_eq!(store.followed_by(player(2)).await.expect("read").len(), 1);
    store.add_guest(guest(1), session(1)).await.expect("added");
    assert_eq!(store.challenge_settings(player(1)).await.expect("read"), ChallengeSettings::default());
    assert_eq!(store.followed_by(player(1)).await.expect("read"), []);
}
