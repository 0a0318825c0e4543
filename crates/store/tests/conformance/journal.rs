//! The journal: one order, nothing lost, nothing half done.

use std::sync::Arc;

use futures_util::future::join_all;
use lusoria_dice::Secret;
use lusoria_store::{Append, AppendError, Card, Head, MatchState, Store, StoreError, UsedKey};

use super::{append, card, events, invitation, key, match_id, new_match, on_all_stores, player, version};

on_all_stores!(
    a_new_match_is_kept_whole,
    an_id_is_taken_once,
    an_append_moves_the_head,
    an_append_tells_what_was_taken_back,
    heads_are_read_together,
    a_settled_match_tells_its_head,
    a_wrong_head_is_a_conflict,
    a_journal_has_no_gaps,
    of_concurrent_appends_one_wins,
    appends_to_different_matches_all_win,
    events_are_read_from_any_number,
    a_key_is_used_once,
    the_first_of_several_reasons_is_given,
    a_rematch_is_made_with_its_append,
    a_conflict_leaves_no_rematch,
    a_rematch_that_cannot_be_made_leaves_no_append,
    a_secret_comes_back_as_it_was,
    a_deadline_is_corrected_only_for_its_head,
    of_many_appends_at_once_each_is_made_or_refused_for_itself,
);

async fn a_new_match_is_kept_whole(store: Arc<Store>) {
    let mut new = new_match(1);
    new.events = events(0, 3, 1_500);
    let expected = (new.events.clone(), Card { updated_at: 1_500, ..new.card.clone() });
    store.create(new).await.expect("created");
    assert_eq!(
        store.head(match_id(1)).await.expect("read"),
        Some(Head { version: version(3), deadline: Some(10_000) })
    );
    assert_eq!(store.events(match_id(1), 0, 100).await.expect("read").events, expected.0);
    let row = store.row(match_id(1)).await.expect("read").expect("a row");
    assert_eq!((row.id, row.head, row.card), (match_id(1), 3, expected.1));
    assert_eq!(store.head(match_id(2)).await.expect("read"), None);
    assert_eq!(store.row(match_id(2)).await.expect("read"), None);
    assert_eq!(store.events(match_id(2), 0, 100).await.expect("read").events, []);
}

async fn an_id_is_taken_once(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    assert!(matches!(store.create(new_match(1)).await, Err(AppendError::Conflict)));
}

async fn an_append_moves_the_head(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    let mut turn = append(1, 1);
    turn.events = events(1, 12, 2_500).into();
    turn.deadline = None;
    turn.card = card(MatchState::Finished);
    store.append(turn).await.expect("appended");
    assert_eq!(
        store.head(match_id(1)).await.expect("read"),
        Some(Head { version: version(13), deadline: None })
    );
    let row = store.row(match_id(1)).await.expect("read").expect("a row");
    assert_eq!((row.head, row.card), (13, Card { updated_at: 2_500, ..card(MatchState::Finished) }));
    let all = store.events(match_id(1), 0, 100).await.expect("read").events;
    assert_eq!(all, [events(0, 1, 1_000), events(1, 12, 2_500)].concat());
}

async fn an_append_tells_what_was_taken_back(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    store.append(append(1, 1)).await.expect("appended");
    let live = |takebacks| Card { takebacks, ..card(MatchState::Live) };
    for (takebacks, head) in (1..).zip(2..5) {
        store.append(Append { card: live(takebacks), ..append(1, head) }).await.expect("appended");
        let row = store.row(match_id(1)).await.expect("read").expect("a row");
        assert_eq!((row.head, row.card.takebacks), (head + 1, takebacks));
    }
}

async fn heads_are_read_together(store: Arc<Store>) {
    for n in 1..=3 {
        store.create(new_match(n)).await.expect("created");
    }
    store.append(append(2, 1)).await.expect("appended");
    let mut heads = store.heads([4, 3, 2].map(match_id).to_vec()).await.expect("read");
    heads.sort_by_key(|(id, _)| *id);
    let head = |n, deadline| Head { version: version(n), deadline: Some(deadline) };
    assert_eq!(heads, [(match_id(2), head(2, 20_000)), (match_id(3), head(1, 10_000))]);
    assert_eq!(store.heads(Vec::new()).await.expect("read"), []);
}

async fn a_settled_match_tells_its_head(store: Arc<Store>) {
    assert_eq!(store.settle(match_id(1)).await.expect("settled"), None);
    store.create(new_match(2)).await.expect("created");
    store.append(append(2, 1)).await.expect("appended");
    let settled = store.settle(match_id(2)).await.expect("settled").expect("a head");
    assert_eq!((settled.version.head, settled.deadline), (2, Some(20_000)));
    assert_eq!(store.head(match_id(2)).await.expect("read"), Some(settled));
    store.append(Append { of: settled.version, ..append(2, 2) }).await.expect("appended");
}

