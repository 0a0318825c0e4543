//! Moves of pieces (tablut 1), refusals, and notation.

use lusoria_rules::{
    Die, Step,
    tafl::{Illegal, NotationError, Position, Turn},
};

use crate::common::{ATTACKERS, CLOSED, DEFENDERS, TABLUT, after, position, step};

#[test]
fn counts_from_the_start() {
    let start = Position::start(TABLUT);
    assert_eq!([1, 2, 3, 4].map(|depth| start.perft(depth)), [80, 4_400, 353_200, 19_913_864]);
    let defenders = start.with_to_move(DEFENDERS);
    assert_eq!([0, 1, 2].map(|depth| defenders.perft(depth)), [1, 56, 4_408]);
}

#[test]
fn attackers_move_first() {
    assert_eq!(Position::start(TABLUT).to_move(), ATTACKERS);
}

fn refusal(position: Position, text: &str) -> Illegal {
    Turn::new(position).play(&step(text)).expect_err("the test's move is illegal")
}

const THRONE: &str = "e5 is the throne: only the king may stop on it or cross it";
const LEFT: &str = "e5 is the throne: once the king has left it, nobody may stop on it or cross it";

#[test]
fn refusals_say_why() {
    let start = Position::start(TABLUT);
    let gone = position(TABLUT, DEFENDERS, &[('K', "c3"), ('T', "e4 d5"), ('t', "i1")]);
    let closed = position(CLOSED, DEFENDERS, &[('K', "e3"), ('T', "d5"), ('t', "i1")]);
    let cases = [
        (start, "c4-c5", "no_piece", "there is no piece on c4"),
        (start, "e7-f7", "not_yours", "the piece on e7 is not yours"),
        (start, "e9-f8", "not_straight", "pieces move in a straight line, along a rank or a file"),
        (start, "a4-b3", "not_straight", "pieces move in a straight line, along a rank or a file"),
        (start, "a4-a4", "no_distance", "a move must end on another cell than a4"),
        (start, "a4-a5", "in_the_way", "a5 is in the way: a piece stands there"),
        (start, "a4-f4", "in_the_way", "e4 is in the way: a piece stands there"),
        (start, "a4-a10", "unknown_cell", "there is no cell \"a10\""),
        (start, "j4-a4", "unknown_cell", "there is no cell \"j4\""),
        (start, "a4-a04", "unknown_cell", "there is no cell \"a04\""),
        (start, "ä4-a4", "unknown_cell", "there is no cell \"ä4\""),
        (start, "-a4", "unknown_cell", "there is no cell \"\""),
        (gone, "d5-e5", "throne", THRONE),
        (gone, "d5-f5", "throne", THRONE),
        (gone, "e4-e6", "throne", THRONE),
        (closed, "e3-e5", "throne_closed", LEFT),
        (closed, "e3-e8", "throne_closed", LEFT),
        (closed, "d5-f5", "throne", THRONE),
    ];
    for (position, text, code, words) in cases {
        let illegal = refusal(position, text);
        assert_eq!((illegal.code(), illegal.to_string().as_str()), (code, words), "{text}");
        for (name, value) in illegal.params() {
            assert_eq!(name, "cell");
            assert!(words.contains(&value), "{text}: {value}");
        }
    }
}

#[test]
fn a_turn_is_one_move_without_dice() {
    let mut turn = Turn::new(Position::start(TABLUT));
    let with_die = Step { die: Die::new(3), ..step("a4-a3") };
    assert_eq!(turn.play(&with_die), Err(Illegal::HasDie));
    assert!(!turn.is_complete());
    turn.play(&step("a4-a3")).expect("a4-a3 is legal");
    assert!(turn.is_complete());
    assert_eq!(turn.play(&step("a6-a7")), Err(Illegal::TurnOver));
    assert_eq!(turn.steps(), []);
}

#[test]
fn a_turn_cannot_end_before_its_move() {
    assert!(Turn::new(Position::start(TABLUT)).end().is_err());
}

#[test]
fn no_move_is_legal_after_the_end_of_the_game() {
    for board in ["K8/9/9/9/9/9/9/9/t8", "9/9/9/9/9/9/9/9/tT7"] {
        let over = Position::recorded(TABLUT, board, ATTACKERS).expect("a finished game can be recorded");
        let mut turn = Turn::new(over);
        assert_eq!(turn.steps(), []);
        assert_eq!(turn.play(&step("a1-a2")), Err(Illegal::GameOver));
        assert_eq!(over.perft(3), 1);
    }
}

#[test]
fn the_king_may_use_the_throne() {
    let king = position(TABLUT, DEFENDERS, &[('K', "e3"), ('t', "i1")]);
    for to in ["e5", "e8", "e4"] {
        after(king, &format!("e3-{to}"));
    }
}

#[test]
fn the_king_leaves_a_throne_that_closes_behind_him() {
    after(position(CLOSED, DEFENDERS, &[('K', "e5"), ('t', "i1")]), "e5-e8");
}

#[test]
fn attackers_cells_are_ordinary() {
    let start = Position::start(TABLUT);
    let moved = after(after(start, "d1-b1").end().expect("one move").position, "e3-d3");
    let cleared = moved.end().expect("one move").position;
    after(after(cleared, "a4-b4").end().expect("one move").position, "d3-d1");
}

#[test]
fn moves_are_written_with_what_they_capture() {
    let double = position(TABLUT, ATTACKERS, &[('K', "b2"), ('T', "d6 f6"), ('t', "c6 g6 e8")]);
    for (text, written) in [("e8-e6", "e8-e6xd6xf6"), ("e8-e7", "e8-e7")] {
        assert_eq!(after(double, text).write(), written);
    }
    assert_eq!(Turn::new(double).write(), "");
}

#[test]
fn captures_may_be_left_out_but_not_invented() {
    let turn = Turn::new(position(TABLUT, ATTACKERS, &[('K', "b2"), ('T', "d6 f6"), ('t', "c6 g6 e8")]));
    for text in ["e8-e6", "e8-e6xd6xf6", "e8-e6xf6xd6", " e8 - e6 x d6 x f6 "] {
        assert_eq!(turn.parse(text), Ok(step("e8-e6")), "{text}");
    }
    let wrong = [
        ("e8-e6xd6", "e8-e6 captures d6 and f6, not d6"),
        ("e8-e7xd6", "e8-e7 captures nothing, not d6"),
        ("e8-e6xd6xd6", "e8-e6 captures d6 and f6, not d6 and d6"),
        ("e8-h8xd6", "e8-h8 captures nothing, not d6"),
        ("e8-f7", "pieces move in a straight line, along a rank or a file"),
    ];
    for (text, words) in wrong {
        assert_eq!(turn.parse(text).expect_err(text).to_string(), words);
    }
    for text in ["", "e8", "e8e6", "-", "e8-", "-e6", "e8-e6x", "e8-e6xx", "e8-e6xd6x", "x-x"] {
        let unreadable = NotationError::Unreadable { text: text.to_owned() };
        assert_eq!(turn.parse(text), Err(unreadable), "{text}");
    }
}
