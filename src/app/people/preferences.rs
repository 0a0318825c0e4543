//! Preferences of accounts, shared by all devices that are signed in.

use lusoria_protocol::{ChangePreferences, Code, Preferences, Problem};
use lusoria_store::{PREFERENCES_PER_GUEST_MAX, PreferenceChange, PreferenceValues};

use crate::app::{App, Caller, problem};

impl App {
    /// The preferences of an account.
    ///
    /// # Errors
    /// `no_account`; `unavailable`.
    pub async fn preferences(&self, caller: &Caller) -> Result<Preferences, Problem> {
        self.account(caller).await?;
        let kept = self.store().preferences(caller.id()).await.map_err(problem::store)?;
        wire_preferences(kept)
    }

    /// Changes some preferences; the others stay.
    ///
    /// # Errors
    /// `no_account`; `invalid_body` if more are removed than an account can have; `too_many_preferences`;
    /// `unknown_token` or `blocked` if the caller lost access meanwhile; `unavailable`.
    pub async fn change_preferences(
        &self,
        caller: &Caller,
        request: ChangePreferences,
    ) -> Result<Preferences, Problem> {
        let by = caller.session()?;
        let ChangePreferences { preferences, removed } = request;
        if removed.len() > PREFERENCES_PER_GUEST_MAX as usize {
            let detail = format!("removed: an account has at most {PREFERENCES_PER_GUEST_MAX} preferences");
            let problem = Problem::new(Code::InvalidBody, detail);
            return Err(problem.with_limit(PREFERENCES_PER_GUEST_MAX.into()));
        }
        let removed = removed.into_iter().map(|name| (name.into(), None));
        let set = preferences.into_iter().map(|(name, value)| (name.into(), Some(value.into())));
        // The last change of a name counts.
        let changes = removed.chain(set).collect();
        let change = self.store().change_preferences(caller.id(), by, changes).await;
        match change.map_err(problem::store)? {
            PreferenceChange::Changed(kept) => wire_preferences(kept),
            PreferenceChange::TooMany => {
                Err(Problem::from(Code::TooManyPreferences).with_limit(PREFERENCES_PER_GUEST_MAX.into()))
            }
            PreferenceChange::NoAccount => Err(Code::NoAccount.into()),
            PreferenceChange::SessionEnded => Err(self.gone(caller, caller.id()).await),
        }
    }
}

fn wire_preferences(kept: PreferenceValues) -> Result<Preferences, Problem> {
    let read = |(name, value): (String, String)| Some((name.parse().ok()?, value.parse().ok()?));
    let preferences = kept.into_iter().map(read).collect::<Option<_>>();
    Ok(Preferences { preferences: preferences.ok_or_else(problem::internal)? })
}
