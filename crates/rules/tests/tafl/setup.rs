//! Positions in written form (rules/tablut.md, vectors/README.md).

use lusoria_rules::{
    SetupError, Step,
    tafl::{Position, Turn},
};
use proptest::prelude::*;

use crate::common::{ATTACKERS, DEFENDERS, START, TABLUT};

#[test]
fn boards_that_cannot_be_are_refused_in_words() {
    let ranks = |why: &str| format!("the board is not nine ranks of nine cells: {why}");
    let cases = [
        ("", ranks("it has 1 ranks")),
        ("9/9/9/9/4K4/9/9/9", ranks("it has 8 ranks")),
        ("9/9/9/9/4K4/9/9/9/9/9", ranks("it has 10 ranks")),
        ("9/9/9/9/4K3/9/9/9/9", ranks("rank 5 has only 8 of 9 cells")),
        ("9/9/9/9/4K5/9/9/9/9", ranks("rank 5 has more than 9 cells")),
        ("9/9/9/9/4K4/9/9/9/tttttttttt", ranks("rank 1 has more than 9 cells")),
        ("9/9/9/9/4K4/9/9//9", ranks("rank 2 has only 0 of 9 cells")),
        ("9/9/9/9/4Q4/9/9/9/9", ranks("rank 5 has an unknown letter 'Q'")),
        ("9/9/9/9/4K4/9/9/9/ 9", ranks("rank 1 has an unknown letter ' '")),
        ("9/9/9/9/4K4/9/9/9/0t8", ranks("rank 1 has a 0, which stands for nothing")),
        ("9/9/9/9/4K4/9/9/9/18", ranks("rank 1 has two numbers side by side")),
        ("9/9/9/9/9/9/9/9/9", "there must be exactly one king, not 0".to_owned()),
        ("9/9/9/9/3KK4/9/9/9/9", "there must be exactly one king, not 2".to_owned()),
        ("9/9/9/4K4/4t4/9/9/9/9", "only the king may stand on the throne".to_owned()),
        ("9/9/9/4K4/4T4/9/9/9/9", "only the king may stand on the throne".to_owned()),
        ("9/9/9/9/4K4/9/ttttttttt/tttttttt1/9", "attackers can have at most 16 pieces, not 17".to_owned()),
        ("9/9/9/9/4K4/9/9/9/TTTTTTTTT", "defenders can have at most 9 pieces, not 10".to_owned()),
        ("9/9/9/9/K8/9/9/9/9", "the game is already over: the king has reached an edge".to_owned()),
        (
            "9/9/9/4t4/3tKt3/4t4/9/9/9",
            "the game is already over: the king is captured on the throne".to_owned(),
        ),
    ];
    for (board, words) in cases {
        let error = Position::from_setup(TABLUT, board, ATTACKERS).expect_err(board);
        assert_eq!(error.to_string(), words);
    }
}

#[test]
fn possible_positions_are_accepted() {
    let boards = [
        START,
        "9/9/9/9/4K4/9/9/9/9",
        // In the open the king may have moved in between.
        "9/9/9/9/9/9/2t6/1tKt5/2t6",
        "9/9/4t4/3tKt3/9/9/9/9/9",
    ];
    for board in boards {
        for side in [ATTACKERS, DEFENDERS] {
            let position = Position::from_setup(TABLUT, board, side).expect(board);
            assert_eq!(
                position.setup(),
                lusoria_rules::Setup::Tafl { board: board.to_owned(), to_move: side }
            );
        }
    }
}

#[test]
fn recorded_positions_are_not_judged() {
    for board in ["9/9/9/9/9/9/9/9/9", "K8/9/9/9/4t4/9/9/9/9", "9/9/9/9/4K4/9/9/9/TTTTTTTTT"] {
        assert!(Position::recorded(TABLUT, board, ATTACKERS).is_ok(), "{board}");
    }
    let two = Position::recorded(TABLUT, "9/9/9/9/3KK4/9/9/9/9", ATTACKERS);
    assert_eq!(two, Err(SetupError::Kings { found: 2 }));
}

#[test]
fn the_drawing_is_the_board() {
    let start = Position::start(TABLUT).drawing();
    assert_eq!(
        start,
        " 9 . . . t t t . . .
 8 . . . . t . . . .
 7 . . . . T . . . .
 6 t . . . T . . . t
 5 t t T T K T T t t
 4 t . . . T . . . t
 3 . . . . T . . . .
 2 . . . . t . . . .
 1 . . . t t t . . .
   a b c d e f g h i
"
    );
    let empty = Position::from_setup(TABLUT, "9/9/9/9/9/9/9/1K7/9", ATTACKERS).expect("a lone king");
    assert!(empty.drawing().contains(" 5 . . . . x . . . .\n"));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,12}", cells in "[a-k0-9x -]{0,12}") {
        for text in [text, cells] {
            let turn = Turn::new(Position::start(TABLUT));
            let _ = turn.parse(&text);
            let _ = Position::from_setup(TABLUT, &text, ATTACKERS);
            let step = Step { die: None, from: text.clone(), to: text };
            prop_assert!(turn.clone().play(&step).is_err());
        }
    }
}
