//! Shared code of the tests of Tablut.

use lusoria_rules::{
    Side, Step, Throne,
    tafl::{Kind, Position, Turn},
};

pub(crate) const ATTACKERS: Side = Side::Black;
pub(crate) const DEFENDERS: Side = Side::White;
pub(crate) const TABLUT: Kind = Kind::Tablut { throne: Throne::King };
pub(crate) const CLOSED: Kind = Kind::Tablut { throne: Throne::Closed };
pub(crate) const START: &str = "3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3";

/// A position by its pieces: `t` attackers, `T` defenders, `K` the king.
pub(crate) fn board(pieces: &[(char, &str)]) -> String {
    let rank = |rank: char| -> String {
        let cell = |file: char| {
            let here =
                |&&(_, cells): &&(char, &str)| cells.split(' ').any(|cell| cell.chars().eq([file, rank]));
            pieces.iter().find(here).map_or('1', |&(piece, _)| piece)
        };
        // Nine single empty cells are not what one writes, so they are counted.
        let letters: String = ('a'..='i').map(cell).collect();
        (1..=9).rev().fold(letters, |text, run| text.replace(&"1".repeat(run), &run.to_string()))
    };
    ('1'..='9').rev().map(rank).collect::<Vec<_>>().join("/")
}

pub(crate) fn position(kind: Kind, to_move: Side, pieces: &[(char, &str)]) -> Position {
    Position::from_setup(kind, &board(pieces), to_move).expect("the test's position is possible")
}

/// `e8-e6` as a step.
pub(crate) fn step(text: &str) -> Step {
    let (from, to) = text.split_once('-').expect("the test's move has a from and a to");
    Step { die: None, from: from.to_owned(), to: to.to_owned() }
}

/// The turn after that move.
pub(crate) fn after(position: Position, text: &str) -> Turn {
    let mut turn = Turn::new(position);
    turn.play(&step(text)).expect("the test's move is legal");
    turn
}

/// The captures of that move.
pub(crate) fn captures(position: Position, text: &str) -> String {
    after(position, text).captures().join(" ")
}
