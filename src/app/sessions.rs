//! A guest's sessions: one for each device with a token.
//!
//! When a session was last seen is told to the hour: it is noted when a token is looked up,
//! waits in memory, and is written now and then, many at once. No request waits for it.

use std::collections::BTreeMap;

use lusoria_play::Millis;
use lusoria_protocol::{
    Code, DeviceName, Problem, Session as WireSession, SessionList, SessionOrigin as WireOrigin, SignedInBy,
};
use parking_lot::Mutex;

use super::{App, Caller, problem};
use lusoria_store::{Bearer, Session, SessionId, SessionOrigin};

/// How old what is noted must be to be noted anew: an hour.
const NOTED_EVERY_MS: Millis = 3_600_000;

/// The most sessions that wait to be noted; others are noted when they are seen again.
const WAITING_MAX: usize = 4_096;

/// Sessions that were seen and wait to be noted.
#[derive(Default)]
pub(super) struct Seen {
    waiting: Mutex<BTreeMap<SessionId, Millis>>,
}

impl Seen {
    /// Notes that a token has been used.
    pub(super) fn note(&self, bearer: &Bearer, now: Millis) {
        if now.saturating_sub(bearer.seen_at) < NOTED_EVERY_MS {
            return;
        }
        let mut waiting = self.waiting.lock();
        if waiting.len() < WAITING_MAX {
            waiting.entry(bearer.session).or_insert(now);
        }
    }

    fn take(&self) -> Vec<(SessionId, Millis)> {
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
        let sessions = found.into_iter().map(|session| wire_session(session, caller.session())).collect();
        Ok(SessionList { sessions })
    }

    /// Ends a session of a guest, be it this one. A device code goes with another one.
    ///
    /// # Errors
    /// `no_such_session`; `unavailable`.
    pub async fn revoke_session(&self, caller: &Caller, id: SessionId) -> Result<(), Problem> {
        let revoked = self.store().revoke_session(caller.id(), id, caller.session()).await;
        if !revoked.map_err(problem::store)? {
            return Err(Problem::new(Code::NoSuchSession, format!("you have no session {id}")));
        }
        self.live.doubt(caller.id());
        Ok(())
    }

    /// Ends all sessions of a guest but this one, and a device code.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn revoke_other_sessions(&self, caller: &Caller) -> Result<(), Problem> {
        let revoked = self.store().revoke_other_sessions(caller.id(), caller.session()).await;
        if revoked.map_err(problem::store)? > 0 {
            self.live.doubt(caller.id());
        }
        Ok(())
    }

    /// Ends the session that is used.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn revoke_token(&self, caller: &Caller) -> Result<(), Problem> {
        let this = caller.session();
        self.store().revoke_session(caller.id(), this, this).await.map_err(problem::store)?;
        self.live.doubt(caller.id());
        Ok(())
    }

    /// Writes which sessions have been seen. To be called now and then, and at the end.
    pub async fn note_seen(&self) {
        let seen = self.seen.take();
        if seen.is_empty() {
            return;
        }
        // Sessions dropped here are noted when they are seen again.
        if let Err(why) = self.store().note_seen(seen).await {
            tracing::warn!(%why, "could not store when sessions were last seen");
        }
    }
}

fn wire_session(session: Session, current: SessionId) -> WireSession {
    let (origin, signed_in_by) = match session.origin {
        SessionOrigin::Guest => (WireOrigin::Guest, None),
        SessionOrigin::DeviceCode => (WireOrigin::DeviceCode, None),
        // Released clients know no other origin.
        SessionOrigin::Password => (WireOrigin::DeviceCode, Some(SignedInBy::Password)),
        SessionOrigin::RecoveryCode => (WireOrigin::DeviceCode, Some(SignedInBy::RecoveryCode)),
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
    use lusoria_play::{PlayerId, PlayerKind};
    use uuid::Uuid;

    use super::*;
    use lusoria_store::Guest;

    fn bearer(n: usize, seen_at: Millis) -> Bearer {
        let id = Uuid::from_u128(n as u128);
        let guest = Guest {
            id: PlayerId(id),
            name: String::new(),
            kind: PlayerKind::Person,
            created_at: seen_at,
            blocked_at: None,
        };
        Bearer { guest, session: SessionId(id), seen_at }
    }

    #[test]
    fn a_session_is_noted_at_most_once_an_hour() {
        let seen = Seen::default();
        seen.note(&bearer(1, 1_000), 1_000 + NOTED_EVERY_MS - 1);
        assert_eq!(seen.take(), []);
        for later in [0, 5] {
            seen.note(&bearer(1, 1_000), 1_000 + NOTED_EVERY_MS + later);
        }
        assert_eq!(seen.take(), [(bearer(1, 0).session, 1_000 + NOTED_EVERY_MS)]);
        assert_eq!(seen.take(), []);
    }

    #[test]
    fn only_so_many_wait_to_be_noted() {
        let seen = Seen::default();
        for n in 0..=WAITING_MAX {
            seen.note(&bearer(n, 0), NOTED_EVERY_MS);
        }
        assert_eq!(seen.take().len(), WAITING_MAX);
        seen.note(&bearer(WAITING_MAX, 0), NOTED_EVERY_MS);
        assert_eq!(seen.take().len(), 1, "and afterwards there is room again");
    }
}
