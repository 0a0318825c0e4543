//! Seeks, what comes of them, and whom players do not want to meet.

use std::sync::Arc;

use lusoria_play::{Bytes32, Clock, MatchId, PlayerKind, RatingRange, SeekId, SeekTerms};
use lusoria_rules::Game;
use lusoria_store::{
    ANSWERED_SEEK_KEPT_MS, Answers, AppendError, BLOCKS_PER_GUEST_MAX, Blocking, Guest, MatchState, NewMatch,
    NewSession, SEEKS_PER_GUEST_MAX, SecretHash, Seek, SeekAdding, SeekWithdrawal, SessionId, Store,
};
use uuid::Uuid;

use super::{card, events, guest, match_id, new_match, on_all_stores, player, session};

on_all_stores!(
    a_seek_is_read_as_it_was_added,
    the_same_seek_again_is_the_one_that_waits,
    a_guest_has_so_many_seeks,
    only_guests_seek,
    those_that_wait_come_in_their_order,
    a_seek_expires_and_is_prolonged,
    a_seek_is_withdrawn_once,
    a_match_answers_two_seeks,
    a_seek_is_answered_once,
    with_a_match_the_other_seeks_end_but_those_by_days,
    a_match_by_days_ends_no_other_seek,
    who_is_blocked_is_not_met,
    blocks_are_listed_and_taken_back,
    a_guest_blocks_so_many,
    seeks_and_blocks_go_with_their_guest,
);

const NOW: u64 = 2_000;
const LATER: u64 = 32_000;

pub(super) fn seek_id(n: u32) -> SeekId {
    SeekId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_7000 | u128::from(n)))
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
    let clock = Clock::Fischer { base_ms: 60_000 + u64::from(n), increment_ms: 1_000 };
    Seek {
        id: seek_id(n),
        guest: player(of),
        terms: terms(clock),
        seed_hash: (n % 2 == 1).then_some(Bytes32([7; 32])),
        created_at: NOW + u64::from(n),
        expires_at: LATER,
        answered: None,
    }
}

pub(super) fn by_days(n: u32, of: u32) -> Seek {
    Seek { terms: terms(Clock::Days { days: 2 }), ..seek(n, of) }
}

async fn with_guests(store: &Arc<Store>, count: u8) {
    for n in 1..=count {
        store.add_guest(guest(n.into()), session(n)).await.expect("added");
    }
}

