//! Who may open an account, and what the operator does with accounts.

use lusoria_play::{Millis, PlayerId};
use sqlx::Error;
use uuid::Uuid;

use super::{Store, guests::lock, sessions::forget_code};
use crate::{
    AccountOpening, RECOVERY_CODES_MAX, SecretHash, SignUpPolicy, SignUps, StoreFuture,
    sql::{Tx, args},
};

/// Tells why an account may not be opened; none if it may. Locks the policy, and the code that it takes.
pub(super) async fn refuses(
    tx: &mut Tx,
    code: Option<SecretHash>,
    now: Millis,
) -> Result<Option<AccountOpening>, Error> {
    let policy: Vec<SignUpPolicy> = tx.hold_all("SELECT policy FROM sign_ups", args![]).await?;
    Ok(match (policy.first().copied().unwrap_or(SignUpPolicy::Open), code) {
        (SignUpPolicy::Open, _) => None,
        (SignUpPolicy::Closed, _) => Some(AccountOpening::SignUpsClosed),
        (SignUpPolicy::InviteOnly, None) => Some(AccountOpening::SignUpCodeRequired),
        (SignUpPolicy::InviteOnly, Some(code)) => {
            let select = "SELECT hash FROM sign_up_codes WHERE hash = $1 AND expires_at > $2";
            let found: Option<SecretHash> = tx.lock_first(select, args![code, now]).await?;
            found.is_none().then_some(AccountOpening::UnknownSignUpCode)
        }
    })
}

/// Spends the code of an account that is opened, if that takes one.
pub(super) async fn spend(tx: &mut Tx, code: SecretHash) -> Result<(), Error> {
    let delete = "DELETE FROM sign_up_codes WHERE hash = $1 \
         AND EXISTS (SELECT 1 FROM sign_ups WHERE policy = 'invite_only')";
    tx.queue(delete, args![code]).await
}

impl Store {
    /// Reads the sign-up policy, and how many codes are valid at `now`.
    pub fn sign_ups(&self, now: Millis) -> StoreFuture<'_, SignUps> {
        Box::pin(async move {
            let select = "SELECT (SELECT policy FROM sign_ups), \
             (SELECT count(*) FROM sign_up_codes WHERE expires_at > $1)";
            let (policy, codes): (Option<SignUpPolicy>, u64) = self.one(select, args![now]).await?;
            Ok(SignUps { policy: policy.unwrap_or(SignUpPolicy::Open), codes })
        })
    }

    /// Sets who may open an account. Nobody else opens one afterwards, even by an earlier request.
    pub fn set_sign_ups(&self, policy: SignUpPolicy) -> StoreFuture<'_, ()> {
        self.write(Uuid::nil(), policy, |tx, &policy| {
            Box::pin(async move {
                // Until a policy is set there is no row to lock.
                if matches!(tx, Tx::Postgres(_)) {
                    tx.script("LOCK TABLE sign_ups IN EXCLUSIVE MODE").await?;
                }
                let upsert = "INSERT INTO sign_ups (id, policy) VALUES (1, $1) \
                     ON CONFLICT (id) DO UPDATE SET policy = excluded.policy";
                tx.queue(upsert, args![policy]).await?;
                Ok(())
            })
        })
    }

    /// Adds codes to open accounts with.
    pub fn add_sign_up_codes(&self, codes: Vec<SecretHash>, expires_at: Millis) -> StoreFuture<'_, ()> {
        self.write(Uuid::nil(), (codes, expires_at), |tx, (codes, expires_at)| {
            Box::pin(async move {
                for code in codes {
                    let insert = "INSERT INTO sign_up_codes (hash, expires_at) VALUES ($1, $2)";
                    tx.queue(insert, args![*code, *expires_at]).await?;
                }
                Ok(())
            })
        })
    }

    /// Adds a recovery code to the account of a guest. False if they have no account, or it has
    /// [`RECOVERY_CODES_MAX`] codes.
    pub fn add_recovery_code(&self, guest: PlayerId, code: SecretHash) -> StoreFuture<'_, bool> {
        self.write(guest.0, (guest, code), |tx, &(guest, code)| {
            Box::pin(async move {
                lock(tx, guest).await?;
                let insert = "INSERT INTO recovery_codes (hash, guest) SELECT $1, guest FROM accounts \
                     WHERE guest = $2 AND (SELECT count(*) FROM recovery_codes WHERE guest = $2) < $3";
                Ok(tx.execute(insert, args![code, guest, RECOVERY_CODES_MAX]).await? == 1)
            })
        })
    }

    /// Removes the account of a guest with its recovery codes, API tokens and passkeys, ends the sessions that were
    /// signed in to it, and deletes the device code. Returns how many sessions ended; none if they have no account.
    pub fn remove_account(&self, guest: PlayerId) -> StoreFuture<'_, Option<u64>> {
        self.write(guest.0, guest, |tx, &guest| {
            Box::pin(async move {
                lock(tx, guest).await?;
                // What is the account's goes with it.
                if tx.execute("DELETE FROM accounts WHERE guest = $1", args![guest]).await? == 0 {
                    return Ok(None);
                }
                forget_code(tx, guest).await?;
                let delete = "DELETE FROM tokens WHERE guest = $1 \
                     AND origin IN ('password', 'recovery_code', 'passkey')";
                Ok(Some(tx.execute(delete, args![guest]).await?))
            })
        })
    }
}
