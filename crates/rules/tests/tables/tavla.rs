//! rules/tavla.md, number by number.

use lusoria_rules::{
    Mother, Side, Variant,
    tables::{Position, Rules},
};

use crate::support::{dice, listed, of, set, sides, step, turn};

fn tavla() -> &'static Rules {
    of(Variant::Tavla { mother: Mother::PlayOn })
}

#[test]
fn all_start_on_their_own_24() {
    let start = Position::start(tavla());
    assert!(Side::BOTH.iter().all(|&side| sides(&start).get(side).points["24"] == 15));
    // The opening throw decides who begins (tavla 1).
    assert_eq!(start.with_to_move(Side::Black).to_move(), Side::Black);
}

// tavla 2
#[test]
fn doubles_play_four_times() {
    assert_eq!(turn(Position::start(tavla()), &[5, 5]).dice_left(), dice(&[5; 4]));
}

// tavla 3
#[test]
fn an_enemy_stack_blocks_and_so_does_an_enemy_on_top_of_an_own_piece() {
    // Black's 5 is White's 20, its 7 is 18; White's piece on 18 lies under one of Black.
    let turn = turn(set(tavla(), "24*14 18 ^18", "5*2 7 24*12"), &[4, 6]);
    assert_eq!(listed(&turn), Vec::<String>::new());
}

// tavla 4
#[test]
fn a_blot_is_pinned_and_freed_when_the_last_enemy_leaves() {
    let mut pinning = turn(set(tavla(), "24*15", "5 24*14"), &[4, 1]);
    let played = pinning.play(&step(4, "24", "20")).unwrap();
    assert!(played.pin && !played.hit);
    assert_eq!(sides(pinning.position()).black.pinned, ["5"]);
    pinning.play(&step(1, "20", "19")).unwrap();
    assert_eq!(sides(pinning.position()).black.pinned, Vec::<String>::new());
}

// tavla 4
#[test]
fn the_side_on_top_adds_to_the_cell_and_the_pinned_piece_stays() {
    let position = set(tavla(), "24*14 20", "5 24*14 ^5");
    let mut adding = turn(position, &[4, 4]);
    let played = adding.play(&step(4, "24", "20")).unwrap();
    assert!(!played.pin);
    let pinned = turn(position.with_to_move(Side::Black), &[1, 2]);
    assert_eq!(listed(&pinned), ["1 24/23", "2 24/22"]);
}

// tavla 4
#[test]
fn a_turn_may_pin_several() {
    let mut turn = turn(set(tavla(), "24*15", "5 4 24*13"), &[4, 3]);
    for (die, to) in [(4, "20"), (3, "21")] {
        assert!(turn.play(&step(die, "24", to)).unwrap().pin);
    }
    assert_eq!(sides(turn.position()).black.pinned, ["5", "4"]);
}

// tavla 6
#[test]
fn nothing_is_borne_off_while_a_piece_is_pinned() {
    let turn = turn(set(tavla(), "6*7 5*7 2 ^2", "23 24*14"), &[6, 3]);
    assert_eq!(listed(&turn), ["3 6/3"]);
}

// tavla 6
#[test]
fn empty_cells_are_empty_of_own_pieces() {
    // An enemy piece that lies pinned under White's 5 does not matter, nor does a free one on 6.
    let turn = turn(set(tavla(), "5*14 off", "20 19 24*13 ^20"), &[6, 6]);
    assert_eq!(listed(&turn), ["6 5/off"]);
}