async fn a_wrong_head_is_a_conflict(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    for (id, head) in [(1, 0), (1, 2), (2, 0), (2, 1)] {
        let answer = store.append(append(id, head)).await;
        assert!(matches!(answer, Err(AppendError::Conflict)), "match {id}, head {head}: {answer:?}");
    }
    assert_eq!(store.events(match_id(1), 0, 100).await.expect("read").events.len(), 1);
}

async fn a_journal_has_no_gaps(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    let (mut empty, mut gap, mut two) = (append(1, 1), append(1, 1), append(1, 1));
    empty.events = Arc::default();
    gap.events = events(2, 1, 2_000).into();
    two.events = [events(1, 1, 2_000), events(2, 1, 2_000)].concat().into();
    for wrong in [empty, gap, two] {
        assert!(matches!(store.append(wrong).await, Err(AppendError::Store(StoreError::Failed(_)))));
    }
    assert_eq!(store.head(match_id(1)).await.expect("read").expect("a head").version.head, 1);
}

async fn of_concurrent_appends_one_wins(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    for head in 1..20 {
        let answers = join_all((0..8).map(|_| store.append(append(1, head)))).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
        assert!(answers.iter().all(|answer| matches!(answer, Ok(()) | Err(AppendError::Conflict))));
    }
    let numbers: Vec<u32> =
        store.events(match_id(1), 0, 100).await.expect("read").events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
}

async fn appends_to_different_matches_all_win(store: Arc<Store>) {
    for answer in join_all((0..300).map(|n| store.create(new_match(n)))).await {
        answer.expect("created");
    }
    for head in 1..4 {
        for answer in join_all((0..300).map(|n| store.append(append(n, head)))).await {
            answer.expect("appended");
        }
    }
    for n in 0..300 {
        assert_eq!(store.head(match_id(n)).await.expect("read").expect("a head").version.head, 4);
    }
}

async fn events_are_read_from_any_number(store: Arc<Store>) {
    let mut new = new_match(1);
    new.events = events(0, 10, 1_000);
    store.create(new).await.expect("created");
    for (since, limit, expected) in [(0, 3, 1..=3), (3, 3, 4..=6), (8, 100, 9..=10), (9, 1, 10..=10)] {
        let read = store.events(match_id(1), since, limit).await.expect("read").events;
        assert!(read.iter().map(|event| event.seq).eq(expected), "since {since}, at most {limit}");
    }
    for (since, limit) in [(10, 5), (u32::MAX, 5), (0, 0)] {
        assert_eq!(store.events(match_id(1), since, limit).await.expect("read").events, []);
    }
}

async fn a_key_is_used_once(store: Arc<Store>) {
    let mut new = new_match(1);
    new.key = Some(key(1, "make"));
    store.create(new).await.expect("created");
    let mut turn = append(1, 1);
    turn.key = Some(key(1, "resign"));
    store.append(turn).await.expect("appended");

    let used = |first| Some(UsedKey { digest: [7; 32], id: match_id(1), first });
    assert_eq!(store.used_key(player(1), "make".to_owned()).await.expect("read"), used(1));
    assert_eq!(store.used_key(player(1), "resign".to_owned()).await.expect("read"), used(2));
    assert_eq!(store.used_key(player(2), "make".to_owned()).await.expect("read"), None);

    let (mut new, mut turn) = (new_match(2), append(1, 2));
    new.key = Some(key(1, "resign"));
    turn.key = Some(key(1, "make"));
    assert!(matches!(store.create(new).await, Err(AppendError::KeyUsed)));
    assert!(matches!(store.append(turn).await, Err(AppendError::KeyUsed)));
    assert_eq!(store.head(match_id(2)).await.expect("read"), None);
    assert_eq!(store.head(match_id(1)).await.expect("read").expect("a head").version.head, 2);

    let mut other = append(1, 2);
    other.key = Some(key(2, "make"));
    store.append(other).await.expect("another guest's key of the same name");
}

async fn the_first_of_several_reasons_is_given(store: Arc<Store>) {
    let mut new = new_match(1);
    (new.key, new.invitation) = (Some(key(1, "make")), Some(invitation(1)));
    store.create(new).await.expect("created");
    // A repeated request to join: the key, the invitation and the head have all been used.
    let mut again = append(1, 0);
    (again.key, again.spends) = (Some(key(1, "make")), Some(invitation(2).hash));
    assert!(matches!(store.append(again).await, Err(AppendError::KeyUsed)));
    let mut late = append(1, 0);
    (late.key, late.spends) = (Some(key(1, "other")), Some(invitation(2).hash));
    assert!(matches!(store.append(late).await, Err(AppendError::InvitationGone)));
    // Neither refusal used anything up.
    let mut good = append(1, 1);
    (good.key, good.spends) = (Some(key(1, "other")), Some(invitation(1).hash));
    store.append(good).await.expect("appended");
}

