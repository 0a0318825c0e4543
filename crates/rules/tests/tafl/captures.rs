//! Captures (tablut 2 to 5).

use crate::common::{ATTACKERS, CLOSED, DEFENDERS, TABLUT, after, captures, position};

/// Pieces, side to move, a move, and its captures.
type Case = (&'static [(char, &'static str)], lusoria_rules::Side, &'static str, &'static str);

fn check(cases: &[Case]) {
    for &(pieces, side, text, expected) in cases {
        for kind in [TABLUT, CLOSED] {
            assert_eq!(captures(position(kind, side, pieces), text), expected, "{text} in {pieces:?}");
        }
    }
}

#[test]
fn a_piece_between_the_mover_and_a_friend_is_captured() {
    check(&[
        (&[('K', "h2"), ('T', "c3"), ('t', "b3 d7")], ATTACKERS, "d7-d3", "c3"),
        (&[('K', "h2"), ('T', "c3 b9"), ('t', "c4")], DEFENDERS, "b9-b5", ""),
        (&[('K', "h2"), ('T', "c3 b5"), ('t', "c4")], DEFENDERS, "b5-c5", "c4"),
        // Two enemies next to each other do not capture; nor with a gap between.
        (&[('K', "h2"), ('T', "c3"), ('t', "a3 d7")], ATTACKERS, "d7-d3", ""),
        (&[('K', "h2"), ('T', "c3 b3"), ('t', "a3 d7")], ATTACKERS, "d7-d3", ""),
        // Not on a diagonal.
        (&[('K', "h2"), ('T', "c3"), ('t', "b2 d7")], ATTACKERS, "d7-d4", ""),
        // The rim is no enemy, and the ranks do not run into each other.
        (&[('K', "h2"), ('T', "a3"), ('t', "b7")], ATTACKERS, "b7-b3", ""),
        (&[('K', "h2"), ('T', "a3"), ('t', "i2 b7")], ATTACKERS, "b7-b3", ""),
        (&[('K', "h2"), ('T', "a1"), ('t', "i1 b7")], ATTACKERS, "b7-b1", ""),
    ]);
}

#[test]
fn moving_in_between_two_enemies_is_safe() {
    let pieces: &[(char, &str)] = &[('K', "h2"), ('T', "c7"), ('t', "b3 d3")];
    let turn = after(position(TABLUT, DEFENDERS, pieces), "c7-c3");
    assert_eq!(turn.position().pieces(DEFENDERS), 2);
    // And a move elsewhere does not capture it afterwards.
    let next = turn.end().expect("one move").position;
    assert_eq!(captures(next, "b3-b4"), "");
}

#[test]
fn the_king_moves_in_between_two_enemies_safely() {
    let turn = after(position(TABLUT, DEFENDERS, &[('K', "c7"), ('t', "b3 d3")]), "c7-c3");
    assert_eq!(turn.end().expect("one move").outcome, None);
}

#[test]
fn one_move_captures_up_to_three() {
    check(&[
        (&[('K', "h2"), ('T', "c3 e3 d4"), ('t', "b3 f3 d5 d1")], ATTACKERS, "d1-d3", "c3 d4 e3"),
        (&[('K', "h4"), ('T', "f4 g5 a3 g7 g1"), ('t', "g3 h3 f3")], DEFENDERS, "g1-g2", ""),
        (&[('K', "h4"), ('T', "f4 g5 g3"), ('t', "g4 f3")], DEFENDERS, "f4-e4", ""),
    ]);
}

#[test]
fn the_king_captures_like_any_other_piece() {
    check(&[
        // By moving, and by standing behind.
        (&[('K', "d7"), ('T', "b3"), ('t', "c3")], DEFENDERS, "d7-d3", "c3"),
        (&[('K', "b3"), ('T', "d7"), ('t', "c3")], DEFENDERS, "d7-d3", "c3"),
    ]);
}

#[test]
fn the_empty_throne_is_hostile_to_everyone() {
    check(&[
        (&[('K', "b2"), ('T', "e6"), ('t', "a7")], ATTACKERS, "a7-e7", "e6"),
        (&[('K', "b2"), ('T', "a7"), ('t', "e6")], DEFENDERS, "a7-e7", "e6"),
        (&[('K', "b7"), ('t', "e6")], DEFENDERS, "b7-e7", "e6"),
    ]);
}

