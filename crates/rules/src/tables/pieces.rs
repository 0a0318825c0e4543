//! One side's pieces, packed into three words so that a position is small,
//! quick to copy and quick to hash.

/// The number of a side's pieces in each of the four games.
pub(crate) const PIECES: u8 = 15;

/// A place for pieces, on the side's own path: a cell in the order of travel, a cell of the middle row, the
/// supply, the bar, or off the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place(u8);

impl Place {
    /// Pieces not yet entered.
    pub(super) const SUPPLY: Self = Self(36);
    /// Hit pieces that must enter again.
    pub(super) const BAR: Self = Self(37);
    /// Pieces borne off.
    pub(super) const OFF: Self = Self(38);

    /// The cell with this index on the path, from 0. The middle row follows a path of 24: middle cell *m* is
    /// 23 + *m*.
    pub(super) const fn cell(index: u8) -> Self {
        debug_assert!(index < 36);
        Self(index)
    }

    /// The index of a cell; meaningless for the supply, the bar and off.
    pub(super) const fn index(self) -> u8 {
        self.0
    }

    /// The cell as a bit in a mask of cells.
    pub(super) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Whether this is a cell and not the supply, the bar or off.
    pub(super) const fn is_cell(self) -> bool {
        self.0 < 36
    }
}

/// One side's pieces: four bits a place, then a bit for each pinned cell and one for having been exposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Pieces(pub(super) [u64; 3]);

/// The first bit of the pinned cells in the last word: after 39 places.
const PINNED_SHIFT: u32 = (39 - 32) * 4;
const PINNED: u64 = 0xFF_FFFF << PINNED_SHIFT;
const EXPOSED: u64 = 1 << 63;

impl Pieces {
    /// The number of pieces on a place.
    #[inline]
    pub(super) const fn count(&self, place: Place) -> u8 {
        ((self.0[(place.0 >> 4) as usize] >> ((place.0 & 15) * 4)) & 15) as u8
    }

    /// Puts that many pieces (at most 15 in all) on an empty place.
    pub(super) const fn set(&mut self, place: Place, count: u8) {
        debug_assert!(count <= PIECES);
        let (word, shift) = ((place.0 >> 4) as usize, (place.0 & 15) * 4);
        self.0[word] = (self.0[word] & !(15 << shift)) | ((count as u64) << shift);
    }

    /// Moves one piece.
    pub(super) const fn carry(&mut self, from: Place, to: Place) {
        debug_assert!(self.count(from) > 0 && self.count(to) < PIECES);
        self.0[(from.0 >> 4) as usize] -= 1 << ((from.0 & 15) * 4);
        self.0[(to.0 >> 4) as usize] += 1 << ((to.0 & 15) * 4);
    }

    /// The cells that hold pieces, as a mask.
    #[inline]
    pub(super) const fn occupied(&self) -> u64 {
        gather(self.0[0]) | gather(self.0[1]) << 16 | gather(self.0[2] & 0xFFFF) << 32
    }

    /// The cells that hold two pieces or more, as a mask.
    #[inline]
    pub(super) const fn held(&self) -> u64 {
        several(self.0[0]) | several(self.0[1]) << 16 | several(self.0[2] & 0xFFFF) << 32
    }

    /// The cells on which a piece of this side is pinned, as a mask.
    #[inline]
    pub(super) const fn pinned(&self) -> u64 {
        (self.0[2] & PINNED) >> PINNED_SHIFT
    }

    /// Sets the pinned cells.
    pub(super) const fn set_pinned(&mut self, cells: u64) {
        self.0[2] = (self.0[2] & !PINNED) | (cells << PINNED_SHIFT);
    }

    /// Whether the side's blots can be hit everywhere.
    #[inline]
    pub(super) const fn exposed(&self) -> bool {
        self.0[2] & EXPOSED != 0
    }

    /// Exposes the side for the rest of the game.
    pub(super) const fn expose(&mut self) {
        self.0[2] |= EXPOSED;
    }

    /// A mask over these words that is zero exactly if all pieces are on path cells from `home` up to
    /// `length` or off, and none is pinned.
    pub(super) const fn outside(home: u8, length: u8) -> [u64; 3] {
        let mut mask = Self([u64::MAX; 3]);
        let mut index = home;
        while index < length {
            mask.set(Place::cell(index), 0);
            index += 1;
        }
        mask.set(Place::OFF, 0);
        mask.0[2] &= !EXPOSED;
        mask.0
    }

    /// Whether this side has nothing under the mask.
    pub(super) const fn clear_of(&self, mask: &[u64; 3]) -> bool {
        self.0[0] & mask[0] | self.0[1] & mask[1] | self.0[2] & mask[2] == 0
    }
}

/// One bit for each of the sixteen groups of four bits that is not zero.
#[inline]
const fn gather(word: u64) -> u64 {
    pack(word | word >> 1 | word >> 2 | word >> 3)
}

/// One bit for each of the sixteen groups of four bits that is two or more.
#[inline]
const fn several(word: u64) -> u64 {
    pack(word >> 1 | word >> 2 | word >> 3)
}

/// The lowest bits of the sixteen groups of four, side by side.
#[inline]
const fn pack(word: u64) -> u64 {
    let mut x = word & 0x1111_1111_1111_1111;
    x = (x | x >> 3) & 0x0303_0303_0303_0303;
    x = (x | x >> 6) & 0x000F_000F_000F_000F;
    x = (x | x >> 12) & 0x0000_00FF_0000_00FF;
    (x | x >> 24) & 0xFFFF
}

/// The places of a mask of cells, in the order of travel.
pub(super) fn cells(mut mask: u64) -> impl Iterator<Item = Place> {
    std::iter::from_fn(move || {
        let index = u8::try_from(mask.trailing_zeros()).expect("a bit's number is small");
        let place = (mask != 0).then_some(Place(index));
        mask &= mask.wrapping_sub(1);
        place
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_do_not_touch_each_other() {
        for at in 0..=38 {
            let mut pieces = Pieces::default();
            pieces.set(Place(at), 15);
            for other in 0..=38 {
                assert_eq!(pieces.count(Place(other)), if other == at { 15 } else { 0 });
            }
            assert_eq!(pieces.occupied(), if at < 36 { 1 << at } else { 0 });
            assert_eq!((pieces.pinned(), pieces.exposed()), (0, false));
            assert_eq!(pieces.clear_of(&Pieces::outside(18, 24)), matches!(at, 18..=23 | 38), "place {at}");
        }
    }

    #[test]
    fn marks_do_not_touch_the_pieces() {
        let mut pieces = Pieces::default();
        pieces.set_pinned(0xFF_FFFF);
        pieces.expose();
        assert_eq!((pieces.pinned(), pieces.exposed()), (0xFF_FFFF, true));
        assert!((0..=38).all(|at| pieces.count(Place(at)) == 0));
        pieces.set_pinned(1 << 23);
        assert_eq!(cells(pieces.pinned()).collect::<Vec<_>>(), [Place::cell(23)]);
    }
}
