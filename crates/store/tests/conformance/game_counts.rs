//! Counts of the games: each finished match adds to them once.

use std::{collections::BTreeMap, sync::Arc};

use lusoria_rules::Game;
use lusoria_store::{Append, CountRow, CountingRound, GameCountRows, MatchState, Store};

use super::{append, card, guest, match_id, new_match, on_all_stores, session};

on_all_stores!(
    finished_matches_are_counted_once,
    unfinished_matches_are_not_counted,
    counts_of_games_are_apart,
    another_round_counts_everything_again,
    other_definitions_count_everything_again,
    a_match_that_is_forgotten_waits_no_longer,
    nodes_that_count_at_once_count_once,
);

const BY: u32 = 3;

/// Matches 1 to `count`, which have ended.
async fn with_finished(store: &Arc<Store>, count: u32) {
    for n in [1, 2] {
        store.add_guest(guest(n), session(u8::try_from(n).expect("small"))).await.expect("added");
    }
    for n in 1..=count {
        store.create(new_match(n)).await.expect("created");
        let end = Append { card: card(MatchState::Finished), deadline: None, ..append(n, 1) };
        store.append(end).await.expect("appended");
    }
}

async fn round(store: &Arc<Store>) -> CountingRound {
    store.counting_round(BY).await.expect("read").expect("no later definitions")
}

fn rows(counts: &[(&str, u64)]) -> Vec<CountRow> {
    counts.iter().map(|&(key, count)| (key.to_owned(), count)).collect()
}

async fn count(store: &Arc<Store>, round: CountingRound, n: u32, counts: &[(&str, u64)]) -> bool {
    store.count_match(round, match_id(n), Game::Tavla, rows(counts)).await.expect("asked")
}

async fn counts(store: &Arc<Store>, game: Game) -> GameCountRows {
    store.game_counts(game).await.expect("read")
}

async fn uncounted(store: &Arc<Store>, round: CountingRound) -> Vec<u32> {
    let found = store.uncounted(round, 100).await.expect("read");
    (0..200).filter(|n| found.contains(&match_id(*n))).collect()
}

async fn finished_matches_are_counted_once(store: Arc<Store>) {
    with_finished(&store, 3).await;
    let round = round(&store).await;
    assert_eq!(uncounted(&store, round).await, [1, 2, 3]);
    assert_eq!(store.uncounted(round, 2).await.expect("read").len(), 2);
    assert!(count(&store, round, 1, &[("a", 1), ("b", 2)]).await);
    assert!(!count(&store, round, 1, &[("a", 1), ("b", 2)]).await);
    assert!(count(&store, round, 2, &[("b", 5), ("c", 1_000_000_000_000)]).await);
    assert!(count(&store, round, 3, &[]).await, "a match may come to nothing");
    let expected = rows(&[("a", 1), ("b", 7), ("c", 1_000_000_000_000)]);
    assert_eq!(counts(&store, Game::Tavla).await, GameCountRows { rows: expected, waiting: 0 });
    assert_eq!(uncounted(&store, round).await, [0; 0]);
    assert_eq!(self::round(&store).await, round, "it goes on");
}

async fn unfinished_matches_are_not_counted(store: Arc<Store>) {
    with_finished(&store, 1).await;
    store.create(new_match(5)).await.expect("created");
    let round = round(&store).await;
    assert!(!count(&store, round, 5, &[("a", 1)]).await);
    assert!(!count(&store, round, 9, &[("a", 1)]).await, "there is no such match");
    assert_eq!(uncounted(&store, round).await, [1]);
    assert_eq!(counts(&store, Game::Tavla).await, GameCountRows { rows: Vec::new(), waiting: 1 });
    store.append(Append { card: card(MatchState::Finished), ..append(5, 1) }).await.expect("appended");
    assert_eq!(uncounted(&store, round).await, [1, 5]);
}

async fn counts_of_games_are_apart(store: Arc<Store>) {
    with_finished(&store, 2).await;
    let round = round(&store).await;
    assert!(store.count_match(round, match_id(1), Game::Zeno, rows(&[("a", 3)])).await.expect("asked"));
    assert!(count(&store, round, 2, &[("a", 1)]).await);
    assert_eq!(counts(&store, Game::Zeno).await.rows, rows(&[("a", 3)]));
    assert_eq!(counts(&store, Game::Tavla).await.rows, rows(&[("a", 1)]));
    assert_eq!(counts(&store, Game::Tablut).await.rows, []);
}

async fn another_round_counts_everything_again(store: Arc<Store>) {
    with_finished(&store, 2).await;
    let first = round(&store).await;
    assert!(count(&store, first, 1, &[("a", 1)]).await);
    let second = store.count_again(BY).await.expect("begun").expect("no later definitions");
    assert!(second > first);
    assert_eq!(counts(&store, Game::Tavla).await, GameCountRows { rows: Vec::new(), waiting: 2 });
    assert!(!count(&store, first, 2, &[("a", 1)]).await, "that round is over");
    assert_eq!(uncounted(&store, second).await, [1, 2]);
    assert!(count(&store, second, 1, &[("a", 1)]).await);
    assert!(!count(&store, first, 1, &[("a", 1)]).await);
    assert_eq!(counts(&store, Game::Tavla).await, GameCountRows { rows: rows(&[("a", 1)]), waiting: 1 });
}

async fn other_definitions_count_everything_again(store: Arc<Store>) {
    with_finished(&store, 1).await;
    let first = round(&store).await;
    assert!(count(&store, first, 1, &[("a", 1)]).await);
    let second = store.counting_round(BY + 1).await.expect("read").expect("they are the latest");
    assert!(second > first);
    assert_eq!(uncounted(&store, second).await, [1]);
    assert_eq!(store.counting_round(BY).await.expect("read"), None, "a later release counts");
    assert_eq!(store.count_again(BY).await.expect("read"), None);
    assert_eq!(store.counting_round(BY + 1).await.expect("read"), Some(second));
}

async fn a_match_that_is_forgotten_waits_no_longer(store: Arc<Store>) {
    with_finished(&store, 2).await;
    let round = round(&store).await;
    assert!(store.forget_match(match_id(1), 2).await.expect("forgotten"));
    assert!(!count(&store, round, 1, &[("a", 1)]).await);
    assert_eq!(uncounted(&store, round).await, [2]);
}

/// Each of these nodes has read that all wait; they add to the same counts.
async fn nodes_that_count_at_once_count_once(store: Arc<Store>) {
    const MATCHES: u32 = 40;
    with_finished(&store, MATCHES).await;
    let round = round(&store).await;
    let nodes = (0..4).map(|node| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut counted = 0;
            for n in 0..MATCHES {
                // Not in the same order.
                let n = (n * 7 + node * 11) % MATCHES + 1;
                let own = format!("match {n:03}");
                counted += u32::from(count(&store, round, n, &[("all", 1), (&own, 2)]).await);
            }
            counted
        })
    });
    let mut counted = 0;
    for node in nodes.collect::<Vec<_>>() {
        counted += node.await.expect("it does not panic");
    }
    assert_eq!(counted, MATCHES);
    let found: BTreeMap<String, u64> = counts(&store, Game::Tavla).await.rows.into_iter().collect();
    assert_eq!(found["all"], u64::from(MATCHES));
    assert!(found.iter().all(|(key, count)| key == "all" || *count == 2));
    assert_eq!(found.len(), usize::try_from(MATCHES + 1).expect("few"));
}
