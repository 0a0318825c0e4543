//! A position as numbers, for code that evaluates thousands of positions.

use super::{Position, pieces::Place};
use crate::Side;

impl Position {
    /// The number of cells on the path: 24 or 36.
    #[inline]
    pub fn length(&self) -> u8 {
        self.rules().length()
    }

    /// Whether the sides travel in opposite directions, so that a side's cell *n* is the
    /// other's last but *n*; otherwise a number means the same cell for both.
    #[inline]
    pub fn is_opposed(&self) -> bool {
        matches!(self.rules().way, super::rules::Way::Opposite)
    }

    /// Whether there is a middle row beside the path.
    #[inline]
    pub fn has_middle_row(&self) -> bool {
        matches!(self.rules().waiting, super::rules::Waiting::MiddleRow { .. })
    }

    /// The cells of a path as a mask, without the middle row.
    #[inline]
    pub fn path(&self) -> u64 {
        (1 << self.length()) - 1
    }

    /// The cells with pieces of the side, pinned ones included, as a mask: bit 0 is the first cell of its own
    /// path. A middle row follows its path: middle cell *m* is bit 23 + *m*.
    #[inline]
    pub const fn occupied(&self, side: Side) -> u64 {
        self.pieces(side).occupied()
    }

    /// The cells of [`Position::occupied`] with two or more pieces of the side.
    #[inline]
    pub const fn held(&self, side: Side) -> u64 {
        self.pieces(side).held()
    }

    /// The number of the side's pieces on the cell, 0 to 15; the cell by its bit in [`Position::occupied`], 0
    /// to 35.
    #[inline]
    pub const fn on(&self, side: Side, cell: u8) -> u8 {
        self.pieces(side).count(Place::cell(cell))
    }

    /// The side's pieces that have not entered yet, 0 to 15.
    #[inline]
    pub const fn supply(&self, side: Side) -> u8 {
        self.pieces(side).count(Place::SUPPLY)
    }

    /// The side's pieces on the bar, 0 to 15; none in a game whose hit pieces wait in the middle row.
    #[inline]
    pub const fn bar(&self, side: Side) -> u8 {
        self.pieces(side).count(Place::BAR)
    }

    /// The cells on which a piece of the side is pinned, as a mask of its own path.
    #[inline]
    pub const fn pinned(&self, side: Side) -> u64 {
        self.pieces(side).pinned()
    }

    /// Whether the side's blots can be hit everywhere.
    #[inline]
    pub const fn exposed(&self, side: Side) -> bool {
        self.pieces(side).exposed()
    }

    /// Converts a mask of one side's path to the other's. Only the path: a middle row is dropped.
    #[inline]
    pub fn across(&self, cells: u64) -> u64 {
        let cells = cells & self.path();
        if self.is_opposed() { cells.reverse_bits() >> (64 - self.length()) } else { cells }
    }

    /// Whether both positions have the same pieces of that side.
    #[inline]
    pub fn same_men(&self, other: &Self, side: Side) -> bool {
        self.pieces(side) == other.pieces(side)
    }
}
