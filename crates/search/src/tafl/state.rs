//! A position in the search.

use lusoria_rules::{
    Side,
    tafl::{Cells, Move, Position},
};

use super::ground::{CELLS, number};
use crate::Random;

/// A position with cached facts.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    pub(super) position: Position,
    /// Equal for the same pieces and side to move, and for hardly any others.
    pub(super) key: u64,
    /// Moves of both sides since the last capture.
    pub(super) quiet: u16,
}

impl State {
    pub(super) fn new(position: Position, quiet: u16) -> Self {
        Self { position, key: key(&position), quiet }
    }

    /// The state after a legal move, and its captures.
    #[inline]
    pub(super) fn after(&self, played: Move) -> (Self, Cells) {
        let (position, captured) = self.position.after(played);
        let mover =
            if self.position.king() == played.from() { Piece::King } else { man(self.position.to_move()) };
        let mut key =
            self.key ^ BLACK_MOVES ^ mover.key(number(played.from())) ^ mover.key(number(played.to()));
        let quiet = if captured == 0 { self.quiet + 1 } else { 0 };
        if captured != 0 {
            let enemy = man(self.position.to_move().other());
            key ^= all(enemy, captured & !self.position.king())
                ^ all(Piece::King, captured & self.position.king());
        }
        (Self { position, key, quiet }, captured)
    }

    /// The state if the side to move passed.
    pub(super) fn passed(&self) -> Self {
        let position = self.position.with_to_move(self.position.to_move().other());
        Self { position, key: self.key ^ BLACK_MOVES, quiet: self.quiet }
    }
}

#[derive(Clone, Copy)]
enum Piece {
    Attacker,
    Defender,
    King,
}

impl Piece {
    #[inline]
    const fn key(self, cell: usize) -> u64 {
        KEYS[self as usize][cell]
    }
}

const fn man(side: Side) -> Piece {
    match side {
        Side::White => Piece::Defender,
        Side::Black => Piece::Attacker,
    }
}

/// A number for every piece on every cell, and one for the side to move (Zobrist 1970).
static KEYS: [[u64; CELLS]; 3] = keys();
const BLACK_MOVES: u64 = Random::new(9).bits();

const fn keys() -> [[u64; CELLS]; 3] {
    let mut random = Random::new(1732);
    let mut keys = [[0; CELLS]; 3];
    let mut piece = 0;
    while piece < keys.len() {
        let mut cell = 0;
        while cell < CELLS {
            keys[piece][cell] = random.bits();
            cell += 1;
        }
        piece += 1;
    }
    keys
}

fn all(piece: Piece, mut cells: Cells) -> u64 {
    let mut key = 0;
    while cells != 0 {
        key ^= piece.key(number(cells));
        cells &= cells - 1;
    }
    key
}

pub(super) fn key(position: &Position) -> u64 {
    let side = match position.to_move() {
        Side::White => 0,
        Side::Black => BLACK_MOVES,
    };
    side ^ all(Piece::Attacker, position.attackers())
        ^ all(Piece::Defender, position.defenders())
        ^ all(Piece::King, position.king())
}
