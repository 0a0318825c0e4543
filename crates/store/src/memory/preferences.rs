//! What the holders of accounts prefer.

use lusoria_play::{PlayerId, SessionId};

use super::MemoryStore;
use crate::{
    PreferenceChange, PreferenceChanges, PreferenceValues, Preferences, StoreFuture, preferences::changed,
};

impl Preferences for MemoryStore {
    fn preferences(&self, guest: PlayerId) -> StoreFuture<'_, PreferenceValues> {
        self.at_once(move |tables| Ok(tables.preferences.get(&guest).cloned().unwrap_or_default()))
    }

    fn change_preferences(
        &self,
        guest: PlayerId,
        by: SessionId,
        changes: PreferenceChanges,
    ) -> StoreFuture<'_, PreferenceChange> {
        self.at_once(move |tables| {
            if !tables.may_ask(guest, by) {
                return Ok(PreferenceChange::SessionEnded);
            }
            if !tables.accounts.contains_key(&guest) {
                return Ok(PreferenceChange::NoAccount);
            }
            let kept = tables.preferences.get(&guest).cloned().unwrap_or_default();
            let Some((kept, _)) = changed(kept, changes) else { return Ok(PreferenceChange::TooMany) };
            tables.preferences.insert(guest, kept.clone());
            Ok(PreferenceChange::Changed(kept))
        })
    }
}
