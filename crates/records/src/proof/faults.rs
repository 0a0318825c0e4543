//! Faults in a record's dice.

/// How many faults are listed: one wrong statement can make every throw wrong.
pub const FAULTS_MAX: usize = 100;

/// The kinds of faults, by what was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The commitment is not the one that was shown.
    Commitment,
    /// A seed is not the one that was brought, or promised, or used.
    Seed,
    /// A secret is not the one that was promised.
    Secret,
    /// The lot for colours gives another result.
    Lot,
    /// Throws are missing, added, or in another order.
    Order,
    /// A throw shows other dice.
    Die,
}

/// A fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What was changed.
    pub reason: Reason,
    /// The fault in words.
    pub why: String,
}

/// The faults, the first [`FAULTS_MAX`] of them in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults {
    kept: Vec<Fault>,
    more: usize,
}

impl Faults {
    pub(crate) const fn none() -> Self {
        Self { kept: Vec::new(), more: 0 }
    }

    pub(crate) fn add(&mut self, reason: Reason, why: impl Into<String>) {
        if self.kept.len() < FAULTS_MAX {
            self.kept.push(Fault { reason, why: why.into() });
        } else {
            self.more += 1;
        }
    }

    /// The listed faults.
    pub fn kept(&self) -> &[Fault] {
        &self.kept
    }

    /// How many faults are not listed.
    pub const fn more(&self) -> usize {
        self.more
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}