#[test]
fn the_king_on_his_throne_counts_as_the_king() {
    check(&[
        // The second piece for the defenders,
        (&[('K', "e5"), ('T', "a7"), ('t', "e6")], DEFENDERS, "a7-e7", "e6"),
        // nothing for the attackers.
        (&[('K', "e5"), ('T', "e6"), ('t', "a7")], ATTACKERS, "a7-e7", ""),
    ]);
}

#[test]
fn the_king_on_his_throne_falls_to_four() {
    let three: &[(char, &str)] = &[('K', "e5"), ('t', "d5 f5 e4 a6")];
    let two: &[(char, &str)] = &[('K', "e5"), ('t', "d5 f5 a6")];
    let with_guard: &[(char, &str)] = &[('K', "e5"), ('T', "e4"), ('t', "d5 f5 a6")];
    check(&[
        (three, ATTACKERS, "a6-e6", "e5"),
        (three, ATTACKERS, "a6-b6", ""),
        (two, ATTACKERS, "a6-e6", ""),
        (with_guard, ATTACKERS, "a6-e6", ""),
    ]);
}

#[test]
fn a_king_back_on_his_throne_is_safe_from_fewer_than_four() {
    let king = position(TABLUT, DEFENDERS, &[('K', "e6"), ('t', "d5 b4")]);
    let back = after(king, "e6-e5").end().expect("one move").position;
    assert_eq!(captures(back, "b4-e4"), "");
}

#[test]
fn the_king_beside_his_throne_falls_to_three() {
    check(&[
        (&[('K', "e6"), ('t', "d6 f6 e9")], ATTACKERS, "e9-e7", "e6"),
        (&[('K', "e6"), ('t', "d6 e7 f9")], ATTACKERS, "f9-f6", "e6"),
        // Two are not enough, whichever they are.
        (&[('K', "e6"), ('t', "d6 f9")], ATTACKERS, "f9-f6", ""),
        (&[('K', "e6"), ('t', "d6 e9")], ATTACKERS, "e9-e7", ""),
        // Nor are two and a defender.
        (&[('K', "e6"), ('T', "f6"), ('t', "d6 e9")], ATTACKERS, "e9-e7", ""),
    ]);
}

#[test]
fn the_king_in_the_open_falls_to_two() {
    check(&[
        (&[('K', "c7"), ('t', "d7 b9")], ATTACKERS, "b9-b7", "c7"),
        (&[('K', "c7"), ('t', "d7 c9")], ATTACKERS, "c9-c8", ""),
        // Two cells from the throne is the open.
        (&[('K', "e7"), ('t', "d7 f9")], ATTACKERS, "f9-f7", "e7"),
        // Diagonally beside the throne too.
        (&[('K', "d6"), ('t', "c6 e9")], ATTACKERS, "e9-e6", "d6"),
    ]);
}

#[test]
fn king_and_defender_fall_to_one_move() {
    check(&[(&[('K', "c3"), ('T', "e3"), ('t', "b3 f3 d8")], ATTACKERS, "d8-d3", "c3 e3")]);
}

#[test]
fn the_besieged_guard_falls_to_an_attacker_beyond_it() {
    let besieged: &[(char, &str)] = &[('K', "e5"), ('T', "e6"), ('t', "d5 f5 e4 e9")];
    let not_yet: &[(char, &str)] = &[('K', "e5"), ('T', "e6"), ('t', "d5 f5 e9")];
    let beyond: &[(char, &str)] = &[('K', "e5"), ('T', "e6"), ('t', "d5 f5 e7 b4")];
    check(&[
        (besieged, ATTACKERS, "e9-e7", "e6"),
        (besieged, ATTACKERS, "e9-e8", ""),
        (not_yet, ATTACKERS, "e9-e7", ""),
        // Completing the third side captures nobody.
        (beyond, ATTACKERS, "b4-e4", ""),
    ]);
}
