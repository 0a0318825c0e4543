//! A guest's sessions: one for each device with a token.
//!
//! The time when a session or API token was last used is precise to an hour. It is noted when a token is
//! looked up, waits in memory, and is regularly written in batches. No request waits for it.

use std::collections::BTreeMap;

use lusoria_play::Millis;
use lusoria_protocol::{
    Code, DeviceName, Problem, Session as WireSession, SessionList, SessionOrigin as WireOrigin, SignedInBy,
};
use parking_lot::Mutex;

use crate::app::{App, Caller, problem};
use lusoria_store::{Session, SessionId, SessionOrigin};

/// The minimum age of a noted time before it is noted again: an hour.
const NOTED_EVERY_MS: Millis = 3_600_000;

/// The most sessions or API tokens that wait to be written; others are noted at their next use.
const WAITING_MAX: usize = 4_096;

/// Sessions or API tokens whose use waits to be written.
pub(in crate::app) struct Seen<Id> {
    waiting: Mutex<BTreeMap<Id, Millis>>,
}

impl<Id> Default for Seen<Id> {
    fn default() -> Self {
        Self { waiting: Mutex::default() }
    }
}

impl<Id: Ord> Seen<Id> {
    /// Notes a use at `now`; `noted` is the stored time of the last use.
    pub(in crate::app) fn note(&self, id: Id, noted: Option<Millis>, now: Millis) {
        if noted.is_some_and(|at| now.saturating_sub(at) < NOTED_EVERY_MS) {
            return;
        }
        let mut waiting = self.waiting.lock();
        if waiting.len() < WAITING_MAX {
            waiting.entry(id).or_insert(now);
        }
    }

    fn take(&self) -> Vec<(Id, Millis)> {
        std::mem::take(&mut *self.waiting.lock()).into_iter().collect()
    }
}

impl App {
    /// The sessions of a guest, the newest first.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn sessions(&self, caller: &Caller) -> Result<SessionList, Problem> {
        let found = self.store().sessions(caller.id()).await.map_err(problem::store)?;
        let current = caller.session()?;
        let sessions = found.into_iter().map(|session| wire_session(session, current)).collect();
        Ok(SessionList { sessions })
    }

    /// Ends a session of a guest, also the current one. Ending another one also deletes the device code.
    ///
    /// # Errors
    /// `no_such_session`; `unavailable`.
    pub async fn revoke_session(&self, caller: &Caller, id: SessionId) -> Result<(), Problem> {
        let revoked = self.store().revoke_session(caller.id(), id, caller.session()?).await;
        if !revoked.map_err(problem::store)? {
            return Err(Problem::new(Code::NoSuchSession, format!("you have no session {id}")));
        }
        self.live.doubt(caller.id());
        Ok(())
    }

    /// Ends all other sessions of a guest, and deletes the device code.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn revoke_other_sessions(&self, caller: &Caller) -> Result<(), Problem> {
        let revoked = self.store().revoke_other_sessions(caller.id(), caller.session()?).await;
        if revoked.map_err(problem::store)? > 0 {
            self.live.doubt(caller.id());
        }
        Ok(())
    }

    /// Ends the current session, or revokes the current API token.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn revoke_token(&self, caller: &Caller) -> Result<(), Problem> {
        let revoked = if let Some(token) = caller.api_token() {
            self.store().revoke_api_token(caller.id(), token.id).await
        } else {
            let this = caller.session()?;
            self.store().revoke_session(caller.id(), this, this).await
        };
        revoked.map_err(problem::store)?;
        self.live.doubt(caller.id());
        Ok(())
    }

    /// Stores when sessions and API tokens were last used. To be called regularly, and at shutdown.
    pub async fn note_seen(&self) {
        let (sessions, api_tokens) = (self.sessions_seen.take(), self.api_tokens_used.take());
        // What is lost here is noted at the next use.
        if !sessions.is_empty()
            && let Err(why) = self.store().note_seen(sessions).await
        {
            tracing::warn!(%why, "could not store when sessions were last seen");
        }
        if !api_tokens.is_empty()
            && let Err(why) = self.store().note_used(api_tokens).await
        {
            tracing::warn!(%why, "could not store when API tokens were last used");
        }
    }
}

fn wire_session(session: Session, current: SessionId) -> WireSession {
    let (origin, signed_in_by) = match session.origin {
        SessionOrigin::Guest => (WireOrigin::Guest, None),
        SessionOrigin::DeviceCode => (WireOrigin::DeviceCode, None),
        // Older clients know no other origin.
        SessionOrigin::Password => (WireOrigin::DeviceCode, Some(SignedInBy::Password)),
        SessionOrigin::RecoveryCode => (WireOrigin::DeviceCode, Some(SignedInBy::RecoveryCode)),
        SessionOrigin::Passkey => (WireOrigin::DeviceCode, Some(SignedInBy::Passkey)),
    };
    WireSession {
        id: session.id,
        created_at: session.created_at,
        origin,
        signed_in_by,
        device: session.device.map(DeviceName::given_before),
        seen_at: session.seen_at,
        current: session.id == current,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_noted_at_most_once_an_hour() {
        let seen = Seen::default();
        seen.note(1, Some(1_000), 1_000 + NOTED_EVERY_MS - 1);
        assert_eq!(seen.take(), []);
        for later in [0, 5] {
            seen.note(1, Some(1_000), 1_000 + NOTED_EVERY_MS + later);
        }
        assert_eq!(seen.take(), [(1, 1_000 + NOTED_EVERY_MS)]);
        assert_eq!(seen.take(), []);
        seen.note(2, None, 7);
        assert_eq!(seen.take(), [(2, 7)], "one that was never used is noted at once");
    }

    #[test]
    fn only_so_many_wait_to_be_noted() {
        let seen = Seen::default();
        for n in 0..=WAITING_MAX {
            seen.note(n, Some(0), NOTED_EVERY_MS);
        }
        assert_eq!(seen.take().len(), WAITING_MAX);
        seen.note(WAITING_MAX, Some(0), NOTED_EVERY_MS);
        assert_eq!(seen.take().len(), 1, "and afterwards there is room again");
    }
}
