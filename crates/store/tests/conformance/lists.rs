//! Lists are stable under paging and complete; what is due comes in its order.

use std::{collections::BTreeSet, sync::Arc};

use lusoria_play::{Admission, Level, MatchId};
use lusoria_rules::{Game, Variant};
use lusoria_store::{Due, MatchFilter, MatchState, NewMatch, Played, Store, Unfinished};
use uuid::Uuid;

use super::{append, card, card_of, match_id, new_match, on_all_stores, player};

on_all_stores!(
    pages_are_complete_and_newest_first,
    paging_is_stable_while_matches_are_made,
    public_lists_show_listed_matches_alone,
    a_player_finds_their_matches_in_either_seat,
    both_seats_mine_is_listed_once,
    what_a_player_played_is_narrowed_and_shown_to_who_may_see_it,
    unfinished_matches_are_counted_for_their_maker,
    matches_of_the_computer_are_counted_in_either_seat_and_for_who_only_watches,
    unfinished_matches_are_counted_by_their_state,
    what_is_due_comes_earliest_first,
);

const OPEN: MatchFilter = MatchFilter::Listed { state: MatchState::Open, game: None };

/// All ids of a list, read in pages of `limit`.
async fn all(store: &Arc<Store>, filter: MatchFilter, limit: u32) -> Vec<MatchId> {
    let mut found = Vec::new();
    let mut after = None;
    loop {
        let page = store.list(filter.clone(), after, limit).await.expect("read");
        assert!(page.rows.len() <= limit as usize);
        assert!(page.next.is_none() || page.next == page.rows.last().map(|row| row.id));
        found.extend(page.rows.iter().map(|row| row.id));
        after = page.next;
        if after.is_none() {
            return found;
        }
    }
}

fn ids(numbers: impl IntoIterator<Item = u32>) -> Vec<MatchId> {
    numbers.into_iter().map(match_id).collect()
}

async fn what_a_player_played_is_narrowed_and_shown_to_who_may_see_it(store: Arc<Store>) {
    // Each was made in the millisecond of its number.
    let made_at = |n: u64| MatchId(Uuid::from_u128(u128::from(n) << 80));
    let (one, two, three) = (player(1), player(2), player(3));
    for (n, seats, game, admission) in [
        (1, (one, Some(two)), Game::Zeno, Admission::Open),
        (2, (two, Some(one)), Game::Tavla, Admission::Open),
        (3, (three, Some(one)), Game::Zeno, Admission::Invitation),
        (4, (one, Some(one)), Game::Zeno, Admission::BothSeats),
        (5, (one, None), Game::Zeno, Admission::Open),
        (6, (two, Some(three)), Game::Zeno, Admission::Open),
    ] {
        let state = if seats.1.is_some() { MatchState::Finished } else { MatchState::Open };
        let mut card = card_of(state, seats.0, seats.1);
        card.terms.variant = Variant::standard(game);
        card.terms.admission = admission;
        store.create(NewMatch { id: made_at(n), card, ..new_match(9) }).await.expect("created");
    }
    let of_one = Played { player: one, opponent: None, game: None, viewer: None, from: None, until: None };
    for (played, expected) in [
        (of_one.clone(), &[2, 1][..]),
        (Played { viewer: Some(one), ..of_one.clone() }, &[4, 3, 2, 1]),
        (Played { viewer: Some(two), ..of_one.clone() }, &[2, 1]),
        (Played { viewer: Some(three), ..of_one.clone() }, &[3, 2, 1]),
        (Played { game: Some(Game::Zeno), ..of_one.clone() }, &[1]),
        (Played { opponent: Some(two), ..of_one.clone() }, &[2, 1]),
        (Played { opponent: Some(two), game: Some(Game::Tavla), ..of_one.clone() }, &[2]),
        (Played { opponent: Some(three), ..of_one.clone() }, &[]),
        (Played { opponent: Some(three), viewer: Some(three), ..of_one.clone() }, &[3]),
        (Played { opponent: Some(one), viewer: Some(one), ..of_one.clone() }, &[4]),
        (Played { from: Some(2), ..of_one.clone() }, &[2]),
        (Played { until: Some(2), ..of_one.clone() }, &[1]),
        (Played { until: Some(u64::MAX), ..of_one.clone() }, &[2, 1]),
        (Played { from: Some(u64::MAX), ..of_one }, &[]),
    ] {
        let expected: Vec<_> = expected.iter().map(|n| made_at(*n)).collect();
        for limit in [1, 3] {
            assert_eq!(all(&store, MatchFilter::Played(played.clone()), limit).await, expected, "{played:?}");
        }
    }
}

