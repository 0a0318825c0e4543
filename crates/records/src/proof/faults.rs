//! What is false.

/// How many faults are kept: one false statement can make every throw false.
pub const FAULTS_MAX: usize = 100;

/// What is false, sorted by what was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The commitment is not the one that was seen.
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

/// Something that is false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What was changed.
    pub reason: Reason,
    /// In words.
    pub why: String,
}

/// The faults found, the first [`FAULTS_MAX`] of them in words.
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

    /// The first of them.
    pub fn kept(&self) -> &[Fault] {
        &self.kept
    }

    /// How many further faults there are.
    pub const fn more(&self) -> usize {
        self.more
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}
