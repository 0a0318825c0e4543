//! rules/tabula.md, number by number.

use lusoria_rules::{
    Variant,
    tables::{Position, Rules},
};

use crate::support::{dice, listed, of, set, sides, step, turn};

fn tabula() -> &'static Rules {
    of(Variant::Tabula)
}

// tabula 1
#[test]
fn dice_play_once_four_and_one_or_six_times() {
    let start = Position::start(tabula());
    assert_eq!(turn(start, &[6, 1, 3]).dice_left(), dice(&[1, 3, 6]));
    assert_eq!(turn(start, &[5, 5, 3]).dice_left(), dice(&[3, 5, 5, 5, 5]));
    assert_eq!(turn(start, &[2, 2, 2]).dice_left(), dice(&[2; 6]));
}

// tabula 2
#[test]
fn a_side_may_move_on_while_others_wait_in_the_supply() {
    let mut turn = turn(set(tabula(), "10 supply*14", "supply*15"), &[2, 3, 4]);
    assert_eq!(listed(&turn), ["2 10/12", "2 supply/2", "3 10/13", "3 supply/3", "4 10/14", "4 supply/4"]);
    turn.play(&step(2, "supply", "2")).unwrap();
    turn.play(&step(3, "2", "5")).unwrap();
    assert_eq!(listed(&turn), ["4 10/14", "4 5/9", "4 supply/4"]);
}

// tabula 3
#[test]
fn two_enemies_block_and_a_blot_is_hit_onto_the_bar() {
    // Black's 21 is White's 4, its 20 is White's 5.
    let mut turn = turn(set(tabula(), "supply*15", "21*2 20 supply*12"), &[4, 5, 1]);
    assert_eq!(listed(&turn), ["1 supply/1", "5 supply/5"]);
    assert!(turn.play(&step(5, "supply", "5")).unwrap().hit);
    assert_eq!(sides(turn.position()).black.bar, 1);
}

// tabula 3
#[test]
fn there_is_no_limit_to_own_pieces_on_a_cell() {
    let mut turn = turn(set(tabula(), "5*14 4", "supply*15"), &[1, 1, 1]);
    turn.play(&step(1, "4", "5")).unwrap();
    assert_eq!(sides(turn.position()).white.points["5"], 15);
}

// tabula 4
#[test]
fn pieces_on_the_bar_come_first_even_before_the_supply() {
    let mut turn = turn(set(tabula(), "bar 9 supply*13", "supply*15"), &[2, 3, 4]);
    assert_eq!(listed(&turn), ["2 bar/2", "3 bar/3", "4 bar/4"]);
    turn.play(&step(2, "bar", "2")).unwrap();
    assert_eq!(listed(&turn), ["3 2/5", "3 9/12", "3 supply/3", "4 2/6", "4 9/13", "4 supply/4"]);
}
