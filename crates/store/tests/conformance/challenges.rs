//! Challenges, what comes of them, which of them players take, and whom they follow.

use ChallengeAdding::*;
use ChallengeEnd::{Accepted, Declined, Withdrawn};

use super::*;

on_all_stores!(
    a_challenge_is_read_as_it_was_added,
    the_same_challenge_again_is_the_one_that_waits,
    only_guests_challenge_guests_who_do_not_block_them,
    so_many_challenges_wait,
    a_challenge_expires_and_is_prolonged,
    a_challenge_ends_once_by_one_of_its_guests,
    a_match_comes_of_a_challenge_that_waits_once,
    with_a_match_what_both_wait_for_in_one_go_ends,
    a_guest_follows_so_many,
    all_of_it_goes_with_its_guest,
);

const NOW: u64 = 2_000;
const LATER: u64 = 62_000;
const LIVE: Clock = Clock::Fischer { base_ms: 60_000, increment_ms: 1_000 };

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

pub(super) fn correspondence(n: u32, by: u32, to: u32) -> Challenge {
    Challenge { terms: terms(Clock::Days { days: 2 }), ..challenge(n, by, to) }
}

async fn add(s: &Fixture, all: impl IntoIterator<Item = Challenge>) {
    for new in all {
        is!(s.add_challenge(new.clone()), Waits(new));
    }
}

async fn of(s: &Fixture, n: u32, now: u64) -> Answer<Vec<Challenge>> {
    Ok(s.challenges_of(player(n), now).await?.into_iter().map(|named| named.challenge).collect())
}

async fn ends(s: &Fixture, expected: &[(u32, Option<ChallengeEnd>)]) {
    for (n, end) in expected {
        assert_eq!(there!(s.challenge(match_id(*n), NOW)).challenge.end, *end, "challenge {n}");
    }
}

/// The match of challenge `n`.
fn accepting(n: u32, clock: Clock) -> NewMatch {
    let card = Card { terms: terms(clock), ..card(MatchState::Live) };
    NewMatch { answers: Some(Answers::Challenge), card, events: events(0, 1, 3_000), ..new_match(n) }
}

/// No match comes of challenge `n`.
async fn is_gone(s: &Fixture, n: u32) {
    refused!(s.create(accepting(n, LIVE)), ChallengeGone);
    is!(s.length(n), 0);
}

async fn a_challenge_is_read_as_it_was_added(s: Fixture) {
    s.guests([1, 2]).await;
    s.with_accounts([3]).await;
    add(&s, [challenge(1, 1, 2), correspondence(2, 2, 1), challenge(3, 3, 2), challenge(4, 2, 3)]).await;
    is!(of(&s, 1, NOW), [correspondence(2, 2, 1), challenge(1, 1, 2)]);
    let named = there!(s.challenge(match_id(1), NOW));
    assert_eq!((named.challenger, named.challenged), (seated(1), seated(2)));
    assert_eq!((named.challenge, named.handles), (challenge(1, 1, 2), [None, None]));
    let handle = || Some("Handle3".to_owned());
    assert_eq!(there!(s.challenge(match_id(3), NOW)).handles, [handle(), None]);
    assert_eq!(there!(s.challenge(match_id(4), NOW)).handles, [None, handle()]);
    is!(s.challenge(match_id(9), NOW), None);
}

async fn the_same_challenge_again_is_the_one_that_waits(s: Fixture) {
    s.guests(1..=3).await;
    add(&s, [challenge(1, 1, 2)]).await;
    let prolonged = Challenge { expires_at: LATER + 500, ..challenge(1, 1, 2) };
    let again = Challenge { id: match_id(9), created_at: NOW + 500, ..prolonged.clone() };
    is!(s.add_challenge(again.clone()), Waits(prolonged.clone()));
    is!(of(&s, 1, NOW), [prolonged]);
    add(&s, [Challenge { challenged: player(3), ..again }]).await;
}

