//! Terms: the time for joining, for revealing a seed, or for a turn.

use crate::Millis;

/// A term that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term {
    /// When it began.
    since: Millis,
    /// How long the server was not running since then, in milliseconds.
    credit_ms: Millis,
}

impl Term {
    /// A term that begins now.
    pub(crate) const fn from(now: Millis) -> Self {
        Self { since: now, credit_ms: 0 }
    }

    /// When it began.
    pub(crate) const fn since(self) -> Millis {
        self.since
    }

    /// The same term, extended.
    pub(crate) const fn put_off(self, credit_ms: Millis) -> Self {
        Self { since: self.since, credit_ms: self.credit_ms.saturating_add(credit_ms) }
    }

    /// The elapsed time that counts, in milliseconds.
    pub(crate) const fn elapsed(self, now: Millis) -> Millis {
        now.saturating_sub(self.since).saturating_sub(self.credit_ms)
    }

    /// The end of a term of this length.
    pub(crate) const fn ends(self, length_ms: Millis) -> Millis {
        self.since.saturating_add(self.credit_ms).saturating_add(length_ms)
    }
}
