//! Numbers that one seed decides: `SplitMix64`, written out so that a seed means the same
//! run with every version of every library.

/// A source of numbers.
#[derive(Default)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to `bound - 1`; 0 if `bound` is 0.
    pub(crate) const fn below(&mut self, bound: u64) -> u64 {
        let number = self.number();
        if bound == 0 { 0 } else { number % bound }
    }

    /// From `low` to `high`, both included.
    pub(crate) const fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True in so many of a thousand cases.
    pub(crate) const fn permille(&mut self, of_thousand: u64) -> bool {
        self.below(1_000) < of_thousand
    }

    /// From 0 to `bound - 1`; 0 if `bound` is 0.
    pub(crate) fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).expect("an index fits")
    }

    /// One of them.
    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let at = self.index(of.len());
        of.get(at)
    }
}
