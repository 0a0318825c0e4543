//! The search knows repetition and drought (tablut 8).

use lusoria_rules::{Outcome, Position, Reason, tafl};
use lusoria_search::{Budget, Value, rank};

use crate::common::{ATTACKERS, DEFENDERS, Play, STRONGEST, TABLUT, position, step, written};

type Pieces = &'static [(char, &'static str)];

/// Makes the position after that move have occurred this often.
fn let_stand(play: &mut Play, text: &str, times: usize) {
    let mut turn = tafl::Turn::new(play.position);
    turn.play(&step(text)).expect("the test's move is legal");
    let after = turn.end().expect("one move").position;
    for _ in 0..times {
        play.history.record(&Position::Tafl(after), false);
        play.history.record(&Position::Tafl(play.position), false);
    }
}

/// The king has two open lines to an edge and escapes, whatever the attackers do.
const LOST: Pieces = &[('K', "c3"), ('T', "h8"), ('t', "c6 g7 h4 i9")];

#[test]
fn the_losing_side_seeks_the_third_repetition() {
    let mut play = Play::from(position(TABLUT, ATTACKERS, LOST));
    assert_eq!(play.choose(STRONGEST, 5000, 1).value, Value::LOST);
    let_stand(&mut play, "h4-h5", 2);
    let choice = play.choose(STRONGEST, 5000, 1);
    assert_eq!((written(&choice).as_str(), choice.value), ("h4-h5", Value::DRAWN));
    assert_eq!(
        play.play(&choice.steps[0]),
        Some(Outcome { winner: None, points: 0, reason: Reason::Repetition })
    );
}

#[test]
fn a_position_that_occurred_once_is_not_a_draw_yet() {
    let mut play = Play::from(position(TABLUT, ATTACKERS, LOST));
    let_stand(&mut play, "h4-h5", 1);
    assert_eq!(play.choose(STRONGEST, 5000, 1).value, Value::LOST);
}

/// The king can reach three cells with two open lines to an edge: c3, c7 and b5.
const WON: Pieces = &[('K', "c5"), ('T', "h8"), ('t', "a5 i5 c9 c1 g2 h4")];

#[test]
fn the_winning_side_avoids_the_third_repetition() {
    let play = Play::from(position(TABLUT, DEFENDERS, WON));
    let best = play.choose(STRONGEST, 5000, 1);
    assert_eq!(best.value, Value::of_points(1));
    let mut play = play;
    let_stand(&mut play, &written(&best), 2);
    let other = play.choose(STRONGEST, 5000, 1);
    assert_ne!(written(&other), written(&best));
    assert_eq!(other.value, Value::of_points(1));
}

/// Plays this many moves without a capture.
fn wait(play: &mut Play, moves: u16) {
    for cell in 0..moves {
        let cells: Vec<_> = (0..49)
            .map(|cell| format!("{}{}", ["b", "c", "d", "f", "g", "h"][cell % 6], 2 + cell / 7))
            .collect();
        let (king, man) = (usize::from(cell) % 49, (usize::from(cell) / 49 + usize::from(cell) + 1) % 49);
        let elsewhere = position(
            TABLUT,
            DEFENDERS,
            &[('K', cells[king].as_str()), ('T', cells[man].as_str()), ('t', "a1")],
        );
        play.history.record(&Position::Tafl(elsewhere), false);
    }
}

/// The attackers can take h8, or wait.
const DRY: Pieces = &[('K', "e5"), ('T', "h8 d5 e4 e6 f5"), ('t', "h9 g7 c2 b6 d2 g3")];

#[test]
fn a_drought_ends_the_game_but_for_a_capture() {
    let mut play = Play::from(position(TABLUT, ATTACKERS, DRY));
    wait(&mut play, 199);
    assert_eq!(play.history.since_capture(), 199);
    let ranked = rank(&play.decision(), Budget { nodes: 20_000 }, 100);
    for choice in ranked {
        let mut turn = tafl::Turn::new(play.position);
        turn.play(&choice.steps[0]).expect("the answer is legal");
        assert_eq!(choice.value == Value::DRAWN, turn.captures().is_empty(), "{}", turn.write());
    }
}

#[test]
fn a_win_in_two_comes_too_late_after_a_drought() {
    let mut play = Play::from(position(TABLUT, DEFENDERS, WON));
    wait(&mut play, 198);
    assert_eq!(play.choose(STRONGEST, 5000, 1).value, Value::DRAWN);
    let mut play = Play::from(position(TABLUT, DEFENDERS, WON));
    wait(&mut play, 197);
    assert_eq!(play.choose(STRONGEST, 5000, 1).value, Value::of_points(1));
}
