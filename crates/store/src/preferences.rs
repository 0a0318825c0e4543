//! The part of the store for what people prefer.

use std::collections::BTreeMap;

/// How many preferences an account can have.
pub const PREFERENCES_PER_GUEST_MAX: u32 = 64;

/// Values, by the names of the preferences.
pub type PreferenceValues = BTreeMap<String, String>;

/// What changes: new values, by the names of the preferences; without one a preference is removed.
pub type PreferenceChanges = BTreeMap<String, Option<String>>;

/// What became of preferences that were to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreferenceChange {
    /// They are changed. This is all that the account has now.
    Changed(PreferenceValues),
    /// The account would have more than [`PREFERENCES_PER_GUEST_MAX`]; nothing changes.
    TooMany,
    /// The guest has no account.
    NoAccount,
    /// The session that asks has ended, or the guest is blocked.
    SessionEnded,
}

/// What is preferred after these changes, and those of them that change anything; none if that is too many.
pub(crate) fn changed(
    mut kept: PreferenceValues,
    mut changes: PreferenceChanges,
) -> Option<(PreferenceValues, PreferenceChanges)> {
    changes.retain(|name, value| kept.get(name) != value.as_ref());
    for (name, value) in &changes {
        match value {
            Some(value) => kept.insert(name.clone(), value.clone()),
            None => kept.remove(name),
        };
    }
    (kept.len() <= PREFERENCES_PER_GUEST_MAX as usize).then_some((kept, changes))
}
