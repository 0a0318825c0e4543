//! Move ordering.

use lusoria_rules::{
    Side,
    tafl::{Cells, Move, Position},
};

use super::ground::{CELLS, capturing_cells, free_for_king, looks, number};

/// The most moves of a position: no side has more than 16 pieces, none of which reaches more than 16 cells.
const MOVES_MAX: usize = 256;
/// The number of plies with killer moves.
const PLIES: usize = 64;

const FOUND_BEFORE: i32 = 1 << 28;
const CAPTURE: i32 = 1 << 26;
const WAYS_OUT: i32 = 1 << 25;
const KILLER: i32 = 1 << 24;
const HISTORY_MAX: i32 = 1 << 20;

/// A move as a number other than 0, for tables.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "numbers of cells have 7 bits")]
pub(super) const fn packed(played: Move) -> u16 {
    (number(played.from()) << 8 | number(played.to())) as u16
}

/// A move with its priority.
#[derive(Debug, Clone, Copy)]
pub(super) struct Promise {
    pub(super) played: Move,
    pub(super) promise: i32,
}

impl Promise {
    /// Whether only the history heuristic supports the move.
    pub(super) const fn is_quiet(self) -> bool {
        self.promise < KILLER
    }

    /// Whether the move neither captures nor makes a way out.
    pub(super) const fn is_quiet_or_killer(self) -> bool {
        self.promise < WAYS_OUT
    }

    /// Whether the move captures, or makes two ways out at once.
    pub(super) const fn is_urgent(self) -> bool {
        self.promise > WAYS_OUT
    }
}

/// Heuristics from elsewhere in the search.
#[derive(Debug)]
pub(super) struct Order {
    killers: [[u16; 2]; PLIES],
    /// By side and cells.
    history: Vec<i32>,
}

impl Order {
    pub(super) fn new() -> Self {
        Self { killers: [[0; 2]; PLIES], history: vec![0; 2 * CELLS * CELLS] }
    }

    fn place(side: Side, played: Move) -> usize {
        (side as usize * CELLS + number(played.from())) * CELLS + number(played.to())
    }

    /// The target cells of all moves that more than the history heuristic supports.
    #[inline]
    pub(super) fn loud_ends(&self, position: &Position, ply: usize, found: u16) -> Cells {
        let spots = match position.to_move() {
            Side::White => looks(free_for_king(position) | position.king()).0,
            Side::Black => 0,
        };
        let [first, second] = self.killers[ply.min(PLIES - 1)];
        let end = |packed: u16| if packed == 0 { 0 } else { 1 << (packed & 0xff) };
        capturing_cells(position) | spots | end(first) | end(second) | end(found)
    }

    /// The legal moves to these cells, each with its priority.
    #[inline]
    pub(super) fn moves(
        &self,
        position: &Position,
        ends: Cells,
        ply: usize,
        found: u16,
        moves: &mut Vec<Promise>,
    ) {
        let side = position.to_move();
        let capturing = capturing_cells(position);
        let king = position.king();
        let spots = match side {
            Side::White => looks(free_for_king(position) | king),
            Side::Black => (0, 0),
        };
        let killers = self.killers[ply.min(PLIES - 1)];
        moves.reserve(MOVES_MAX);
        position.for_each_move_to(ends, |played| {
            let number = packed(played);
            let promise = if number == found {
                FOUND_BEFORE
            } else if played.to() & capturing != 0 {
                CAPTURE
            } else if played.from() == king && played.to() & spots.0 != 0 {
                if played.to() & spots.1 != 0 { WAYS_OUT + 1 } else { WAYS_OUT }
            } else if number == killers[0] {
                KILLER + 1
            } else if number == killers[1] {
                KILLER
            } else {
                self.history[Self::place(side, played)]
            };
            moves.push(Promise { played, promise });
        });
    }

    /// Records that a quiet move caused a cutoff; those before it did not.
    pub(super) fn good(&mut self, side: Side, played: Move, before: &[Promise], depth: i32, ply: usize) {
        let number = packed(played);
        let killers = &mut self.killers[ply.min(PLIES - 1)];
        if killers[0] != number {
            killers[1] = killers[0];
            killers[0] = number;
        }
        let weight = depth * depth + 1;
        self.shift(side, played, weight);
        for other in before.iter().filter(|other| other.is_quiet()) {
            self.shift(side, other.played, -weight);
        }
    }

    /// Moves a count up or down, by less the closer it is to its limit.
    fn shift(&mut self, side: Side, played: Move, by: i32) {
        let count = &mut self.history[Self::place(side, played)];
        *count += by * 256 - *count / 4096 * by.abs();
        *count = (*count).clamp(-HISTORY_MAX, HISTORY_MAX);
    }
}

/// Moves the best of the moves from `index` on to `index`.
#[inline]
pub(super) fn select(moves: &mut [Promise], index: usize) -> Promise {
    let mut best = index;
    for other in index + 1..moves.len() {
        if moves[other].promise > moves[best].promise {
            best = other;
        }
    }
    moves.swap(index, best);
    moves[index]
}
