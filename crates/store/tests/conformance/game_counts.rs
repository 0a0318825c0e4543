//! Counts of the games: each finished match adds to them once.

use std::collections::BTreeMap;

use super::*;

on_all_stores!(
    finished_matches_are_counted_once,
    only_finished_matches_are_counted,
    matches_are_counted_together_or_not_at_all,
    counts_of_games_are_apart,
    another_round_or_other_definitions_count_everything_again,
    nodes_that_count_at_once_count_once,
);

const BY: u32 = 3;

/// Matches 1 to `count`, which have ended; and the round in which they are counted.
async fn with_finished(s: &Fixture, count: u32) -> CountingRound {
    s.guests([1, 2]).await;
    s.matches(1..=count).await;
    for n in 1..=count {
        s.end(n).await;
    }
    there!(s.counting_round(BY))
}

fn rows(counts: &[(&str, u64)]) -> Vec<CountRow> {
    counts.iter().map(|&(key, count)| (key.to_owned(), count)).collect()
}

async fn count(s: &Fixture, round: CountingRound, n: u32, counts: &[(&str, u64)]) -> Answer<bool> {
    s.count_matches(round, vec![match_id(n)], Game::Tavla, rows(counts)).await
}

async fn counts(s: &Fixture, game: Game, expected: &[(&str, u64)], waiting: u64) {
    is!(s.game_counts(game), GameCountRows { rows: rows(expected), waiting });
}

async fn uncounted(s: &Fixture, round: CountingRound, expected: &[u32]) {
    let mut found = done!(s.uncounted(round, 100));
    found.sort_unstable();
    assert_eq!(found, expected.iter().map(|n| match_id(*n)).collect::<Vec<_>>());
}

async fn finished_matches_are_counted_once(s: Fixture) {
    let round = with_finished(&s, 3).await;
    uncounted(&s, round, &[1, 2, 3]).await;
    assert_eq!(done!(s.uncounted(round, 2)).len(), 2);
    for is_counted in [true, false] {
        is!(count(&s, round, 1, &[("a", 1), ("b", 2)]), is_counted);
    }
    yes!(count(&s, round, 2, &[("b", 5), ("c", 1_000_000_000_000)]));
    yes!(count(&s, round, 3, &[]), "a match may come to nothing");
    counts(&s, Game::Tavla, &[("a", 1), ("b", 7), ("c", 1_000_000_000_000)], 0).await;
    uncounted(&s, round, &[]).await;
    is!(s.counting_round(BY), Some(round), "it goes on");
}

async fn only_finished_matches_are_counted(s: Fixture) {
    let round = with_finished(&s, 2).await;
    s.matches([5]).await;
    yes!(s.forget_match(match_id(2), 2));
    for n in [2, 5, 9] {
        no!(count(&s, round, n, &[("a", 1)]), "{n}");
    }
    uncounted(&s, round, &[1]).await;
    counts(&s, Game::Tavla, &[], 1).await;
    s.end(5).await;
    uncounted(&s, round, &[1, 5]).await;
}

async fn matches_are_counted_together_or_not_at_all(s: Fixture) {
    let round = with_finished(&s, 3).await;
    yes!(count(&s, round, 1, &[("a", 1)]));
    let together = async |ids: &[u32]| {
        let ids = ids.iter().map(|n| match_id(*n)).collect();
        s.count_matches(round, ids, Game::Tavla, rows(&[("a", 2), ("b", 2)])).await
    };
    no!(together(&[2, 1]), "one of them is counted");
    uncounted(&s, round, &[2, 3]).await;
    counts(&s, Game::Tavla, &[("a", 1)], 2).await;
    yes!(together(&[2, 3]));
    counts(&s, Game::Tavla, &[("a", 3), ("b", 2)], 0).await;
}

async fn counts_of_games_are_apart(s: Fixture) {
    let round = with_finished(&s, 2).await;
    yes!(s.count_matches(round, vec![match_id(1)], Game::Zeno, rows(&[("a", 3)])));
    yes!(count(&s, round, 2, &[("a", 1)]));
    for (game, expected) in [(Game::Zeno, &[("a", 3)][..]), (Game::Tavla, &[("a", 1)]), (Game::Tablut, &[])] {
        assert_eq!(done!(s.game_counts(game)).rows, rows(expected));
    }
}

async fn another_round_or_other_definitions_count_everything_again(s: Fixture) {
    let first = with_finished(&s, 2).await;
    yes!(count(&s, first, 1, &[("a", 1)]));
    let second = there!(s.count_again(BY));
    assert!(second > first);
    counts(&s, Game::Tavla, &[], 2).await;
    no!(count(&s, first, 2, &[("a", 1)]), "that round is over");
    uncounted(&s, second, &[1, 2]).await;
    yes!(count(&s, second, 1, &[("a", 1)]));
    no!(count(&s, first, 1, &[("a", 1)]));
    counts(&s, Game::Tavla, &[("a", 1)], 1).await;
    let third = there!(s.counting_round(BY + 1));
    assert!(third > second);
    uncounted(&s, third, &[1, 2]).await;
    is!(s.counting_round(BY), None, "a later release counts");
    is!(s.count_again(BY), None);
    is!(s.counting_round(BY + 1), Some(third));
}

/// Each of these nodes has read that all wait; they add to the same counts.
async fn nodes_that_count_at_once_count_once(s: Fixture) {
    const MATCHES: u32 = 40;
    let round = with_finished(&s, MATCHES).await;
    let nodes = (0..4).map(|node| {
        let s = s.clone();
        tokio::spawn(async move {
            let mut counted = 0;
            for n in 0..MATCHES {
                // Not in the same order.
                let n = (n * 7 + node * 11) % MATCHES + 1;
                let own = format!("match {n:03}");
                counted += u32::from(done!(count(&s, round, n, &[("all", 1), (&own, 2)])));
            }
            counted
        })
    });
    let counted = join_all(nodes).await.into_iter().map(|node| node.expect("it does not panic"));
    assert_eq!(counted.sum::<u32>(), MATCHES);
    let mut found: BTreeMap<String, u64> = done!(s.game_counts(Game::Tavla)).rows.into_iter().collect();
    assert_eq!(found.remove("all"), Some(u64::from(MATCHES)));
    assert!(found.len() == MATCHES as usize && found.values().all(|count| *count == 2), "{found:?}");
}