async fn a_rematch_is_made_with_its_append(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    let mut agreed = append(1, 1);
    agreed.create = Some(Box::new(new_match(2)));
    store.append(agreed).await.expect("appended");
    assert_eq!(store.head(match_id(1)).await.expect("read").expect("a head").version.head, 2);
    assert_eq!(store.head(match_id(2)).await.expect("read").expect("a head").version.head, 1);
    assert!(store.secret(match_id(2)).await.expect("read").is_some());
}

async fn a_conflict_leaves_no_rematch(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    let mut agreed = append(1, 5);
    agreed.create = Some(Box::new(new_match(2)));
    assert!(matches!(store.append(agreed).await, Err(AppendError::Conflict)));
    assert_eq!(store.head(match_id(2)).await.expect("read"), None);
    assert!(store.secret(match_id(2)).await.expect("read").is_none());
}

async fn a_rematch_that_cannot_be_made_leaves_no_append(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    store.create(new_match(2)).await.expect("created");
    let mut agreed = append(1, 1);
    agreed.create = Some(Box::new(new_match(2)));
    assert!(matches!(store.append(agreed).await, Err(AppendError::Conflict)));
    assert_eq!(store.head(match_id(1)).await.expect("read").expect("a head").version.head, 1);
}

async fn a_secret_comes_back_as_it_was(store: Arc<Store>) {
    let bytes: [u8; 32] = std::array::from_fn(|n| u8::try_from(n * 8).expect("below 256"));
    let mut new = new_match(1);
    new.secret = Secret::new(bytes);
    store.create(new).await.expect("created");
    let secret = store.secret(match_id(1)).await.expect("read").expect("a secret");
    assert_eq!(secret.reveal(), &bytes);
    assert!(store.secret(match_id(2)).await.expect("read").is_none());
}

async fn a_deadline_is_corrected_only_for_its_head(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    store.set_deadline(match_id(1), 2, Some(1)).await.expect("nothing to do");
    assert_eq!(store.next_deadline().await.expect("read"), Some(10_000));
    store.set_deadline(match_id(1), 1, Some(30_000)).await.expect("corrected");
    assert_eq!(
        store.head(match_id(1)).await.expect("read"),
        Some(Head { version: version(1), deadline: Some(30_000) })
    );
    store.set_deadline(match_id(1), 1, None).await.expect("corrected");
    assert_eq!(store.next_deadline().await.expect("read"), None);
}

/// A turn: an append to a live match that leaves it live.
fn turn(n: u32, head: u32, at: u64) -> Append {
    Append { events: events(head, 2, at).into(), ..append(n, head) }
}

async fn of_many_appends_at_once_each_is_made_or_refused_for_itself(store: Arc<Store>) {
    const MATCHES: u32 = 150;
    for n in 0..MATCHES {
        store.create(new_match(n)).await.expect("created");
        store.append(append(n, 1)).await.expect("joined");
    }
    let mut appends = Vec::new();
    for n in 0..MATCHES {
        match n % 5 {
            // Two that cannot both be made.
            0 => appends.extend([turn(n, 2, 3_000), turn(n, 2, 4_000)]),
            1 => appends.push(Append { card: card(MatchState::Finished), ..turn(n, 2, 3_000) }),
            2 => appends.push(turn(n, 1, 3_000)),
            3 => appends.push(Append { key: Some(key(n, "once")), ..turn(n, 2, 3_000) }),
            _ => appends.push(turn(n, 2, 3_000)),
        }
    }
    let asked: Vec<_> = appends.iter().map(|append| (append.id, append.of, append.events.clone())).collect();
    let made = join_all(appends.into_iter().map(|append| store.append(append))).await;
    for n in 0..MATCHES {
        let of_match = asked.iter().zip(&made).filter(|((id, ..), _)| *id == match_id(n));
        let good: Vec<_> = of_match.clone().filter(|(_, made)| made.is_ok()).collect();
        let bad = of_match.filter(|(_, made)| made.is_err());
        for (_, refused) in bad {
            assert!(matches!(refused, Err(AppendError::Conflict)), "match {n}: {refused:?}");
        }
        assert_eq!(good.len(), usize::from(n % 5 != 2), "match {n}");
        let journal = store.events(match_id(n), 2, 100).await.expect("read").events;
        let expected = good.first().map_or(&[][..], |((.., events), _)| events);
        assert_eq!(journal, expected, "match {n}");
        let row = store.row(match_id(n)).await.expect("read").expect("a row");
        assert_eq!(row.head, if n % 5 == 2 { 2 } else { 4 }, "match {n}");
        let state = if n % 5 == 1 { MatchState::Finished } else { MatchState::Live };
        assert_eq!(row.card.state(), state, "match {n}");
    }
}
