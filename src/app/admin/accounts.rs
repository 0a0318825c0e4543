//! Accounts, and who may open one.

use lusoria_play::{Millis, PlayerId};
use uuid::Uuid;

use super::{AdminError, AdminOutcome, SIGN_UP_CODES_MAX, details::AccountDetails};
use crate::app::{
    App,
    people::{handles, secrets},
};
use lusoria_store::{Account, AccountFilter, SignUpPolicy, Store};

/// How many accounts are returned.
const LISTED_MAX: u32 = 200;

impl App {
    /// Adds a recovery code to an account. Nothing else changes until the code is spent.
    pub(super) async fn make_recovery_code(&self, handle: &str) -> Result<AdminOutcome, AdminError> {
        let account = by_handle(self.store(), handle).await?;
        let code = secrets::new_written_code(self.live.entropy());
        if !self.store().add_recovery_code(account.guest, secrets::hash_written_code(&code)).await? {
            return Err(AdminError::TooManyCodes(account.handle));
        }
        tracing::info!(guest = %account.guest.0, "the operator has made a recovery code for an account");
        let account = Account { recovery_codes: account.recovery_codes + 1, ..account };
        Ok(AdminOutcome::RecoveryCode { account: details(self.store(), account).await?, code })
    }

    /// Removes the account of a guest; the guest stays.
    pub(super) async fn remove_account(&self, wanted: &str) -> Result<AdminOutcome, AdminError> {
        let none = || AdminError::NoSuchAccount(wanted.to_owned());
        let account = match Uuid::try_parse(wanted) {
            Ok(id) => self.store().account(PlayerId(id)).await?.ok_or_else(none)?,
            Err(_) => by_handle(self.store(), wanted).await?,
        };
        let guest = account.guest;
        let account = details(self.store(), account).await?;
        let sessions = self.store().remove_account(guest).await?.ok_or_else(none)?;
        self.live.doubt(guest);
        tracing::info!(guest = %guest.0, sessions, "the operator has removed an account");
        Ok(AdminOutcome::AccountRemoved { account, sessions })
    }

    /// Sets who may open an account.
    pub(super) async fn set_sign_ups(&self, policy: SignUpPolicy) -> Result<AdminOutcome, AdminError> {
        self.store().set_sign_ups(policy).await?;
        tracing::info!(?policy, "the operator has set who may open an account");
        Ok(AdminOutcome::SignUps(self.store().sign_ups(self.live.now()).await?))
    }

    /// Makes codes that each open one account.
    pub(super) async fn make_sign_up_codes(
        &self,
        count: u32,
        valid_ms: Millis,
    ) -> Result<AdminOutcome, AdminError> {
        if !(1..=SIGN_UP_CODES_MAX).contains(&count) {
            return Err(AdminError::CodeCount);
        }
        let codes: Vec<_> = (0..count).map(|_| secrets::new_written_code(self.live.entropy())).collect();
        let hashes = codes.iter().map(secrets::hash_written_code).collect();
        let expires_at = self.live.now().saturating_add(valid_ms);
        self.store().add_sign_up_codes(hashes, expires_at).await?;
        tracing::info!(count, expires_at, "the operator has made sign-up codes");
        Ok(AdminOutcome::SignUpCodes { codes, expires_at })
    }
}

/// The account with a handle, or those that were opened at `since` or later.
pub(super) async fn accounts(
    store: &Store,
    handle: Option<String>,
    since: Millis,
) -> Result<AdminOutcome, AdminError> {
    let mut found = match handle {
        Some(handle) => vec![by_handle(store, &handle).await?],
        None => store.accounts(AccountFilter::Since(since), LISTED_MAX + 1).await?,
    };
    let more = found.len() > LISTED_MAX as usize;
    found.truncate(LISTED_MAX as usize);
    let mut accounts = Vec::with_capacity(found.len());
    for account in found {
        accounts.push(details(store, account).await?);
    }
    Ok(AdminOutcome::Accounts { accounts, more })
}

async fn by_handle(store: &Store, handle: &str) -> Result<Account, AdminError> {
    let found = store.account_by_skeleton(handles::skeleton(handle)).await?;
    let found = found.filter(|account| account.handle.eq_ignore_ascii_case(handle));
    found.ok_or_else(|| AdminError::NoSuchAccount(handle.to_owned()))
}

async fn details(store: &Store, account: Account) -> Result<AccountDetails, AdminError> {
    let Account { guest, handle, created_at, recovery_codes, .. } = account;
    // An account is deleted with its guest.
    let guest = store.guest(guest).await?.ok_or_else(|| AdminError::NoSuchAccount(handle.clone()))?;
    Ok(AccountDetails { handle, guest: guest.into(), opened_at: created_at, recovery_codes })
}
