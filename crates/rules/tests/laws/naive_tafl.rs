//! A naive implementation of the tafl rules, cell by cell, to compare the bitboards with, in these tests and
//! in the fuzz targets.

use std::collections::BTreeMap;

use lusoria_rules::{
    Setup, Side, Throne,
    tafl::{Kind, Position},
};

pub(crate) type Cell = (i32, i32);

const THRONE: Cell = (4, 4);
const WAYS: [Cell; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

pub(crate) struct Naive {
    kind: Kind,
    to_move: Side,
    pub(crate) pieces: BTreeMap<Cell, char>,
}

fn step((file, rank): Cell, (east, north): Cell) -> Cell {
    (file + east, rank + north)
}

fn on_board((file, rank): Cell) -> bool {
    (0..9).contains(&file) && (0..9).contains(&rank)
}

pub(crate) fn name((file, rank): Cell) -> String {
    let letter = "abcdefghi".chars().nth(usize::try_from(file).expect("on the board")).expect("on the board");
    format!("{letter}{}", rank + 1)
}

fn side_of(piece: char) -> Side {
    if piece == 't' { Side::Black } else { Side::White }
}

impl Naive {
    pub(crate) fn of(position: &Position) -> Self {
        let Setup::Tafl { board, to_move } = position.setup() else { panic!("tablut is tafl") };
        let mut pieces = BTreeMap::new();
        for (rank, line) in (0..9).rev().zip(board.split('/')) {
            let mut file = 0;
            for letter in line.chars() {
                if let Some(run) = letter.to_digit(10) {
                    file += i32::try_from(run).expect("a digit");
                } else {
                    pieces.insert((file, rank), letter);
                    file += 1;
                }
            }
        }
        Self { kind: position.kind(), to_move, pieces }
    }

    fn at(&self, cell: Cell) -> Option<char> {
        self.pieces.get(&cell).copied()
    }

    /// Every legal move by names, with its captures.
    pub(crate) fn moves(&self) -> BTreeMap<(String, String), Vec<String>> {
        let mut moves = BTreeMap::new();
        for (&from, &piece) in &self.pieces {
            if side_of(piece) != self.to_move {
                continue;
            }
            for way in WAYS {
                let mut to = step(from, way);
                while on_board(to) && self.at(to).is_none() && (to != THRONE || self.enters(piece)) {
                    moves.insert((name(from), name(to)), self.captures(from, to));
                    to = step(to, way);
                }
            }
        }
        moves
    }

    fn enters(&self, piece: char) -> bool {
        piece == 'K' && self.kind == Kind::Tablut { throne: Throne::King }
    }

    /// The directions in which the king reaches an edge in one move.
    pub(crate) fn exits(&self) -> usize {
        let Some((&king, _)) = self.pieces.iter().find(|&(_, &piece)| piece == 'K') else { return 0 };
        let reaches_an_edge = |&way: &Cell| {
            let is_free =
                |&to: &Cell| on_board(to) && self.at(to).is_none() && (to != THRONE || self.enters('K'));
            let line = std::iter::successors(Some(step(king, way)), |&cell| Some(step(cell, way)));
            line.take_while(is_free).any(|(file, rank)| [0, 8].contains(&file) || [0, 8].contains(&rank))
        };
        WAYS.iter().filter(|way| reaches_an_edge(way)).count()
    }

    fn captures(&self, from: Cell, to: Cell) -> Vec<String> {
        let mut after = Self { kind: self.kind, to_move: self.to_move, pieces: self.pieces.clone() };
        let piece = after.pieces.remove(&from).expect("a move begins on a piece");
        after.pieces.insert(to, piece);
        let taken =
            WAYS.into_iter().filter(|&way| after.is_captured(step(to, way), step(step(to, way), way)));
        let mut names: Vec<_> = taken.map(|way| name(step(to, way))).collect();
        names.sort();
        names
    }

    /// Whether the piece next to the one that has just moved is captured.
    fn is_captured(&self, cell: Cell, behind: Cell) -> bool {
        let around = || WAYS.into_iter().map(|way| step(cell, way));
        let is_attacker = |cell: Cell| self.at(cell) == Some('t');
        match self.at(cell) {
            None => false,
            Some(piece) if side_of(piece) == self.to_move => false,
            Some('K') if cell == THRONE => around().all(is_attacker),
            Some('K') if around().any(|cell| cell == THRONE) => {
                around().filter(|&cell| cell != THRONE).all(is_attacker)
            }
            Some('K') => is_attacker(behind),
            Some(_) => match self.at(behind) {
                None => behind == THRONE,
                // The besieged guard.
                Some('K') if self.to_move == Side::Black => {
                    behind == THRONE
                        && WAYS.into_iter().filter(|&way| is_attacker(step(THRONE, way))).count() == 3
                }
                Some(friend) => side_of(friend) == self.to_move,
            },
        }
    }
}