async fn add(store: &Arc<Store>, seek: Seek) {
    let added = store.add_seek(seek.clone()).await.expect("asked");
    assert_eq!(added, SeekAdding::Waits(seek));
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

async fn is_refused(store: &Arc<Store>, new: NewMatch) -> bool {
    let id = new.id;
    let refused = matches!(store.create(new).await, Err(AppendError::SeekGone));
    assert_eq!(store.head(id).await.expect("read").is_none(), refused, "a refused match is not there");
    refused
}

async fn waiting(store: &Arc<Store>, now: u64) -> Vec<SeekId> {
    store.waiting_seeks(now).await.expect("read").into_iter().map(|waiting| waiting.seek.id).collect()
}

async fn answered(store: &Arc<Store>, of: u32) -> Vec<(SeekId, Option<MatchId>)> {
    let seeks = store.seeks_of(player(of), 4_000).await.expect("read").into_iter();
    seeks.map(|seek| (seek.id, seek.answered)).collect()
}

async fn a_seek_is_read_as_it_was_added(store: Arc<Store>) {
    let bot = Guest { kind: PlayerKind::Bot, ..guest(1) };
    store.add_guest(bot.clone(), session(1)).await.expect("added");
    for n in [1, 2] {
        add(&store, seek(n, 1)).await;
    }
    assert_eq!(store.seeks_of(player(1), NOW).await.expect("read"), [seek(2, 1), seek(1, 1)]);
    assert_eq!(store.seeks_of(player(2), NOW).await.expect("read"), []);
    let waiting = store.waiting_seeks(NOW).await.expect("read");
    assert_eq!(waiting[0].seek, seek(1, 1));
    let player = &waiting[0].player;
    assert_eq!((player.id, &player.name, player.kind), (bot.id, &bot.name, bot.kind));
}

async fn the_same_seek_again_is_the_one_that_waits(store: Arc<Store>) {
    with_guests(&store, 2).await;
    add(&store, seek(1, 1)).await;
    let again = Seek { id: seek_id(9), created_at: NOW + 500, expires_at: LATER + 500, ..seek(1, 1) };
    let same = Seek { expires_at: LATER + 500, ..seek(1, 1) };
    assert_eq!(store.add_seek(again.clone()).await.expect("asked"), SeekAdding::Waits(same.clone()));
    assert_eq!(store.seeks_of(player(1), NOW).await.expect("read"), [same]);
    for other in
        [Seek { guest: player(2), ..again.clone() }, Seek { id: seek_id(8), seed_hash: None, ..again }]
    {
        add(&store, other).await;
    }
}

async fn a_guest_has_so_many_seeks(store: Arc<Store>) {
    with_guests(&store, 2).await;
    for n in 1..=SEEKS_PER_GUEST_MAX {
        add(&store, seek(n, 1)).await;
    }
    assert_eq!(store.add_seek(seek(20, 1)).await.expect("asked"), SeekAdding::TooMany);
    add(&store, seek(21, 2)).await;
    let later = Seek { created_at: LATER, expires_at: LATER + 10, ..seek(20, 1) };
    add(&store, later).await;
}

async fn only_guests_seek(store: Arc<Store>) {
    with_guests(&store, 2).await;
    assert_eq!(store.add_seek(seek(1, 3)).await.expect("asked"), SeekAdding::GuestGone);
    add(&store, seek(1, 1)).await;
    assert!(store.set_blocked(player(1), Some(NOW)).await.expect("blocked"));
    assert_eq!(waiting(&store, NOW).await, []);
    assert_eq!(store.add_seek(seek(2, 1)).await.expect("asked"), SeekAdding::GuestGone);
}

async fn those_that_wait_come_in_their_order(store: Arc<Store>) {
    with_guests(&store, 3).await;
    let same_time = |n, of| Seek { created_at: NOW, ..seek(n, of) };
    for seek in [same_time(7, 1), same_time(3, 2), seek(1, 3)] {
        add(&store, seek).await;
    }
    assert_eq!(waiting(&store, NOW).await, [seek_id(3), seek_id(7), seek_id(1)]);
}

async fn a_seek_expires_and_is_prolonged(store: Arc<Store>) {
    with_guests(&store, 2).await;
    for seek in [seek(1, 1), by_days(2, 1), seek(3, 2)] {
        add(&store, seek).await;
    }
    store.prolong_seeks(vec![player(1), player(9)], NOW, LATER + 1_000).await.expect("prolonged");
    assert_eq!(waiting(&store, LATER - 1).await.len(), 3);
    assert_eq!(waiting(&store, LATER).await, [seek_id(1)]);
    store.prolong_seeks(vec![player(1)], NOW, LATER).await.expect("not shortened");
    assert_eq!(waiting(&store, LATER).await, [seek_id(1)]);
    store.prolong_seeks(vec![player(2)], LATER, LATER + 9_000).await.expect("asked");
    assert_eq!(waiting(&store, LATER).await, [seek_id(1)], "what has expired does not come back");
    store.sweep(LATER).await.expect("swept");
    assert_eq!(store.seeks_of(player(1), 0).await.expect("read").len(), 1);
    assert_eq!(store.seeks_of(player(2), 0).await.expect("read"), []);
}

async fn a_seek_is_withdrawn_once(store: Arc<Store>) {
    with_guests(&store, 2).await;
    add(&store, seek(1, 1)).await;
    let withdraw = |of, n, now| store.withdraw_seek(player(of), seek_id(n), now);
    assert_eq!(withdraw(2, 1, NOW).await.expect("asked"), SeekWithdrawal::NoSuchSeek);
    assert_eq!(withdraw(1, 1, LATER).await.expect("asked"), SeekWithdrawal::NoSuchSeek);
    assert_eq!(withdraw(1, 1, NOW).await.expect("asked"), SeekWithdrawal::Withdrawn);
    assert_eq!(withdraw(1, 1, NOW).await.expect("asked"), SeekWithdrawal::NoSuchSeek);
    add(&store, seek(2, 1)).await;
    add(&store, seek(3, 2)).await;
    store.create(answering(1, [2, 3])).await.expect("created");
    assert_eq!(withdraw(1, 2, NOW).await.expect("asked"), SeekWithdrawal::Answered(match_id(1)));
    assert!(is_refused(&store, answering(2, [1, 3])).await);
}

async fn a_match_answers_two_seeks(store: Arc<Store>) {
    with_guests(&store, 3).await;
    for n in 1..=3 {
        add(&store, seek(n, n)).await;
    }
    store.create(answering(1, [1, 2])).await.expect("created");
    let answered =
        |n| Seek { answered: Some(match_id(1)), expires_at: 3_000 + ANSWERED_SEEK_KEPT_MS, ..seek(n, n) };
    for n in [1, 2] {
        assert_eq!(store.seeks_of(player(n), LATER).await.expect("read"), [answered(n)]);
    }
    let since = async |since| store.answered_seeks(since).await.expect("read").len();
    assert_eq!((since(3_000).await, since(3_001).await), (2, 0));
    assert_eq!(waiting(&store, NOW).await, [seek_id(3)]);
    store.sweep(3_000 + ANSWERED_SEEK_KEPT_MS).await.expect("swept");
    assert_eq!(store.seeks_of(player(1), NOW).await.expect("read"), []);
}

async fn a_seek_is_answered_once(store: Arc<Store>) {
    with_guests(&store, 4).await;
    for n in 1..=4 {
        add(&store, seek(n, n)).await;
    }
    let expired = NewMatch { events: events(0, 1, LATER), ..answering(1, [1, 2]) };
    assert!(is_refused(&store, expired).await);
    assert!(is_refused(&store, answering(1, [1, 1])).await, "one seek");
    assert!(is_refused(&store, answering(1, [1, 9])).await, "no such seek");
    store.create(answering(1, [1, 2])).await.expect("created");
    assert!(is_refused(&store, answering(2, [2, 3])).await);
    assert!(is_refused(&store, answering(2, [3, 1])).await);
    add(&store, seek(5, 3)).await;
    assert!(is_refused(&store, answering(2, [3, 5])).await, "two seeks of one guest");
    store.create(answering(2, [3, 4])).await.expect("created");
}

async fn with_a_match_the_other_seeks_end_but_those_by_days(store: Arc<Store>) {
    with_guests(&store, 3).await;
    for seek in [seek(1, 1), seek(2, 1), by_days(3, 1), seek(4, 2), seek(5, 2), seek(6, 3)] {
        add(&store, seek).await;
    }
    store.create(answering(1, [1, 4])).await.expect("created");
    assert_eq!(answered(&store, 1).await, [(seek_id(3), None), (seek_id(1), Some(match_id(1)))]);
    assert_eq!(answered(&store, 2).await, [(seek_id(4), Some(match_id(1)))]);
    assert_eq!(waiting(&store, NOW).await, [seek_id(3), seek_id(6)]);
}

async fn a_match_by_days_ends_no_other_seek(store: Arc<Store>) {
    with_guests(&store, 2).await;
    for seek in [seek(1, 1), by_days(2, 1), by_days(3, 2)] {
        add(&store, seek).await;
    }
    let mut new = answering(1, [2, 3]);
    new.card.terms.clock = Clock::Days { days: 2 };
    store.create(new).await.expect("created");
    assert_eq!(waiting(&store, NOW).await, [seek_id(1)]);
}

async fn who_is_blocked_is_not_met(store: Arc<Store>) {
    with_guests(&store, 2).await;
    for n in [1, 2] {
        add(&store, seek(n, n)).await;
    }
    for (by, blocked) in [(1, 2), (2, 1)] {
        let block = store.add_block(player(by), player(blocked), NOW).await.expect("asked");
        assert_eq!(block, Blocking::Blocked);
        assert!(is_refused(&store, answering(1, [1, 2])).await);
        assert!(store.remove_block(player(by), player(blocked)).await.expect("asked"));
    }
    store.create(answering(1, [1, 2])).await.expect("created");
}

async fn blocks_are_listed_and_taken_back(store: Arc<Store>) {
    with_guests(&store, 4).await;
    for (by, blocked, at) in [(1, 2, 10), (1, 3, 20), (4, 1, 30), (2, 4, 40), (1, 2, 50)] {
        let block = store.add_block(player(by), player(blocked), at).await.expect("asked");
        assert_eq!(block, Blocking::Blocked);
    }
    assert_eq!(store.blocked_by(player(1)).await.expect("read"), [guest(3), guest(2)]);
    let mut around = store.blocks_around(player(1)).await.expect("read");
    around.sort_unstable();
    assert_eq!(around, [player(2), player(3), player(4)]);
    for (by, blocked) in [(9, 1), (1, 9)] {
        let block = store.add_block(player(by), player(blocked), NOW).await.expect("asked");
        assert_eq!(block, Blocking::NoSuchGuest);
    }
    assert!(store.remove_block(player(1), player(3)).await.expect("asked"));
    assert!(!store.remove_block(player(1), player(3)).await.expect("asked"));
    assert_eq!(store.blocked_by(player(1)).await.expect("read"), [guest(2)]);
}

async fn a_guest_blocks_so_many(store: Arc<Store>) {
    with_guests(&store, 2).await;
    let stranger = |n: u32| {
        let mut token = [0; 32];
        token[..4].copy_from_slice(&n.to_be_bytes());
        let id = SessionId(player(n).0);
        (guest(n), NewSession { id, token: SecretHash(token), device: None })
    };
    for n in 0..BLOCKS_PER_GUEST_MAX {
        let (guest, session) = stranger(1_000 + n);
        let blocked = guest.id;
        store.add_guest(guest, session).await.expect("added");
        let block = store.add_block(player(1), blocked, NOW).await.expect("asked");
        assert_eq!(block, Blocking::Blocked);
    }
    let block = |blocked| store.add_block(player(1), player(blocked), NOW);
    assert_eq!(block(2).await.expect("asked"), Blocking::TooMany);
    assert_eq!(block(1_000).await.expect("asked"), Blocking::Blocked, "who is blocked already");
}

async fn seeks_and_blocks_go_with_their_guest(store: Arc<Store>) {
    with_guests(&store, 3).await;
    add(&store, seek(1, 1)).await;
    for (by, blocked) in [(1, 2), (3, 1)] {
        store.add_block(player(by), player(blocked), NOW).await.expect("asked");
    }
    assert!(store.forget_guest(player(1)).await.expect("forgotten"));
    assert_eq!(waiting(&store, NOW).await, []);
    assert_eq!(store.blocked_by(player(3)).await.expect("read"), []);
    assert_eq!(store.blocks_around(player(2)).await.expect("read"), []);
}
