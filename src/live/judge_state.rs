//! What a match keeps from one request to the next.

use std::sync::Arc;

use lusoria_play::Recorded;

use super::chance::DiceSecrets;

/// What a match keeps from one request to the next, guarded by the lock of its judge.
#[derive(Default)]
pub(super) struct JudgeState {
    /// The secrets of the dice, loaded on first use.
    pub(super) dice: Option<DiceSecrets>,
    /// The commit with unknown outcome, if the journal could not be read since.
    pub(super) unresolved: Option<Unresolved>,
}

/// A commit with unknown outcome.
pub(super) enum Unresolved {
    /// An append of these events.
    Append(Arc<[Recorded]>),
    /// A rewrite of past events.
    Rewrite,
}

impl JudgeState {
    /// Drops what can be read again. False if a commit is unresolved.
    pub(super) fn drop_caches(&mut self) -> bool {
        self.dice = None;
        self.unresolved.is_none()
    }
}