async fn only_guests_challenge_guests_who_do_not_block_them(s: Fixture) {
    s.guests(1..=3).await;
    s.block(3).await;
    let computer = Challenge { challenged: Level::ALL[0].player_id(), ..challenge(1, 1, 2) };
    for (new, refused) in [
        (challenge(1, 9, 2), ChallengeAdding::GuestGone),
        (challenge(1, 3, 2), ChallengeAdding::GuestGone),
        (challenge(1, 1, 9), NoSuchGuest),
        (challenge(1, 1, 3), NoSuchGuest),
        (computer, NoSuchGuest),
    ] {
        is!(s.add_challenge(new), refused);
    }
    is!(of(&s, 1, NOW), []);
    add(&s, [challenge(3, 2, 1)]).await;
    is!(s.add_block(player(1), player(2), NOW), Blocking::Blocked);
    for (one, other) in [(1, 2), (2, 1)] {
        is!(s.add_challenge(challenge(1, one, other)), NotWelcome);
    }
    is_gone(&s, 3).await;
    yes!(s.remove_block(player(1), player(2)));
    done!(s.create(accepting(3, LIVE)));
}

async fn so_many_challenges_wait(s: Fixture) {
    s.guests(1..=20).await;
    add(&s, (0..CHALLENGES_BY_GUEST_MAX).map(|n| challenge(n, 1, 2 + n))).await;
    is!(s.add_challenge(challenge(30, 1, 15)), TooMany);
    add(&s, (1..CHALLENGES_TO_GUEST_MAX).map(|n| challenge(40 + n, 3 + n / 5, 2))).await;
    is!(s.add_challenge(challenge(30, 20, 2)), TooManyForThem);
    add(&s, [Challenge { created_at: LATER, expires_at: LATER + 10, ..challenge(30, 1, 2) }]).await;
}

async fn a_challenge_expires_and_is_prolonged(s: Fixture) {
    s.guests([1, 2]).await;
    add(&s, [challenge(1, 1, 2), correspondence(2, 1, 2), challenge(3, 2, 1)]).await;
    is!(s.live_challengers(NOW), [player(1), player(2)]);
    assert_eq!(done!(of(&s, 2, LATER - 1)).len(), 3);
    is!(of(&s, 2, LATER), []);
    is!(s.challenge(match_id(1), LATER), None);
    for until in [LATER + 9, LATER] {
        done!(s.prolong_challenges(vec![player(1)], NOW, until));
        is!(of(&s, 2, LATER), [Challenge { expires_at: LATER + 9, ..challenge(1, 1, 2) }]);
    }
    done!(s.sweep(LATER + 9));
    is!(of(&s, 2, NOW), []);
}

async fn a_challenge_ends_once_by_one_of_its_guests(s: Fixture) {
    s.guests(1..=3).await;
    add(&s, [challenge(1, 1, 2), challenge(2, 1, 2)]).await;
    let declined = Declined(Some(DeclineReason::TooFast));
    let ended = |n, end| {
        let expires_at = 3_000 + ENDED_CHALLENGE_KEPT_MS;
        Challenge { end: Some(end), expires_at, ..challenge(n, 1, 2) }
    };
    for (n, by, end, expected) in [
        (1, 1, declined, ChallengeEnding::NoSuchChallenge),
        (1, 3, declined, ChallengeEnding::NoSuchChallenge),
        (1, 2, declined, ChallengeEnding::Ended(ended(1, declined))),
        (1, 2, Declined(None), ChallengeEnding::EndedBefore(ended(1, declined))),
        (1, 1, Withdrawn, ChallengeEnding::EndedBefore(ended(1, declined))),
        (2, 2, Withdrawn, ChallengeEnding::NoSuchChallenge),
        (2, 1, Withdrawn, ChallengeEnding::Ended(ended(2, Withdrawn))),
    ] {
        is!(s.end_challenge(match_id(n), player(by), end, 3_000), expected, "{n} by {by}");
    }
    is_gone(&s, 2).await;
    is!(of(&s, 1, LATER), [ended(2, Withdrawn), ended(1, declined)]);
    for (since, count) in [(3_000, 2), (3_001, 0)] {
        assert_eq!(done!(s.ended_challenges(since)).len(), count);
    }
}

