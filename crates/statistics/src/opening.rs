//! Openings in canonical form, so that equal ones are written equally.

use lusoria_play::TakenStep;

/// The most moves of a tafl game that its openings include.
pub const PLIES_MAX: usize = 4;

/// A first turn of a dice game: the start and end of each piece's way, in order, as in `24/18 13/11`; a piece
/// that moved by several dice is written once. Turns that move the same pieces to the same cells are equal,
/// in whatever order. An empty turn is a `pass`.
pub fn told(steps: &[TakenStep]) -> String {
    if steps.is_empty() {
        return "pass".to_owned();
    }
    let mut moves: Vec<(&str, &str)> = Vec::with_capacity(steps.len());
    for step in steps {
        // One of the pieces that have reached this cell moves on; it makes no difference which.
        match moves.iter_mut().find(|(_, to)| *to == step.from) {
            Some((_, to)) => *to = &step.to,
            None => moves.push((&step.from, &step.to)),
        }
    }
    moves.sort_unstable();
    let moves: Vec<String> = moves.into_iter().map(|(from, to)| format!("{from}/{to}")).collect();
    moves.join(" ")
}

/// A cell of a square board.
#[derive(Debug, Clone, Copy)]
struct Cell {
    file: u8,
    rank: u8,
}

impl Cell {
    /// The cell of that name, as in `e8`, on a board with this many cells on a side.
    fn named(name: &str, size: u8) -> Option<Self> {
        let (&letter, digits) = name.as_bytes().split_first()?;
        let file = letter.checked_sub(b'a')?;
        let rank: u8 = std::str::from_utf8(digits).ok()?.parse().ok()?;
        (file < size && (1..=size).contains(&rank)).then(|| Self { file, rank: rank - 1 })
    }

    /// Its image by one of the eight symmetries of the board.
    const fn turned(self, symmetry: u8, size: u8) -> Self {
        let Self { mut file, mut rank } = self;
        if symmetry & 1 != 0 {
            file = size - 1 - file;
        }
        if symmetry & 2 != 0 {
            rank = size - 1 - rank;
        }
        if symmetry & 4 != 0 { Self { file: rank, rank: file } } else { Self { file, rank } }
    }

    fn name(self) -> String {
        format!("{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}

/// The first moves of a tafl game, each as its first and its last cell, as in `e8-g8 c5-c3`. The start is
/// symmetrical, so moves that differ only by a rotation or reflection of the board are one opening: of the
/// eight ways to write it, the first in alphabetical order. None if a move is impossible on a board of that
/// size.
pub fn canonical(moves: &[(String, String)], size: u8) -> Option<String> {
    let cells: Vec<(Cell, Cell)> = moves
        .iter()
        .map(|(from, to)| Some((Cell::named(from, size)?, Cell::named(to, size)?)))
        .collect::<Option<_>>()?;
    let written = |symmetry: u8| {
        let turned = |cell: Cell| cell.turned(symmetry, size).name();
        let moves: Vec<String> =
            cells.iter().map(|&(from, to)| format!("{}-{}", turned(from), turned(to))).collect();
        moves.join(" ")
    };
    (0..8).map(written).min()
}
