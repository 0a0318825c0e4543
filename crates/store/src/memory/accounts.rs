//! Accounts: what lets guests sign in anywhere.

use lusoria_play::{Millis, PlayerId, PlayerKind};

use super::tables::{Match, Tables, Token, failed};
use crate::{
    Account, AccountOpening, BotDeclaration, Guest, NewAccount, NewSession, PasswordHash, PasswordRemoval,
    Proof, Revoking, SecretHash, SessionId, SessionOrigin, Shown, StoreError,
};

impl Tables {
    pub(super) fn open_account(&mut self, new: NewAccount) -> Result<AccountOpening, StoreError> {
        if !self.may_ask(new.guest, new.by) {
            return Ok(AccountOpening::SessionEnded);
        }
        if self.accounts.contains_key(&new.guest) {
            return Ok(AccountOpening::HasAccount);
        }
        if let Some(refused) = self.refuses_sign_up(&new) {
            return Ok(refused);
        }
        let NewAccount {
            guest,
            handle,
            skeleton,
            default_name,
            password,
            passkey,
            recovery_codes,
            sign_up_code,
            created_at,
            ..
        } = new;
        if self.account_by_skeleton(&skeleton).is_some() {
            return Ok(AccountOpening::HandleTaken);
        }
        if let Some(passkey) = passkey {
            if self.has_credential(&passkey) {
                return Ok(AccountOpening::PasskeyKnown);
            }
            self.insert_passkey(guest, passkey)?;
        }
        if let Some(guest) = self.guests.get_mut(&guest).filter(|guest| guest.name == default_name) {
            guest.name.clone_from(&handle);
        }
        let account = Account { guest, handle, skeleton, password, recovery_codes: 0, created_at };
        self.accounts.insert(guest, account);
        self.recovery_codes.extend(recovery_codes.into_iter().map(|code| (code, guest)));
        self.spend_sign_up_code(sign_up_code);
        Ok(AccountOpening::Opened)
    }

    pub(super) fn account(&self, guest: PlayerId) -> Option<Account> {
        let account = self.accounts.get(&guest)?.clone();
        let codes = self.recovery_codes.values().filter(|of| **of == guest).count();
        Some(Account { recovery_codes: u32::try_from(codes).unwrap_or(u32::MAX), ..account })
    }

    pub(super) fn account_by_skeleton(&self, skeleton: &str) -> Option<Account> {
        let alike = self.accounts.values().find(|account| account.skeleton == skeleton)?;
        self.account(alike.guest)
    }

    pub(super) fn sign_in(
        &mut self,
        guest: PlayerId,
        password: &PasswordHash,
        session: NewSession,
        now: Millis,
    ) -> Result<Option<Guest>, StoreError> {
        if self.accounts.get(&guest).is_none_or(|account| account.password.as_ref() != Some(password)) {
            return Ok(None);
        }
        let found = self.guests.get(&guest).cloned();
        if found.as_ref().is_some_and(|guest| guest.blocked_at.is_none()) {
            self.check_session(&session)?;
            self.add_session(guest, session, SessionOrigin::Password, now);
        }
        Ok(found)
    }

    pub(super) fn recover(
        &mut self,
        guest: PlayerId,
        code: SecretHash,
        password: PasswordHash,
        session: NewSession,
        now: Millis,
    ) -> Result<Option<Guest>, StoreError> {
        if self.recovery_codes.get(&code) != Some(&guest) {
            return Ok(None);
        }
        let found = self.guests.get(&guest).cloned();
        let is_taken = |(hash, token): (&SecretHash, &Token)| {
            token.guest != guest && (*hash == session.token || token.session.id == session.id)
        };
        if found.as_ref().is_some_and(|guest| guest.blocked_at.is_none())
            && let Some(account) = self.accounts.get_mut(&guest)
        {
            if self.tokens.iter().any(is_taken) {
                return failed("the session is there already");
            }
            account.password = Some(password);
            self.recovery_codes.remove(&code);
            self.revoke(guest, |_| true);
            self.revoke_api_tokens(guest);
            self.remove_passkeys(guest);
            self.device_codes.remove(&guest);
            self.begin_session(guest, session, SessionOrigin::RecoveryCode, now);
        }
        Ok(found)
    }

    pub(super) fn change_password(
        &mut self,
        proof: &Proof,
        password: PasswordHash,
        revoking: Revoking,
    ) -> bool {
        let holds = self.holds(proof);
        if holds && let Some(account) = self.accounts.get_mut(&proof.guest) {
            account.password = Some(password);
            self.revoke(proof.guest, |session| session != proof.by);
            self.device_codes.remove(&proof.guest);
            if revoking.api_tokens {
                self.revoke_api_tokens(proof.guest);
            }
            if revoking.passkeys {
                self.remove_passkeys(proof.guest);
            }
        }
        holds
    }

    pub(super) fn remove_password(&mut self, proof: &Proof) -> PasswordRemoval {
        if !self.holds(proof) {
            return PasswordRemoval::NotProven;
        }
        if self.passkeys_of(proof.guest) == 0 {
            return PasswordRemoval::LastWayIn;
        }
        if let Some(account) = self.accounts.get_mut(&proof.guest) {
            account.password = None;
        }
        self.revoke(proof.guest, |session| session != proof.by);
        self.device_codes.remove(&proof.guest);
        PasswordRemoval::Removed
    }

    pub(super) fn replace_recovery_codes(&mut self, proof: &Proof, codes: Vec<SecretHash>) -> bool {
        let holds = self.holds(proof);
        if holds {
            self.recovery_codes.retain(|_, guest| *guest != proof.guest);
            self.recovery_codes.extend(codes.into_iter().map(|code| (code, proof.guest)));
        }
        holds
    }

    pub(super) fn declare_bot(&mut self, guest: PlayerId, by: SessionId) -> BotDeclaration {
        if !self.may_ask(guest, by) {
            return BotDeclaration::SessionEnded;
        }
        if !self.accounts.contains_key(&guest) {
            return BotDeclaration::NoAccount;
        }
        let is_of = |kept: &Match| kept.card.seats(guest) || kept.made_by == Some(guest);
        let has_played = self.matches.values().any(is_of);
        match self.guests.get_mut(&guest) {
            Some(Guest { kind: PlayerKind::Bot, .. }) => BotDeclaration::Declared,
            Some(found) if !has_played => {
                found.kind = PlayerKind::Bot;
                self.revoke_api_tokens(guest);
                BotDeclaration::Declared
            }
            _ => BotDeclaration::HasPlayed,
        }
    }

    pub(super) fn holds(&self, Proof { guest, by, shown }: &Proof) -> bool {
        let is_good = match shown {
            Shown::Password(password) => {
                self.accounts.get(guest).is_some_and(|account| account.password.as_ref() == Some(password))
            }
            Shown::Passkey(id) => self.passkeys.get(id).is_some_and(|passkey| passkey.guest == *guest),
        };
        is_good && self.may_ask(*guest, *by)
    }
}
