//! rules/zeno.md, number by number.

use lusoria_rules::{
    Shift, Variant,
    tables::{Position, Rules},
};

use crate::support::{dice, listed, of, set, sides, step, turn};

fn zeno() -> &'static Rules {
    of(Variant::Zeno { shift: Shift::Throw })
}

#[test]
fn the_throw_of_zeno_leaves_one_turn_and_eight_blots() {
    let position =
        set(zeno(), "6*7 9 10*2 19*2 20*2 23 exposed", "8*2 11*2 12*2 13 14*2 15*2 18*2 21*2 exposed");
    let turn = turn(position, &[2, 5, 6]);
    assert_eq!(turn.dice_playable(), 3);
    assert_eq!(listed(&turn), ["2 20/22", "5 19/24", "6 10/16"]);
    let ends = turn.ends(10).positions;
    assert_eq!(ends.len(), 1);
    let white = sides(&ends[0]).white;
    let blots: Vec<&str> =
        white.points.iter().filter(|(_, count)| **count == 1).map(|(cell, _)| &**cell).collect();
    assert_eq!(blots.len(), 8);
    assert_eq!(blots, ["10", "16", "19", "20", "22", "23", "24", "9"]);
}

// zeno 2
#[test]
fn while_the_supply_lasts_a_die_only_enters() {
    let turn = turn(set(zeno(), "1*2 3 supply*12", "5*2 supply*13"), &[2, 5, 6]);
    assert_eq!(listed(&turn), ["2 supply/2", "6 supply/6"]);
    assert_eq!(turn.dice_playable(), 2);
}

// zeno 2
#[test]
fn a_throw_that_cannot_enter_shifts_inside_the_first_table() {
    let turn = turn(set(zeno(), "1*2 5 supply*12", "2*2 3*2 4*2 supply*9"), &[2, 3, 4]);
    // 1/5 stays inside, 5/7 and 5/8 would not; 1/3 and 1/4 are blocked.
    assert_eq!(listed(&turn), ["4 1/5"]);
}

// zeno 2
#[test]
fn whether_a_value_enters_is_judged_when_the_dice_are_thrown() {
    // The 6 enters; the 1 cannot, and may not shift although 2/3 is free.
    let throw = turn(set(zeno(), "2 supply*14", "1*2 supply*13"), &[1, 1, 6]);
    assert_eq!(listed(&throw), ["6 supply/6"]);
    assert_eq!(throw.dice_playable(), 1);
    let die = turn(set(of(Variant::Zeno { shift: Shift::Die }), "2 supply*14", "1*2 supply*13"), &[1, 1, 6]);
    assert_eq!(listed(&die), ["1 2/3", "6 supply/6"]);
    assert_eq!(die.dice_playable(), 5);
}

// zeno 2, 4
#[test]
fn once_the_last_piece_is_in_the_rest_moves_freely_and_exposes() {
    let mut turn = turn(set(zeno(), "5*14 supply", "2*2 supply*13"), &[6, 2, 2]);
    // The 2 cannot enter; after the 6 it moves.
    assert_eq!(listed(&turn), ["6 supply/6"]);
    turn.play(&step(6, "supply", "6")).unwrap();
    assert!(!sides(turn.position()).white.exposed);
    assert_eq!(listed(&turn), ["2 5/7", "2 6/8"]);
    turn.play(&step(2, "5", "7")).unwrap();
    assert!(sides(turn.position()).white.exposed);
}

// zeno 3
#[test]
fn a_blot_in_the_first_table_blocks_until_its_owner_is_exposed() {
    let sheltered = turn(set(zeno(), "1 supply*14", "3 supply*14"), &[3, 4, 5]);
    assert_eq!(listed(&sheltered), ["4 supply/4", "5 supply/5"]);
    let mut exposed = turn(set(zeno(), "1 supply*14", "3 8*14 exposed"), &[3, 4, 5]);
    assert_eq!(listed(&exposed), ["3 supply/3", "4 supply/4", "5 supply/5"]);
    assert!(exposed.play(&step(3, "supply", "3")).unwrap().hit);
    assert_eq!(sides(exposed.position()).black.points["m3"], 1);
}

// zeno 3
#[test]
fn a_blot_beyond_the_first_table_is_hit_and_two_pieces_block() {
    let mut turn = turn(set(zeno(), "6*15", "9 8*2 10*12 exposed"), &[2, 3, 1]);
    assert_eq!(listed(&turn), ["1 6/7", "3 6/9"]);
    assert!(turn.play(&step(3, "6", "9")).unwrap().hit);
}

// zeno 4
#[test]
fn exposure_stays_wherever_the_pieces_stand_later() {
    let position = set(zeno(), "1*15 exposed", "8*15 exposed");
    assert!(sides(&position).white.exposed);
}

// zeno 5
#[test]
fn a_hit_piece_goes_to_the_middle_row_beside_its_cell() {
    for (cell, middle) in [("7", "m7"), ("12", "m12"), ("13", "m12"), ("21", "m4"), ("24", "m1")] {
        let from = (cell.parse::<u8>().unwrap() - 1).to_string();
        let white = format!("{from}*15 exposed");
        let black = format!("{cell} 2*14 exposed");
        let mut turn = turn(set(zeno(), &white, &black), &[1, 2, 3]);
        assert!(turn.play(&step(1, &from, cell)).unwrap().hit);
        assert_eq!(sides(turn.position()).black.points[middle], 1, "hit on {cell}");
    }
}

// zeno 5
#[test]
fn the_count_from_the_middle_begins_on_the_outer_cell_beside_it() {
    let turn = turn(set(zeno(), "m4*15 exposed", "20*15 exposed"), &[2, 6, 1]);
    assert_eq!(listed(&turn), ["1 m4/4", "2 m4/5", "6 m4/9"]);
}

// zeno 5
#[test]
fn while_pieces_wait_in_the_middle_only_they_move_whichever_the_mover_likes() {
    let mut turn = turn(set(zeno(), "m2 m12 20*13 exposed", "17*2 14 22*12 exposed"), &[1, 3, 6]);
    assert_eq!(listed(&turn), ["1 m12/12", "1 m2/2", "3 m12/14", "3 m2/4", "6 m2/7"]);
    assert!(turn.play(&step(3, "m12", "14")).unwrap().hit);
}

// zeno 6
#[test]
fn pieces_are_borne_off_from_the_last_six_cells() {
    let turn = turn(set(zeno(), "19*2 22*2 24*11 exposed", "1*15"), &[6, 3, 1]);
    assert_eq!(listed(&turn), ["1 19/20", "1 22/23", "1 24/off", "3 19/22", "3 22/off", "6 19/off"]);
}

// zeno 1
#[test]
fn dice_play_once_four_and_one_or_twelve_times() {
    let start = Position::start(zeno());
    assert_eq!(turn(start, &[3, 1, 5]).dice_left(), dice(&[1, 3, 5]));
    assert_eq!(turn(start, &[3, 5, 3]).dice_left(), dice(&[3, 3, 3, 3, 5]));
    assert_eq!(turn(start, &[2, 2, 2]).dice_left(), dice(&[2; 12]));
}
