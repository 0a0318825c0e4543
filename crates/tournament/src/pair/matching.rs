//! Maximum-weight matching.

use mwmatching::{Matching, SENTINEL};

/// The greatest weight: the algorithm adds and doubles weights in 32 bits.
pub(super) const WEIGHT_MAX: i32 = 1 << 27;

/// As many pairs of `0..n` as the edges admit, and of these those with the greatest sum of weights. Each pair
/// once, the lower index first, in order.
pub(super) fn pairs(edges: Vec<(usize, usize, i32)>) -> Vec<(usize, usize)> {
    if edges.is_empty() {
        return Vec::new();
    }
    debug_assert!(edges.iter().all(|edge| edge.2.abs() <= WEIGHT_MAX));
    let mates = Matching::new(edges).max_cardinality().solve();
    let pairs = mates.into_iter().enumerate();
    pairs.filter(|&(one, other)| other != SENTINEL && one < other).collect()
}
