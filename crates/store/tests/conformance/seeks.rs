//! Seeks, what comes of them, and whom players do not want to meet.

use SeekAdding::{TooMany, Waits};

use super::*;

on_all_stores!(
    a_guest_has_so_many_seeks,
    those_of_guests_wait_in_their_order,
    a_seek_expires_and_is_prolonged,
    a_match_answers_two_seeks_once,
    a_live_match_ends_other_live_seeks_alone,
    a_blocked_guest_is_not_paired,
    a_guest_blocks_so_many,
    seeks_and_blocks_go_with_their_guest,
);

const NOW: u64 = 2_000;
const LATER: u64 = 32_000;

pub(super) fn seek_id(n: u32) -> SeekId {
    SeekId(numbered(0x0190_0000_0000_7000_8000_0000_0000_7000, n))
}

fn terms(clock: Clock) -> SeekTerms {
    SeekTerms {
        games: vec![Game::Zeno, Game::Tablut],
        points: vec![1, 3],
        pairs: true,
        clocks: vec![clock],
        bots: false,
        rated: !matches!(clock, Clock::None {}),
        rating: Some(RatingRange { below: 150, above: 300 }),
    }
}

/// Seek `n` of a guest; of two with other numbers the terms differ.
pub(super) fn seek(n: u32, of: u32) -> Seek {
    Seek {
        id: seek_id(n),
        guest: player(of),
        terms: terms(Clock::Fischer { base_ms: 60_000 + u64::from(n), increment_ms: 1_000 }),
        seed_hash: (n % 2 == 1).then_some(Bytes32([7; 32])),
        created_at: NOW + u64::from(n),
        expires_at: LATER,
        answered: None,
    }
}

pub(super) fn correspondence(n: u32, of: u32) -> Seek {
    Seek { terms: terms(Clock::Days { days: 2 }), ..seek(n, of) }
}

async fn add(s: &Fixture, all: impl IntoIterator<Item = Seek>) {
    for seek in all {
        is!(s.add_seek(seek.clone()), Waits(seek));
    }
}

/// Match `n`, which answers two seeks.
fn answering(n: u32, seeks: [u32; 2]) -> NewMatch {
    NewMatch {
        answers: Some(Answers::Seeks(seeks.map(seek_id))),
        card: card(MatchState::Live),
        events: events(0, 1, 3_000),
        ..new_match(n)
    }
}

async fn is_gone(s: &Fixture, new: NewMatch) {
    let id = new.id;
    refused!(s.create(new), SeekGone);
    is!(s.head(id), None);
}

async fn waiting(s: &Fixture, now: u64, expected: &[u32]) {
    let found: Vec<_> = done!(s.waiting_seeks(now)).into_iter().map(|waiting| waiting.seek.id).collect();
    assert_eq!(found, expected.iter().map(|n| seek_id(*n)).collect::<Vec<_>>());
}

async fn blocks(s: &Fixture, by: u32, blocked: u32, at: u64, expected: Blocking) {
    is!(s.add_block(player(by), player(blocked), at), expected, "{by} blocks {blocked}");
}

async fn a_guest_has_so_many_seeks(s: Fixture) {
    s.guests([1, 2]).await;
    add(&s, (1..=SEEKS_PER_GUEST_MAX).map(|n| seek(n, 1))).await;
    is!(s.add_seek(seek(20, 1)), TooMany);
    let later = Seek { created_at: LATER, expires_at: LATER + 10, ..seek(20, 1) };
    add(&s, [seek(21, 2), later]).await;
}

async fn those_of_guests_wait_in_their_order(s: Fixture) {
    s.guests([1, 2, 4]).await;
    done!(s.add_guest(Guest { kind: PlayerKind::Bot, ..guest(3) }, session(3)));
    is!(s.add_seek(seek(1, 5)), SeekAdding::GuestGone);
    let same_time = |n, of| Seek { created_at: NOW, ..seek(n, of) };
    add(&s, [same_time(7, 1), same_time(3, 2), seek(1, 3), seek(2, 4)]).await;
    s.block(4).await;
    is!(s.add_seek(seek(5, 4)), SeekAdding::GuestGone);
    waiting(&s, NOW, &[3, 7, 1]).await;
    let player = Player { kind: PlayerKind::Bot, ..seated(3) };
    assert_eq!(done!(s.waiting_seeks(NOW))[2], WaitingSeek { seek: seek(1, 3), player });
}

async fn a_seek_expires_and_is_prolonged(s: Fixture) {
    s.guests([1, 2]).await;
    add(&s, [seek(1, 1), correspondence(2, 1), seek(3, 2)]).await;
    // Correspondence seeks are not prolonged, nor shortened, nor do they come back.
    for (of, now, until) in [(1, NOW, LATER + 1_000), (1, NOW, LATER), (2, LATER, LATER + 9_000)] {
        done!(s.prolong_seeks(vec![player(of), player(9)], now, until));
        waiting(&s, LATER - 1, &[1, 2, 3]).await;
        waiting(&s, LATER, &[1]).await;
    }
    done!(s.sweep(LATER));
    waiting(&s, 0, &[1]).await;
}

