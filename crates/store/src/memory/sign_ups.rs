//! Who may open an account, and what the operator does with accounts.

use std::collections::BTreeMap;

use lusoria_play::{Millis, PlayerId};

use super::tables::{Tables, failed};
use crate::{
    Account, AccountFilter, AccountOpening, NewAccount, RECOVERY_CODES_MAX, SecretHash, SessionOrigin,
    SignUpPolicy, SignUps, StoreError,
};

impl Tables {
    /// Why a new account may not be opened; none if it may.
    pub(super) fn refuses_sign_up(&self, new: &NewAccount) -> Option<AccountOpening> {
        match (self.sign_ups, new.sign_up_code) {
            (SignUpPolicy::Open, _) => None,
            (SignUpPolicy::Closed, _) => Some(AccountOpening::SignUpsClosed),
            (SignUpPolicy::InviteOnly, None) => Some(AccountOpening::SignUpCodeRequired),
            (SignUpPolicy::InviteOnly, Some(code)) => {
                let is_good =
                    self.sign_up_codes.get(&code).is_some_and(|expires_at| *expires_at > new.created_at);
                (!is_good).then_some(AccountOpening::UnknownSignUpCode)
            }
        }
    }

    /// Spends the code of an account that is opened, if it takes one.
    pub(super) fn spend_sign_up_code(&mut self, code: Option<SecretHash>) {
        if self.sign_ups == SignUpPolicy::InviteOnly
            && let Some(code) = code
        {
            self.sign_up_codes.remove(&code);
        }
    }

    pub(super) fn good_sign_ups(&self, now: Millis) -> SignUps {
        let codes = self.sign_up_codes.values().filter(|expires_at| **expires_at > now).count() as u64;
        SignUps { policy: self.sign_ups, codes }
    }

    pub(super) fn add_sign_up_codes(
        &mut self,
        codes: &[SecretHash],
        expires_at: Millis,
    ) -> Result<(), StoreError> {
        let new: BTreeMap<_, _> = codes.iter().map(|code| (*code, expires_at)).collect();
        if new.len() < codes.len() || new.keys().any(|code| self.sign_up_codes.contains_key(code)) {
            return failed("the code is there already");
        }
        self.sign_up_codes.extend(new);
        Ok(())
    }

    pub(super) fn accounts_which(&self, which: &AccountFilter, limit: u32) -> Vec<Account> {
        let all = self.accounts.values();
        let mut found: Vec<_>;
        match which {
            AccountFilter::Since(since) => {
                found = all.filter(|account| account.created_at >= *since).collect();
                found.sort_by_key(|account| std::cmp::Reverse((account.created_at, account.guest)));
            }
            AccountFilter::Starting(prefix) => {
                let (prefix, handle) =
                    (prefix.to_lowercase(), |account: &Account| account.handle.to_lowercase());
                found = all.filter(|account| handle(account).starts_with(&prefix)).collect();
                found.sort_by_key(|account| handle(account));
            }
        }
        found.truncate(limit as usize);
        found.into_iter().filter_map(|account| self.account(account.guest)).collect()
    }

    pub(super) fn add_recovery_code(
        &mut self,
        guest: PlayerId,
        code: SecretHash,
    ) -> Result<bool, StoreError> {
        if self.account(guest).is_none_or(|account| account.recovery_codes >= RECOVERY_CODES_MAX) {
            return Ok(false);
        }
        if self.recovery_codes.contains_key(&code) {
            return failed("the code is there already");
        }
        self.recovery_codes.insert(code, guest);
        Ok(true)
    }

    pub(super) fn remove_account(&mut self, guest: PlayerId) -> Option<u64> {
        self.accounts.remove(&guest)?;
        self.recovery_codes.retain(|_, of| *of != guest);
        self.api_tokens.retain(|_, (of, _)| *of != guest);
        self.remove_passkeys(guest);
        self.preferences.remove(&guest);
        self.talk_settings.remove(&guest);
        self.device_codes.remove(&guest);
        let before = self.tokens.len();
        self.tokens.retain(|_, token| {
            let signed_in = !matches!(token.session.origin, SessionOrigin::Guest | SessionOrigin::DeviceCode);
            token.guest != guest || !signed_in
        });
        Some((before - self.tokens.len()) as u64)
    }
}
