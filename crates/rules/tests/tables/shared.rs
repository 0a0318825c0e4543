//! The rules that all four games share (rules/README.md).

use lusoria_rules::{Game, Incomplete, Reason, Side, tables::Position};

use crate::support::{GAMES, dice, listed, rules, set, sides, step, turn};

// tabula 6, and the first numbers of zeno and scripta
#[test]
fn all_start_in_the_supply_and_white_rolls_first() {
    for game in [Game::Zeno, Game::Scripta, Game::Tabula] {
        let start = Position::start(rules(game));
        assert_eq!(start.to_move(), Side::White, "{game}");
        assert!(Side::BOTH.iter().all(|&side| sides(&start).get(side).supply == 15), "{game}");
    }
}

// Adding dice
#[test]
fn a_piece_moved_by_two_dice_lands_in_between() {
    // 18 and 19 are blocked, so that nothing gets to 13, which is free.
    let barred = turn(set(rules(Game::Tavla), "24*15", "7*2 6*2 24*11"), &[6, 5]);
    assert_eq!(listed(&barred), Vec::<String>::new());
    // On its way to 11 the piece hits on 9 (Black's 16).
    let mut hitting = turn(set(rules(Game::Tabula), "5*15", "16 24*14"), &[4, 2, 1]);
    assert!(hitting.play(&step(4, "5", "9")).unwrap().hit);
    assert!(!hitting.play(&step(2, "9", "11")).unwrap().hit);
    assert_eq!(hitting.write(), "5/9* 9/11");
}

// Compulsion 1
#[test]
fn a_first_step_that_wastes_a_die_is_not_legal() {
    // Only 13/8 plays the 5: 6 and 2 are blocked. So 13/7 is not legal, though 7 is free.
    let position = set(rules(Game::Tavla), "13 11 1*13", "23*2 19*2 22*11");
    let turn = turn(position, &[6, 5]);
    assert_eq!(listed(&turn), ["5 13/8", "6 11/5"]);
    assert_eq!(turn.dice_playable(), 2);
}

// Compulsion 2
#[test]
fn either_die_may_be_played_where_both_cannot() {
    // 13/8 and 13/7 are both free, but 13/8/2 and 13/7/2 both end on a blocked 2.
    let position = set(rules(Game::Tavla), "13 1*14", "23*2 22*13");
    let turn = turn(position, &[5, 6]);
    assert_eq!(listed(&turn), ["5 13/8", "6 13/7"]);
    assert_eq!(turn.dice_playable(), 1);
}

// Compulsion 3
#[test]
fn bearing_off_the_last_piece_voids_the_dice_left_and_counts_as_playing_them() {
    let position = set(rules(Game::Tabula), "24 off*14", "2*15");
    let mut turn = turn(position, &[1, 1, 5]);
    assert_eq!(turn.dice_playable(), 5);
    assert_eq!(listed(&turn), ["1 24/off", "5 24/off"]);
    turn.play(&step(5, "24", "off")).unwrap();
    assert!(turn.is_complete() && turn.steps().is_empty());
    assert_eq!(turn.dice_left(), dice(&[1; 4]));
    let end = turn.end().unwrap();
    assert!(!end.passed);
    assert_eq!(end.outcome.unwrap().winner, Some(Side::White));
}

// Compulsion 4
#[test]
fn a_turn_ends_only_when_no_step_is_legal() {
    let mut turn = turn(Position::start(rules(Game::Tavla)), &[2, 1]);
    assert_eq!(turn.clone().end(), Err(Incomplete::Dice { left: 2 }));
    turn.play(&step(2, "24", "22")).unwrap();
    assert_eq!(turn.clone().end(), Err(Incomplete::Dice { left: 1 }));
    turn.play(&step(1, "24", "23")).unwrap();
    let end = turn.end().unwrap();
    assert_eq!((end.position.to_move(), end.outcome, end.passed), (Side::Black, None, false));
}

#[test]
fn bearing_off_is_exact_or_takes_the_farthest_with_a_larger_die() {
    for (white, roll, steps) in [
        // Exactly, or moving inside instead.
        ("6*2 3*13", [3, 6], &["3 3/off", "3 6/3", "6 6/off"][..]),
        // 5 and 4 are larger than needed for the farthest, on 3.
        ("3*2 2*13", [5, 4], &["4 3/off", "5 3/off"]),
        // A piece on the exact cell, or farther, keeps the others in.
        ("5*2 2*13", [5, 4], &["4 5/1", "5 5/off"]),
        ("6*2 2*13", [5, 4], &["4 6/2", "5 6/1"]),
        // One piece outside the last six cells keeps all in, until it is home in the same turn.
        ("7 2*14", [1, 2], &["1 2/1", "1 7/6", "2 7/5"]),
    ] {
        let position = set(rules(Game::Tavla), white, "2*15");
        assert_eq!(listed(&turn(position, &roll)), steps, "{white}");
    }
}

#[test]
fn bearing_off_may_start_in_the_middle_of_a_turn() {
    let mut turn = turn(set(rules(Game::Zeno), "18 24*14 exposed", "1*15"), &[1, 2, 6]);
    assert_eq!(listed(&turn), ["1 18/19", "2 18/20", "6 18/24"]);
    turn.play(&step(2, "18", "20")).unwrap();
    assert_eq!(listed(&turn), ["1 20/21", "1 24/off", "6 20/off"]);
}

#[test]
fn bearing_off_stops_while_a_hit_piece_is_away() {
    let turn = turn(set(rules(Game::Tabula), "24*10 off*4 bar", "supply*15"), &[1, 2, 3]);
    assert_eq!(listed(&turn), ["1 bar/1", "2 bar/2", "3 bar/3"]);
}

// Dead position
#[test]
fn a_position_in_which_nobody_can_ever_play_is_drawn_when_a_turn_passes() {
    // Each side's bar faces six blocked cells.
    let blockade = "bar*3 19*2 20*2 21*2 22*2 23*2 24*2";
    let position = set(rules(Game::Tabula), blockade, blockade);
    assert!(position.is_dead());
    let end = turn(position, &[1, 2, 3]).end().unwrap();
    assert!(end.passed);
    assert_eq!(
        end.outcome.map(|outcome| (outcome.winner, outcome.reason)),
        Some((None, Reason::DeadPosition))
    );
}

// Dead position
#[test]
fn a_turn_that_passes_while_the_other_side_can_play_goes_on() {
    let position = set(rules(Game::Tabula), "bar*3 12*12", "bar*3 19*2 20*2 21*2 22*2 23*2 24*2");
    assert!(!position.is_dead());
    let end = turn(position, &[1, 2, 3]).end().unwrap();
    assert!(end.passed);
    assert_eq!((end.outcome, end.position.to_move()), (None, Side::Black));
}

#[test]
fn a_game_that_can_go_on_is_never_dead_at_its_start() {
    assert!(GAMES.iter().all(|&game| !Position::start(rules(game)).is_dead()));
}