async fn a_match_answers_two_seeks_once(s: Fixture) {
    s.guests(1..=4).await;
    add(&s, (1..=4).map(|n| seek(n, n))).await;
    is_gone(&s, NewMatch { events: events(0, 1, LATER), ..answering(1, [1, 2]) }).await;
    for seeks in [[1, 1], [1, 9]] {
        is_gone(&s, answering(1, seeks)).await;
    }
    done!(s.create(answering(1, [1, 2])));
    for n in [1, 2] {
        let expires_at = 3_000 + ANSWERED_SEEK_KEPT_MS;
        is!(s.seeks_of(player(n), LATER), [Seek { answered: Some(match_id(1)), expires_at, ..seek(n, n) }]);
    }
    for (since, count) in [(3_000, 2), (3_001, 0)] {
        assert_eq!(done!(s.answered_seeks(since)).len(), count);
    }
    add(&s, [seek(5, 3)]).await;
    // Of which one was answered, or both are of one guest.
    for seeks in [[2, 3], [3, 1], [3, 5]] {
        is_gone(&s, answering(2, seeks)).await;
    }
    done!(s.create(answering(2, [3, 4])));
    done!(s.sweep(3_000 + ANSWERED_SEEK_KEPT_MS));
    is!(s.seeks_of(player(1), NOW), []);
}

async fn a_live_match_ends_other_live_seeks_alone(s: Fixture) {
    s.guests(1..=3).await;
    add(
        &s,
        [
            seek(1, 1),
            seek(2, 1),
            correspondence(3, 1),
            seek(4, 2),
            seek(5, 2),
            seek(6, 3),
            correspondence(7, 3),
        ],
    )
    .await;
    done!(s.create(answering(1, [1, 4])));
    let answered = async |of: u32, expected: &[(u32, Option<u32>)]| {
        let found: Vec<_> =
            done!(s.seeks_of(player(of), 4_000)).iter().map(|of| (of.id, of.answered)).collect();
        let expected = expected.iter().map(|(n, by)| (seek_id(*n), by.map(match_id)));
        assert_eq!(found, expected.collect::<Vec<_>>());
    };
    answered(1, &[(3, None), (1, Some(1))]).await;
    answered(2, &[(4, Some(1))]).await;
    waiting(&s, NOW, &[3, 6, 7]).await;
    // A correspondence match ends no other.
    let mut new = answering(2, [3, 7]);
    new.card.terms.clock = Clock::Days { days: 2 };
    done!(s.create(new));
    waiting(&s, NOW, &[6]).await;
}

async fn a_blocked_guest_is_not_paired(s: Fixture) {
    s.guests([1, 2]).await;
    add(&s, [seek(1, 1), seek(2, 2)]).await;
    for (by, blocked) in [(1, 2), (2, 1)] {
        blocks(&s, by, blocked, NOW, Blocking::Blocked).await;
        is_gone(&s, answering(1, [1, 2])).await;
        yes!(s.remove_block(player(by), player(blocked)));
    }
    done!(s.create(answering(1, [1, 2])));
}

async fn a_guest_blocks_so_many(s: Fixture) {
    s.guests(1..=4).await;
    for (by, blocked, at) in [(1, 2, 10), (1, 3, 20), (4, 1, 30), (2, 4, 40), (1, 2, 50)] {
        blocks(&s, by, blocked, at, Blocking::Blocked).await;
    }
    is!(s.blocked_by(player(1)), [guest(3), guest(2)]);
    let mut around = done!(s.blocks_around(player(1)));
    around.sort_unstable();
    assert_eq!(around, [2, 3, 4].map(player));
    for (by, blocked) in [(9, 1), (1, 9)] {
        blocks(&s, by, blocked, NOW, Blocking::NoSuchGuest).await;
    }
    for is_removed in [true, false] {
        is!(s.remove_block(player(1), player(3)), is_removed);
    }
    is!(s.blocked_by(player(1)), [guest(2)]);
    for n in 1_001..1_000 + BLOCKS_PER_GUEST_MAX {
        s.guests([n]).await;
        blocks(&s, 1, n, NOW, Blocking::Blocked).await;
    }
    blocks(&s, 1, 3, NOW, Blocking::TooMany).await;
    blocks(&s, 1, 2, NOW, Blocking::Blocked).await;
}

async fn seeks_and_blocks_go_with_their_guest(s: Fixture) {
    s.guests(1..=3).await;
    add(&s, [seek(1, 1)]).await;
    for (by, blocked) in [(1, 2), (3, 1)] {
        blocks(&s, by, blocked, NOW, Blocking::Blocked).await;
    }
    s.forget(1).await;
    waiting(&s, NOW, &[]).await;
    is!(s.blocked_by(player(3)), []);
    is!(s.blocks_around(player(2)), []);
}