async fn pages_are_complete_and_newest_first(store: Arc<Store>) {
    for n in [3, 1, 6, 2, 5, 4] {
        store.create(new_match(n)).await.expect("created");
    }
    for limit in [1, 2, 3, 5, 6, 7, 100] {
        assert_eq!(all(&store, OPEN, limit).await, ids((1..=6).rev()), "pages of {limit}");
    }
}

async fn paging_is_stable_while_matches_are_made(store: Arc<Store>) {
    for n in 1..=4 {
        store.create(new_match(n)).await.expect("created");
    }
    let first = store.list(OPEN, None, 2).await.expect("read");
    store.create(new_match(5)).await.expect("created");
    let second = store.list(OPEN, first.next, 2).await.expect("read");
    let read: Vec<MatchId> = first.rows.iter().chain(&second.rows).map(|row| row.id).collect();
    assert_eq!((read, second.next), (ids([4, 3, 2, 1]), None));
}

async fn public_lists_show_listed_matches_alone(store: Arc<Store>) {
    for n in 1..=6 {
        let mut new = new_match(n);
        if n == 2 {
            new.card.terms.admission = Admission::Invitation;
        }
        new.card.terms.variant = Variant::standard(if n % 3 == 0 { Game::Zeno } else { Game::Tavla });
        store.create(new).await.expect("created");
    }
    // The fourth is joined, the fifth joined and ended.
    store.append(append(4, 1)).await.expect("appended");
    store.append(append(5, 1)).await.expect("appended");
    let mut end = append(5, 2);
    end.card = card(MatchState::Finished);
    store.append(end).await.expect("appended");
    for (state, game, expected) in [
        (MatchState::Open, None, vec![6, 3, 1]),
        (MatchState::Open, Some(Game::Zeno), vec![6, 3]),
        (MatchState::Open, Some(Game::Tablut), vec![]),
        (MatchState::Live, None, vec![4]),
        (MatchState::Live, Some(Game::Tavla), vec![4]),
        (MatchState::Finished, None, vec![5]),
    ] {
        let filter = MatchFilter::Listed { state, game };
        assert_eq!(all(&store, filter, 2).await, ids(expected), "{state:?} {game:?}");
    }
}

async fn a_player_finds_their_matches_in_either_seat(store: Arc<Store>) {
    for n in 1..=9 {
        let mut new = new_match(n);
        let state = [MatchState::Open, MatchState::Live, MatchState::Finished][n as usize % 3];
        // Player 1 made the odd ones and has joined the even ones that are not open.
        let (one, two) = if n % 2 == 0 { (3, 1) } else { (1, 2) };
        new.card = card_of(state, player(one), (state != MatchState::Open).then(|| player(two)));
        new.card.terms.admission = Admission::Invitation;
        store.create(new).await.expect("created");
    }
    for (state, expected) in [
        (None, vec![9, 8, 7, 5, 4, 3, 2, 1]),
        (Some(MatchState::Open), vec![9, 3]),
        (Some(MatchState::Live), vec![7, 4, 1]),
        (Some(MatchState::Finished), vec![8, 5, 2]),
    ] {
        for limit in [1, 2, 100] {
            let filter = MatchFilter::Of { player: player(1), state };
            assert_eq!(all(&store, filter, limit).await, ids(expected.clone()), "{state:?}, {limit} a page");
        }
    }
    let nobody = MatchFilter::Of { player: player(99), state: None };
    assert_eq!(all(&store, nobody, 2).await, []);
}

async fn both_seats_mine_is_listed_once(store: Arc<Store>) {
    let mut new = new_match(1);
    new.card = card_of(MatchState::Live, player(1), Some(player(1)));
    store.create(new).await.expect("created");
    let mine = MatchFilter::Of { player: player(1), state: None };
    assert_eq!(all(&store, mine, 10).await, ids([1]));
}

