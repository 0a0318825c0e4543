//! rules/scripta.md, number by number.

use lusoria_rules::{
    Side, Variant,
    tables::{Position, Rules},
};

use crate::support::{dice, listed, of, set, sides, step, turn};

fn scripta() -> &'static Rules {
    of(Variant::Scripta { row_a_gate: true })
}

fn ungated() -> &'static Rules {
    of(Variant::Scripta { row_a_gate: false })
}

// The table of cells.
#[test]
fn the_path_goes_a_b_c_d_and_down_through_e() {
    let steps = [("A12", "B1"), ("B6", "C1"), ("C6", "D1"), ("D6", "E6"), ("E6", "E5"), ("E2", "E1")];
    for (from, to) in steps {
        let position = set(scripta(), &format!("{from}*15"), "A1*15");
        assert_eq!(listed(&turn(position, &[1, 1])), [format!("1 {from}/{to}")]);
    }
}

// The table of cells.
#[test]
fn a_die_bears_off_exactly_from_its_number_in_e() {
    for die in 1..=6 {
        let cell = format!("E{die}");
        let position = set(scripta(), &format!("{cell} off*14"), "A1*15");
        assert!(listed(&turn(position, &[die, die])).contains(&format!("{die} {cell}/off")));
    }
}

// scripta 1
#[test]
fn doubles_play_four_times() {
    let start = Position::start(scripta());
    assert_eq!(turn(start, &[6, 6]).dice_left(), dice(&[6; 4]));
    assert_eq!(turn(start, &[6, 5]).dice_left(), dice(&[5, 6]));
}

// scripta 2
#[test]
fn every_turn_enters_a_piece_while_any_is_off_the_board() {
    // A2 is blocked, so the 5 must enter: A1/A6 and A3/A8 would leave no entry.
    let turn = turn(set(scripta(), "A1 A3 supply*13", "A2*2 supply*13"), &[2, 5]);
    assert_eq!(listed(&turn), ["2 A1/A3", "2 A3/A5", "5 supply/A5"]);
    assert_eq!(turn.dice_playable(), 2);
}

// scripta 2
#[test]
fn entering_comes_before_playing_more_dice() {
    let turn = turn(set(scripta(), "A9 supply*14", "A2*2 A3*2 A11*2 supply*9"), &[1, 2]);
    // A9/A10/A12 would play both dice, but enter nothing; after supply/A1 the 2 is dead.
    assert_eq!(listed(&turn), ["1 supply/A1"]);
    assert_eq!(turn.dice_playable(), 1);
}

// scripta 2
#[test]
fn the_turn_is_lost_if_no_value_can_enter() {
    let turn = turn(set(scripta(), "A7*2 supply*13", "A4*2 A5*2 supply*11"), &[4, 5]);
    assert_eq!(listed(&turn), Vec::<String>::new());
    assert!(turn.is_complete());
    assert_eq!(turn.ends(9).positions, [turn.position().with_to_move(Side::Black)]);
    assert!(turn.end().unwrap().passed);
}

// scripta 3
#[test]
fn row_a_opens_with_the_last_entry_even_in_the_middle_of_a_turn() {
    let mut turn = turn(set(scripta(), "A12*14 supply", "A1 supply*14"), &[3, 4]);
    assert_eq!(listed(&turn), ["3 supply/A3", "4 supply/A4"]);
    turn.play(&step(3, "supply", "A3")).unwrap();
    assert_eq!(listed(&turn), ["4 A12/B4", "4 A3/A7"]);
}

// scripta 3
#[test]
fn row_a_stays_closed_while_the_supply_lasts_unless_the_option_opens_it() {
    let closed = turn(set(scripta(), "A12*13 supply*2", "A1 supply*14"), &[3, 4]);
    assert_eq!(listed(&closed), ["3 supply/A3", "4 supply/A4"]);
    let open = turn(set(ungated(), "A12*13 supply*2", "A1 supply*14"), &[3, 4]);
    assert_eq!(listed(&open), ["3 A12/B3", "3 supply/A3", "4 A12/B4", "4 supply/A4"]);
}

// scripta 4
#[test]
fn two_enemies_block_and_a_blot_is_hit_in_every_table() {
    for (from, cell) in [("A1", "A2"), ("B1", "B2"), ("C1", "C2"), ("D1", "D2"), ("E6", "E5")] {
        let position = set(scripta(), &format!("{from}*15"), &format!("{cell} A12*14"));
        let mut hitting = turn(position, &[1, 2]);
        assert!(hitting.play(&step(1, from, cell)).unwrap().hit);
        assert_eq!(sides(hitting.position()).black.bar, 1);
        let blocked = turn(set(scripta(), &format!("{from}*15"), &format!("{cell}*15")), &[1, 1]);
        assert_eq!(listed(&blocked), Vec::<String>::new());
    }
}

// scripta 5
#[test]
fn a_hit_piece_enters_in_row_a_before_anything_else() {
    let mut turn = turn(set(scripta(), "bar*2 A9*3 supply*10", "A1 A4 supply*13"), &[1, 4]);
    assert_eq!(listed(&turn), ["1 bar/A1", "4 bar/A4"]);
    assert!(turn.play(&step(1, "bar", "A1")).unwrap().hit);
    assert_eq!(listed(&turn), ["4 bar/A4"]);
    assert_eq!(sides(turn.position()).white.points["A1"], 1);
}

// scripta 5
#[test]
fn an_entry_from_the_bar_is_the_entry_that_the_turn_owes() {
    let mut turn = turn(set(scripta(), "bar A6 supply*13", "A1*2 supply*13"), &[1, 4]);
    turn.play(&step(4, "bar", "A4")).unwrap();
    assert_eq!(listed(&turn), ["1 A4/A5", "1 A6/A7"]);
}
