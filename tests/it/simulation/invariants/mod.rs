//! What must always hold. Each is a small function with a name that says it.

pub(super) mod answers;
pub(super) mod cluster;
pub(super) mod end;
pub(super) mod journal;
pub(super) mod pushed;

/// Whether something holds, and if not, why.
pub(super) type Verdict = Result<(), String>;

/// Holds if the condition does.
pub(super) fn holds(condition: bool, otherwise: impl FnOnce() -> String) -> Verdict {
    if condition { Ok(()) } else { Err(otherwise()) }
}