async fn unfinished_matches_are_counted_for_their_maker(store: Arc<Store>) {
    for n in 1..=3 {
        store.create(new_match(n)).await.expect("created");
    }
    store.append(append(1, 1)).await.expect("appended");
    let mut end = append(2, 1);
    end.card = card(MatchState::Finished);
    store.append(end).await.expect("appended");
    for (n, expected) in [(1, 2), (2, 0), (3, 0)] {
        assert_eq!(store.unfinished_created_by(player(n)).await.expect("read"), expected, "player {n}");
    }
}

async fn matches_of_the_computer_are_counted_in_either_seat_and_for_who_only_watches(store: Arc<Store>) {
    let [weak, .., strong] = Level::ALL.map(Level::player_id);
    let pairs = [(player(1), strong), (weak, player(1)), (player(1), player(2)), (weak, strong)];
    for (n, (seat1, seat2)) in (1..).zip(pairs) {
        let mut new = new_match(n);
        new.card = card_of(MatchState::Live, seat1, Some(seat2));
        new.made_by = (seat1 == weak && seat2 == strong).then(|| player(1));
        store.create(new).await.expect("created");
    }
    let counts = async || {
        let with_computer = store.unfinished_with_computer(player(1)).await.expect("read");
        (with_computer, store.unfinished_created_by(player(1)).await.expect("read"))
    };
    assert_eq!(counts().await, (3, 3));
    assert_eq!(store.unfinished_against_itself().await.expect("read"), 1);
    assert_eq!(store.unfinished_with_computer(player(2)).await.expect("read"), 0);
    for n in [1, 4] {
        let mut end = append(n, 1);
        let (seat1, seat2) = pairs[n as usize - 1];
        end.card = card_of(MatchState::Finished, seat1, Some(seat2));
        store.append(end).await.expect("appended");
    }
    assert_eq!(counts().await, (1, 1));
    assert_eq!(store.unfinished_against_itself().await.expect("read"), 0);
}

async fn unfinished_matches_are_counted_by_their_state(store: Arc<Store>) {
    let counted = async || store.unfinished().await.expect("read");
    assert_eq!(counted().await, Unfinished { open: 0, live: 0 });
    let states = [MatchState::Open, MatchState::Live, MatchState::Live, MatchState::Finished];
    for (n, state) in (1..).zip(states) {
        let mut new = NewMatch { card: card(state), ..new_match(n) };
        if n == 2 {
            new.card.terms.admission = Admission::Invitation;
        }
        store.create(new).await.expect("created");
    }
    assert_eq!(counted().await, Unfinished { open: 1, live: 2 });
    let mut end = append(3, 1);
    end.card = card(MatchState::Finished);
    store.append(end).await.expect("appended");
    assert_eq!(counted().await, Unfinished { open: 1, live: 1 });
}

async fn what_is_due_comes_earliest_first(store: Arc<Store>) {
    assert_eq!(store.next_deadline().await.expect("read"), None);
    for (n, deadline) in [(1, Some(300)), (2, Some(100)), (3, None), (4, Some(200)), (5, Some(100))] {
        let mut new = new_match(n);
        new.deadline = deadline;
        store.create(new).await.expect("created");
    }
    for (now, limit, expected) in [
        (99, 10, vec![]),
        (100, 10, vec![2, 5]),
        (250, 10, vec![2, 5, 4]),
        (1_000, 10, vec![2, 5, 4, 1]),
        (1_000, 3, vec![2, 5, 4]),
    ] {
        let due = store.due(now, limit).await.expect("read");
        let told: Vec<_> = due.iter().map(|due| due.id).collect();
        assert_eq!(told, ids(expected), "at {now}, at most {limit}");
        let deadlines = [(1, 300), (2, 100), (4, 200), (5, 100)].map(|(n, at)| Due { id: match_id(n), at });
        assert!(due.iter().all(|due| deadlines.contains(due)), "{due:?}");
    }
    assert_eq!(store.next_deadline().await.expect("read"), Some(100));
    for n in [2, 5] {
        let mut later = append(n, 1);
        later.deadline = (n == 2).then_some(5_000);
        store.append(later).await.expect("appended");
    }
    assert_eq!(store.next_deadline().await.expect("read"), Some(200));
    let due: BTreeSet<MatchId> = store.due(5_000, 10).await.expect("read").iter().map(|due| due.id).collect();
    assert_eq!(due, ids([1, 2, 4]).into_iter().collect());
}
