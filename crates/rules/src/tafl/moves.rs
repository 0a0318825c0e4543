//! Moves on bitboards: where pieces may go, and what they capture.
//!
//! All pieces of a kind slide at once: the set is shifted by one cell and reduced to the free cells until
//! nothing is left. A piece keeps its place in the set, so a cell reached after *n* shifts was left *n* cells
//! back.

use super::{
    board::{Cell, Cells, Direction, each},
    position::Position,
};
use crate::{Side, Step, Throne};

/// One move, legal in the position that it was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    pub(super) from: Cell,
    pub(super) to: Cell,
}

impl Move {
    /// The cell that the piece leaves, as a set of one.
    pub const fn from(self) -> Cells {
        self.from.bit()
    }

    /// The cell that it comes to, as a set of one.
    pub const fn to(self) -> Cells {
        self.to.bit()
    }
}

impl Position {
    /// The free cells for all pieces except the king: the empty throne is a wall (tafl 1).
    fn free_for_men(&self) -> Cells {
        let board = self.kind.board();
        board.all & !self.occupied() & !board.throne
    }

    /// The free cells for the king (tafl 1).
    pub(super) fn free_for_king(&self) -> Cells {
        let board = self.kind.board();
        let free = board.all & !self.occupied();
        match self.kind.throne() {
            Throne::King => free,
            // The king has left it, otherwise it would not be free.
            Throne::Closed => free & !board.throne,
        }
    }

    /// Whether the king is captured or has escaped, so that nobody moves any more.
    pub(super) fn king_is_decided(&self) -> bool {
        self.king == 0 || self.king & self.kind.board().edge != 0
    }

    /// Passes on the cells that the side to move can reach, by direction and distance, even if the game is
    /// over.
    #[inline]
    fn for_each_wave(&self, mut visit: impl FnMut(Direction, u32, Cells)) {
        let board = self.kind.board();
        let mut slide = |movers: Cells, free: Cells| {
            for direction in Direction::ALL {
                let mut reached = board.shift(movers, direction) & free;
                let mut distance = 1;
                while reached != 0 {
                    visit(direction, distance, reached);
                    reached = board.shift(reached, direction) & free;
                    distance += 1;
                }
            }
        };
        match self.to_move {
            Side::White => {
                slide(self.defenders, self.free_for_men());
                slide(self.king, self.free_for_king());
            }
            Side::Black => slide(self.attackers, self.free_for_men()),
        }
    }

    /// Passes on every legal move; none when the king is captured or has escaped.
    #[inline]
    pub fn for_each_move(&self, visit: impl FnMut(Move)) {
        self.for_each_move_to(Cells::MAX, visit);
    }

    /// Passes on every legal move that ends on one of the cells.
    #[inline]
    pub fn for_each_move_to(&self, cells: Cells, mut visit: impl FnMut(Move)) {
        if self.king_is_decided() {
            return;
        }
        let board = self.kind.board();
        self.for_each_wave(|direction, distance, reached| {
            for to in each(reached & cells) {
                visit(Move { from: board.back(to, direction, distance), to });
            }
        });
    }

    /// The number of legal moves.
    pub fn count_moves(&self) -> u64 {
        if self.king_is_decided() {
            return 0;
        }
        let mut moves = 0;
        self.for_each_wave(|_, _, reached| moves += reached.count_ones());
        u64::from(moves)
    }

    /// Whether the side to move has a legal move; never when the king is captured or has escaped.
    pub fn has_move(&self) -> bool {
        let board = self.kind.board();
        let (men, king) = match self.to_move {
            Side::White => (self.defenders, self.king),
            Side::Black => (self.attackers, 0),
        };
        !self.king_is_decided()
            && board.neighbours(men) & self.free_for_men() | board.neighbours(king) & self.free_for_king()
                != 0
    }

    /// The directions in which nothing but these cells lies between the king and the edge.
    pub(super) fn king_exits(&self, free: Cells) -> u32 {
        let board = self.kind.board();
        Direction::ALL.into_iter().fold(0, |exits, direction| {
            let mut ahead = board.shift(self.king, direction) & free;
            while ahead & !board.edge != 0 {
                ahead = board.shift(ahead, direction) & free;
            }
            exits + ahead.count_ones()
        })
    }

    /// The move as a step, with its cells named.
    pub fn step(&self, played: Move) -> Step {
        let board = self.kind.board();
        Step { die: None, from: board.name(played.from), to: board.name(played.to) }
    }

    /// The position after a legal move, with the other side to move, and the cells whose pieces it captured.
    /// Nothing is checked: the move must be legal here.
    #[inline]
    #[must_use]
    pub fn after(&self, played: Move) -> (Self, Cells) {
        let (after, captured) = self.moved(played);
        (after.with_to_move(self.to_move.other()), captured)
    }

    /// The position after a legal move, with the mover still to move, and the
    /// cells whose pieces it captured (tafl 2).
    #[inline]
    pub(super) fn moved(&self, Move { from, to }: Move) -> (Self, Cells) {
        let leap = |cells: Cells| if cells & from.bit() == 0 { cells } else { cells ^ from.bit() ^ to.bit() };
        let mut after = Self {
            attackers: leap(self.attackers),
            defenders: leap(self.defenders),
            king: leap(self.king),
            ..*self
        };
        let captured = after.captured_by(to.bit());
        after.attackers &= !captured;
        after.defenders &= !captured;
        after.king &= !captured;
        (after, captured)
    }

    /// The enemies that the piece which has just come to `mover` captures.
    #[inline]
    fn captured_by(&self, mover: Cells) -> Cells {
        let board = self.kind.board();
        let (own, enemy_men, enemy_king) = match self.to_move {
            Side::White => (self.defenders | self.king, self.attackers, 0),
            Side::Black => (self.attackers, self.defenders, self.king),
        };
        // The empty throne is hostile to everyone (tafl 3).
        let hostile = own | board.throne & !self.occupied();
        let mut captured = 0;
        for direction in Direction::ALL {
            let near = board.shift(mover, direction);
            if near & enemy_men != 0 {
                let behind = board.shift(near, direction);
                if behind & hostile != 0 || behind & enemy_king != 0 && self.is_besieged_guard(near) {
                    captured |= near;
                }
            } else if near & enemy_king != 0 && self.king_falls(board.shift(near, direction)) {
                captured |= near;
            }
        }
        captured
    }

    /// Whether the defender on that cell is next to the king, and the fourth beside three attackers around
    /// the throne (tafl 5).
    fn is_besieged_guard(&self, guard: Cells) -> bool {
        let board = self.kind.board();
        self.king == board.throne && board.neighbours(board.throne) & !guard & !self.attackers == 0
    }

    /// Whether an attacker that has just come next to the king captures it; `behind` is the cell on the
    /// king's other side (tafl 4).
    fn king_falls(&self, behind: Cells) -> bool {
        let board = self.kind.board();
        let around = board.neighbours(self.king);
        if (self.king | around) & board.throne == 0 {
            behind & self.attackers != 0
        } else {
            around & !board.throne & !self.attackers == 0
        }
    }

    /// The number of positions after `depth` moves; a finished game counts once. Ignores repetition and
    /// drought.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            // Without a move the game is finished, and counts as itself.
            1 => self.count_moves().max(1),
            _ => {
                let mut leaves = 0;
                self.for_each_move(|played| {
                    let (after, _) = self.moved(played);
                    leaves += after.with_to_move(self.to_move.other()).perft(depth - 1);
                });
                leaves.max(1)
            }
        }
    }
}