async fn a_match_comes_of_a_challenge_that_waits_once(s: Fixture) {
    s.guests([1, 2]).await;
    add(&s, [challenge(1, 1, 2), Challenge { expires_at: 3_000, ..challenge(2, 1, 2) }]).await;
    is_gone(&s, 2).await;
    is_gone(&s, 3).await;
    ends(&s, &[(2, None)]).await;
    done!(s.create(accepting(1, LIVE)));
    ends(&s, &[(1, Some(Accepted))]).await;
    let declined = done!(s.end_challenge(match_id(1), player(2), Declined(None), 3_000));
    assert!(matches!(declined, ChallengeEnding::EndedBefore(_)));
    refused!(s.create(accepting(1, LIVE)), ChallengeGone);
}

async fn with_a_match_what_both_wait_for_in_one_go_ends(s: Fixture) {
    s.guests(1..=4).await;
    add(&s, [challenge(1, 1, 2), challenge(2, 1, 3), challenge(3, 2, 3)]).await;
    add(&s, [challenge(4, 3, 1), correspondence(5, 1, 3), challenge(6, 4, 3)]).await;
    for seek in [seeks::seek(1, 1), seeks::correspondence(2, 2), seeks::seek(3, 2), seeks::seek(4, 3)] {
        is!(s.add_seek(seek.clone()), SeekAdding::Waits(seek));
    }
    done!(s.create(accepting(1, LIVE)));
    ends(&s, &[(2, Some(Withdrawn)), (3, Some(Withdrawn)), (4, None), (5, None), (6, None)]).await;
    let left = done!(s.waiting_seeks(NOW));
    assert_eq!(left.iter().map(|waiting| waiting.seek.id).collect::<Vec<_>>(), [2, 4].map(seeks::seek_id));
    done!(s.create(accepting(5, Clock::Days { days: 2 })));
    ends(&s, &[(4, None), (6, None)]).await;
    // A match of seeks ends live challenges, too.
    is!(s.add_seek(seeks::seek(5, 4)), SeekAdding::Waits(seeks::seek(5, 4)));
    let both = Some(Answers::Seeks([4, 5].map(seeks::seek_id)));
    let ends_at = Card { terms: terms(LIVE), ..card_of(MatchState::Live, player(3), Some(player(4))) };
    done!(s.create(NewMatch { answers: both, card: ends_at, ..accepting(7, LIVE) }));
    ends(&s, &[(4, Some(Withdrawn)), (6, Some(Withdrawn))]).await;
}

async fn followed(s: &Fixture, by: u32) -> Answer<Vec<PlayerId>> {
    Ok(s.followed_by(player(by)).await?.into_iter().map(|guest| guest.id).collect())
}

async fn a_guest_follows_so_many(s: Fixture) {
    s.guests(1..=3).await;
    let follow = async |n: u32, at| s.add_follow(player(1), player(n), at).await;
    for (at, n) in [(NOW, 2), (NOW + 1, 3), (NOW + 2, 2)] {
        is!(follow(n, at), Following::Followed);
    }
    is!(follow(9, NOW), Following::NoSuchGuest);
    is!(followed(&s, 1), [player(3), player(2)]);
    for is_followed in [true, false] {
        is!(s.remove_follow(player(1), player(3)), is_followed);
    }
    is!(followed(&s, 1), [player(2)]);
    for n in 1_001..1_000 + FOLLOWS_PER_GUEST_MAX {
        s.guests([n]).await;
        is!(follow(n, NOW), Following::Followed);
    }
    is!(follow(3, NOW), Following::TooMany);
    is!(follow(2, NOW), Following::Followed, "who is followed already");
}

async fn all_of_it_goes_with_its_guest(s: Fixture) {
    s.guests(1..=3).await;
    add(&s, [challenge(1, 1, 2), challenge(2, 2, 1), challenge(3, 2, 3)]).await;
    for (by, of) in [(1, 2), (2, 1), (2, 3)] {
        is!(s.add_follow(player(by), player(of), NOW), Following::Followed);
    }
    let settings = ChallengeSettings { from: ChallengesFrom::Nobody, games: vec![] };
    yes!(s.set_challenge_settings(player(1), settings));
    s.forget(1).await;
    is!(of(&s, 2, NOW), [challenge(3, 2, 3)]);
    is!(followed(&s, 2), [player(3)]);
    s.guests([1]).await;
    is!(s.challenge_settings(player(1)), ChallengeSettings::default());
    is!(followed(&s, 1), []);
}
