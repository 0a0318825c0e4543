//! How openings are told, so that the same one is told in the same way.

use lusoria_play::TakenStep;

/// How many moves of a tafl game its openings go on for at most.
pub const PLIES_MAX: usize = 4;

/// A first turn of a dice game: where each piece came from and where it got, in order, as in `24/18 13/11`; one that
/// moved by several dice is told once. Turns that move the same pieces to the same cells are one, in whatever order.
/// An empty turn is a `pass`.
pub fn told(steps: &[TakenStep]) -> String {
    if steps.is_empty() {
        return "pass".to_owned();
    }
    let mut moves: Vec<(&str, &str)> = Vec::with_capacity(steps.len());
    for step in steps {
        // Of pieces that have got there by now, one goes on: it makes no difference which.
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
    /// The cell of that name, as in `e8`, on a board with so many cells a side.
    fn named(name: &str, size: u8) -> Option<Self> {
        let (&letter, digits) = name.as_bytes().split_first()?;
        let file = letter.checked_sub(b'a')?;
        let rank: u8 = std::str::from_utf8(digits).ok()?.parse().ok()?;
        (file < size && (1..=size).contains(&rank)).then(|| Self { file, rank: rank - 1 })
    }

    /// Where it gets by one of the eight symmetries of the board.
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

/// The first moves of a tafl game, each as its first and its last cell, as in `e8-g8 c5-c3`. The start looks the same
/// from all sides, so moves that only differ by a turn of the board or a reflection are one opening: of the eight
/// ways to write it the first in the order of letters. None if a move is no move on a board of that size.
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
