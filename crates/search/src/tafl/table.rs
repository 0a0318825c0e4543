//! What has been found out about positions already.

/// How a value bounds the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Bound {
    #[default]
    Lower,
    Exact,
    Upper,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    key: u64,
    /// The best move, packed; 0 for none.
    pub(super) best: u16,
    pub(super) value: i16,
    pub(super) depth: i8,
    pub(super) bound: Bound,
}

/// Positions by their keys; a newer one takes the place of an older one. The table lives as
/// long as one question, or the answer would depend on what was asked before.
#[derive(Debug)]
pub(super) struct Table {
    known: Vec<Known>,
}

/// The fewest and the most places; one is 16 bytes.
const PLACES_MIN: usize = 1 << 8;
const PLACES_MAX: usize = 1 << 20;

impl Table {
    /// A table for so many positions.
    pub(super) fn for_nodes(nodes: u32) -> Self {
        let places = (nodes as usize).next_power_of_two().clamp(PLACES_MIN, PLACES_MAX);
        Self { known: vec![Known::default(); places] }
    }

    #[expect(clippy::cast_possible_truncation, reason = "only the lowest bits count")]
    const fn place(&self, key: u64) -> usize {
        key as usize & (self.known.len() - 1)
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Known> {
        let known = self.known[self.place(key)];
        (known.key == key).then_some(known)
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, best: u16, value: i16, depth: i8, bound: Bound) {
        let place = self.place(key);
        let known = &mut self.known[place];
        // A best move once found is kept where nothing better is known.
        let best = if best == 0 && known.key == key { known.best } else { best };
        *known = Known { key, best, value, depth, bound };
    }
}
