//! Exact chances of the last pieces.
//!
//! With at most two pieces a side there are so few positions that all their chances can be found by iterating
//! until nothing changes any more, hits included. That takes minutes, so it is done once and shipped
//! (`weights/*.endings`; docs/training.md). Where pieces of both sides cannot meet any more,
//! [`super::bearing_off`] has more positions.

mod packing;

use lusoria_rules::{Side, tables};

use packing::{pack, unpack};

/// The most pieces of a side in the table.
const LEFT_MAX: u8 = 2;
/// The number of a side's pieces.
const PIECES: u8 = 15;
/// The number of cells of a middle row.
const MIDDLE_ROW: usize = 12;

/// Indexes a side's last pieces: none, by the place of one, or by the places of two.
///
/// Places are the cells of the path, then those of the middle row or the bar, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastPieces {
    places: usize,
    /// The cells of the path.
    length: usize,
    is_opposed: bool,
}

impl LastPieces {
    /// The index of a game; none for one whose last pieces cannot meet any more, because pieces at home never
    /// leave it again.
    pub fn of(rules: &'static tables::Rules) -> Option<Self> {
        let start = tables::Position::start(rules);
        let waiting = match (start.has_middle_row(), rules.has_bar()) {
            (true, _) => MIDDLE_ROW,
            (false, true) => 1,
            (false, false) => return None,
        };
        let length = usize::from(start.length());
        Some(Self { places: length + waiting, length, is_opposed: start.is_opposed() })
    }

    /// The number of indices.
    pub const fn count(self) -> usize {
        self.two(0, self.places)
    }

    /// The index of a side's pieces, if there are that few.
    pub fn number(self, position: &tables::Position, side: Side) -> Option<usize> {
        if position.off(side) < PIECES - LEFT_MAX || position.supply(side) > 0 {
            return None;
        }
        let bar = position.bar(side);
        let cells = position.occupied(side);
        let last = (cells != 0).then(|| cells.ilog2() as usize);
        let first = (cells != 0).then(|| cells.trailing_zeros() as usize);
        // The bar has the place where a middle row would begin: after the path.
        let waits = usize::from(position.length());
        Some(match (bar, first, last) {
            (0, None, _) | (_, Some(_), None) => 0,
            (0, Some(first), Some(last)) if position.off(side) == PIECES - 1 => {
                debug_assert_eq!(first, last);
                1 + first
            }
            (0, Some(first), Some(last)) => self.two(first, last),
            (1, None, _) => 1 + waits,
            (_, None, _) => self.two(waits, waits),
            (_, Some(first), _) => self.two(first, waits),
        })
    }

    /// The places of the pieces with this index: the reverse of [`LastPieces::number`].
    pub fn places(self, number: usize) -> Vec<usize> {
        let Some(pair) = number.checked_sub(1 + self.places) else {
            return number.checked_sub(1).into_iter().collect();
        };
        let later =
            (0..self.places).rfind(|later| later * (later + 1) / 2 <= pair).expect("the first pair is 0");
        vec![pair - later * (later + 1) / 2, later]
    }

    /// The occupied cells of the path, as a mask of the side's own path.
    fn cells(self, number: usize) -> u64 {
        self.places(number)
            .into_iter()
            .filter(|&place| place < self.length)
            .fold(0, |cells, cell| cells | 1 << cell)
    }

    /// Whether pieces with these indices can be on the board together: the sides share no cell.
    fn can_meet(self) -> impl Fn(usize, usize) -> bool {
        let mine: Vec<u64> = (0..self.count()).map(|number| self.cells(number)).collect();
        let across = |cells: &u64| {
            if self.is_opposed { cells.reverse_bits() >> (64 - self.length) } else { *cells }
        };
        let theirs: Vec<u64> = mine.iter().map(across).collect();
        move |my, their| mine[my] & theirs[their] == 0
    }

    /// The index of two pieces, the one at the earlier place first.
    const fn two(self, earlier: usize, later: usize) -> usize {
        1 + self.places + later * (later + 1) / 2 + earlier
    }
}

/// The chances of the side to move with at most two pieces a side.
#[derive(Debug, Clone, PartialEq)]
pub struct Endings {
    pieces: LastPieces,
    /// In 65,535ths, by the index of the side to move, then the other's.
    wins: Vec<u16>,
}

/// The bytes are not a table of endings of this game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no table of endings of this game")]
pub struct NoEndings;

impl Endings {
    /// Unpacks the table of a game.
    ///
    /// # Errors
    ///
    /// The bytes are not of [`Endings::packed`], or of another game.
    pub fn read(rules: &'static tables::Rules, bytes: &[u8]) -> Result<Self, NoEndings> {
        let pieces = LastPieces::of(rules).ok_or(NoEndings)?;
        let wins = unpack(bytes, pieces.count(), pieces.can_meet()).ok_or(NoEndings)?;
        Ok(Self { pieces, wins })
    }

    /// The table of these chances, 0 to 1: by the index of the side to move, then the other's.
    ///
    /// # Panics
    ///
    /// If their number is not the square of the number of indices.
    pub fn new(pieces: LastPieces, wins: impl IntoIterator<Item = f64>) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a chance is 0 to 1")]
        let wins: Vec<u16> = wins.into_iter().map(|win| (win * f64::from(u16::MAX)).round() as u16).collect();
        assert_eq!(wins.len(), pieces.count().pow(2), "there is a chance for all pieces of both sides");
        Self { pieces, wins }
    }

    /// The packed table.
    pub fn packed(&self) -> Vec<u8> {
        pack(&self.wins, self.pieces.count(), self.pieces.can_meet())
    }

    /// The chance that the side to move wins, if so few pieces are left.
    pub fn win(&self, position: &tables::Position) -> Option<f32> {
        let me = position.to_move();
        let mine = self.pieces.number(position, me)?;
        let theirs = self.pieces.number(position, me.other())?;
        Some(f32::from(self.wins[mine * self.pieces.count() + theirs]) / f32::from(u16::MAX))
    }
}

#[cfg(test)]
mod tests;
