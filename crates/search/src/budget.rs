//! How much a choice may cost.

/// How much a choice may cost: how many positions may be valued.
///
/// A level keeps to it but for what it needs to answer at all: one end of the turn. The
/// yardsticks look at what they look at, whatever the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget {
    /// Positions valued, 1 or more; of those that a pruning network looks at, four count as one.
    pub nodes: u32,
}

impl Budget {
    /// A share of the budget, one part of so many; at least one position.
    #[must_use]
    pub fn shared_by(self, parts: u32) -> Self {
        Self { nodes: (self.nodes / parts.max(1)).max(1) }
    }
}
