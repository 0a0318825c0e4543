//! The budget of a choice.

/// The budget of a choice: how many positions may be evaluated.
///
/// A level keeps to it, except that it always evaluates at least one end of the turn. The yardsticks ignore
/// the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget {
    /// Evaluated positions, 1 or more; positions that only a pruning network sees count a quarter.
    pub nodes: u32,
}

impl Budget {
    /// One of this many equal parts of the budget; at least one position.
    #[must_use]
    pub fn shared_by(self, parts: u32) -> Self {
        Self { nodes: (self.nodes / parts.max(1)).max(1) }
    }
}
