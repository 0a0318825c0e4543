//! Conditional turns: what players have laid down for matches.

use std::sync::Arc;

use lusoria_play::ConditionalTurns;
use lusoria_rules::Step;
use lusoria_store::{Append, MatchState, Store};

use super::{append, card, guest, match_id, new_match, on_all_stores, player, session};

on_all_stores!(
    turns_are_read_as_they_were_stored,
    nothing_is_stored_of_what_is_not_there,
    what_is_empty_removes_what_was_there,
    matches_that_go_on_are_listed_in_order,
    turns_go_with_their_guest,
    turns_go_with_their_match,
    a_sweep_deletes_those_of_matches_that_have_ended,
);

/// Line `n`, from event `n` on.
pub(super) fn turns(n: u8) -> ConditionalTurns {
    let step = |from: &str, to: &str| Step { die: None, from: from.to_owned(), to: to.to_owned() };
    let line = vec![step("d1", "c1"), step("e4", &format!("\"{n}'"))];
    ConditionalTurns { after: n.into(), lines: vec![line; usize::from(n % 3)], forced: n.is_multiple_of(2) }
}

async fn set(store: &Arc<Store>, id: u32, of: u32, turns: ConditionalTurns) -> bool {
    store.set_conditional_turns(match_id(id), player(of), turns).await.expect("asked")
}

async fn get(store: &Arc<Store>, id: u32, of: u32) -> Option<ConditionalTurns> {
    store.conditional_turns(match_id(id), player(of)).await.expect("read")
}

async fn listed(store: &Arc<Store>, since: u64, after: Option<u32>, limit: u32) -> Vec<u32> {
    let found = store.conditional_matches(since, after.map(match_id), limit).await.expect("read");
    (0..100).filter(|n| found.contains(&match_id(*n))).collect()
}

/// Guests 1 and 2, and matches 1 to 3.
async fn with_matches(store: &Arc<Store>) {
    for n in [1, 2] {
        store.add_guest(guest(n), session(u8::try_from(n).expect("small"))).await.expect("added");
    }
    for n in 1..=3 {
        store.create(new_match(n)).await.expect("created");
    }
}

async fn turns_are_read_as_they_were_stored(store: Arc<Store>) {
    with_matches(&store).await;
    assert_eq!(get(&store, 1, 1).await, None);
    for (id, of, n) in [(1, 1, 5), (1, 2, 2), (2, 1, 7), (1, 1, 8)] {
        assert!(set(&store, id, of, turns(n)).await);
        assert_eq!(get(&store, id, of).await, Some(turns(n)));
    }
    assert_eq!((get(&store, 1, 2).await, get(&store, 2, 2).await), (Some(turns(2)), None));
    let theirs = store.conditional_turns_of(player(1)).await.expect("read");
    assert_eq!(theirs, [(match_id(1), turns(8)), (match_id(2), turns(7))]);
}

async fn nothing_is_stored_of_what_is_not_there(store: Arc<Store>) {
    with_matches(&store).await;
    assert!(!set(&store, 9, 1, turns(5)).await);
    assert!(!set(&store, 1, 9, turns(5)).await);
    assert_eq!((get(&store, 9, 1).await, get(&store, 1, 9).await), (None, None));
}

async fn what_is_empty_removes_what_was_there(store: Arc<Store>) {
    with_matches(&store).await;
    set(&store, 1, 1, turns(5)).await;
    set(&store, 1, 2, turns(5)).await;
    assert!(set(&store, 1, 1, ConditionalTurns { after: 7, ..ConditionalTurns::default() }).await);
    assert_eq!((get(&store, 1, 1).await, get(&store, 1, 2).await), (None, Some(turns(5))));
}

async fn matches_that_go_on_are_listed_in_order(store: Arc<Store>) {
    with_matches(&store).await;
    for (id, of) in [(3, 1), (1, 1), (1, 2), (2, 2)] {
        set(&store, id, of, turns(5)).await;
    }
    assert_eq!(listed(&store, 0, None, 9).await, [1, 2, 3]);
    assert_eq!(listed(&store, 0, None, 2).await, [1, 2]);
    assert_eq!(listed(&store, 0, Some(1), 9).await, [2, 3]);
    let changed = append(2, 1);
    let at = changed.events[0].at;
    store.append(changed).await.expect("appended");
    assert_eq!(listed(&store, at, None, 9).await, [2]);
    assert_eq!(listed(&store, at + 1, None, 9).await, [0; 0]);
    let ended = Append { card: card(MatchState::Finished), deadline: None, ..append(3, 1) };
    store.append(ended).await.expect("appended");
    assert_eq!(listed(&store, 0, None, 9).await, [1, 2]);
}

async fn turns_go_with_their_guest(store: Arc<Store>) {
    with_matches(&store).await;
    set(&store, 1, 1, turns(5)).await;
    set(&store, 1, 2, turns(5)).await;
    assert!(store.forget_guest(player(1)).await.expect("forgotten"));
    assert_eq!((get(&store, 1, 1).await, get(&store, 1, 2).await), (None, Some(turns(5))));
}

async fn turns_go_with_their_match(store: Arc<Store>) {
    with_matches(&store).await;
    set(&store, 1, 1, turns(5)).await;
    let ended = Append { card: card(MatchState::Finished), deadline: None, ..append(1, 1) };
    store.append(ended).await.expect("appended");
    assert!(store.forget_match(match_id(1), 2).await.expect("forgotten"));
    assert_eq!(get(&store, 1, 1).await, None);
    assert_eq!(store.conditional_turns_of(player(1)).await.expect("read"), []);
}

async fn a_sweep_deletes_those_of_matches_that_have_ended(store: Arc<Store>) {
    with_matches(&store).await;
    for id in [1, 2] {
        set(&store, id, 1, turns(5)).await;
    }
    let ended = Append { card: card(MatchState::Finished), deadline: None, ..append(1, 1) };
    store.append(ended).await.expect("appended");
    assert_eq!(get(&store, 1, 1).await, Some(turns(5)));
    store.sweep(9_000).await.expect("swept");
    assert_eq!((get(&store, 1, 1).await, get(&store, 2, 1).await), (None, Some(turns(5))));
}
