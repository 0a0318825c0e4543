//! Conditional turns: what players have laid down for matches.

use lusoria_rules::Step;

use super::*;

on_all_stores!(
    turns_are_read_as_they_were_stored,
    matches_that_go_on_are_listed_in_order,
    turns_go_with_their_guest_and_their_match,
);

/// Line `n`, from event `n` on.
pub(super) fn turns(n: u8) -> ConditionalTurns {
    let step = |from: &str, to: &str| Step { die: None, from: from.to_owned(), to: to.to_owned() };
    let line = vec![step("d1", "c1"), step("e4", &format!("\"{n}'"))];
    ConditionalTurns { after: n.into(), lines: vec![line; usize::from(n % 3)], forced: n.is_multiple_of(2) }
}

/// Guests 1 and 2, matches 1 to 3, and what guests have laid down for them.
async fn with_turns(s: &Fixture, laid: &[(u32, u32, u8)]) {
    s.guests([1, 2]).await;
    s.matches(1..=3).await;
    for (id, of, n) in laid {
        yes!(s.set_conditional_turns(match_id(*id), player(*of), turns(*n)));
    }
}

async fn of(s: &Fixture, id: u32, of: u32, expected: Option<u8>) {
    is!(s.conditional_turns(match_id(id), player(of)), expected.map(turns), "match {id}, player {of}");
}

async fn turns_are_read_as_they_were_stored(s: Fixture) {
    with_turns(&s, &[(1, 1, 5), (1, 2, 2), (2, 1, 7), (1, 1, 8)]).await;
    for (id, who, n) in [(1, 1, Some(8)), (1, 2, Some(2)), (2, 1, Some(7)), (2, 2, None)] {
        of(&s, id, who, n).await;
    }
    is!(s.conditional_turns_of(player(1)), [(match_id(1), turns(8)), (match_id(2), turns(7))]);
    for (id, who) in [(9, 1), (1, 9)] {
        no!(s.set_conditional_turns(match_id(id), player(who), turns(5)));
        of(&s, id, who, None).await;
    }
    let none = ConditionalTurns { after: 7, ..ConditionalTurns::default() };
    yes!(s.set_conditional_turns(match_id(1), player(1), none));
    of(&s, 1, 1, None).await;
    of(&s, 1, 2, Some(2)).await;
}

async fn matches_that_go_on_are_listed_in_order(s: Fixture) {
    with_turns(&s, &[(3, 1, 5), (1, 1, 5), (1, 2, 5), (2, 2, 5)]).await;
    let listed = async |since, after: Option<u32>, limit, expected: &[u32]| {
        let expected: Vec<_> = expected.iter().map(|n| match_id(*n)).collect();
        is!(s.conditional_matches(since, after.map(match_id), limit), expected);
    };
    listed(0, None, 9, &[1, 2, 3]).await;
    listed(0, None, 2, &[1, 2]).await;
    listed(0, Some(1), 9, &[2, 3]).await;
    done!(s.append(append(2, 1)));
    listed(2_000, None, 9, &[2]).await;
    listed(2_001, None, 9, &[]).await;
    s.end(3).await;
    listed(0, None, 9, &[1, 2]).await;
}

async fn turns_go_with_their_guest_and_their_match(s: Fixture) {
    with_turns(&s, &[(1, 1, 5), (1, 2, 5), (2, 2, 5), (3, 2, 5)]).await;
    s.forget(1).await;
    of(&s, 1, 1, None).await;
    of(&s, 1, 2, Some(5)).await;
    for n in [1, 2] {
        s.end(n).await;
    }
    yes!(s.forget_match(match_id(1), 2));
    is!(s.conditional_turns_of(player(2)), [2, 3].map(|n| (match_id(n), turns(5))));
    done!(s.sweep(9_000));
    is!(
        s.conditional_turns_of(player(2)),
        [(match_id(3), turns(5))],
        "a sweep takes those of what has ended"
    );
}
