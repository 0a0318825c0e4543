//! The sessions of guests, and the codes that begin one.

use lusoria_play::{Millis, PlayerId};

use super::tables::{Tables, Token, failed};
use crate::{
    DeviceCode, Guest, NewSession, SecretHash, Session, SessionId, SessionOrigin, StoreError,
    TOKENS_PER_GUEST_MAX,
};

impl Tables {
    pub(super) fn add_device_code(&mut self, code: DeviceCode, by: SessionId) -> Result<bool, StoreError> {
        if !self.may_ask(code.guest, by) {
            return Ok(false);
        }
        if self.device_codes.values().any(|other| other.hash == code.hash && other.guest != code.guest) {
            return failed("the code is there already");
        }
        self.device_codes.insert(code.guest, code);
        Ok(true)
    }

    /// Whether a session has not ended, and its guest is not blocked.
    pub(super) fn may_ask(&self, guest: PlayerId, by: SessionId) -> bool {
        self.guests.get(&guest).is_some_and(|guest| guest.blocked_at.is_none())
            && self.tokens.values().any(|token| token.guest == guest && token.session.id == by)
    }

    pub(super) fn spend_device_code(
        &mut self,
        code: SecretHash,
        new: NewSession,
        now: Millis,
    ) -> Result<Option<Guest>, StoreError> {
        let good = |known: &&DeviceCode| known.hash == code && known.expires_at > now;
        let Some(guest) = self.device_codes.values().find(good).map(|known| known.guest) else {
            return Ok(None);
        };
        if let Some(guest) = self.guests.get(&guest).filter(|guest| guest.blocked_at.is_some()) {
            return Ok(Some(guest.clone()));
        }
        self.check_session(&new)?;
        self.device_codes.remove(&guest);
        self.add_session(guest, new, SessionOrigin::DeviceCode, now);
        Ok(self.guests.get(&guest).cloned())
    }

    pub(super) fn check_session(&self, new: &NewSession) -> Result<(), StoreError> {
        let taken = |(hash, token): (&SecretHash, &Token)| *hash == new.token || token.session.id == new.id;
        if self.tokens.iter().any(taken) { failed("the session is there already") } else { Ok(()) }
    }

    /// Begins a session of a guest who may have several; of too many the oldest ends.
    pub(super) fn add_session(
        &mut self,
        guest: PlayerId,
        new: NewSession,
        origin: SessionOrigin,
        now: Millis,
    ) {
        let mut theirs: Vec<_> = self
            .tokens
            .iter()
            .filter(|(_, token)| token.guest == guest)
            .map(|(hash, token)| (token.session.created_at, *hash))
            .collect();
        theirs.sort_unstable();
        let too_many = (theirs.len() + 1).saturating_sub(TOKENS_PER_GUEST_MAX as usize);
        for (_, hash) in &theirs[..too_many] {
            self.tokens.remove(hash);
        }
        self.begin_session(guest, new, origin, now);
    }

    pub(super) fn begin_session(
        &mut self,
        guest: PlayerId,
        new: NewSession,
        origin: SessionOrigin,
        now: Millis,
    ) {
        let NewSession { id, token, device } = new;
        let session = Session { id, created_at: now, origin, device, seen_at: now };
        self.tokens.insert(token, Token { guest, session });
    }

    pub(super) fn sessions(&self, guest: PlayerId) -> Vec<Session> {
        let mut theirs: Vec<_> = self.tokens.iter().filter(|(_, token)| token.guest == guest).collect();
        theirs.sort_unstable_by_key(|(hash, token)| std::cmp::Reverse((token.session.created_at, **hash)));
        theirs.into_iter().map(|(_, token)| token.session.clone()).collect()
    }

    /// Ends the sessions of a guest that are chosen; how many there were.
    pub(super) fn revoke(&mut self, guest: PlayerId, chosen: impl Fn(SessionId) -> bool) -> u64 {
        let before = self.tokens.len();
        self.tokens.retain(|_, token| token.guest != guest || !chosen(token.session.id));
        (before - self.tokens.len()) as u64
    }
}
