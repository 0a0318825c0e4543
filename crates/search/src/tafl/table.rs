//! The transposition table.

/// How a value bounds the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Bound {
    #[default]
    Lower,
    Exact,
    Upper,
}

/// The entry of a position.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    key: u64,
    /// The best move, packed; 0 for none.
    pub(super) best: u16,
    pub(super) value: i16,
    pub(super) depth: i8,
    pub(super) bound: Bound,
}

/// Positions by their keys; newer entries replace older ones. The table lives only for one decision, because
/// otherwise results would depend on earlier ones.
#[derive(Debug)]
pub(super) struct Table {
    known: Vec<Known>,
}

/// The fewest and the most entries; each has 16 bytes.
const PLACES_MIN: usize = 1 << 8;
const PLACES_MAX: usize = 1 << 20;

impl Table {
    /// A table for this many positions.
    pub(super) fn for_nodes(nodes: u32) -> Self {
        Self { known: vec![Known::default(); places(nodes)] }
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Known> {
        let known = self.known[place(key, self.known.len())];
        (known.key == key).then_some(known)
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, best: u16, value: i16, depth: i8, bound: Bound) {
        let place = place(key, self.known.len());
        let known = &mut self.known[place];
        // A known best move is kept when no better one is found.
        let best = if best == 0 && known.key == key { known.best } else { best };
        *known = Known { key, best, value, depth, bound };
    }
}

/// Cache of static evaluations. The same positions recur often: from one depth to the next, and by
/// transposition.
#[derive(Debug)]
pub(super) struct Glances {
    known: Vec<(u64, i32)>,
}

impl Glances {
    /// A table for this many positions.
    pub(super) fn for_nodes(nodes: u32) -> Self {
        Self { known: vec![(0, 0); places(nodes)] }
    }

    /// The value with that key, computed if it is missing.
    #[inline]
    pub(super) fn get(&mut self, key: u64, reckon: impl FnOnce() -> i32) -> i32 {
        let place = place(key, self.known.len());
        let known = &mut self.known[place];
        if known.0 != key {
            *known = (key, reckon());
        }
        known.1
    }
}

/// The number of entries of a table for this many positions: a power of two.
fn places(nodes: u32) -> usize {
    (nodes as usize).next_power_of_two().clamp(PLACES_MIN, PLACES_MAX)
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "only the lowest bits count")]
const fn place(key: u64, places: usize) -> usize {
    key as usize & (places - 1)
}
