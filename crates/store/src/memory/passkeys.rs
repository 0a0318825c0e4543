//! Passkeys.

use std::cmp::Reverse;

use lusoria_play::{Millis, PasskeyId, PlayerId};

use super::{
    MemoryStore,
    tables::{Tables, failed},
};
use crate::{
    Guest, NewSession, PASSKEYS_PER_GUEST_MAX, Passkey, PasskeyAddition, PasskeyRemoval, PasskeyUse,
    Passkeys, Proof, SecretHash, SessionOrigin, StoreError, StoreFuture,
};

impl Passkeys for MemoryStore {
    fn spend_challenge(&self, hash: SecretHash, expires_at: Millis) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            let is_new = !tables.spent_challenges.contains_key(&hash);
            tables.spent_challenges.entry(hash).or_insert(expires_at);
            Ok(is_new)
        })
    }

    fn add_passkey(&self, proof: Proof, new: Passkey) -> StoreFuture<'_, PasskeyAddition> {
        self.at_once(move |tables| tables.add_passkey(&proof, new))
    }

    fn passkeys(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Passkey>> {
        self.at_once(move |tables| {
            let mut theirs: Vec<_> =
                tables.passkeys.values().filter(|passkey| passkey.guest == guest).cloned().collect();
            theirs.sort_unstable_by_key(|passkey| Reverse((passkey.created_at, passkey.id)));
            Ok(theirs)
        })
    }

    fn passkey(&self, credential: Vec<u8>) -> StoreFuture<'_, Option<Passkey>> {
        self.at_once(move |tables| {
            Ok(tables.passkeys.values().find(|passkey| passkey.credential.id == credential).cloned())
        })
    }

    fn rename_passkey(&self, guest: PlayerId, id: PasskeyId, name: String) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            let found = tables.passkeys.get_mut(&id).filter(|passkey| passkey.guest == guest);
            Ok(found.map(|passkey| passkey.name = name).is_some())
        })
    }

    fn remove_passkey(&self, proof: Proof, id: PasskeyId) -> StoreFuture<'_, PasskeyRemoval> {
        self.at_once(move |tables| {
            if !tables.holds(&proof) {
                return Ok(PasskeyRemoval::NotProven);
            }
            let is_theirs = tables.passkeys.get(&id).is_some_and(|passkey| passkey.guest == proof.guest);
            if !is_theirs {
                return Ok(PasskeyRemoval::NotFound);
            }
            let has_password =
                tables.accounts.get(&proof.guest).is_some_and(|account| account.password.is_some());
            if !has_password && tables.passkeys_of(proof.guest) == 1 {
                return Ok(PasskeyRemoval::LastWayIn);
            }
            tables.passkeys.remove(&id);
            Ok(PasskeyRemoval::Removed)
        })
    }

    fn use_passkey(&self, used: PasskeyUse) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| Ok(tables.use_passkey(used)))
    }

    fn sign_in_with_passkey(&self, used: PasskeyUse, session: NewSession) -> StoreFuture<'_, Option<Guest>> {
        self.at_once(move |tables| tables.sign_in_with_passkey(used, session))
    }
}

impl Tables {
    fn add_passkey(&mut self, proof: &Proof, new: Passkey) -> Result<PasskeyAddition, StoreError> {
        if !self.holds(proof) {
            return Ok(PasskeyAddition::NotProven);
        }
        if self.passkeys_of(proof.guest) >= PASSKEYS_PER_GUEST_MAX as usize {
            return Ok(PasskeyAddition::TooMany);
        }
        if self.has_credential(&new) {
            return Ok(PasskeyAddition::Known);
        }
        self.insert_passkey(proof.guest, new)?;
        Ok(PasskeyAddition::Added)
    }

    /// How many passkeys a guest has.
    pub(super) fn passkeys_of(&self, guest: PlayerId) -> usize {
        self.passkeys.values().filter(|passkey| passkey.guest == guest).count()
    }

    /// Whether an account has this passkey.
    pub(super) fn has_credential(&self, new: &Passkey) -> bool {
        self.passkeys.values().any(|passkey| passkey.credential.id == new.credential.id)
    }

    pub(super) fn insert_passkey(&mut self, guest: PlayerId, new: Passkey) -> Result<(), StoreError> {
        if self.passkeys.contains_key(&new.id) {
            return failed("the passkey is there already");
        }
        self.passkeys.insert(new.id, Passkey { guest, ..new });
        Ok(())
    }

    fn use_passkey(&mut self, used: PasskeyUse) -> bool {
        let found = self.passkeys.get_mut(&used.id);
        let Some(passkey) = found.filter(|passkey| passkey.credential.counter == used.counter_before) else {
            return false;
        };
        passkey.credential.counter = used.counter;
        passkey.credential.is_backed_up = used.is_backed_up;
        passkey.used_at = Some(used.at);
        true
    }

    fn sign_in_with_passkey(
        &mut self,
        used: PasskeyUse,
        session: NewSession,
    ) -> Result<Option<Guest>, StoreError> {
        let found = self.passkeys.get(&used.id);
        let found = found.filter(|passkey| passkey.credential.counter == used.counter_before);
        let guest = found.and_then(|passkey| self.guests.get(&passkey.guest)).cloned();
        if let Some(Guest { id, blocked_at: None, .. }) = guest {
            self.check_session(&session)?;
            self.use_passkey(used);
            self.add_session(id, session, SessionOrigin::Passkey, used.at);
        }
        Ok(guest)
    }

    /// Removes all passkeys of a guest.
    pub(super) fn remove_passkeys(&mut self, guest: PlayerId) {
        self.passkeys.retain(|_, passkey| passkey.guest != guest);
    }
}
