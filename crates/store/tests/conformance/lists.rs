//! Lists are stable under paging and complete; what is due comes in its order.

use super::*;

on_all_stores_and_a_file!(
    pages_are_complete_and_stable_and_newest_first,
    lists_of_played_matches_are_filtered_and_respect_visibility,
    public_lists_show_listed_matches_alone,
    a_player_finds_their_matches_in_either_seat,
    unfinished_matches_are_counted,
    what_is_due_comes_earliest_first,
);

const OPEN: MatchFilter = MatchFilter::Listed { state: MatchState::Open, game: None };

/// A list has these matches, in pages of any length.
async fn lists(s: &Fixture, filter: MatchFilter, expected: Vec<MatchId>) {
    for limit in [1, 2, 3, 5, 6, 100] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = done!(s.list(filter.clone(), after, limit));
            assert!(page.rows.len() <= limit as usize);
            assert!(page.next.is_none() || page.next == page.rows.last().map(|row| row.id));
            found.extend(page.rows.iter().map(|row| row.id));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(found, expected, "{filter:?}, {limit} a page");
    }
}

fn ids(numbers: impl IntoIterator<Item = u32>) -> Vec<MatchId> {
    numbers.into_iter().map(match_id).collect()
}

async fn pages_are_complete_and_stable_and_newest_first(s: Fixture) {
    s.matches([3, 1, 6, 2, 5, 4]).await;
    lists(&s, OPEN, ids((1..=6).rev())).await;
    let first = done!(s.list(OPEN, None, 4));
    s.matches([7]).await;
    let second = done!(s.list(OPEN, first.next, 4));
    let read: Vec<MatchId> = first.rows.iter().chain(&second.rows).map(|row| row.id).collect();
    assert_eq!((read, second.next), (ids((1..=6).rev()), None));
}

async fn lists_of_played_matches_are_filtered_and_respect_visibility(s: Fixture) {
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
        (card.terms.variant, card.terms.admission) = (Variant::standard(game), admission);
        done!(s.create(NewMatch { id: made_at(n), card, ..new_match(9) }));
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
        lists(&s, MatchFilter::Played(played), expected.iter().map(|n| made_at(*n)).collect()).await;
    }
}

async fn public_lists_show_listed_matches_alone(s: Fixture) {
    for n in 1..=6 {
        let mut new = new_match(n);
        if n == 2 {
            new.card.terms.admission = Admission::Invitation;
        }
        new.card.terms.variant = Variant::standard(if n % 3 == 0 { Game::Zeno } else { Game::Tavla });
        done!(s.create(new));
    }
    // The fourth is joined, the fifth joined and ended.
    done!(s.append(append(4, 1)));
    done!(s.append(append(5, 1)));
    done!(s.append(Append { card: card(MatchState::Finished), ..append(5, 2) }));
    for (state, game, expected) in [
        (MatchState::Open, None, &[6, 3, 1][..]),
        (MatchState::Open, Some(Game::Zeno), &[6, 3]),
        (MatchState::Open, Some(Game::Tablut), &[]),
        (MatchState::Live, None, &[4]),
        (MatchState::Live, Some(Game::Tavla), &[4]),
        (MatchState::Finished, None, &[5]),
    ] {
        lists(&s, MatchFilter::Listed { state, game }, ids(expected.iter().copied())).await;
    }
}

async fn a_player_finds_their_matches_in_either_seat(s: Fixture) {
    for n in 1..=9 {
        let state = [MatchState::Open, MatchState::Live, MatchState::Finished][n as usize % 3];
        // Player 1 made the odd ones and has joined the even ones that are not open.
        let (one, two) = if n % 2 == 0 { (3, 1) } else { (1, 2) };
        let mut card = card_of(state, player(one), (state != MatchState::Open).then(|| player(two)));
        card.terms.admission = Admission::Invitation;
        done!(s.create(NewMatch { card, ..new_match(n) }));
    }
    for (of, state, expected) in [
        (1, None, &[9, 8, 7, 5, 4, 3, 2, 1][..]),
        (1, Some(MatchState::Open), &[9, 3]),
        (1, Some(MatchState::Live), &[7, 4, 1]),
        (1, Some(MatchState::Finished), &[8, 5, 2]),
        (99, None, &[]),
    ] {
        lists(&s, MatchFilter::Of { player: player(of), state }, ids(expected.iter().copied())).await;
    }
    done!(s.create(match_of(10, 8, Some(8))));
    lists(&s, MatchFilter::Of { player: player(8), state: None }, ids([10])).await;
}

async fn unfinished_matches_are_counted(s: Fixture) {
    is!(s.unfinished(), Unfinished { open: 0, live: 0 });
    let [weak, .., strong] = Level::ALL.map(Level::player_id);
    let seats = |one, two| card_of(MatchState::Live, one, Some(two));
    let over = |one, two| card_of(MatchState::Finished, one, Some(two));
    for (n, card, made_by) in [
        (1, card(MatchState::Open), None),
        (2, seats(player(1), strong), None),
        (3, seats(weak, player(1)), None),
        (4, seats(player(1), player(2)), None),
        (5, seats(weak, strong), Some(player(1))),
        (6, card(MatchState::Finished), None),
    ] {
        done!(s.create(NewMatch { card, made_by, ..new_match(n) }));
    }
    // Made, with the computer, against itself, open, live.
    let counts = async |n: u32| {
        let Unfinished { open, live } = done!(s.unfinished());
        let (made, with) = (s.unfinished_created_by(player(n)), s.unfinished_with_computer(player(n)));
        [done!(made), done!(with), done!(s.unfinished_against_itself()), open, live]
    };
    assert_eq!(counts(1).await, [4, 3, 1, 1, 4]);
    assert_eq!(counts(2).await, [0, 0, 1, 1, 4]);
    for (n, card) in [(1, card(MatchState::Live)), (2, over(player(1), strong)), (5, over(weak, strong))] {
        done!(s.append(Append { card, ..append(n, 1) }));
    }
    assert_eq!(counts(1).await, [2, 1, 0, 0, 3]);
}

async fn what_is_due_comes_earliest_first(s: Fixture) {
    is!(s.next_deadline(), None);
    let deadlines = [(1, Some(300)), (2, Some(100)), (3, None), (4, Some(200)), (5, Some(100))];
    for (n, deadline) in deadlines {
        done!(s.create(NewMatch { deadline, ..new_match(n) }));
    }
    for (now, limit, expected) in [
        (99, 10, &[][..]),
        (100, 10, &[2, 5]),
        (250, 10, &[2, 5, 4]),
        (1_000, 10, &[2, 5, 4, 1]),
        (1_000, 3, &[2, 5, 4]),
    ] {
        let at = |n: u32| deadlines[n as usize - 1].1.expect("it is due");
        let expected: Vec<_> = expected.iter().map(|n| Due { id: match_id(*n), at: at(*n) }).collect();
        is!(s.due(now, limit), expected, "at {now}, at most {limit}");
    }
    is!(s.next_deadline(), Some(100));
    for (n, deadline) in [(2, Some(5_000)), (5, None)] {
        done!(s.append(Append { deadline, ..append(n, 1) }));
    }
    is!(s.next_deadline(), Some(200));
    let due = done!(s.due(5_000, 10)).iter().map(|due| due.id).collect::<Vec<_>>();
    assert_eq!(due, ids([4, 1, 2]));
}
