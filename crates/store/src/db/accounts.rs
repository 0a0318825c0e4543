//! Accounts: what lets guests sign in anywhere.
//!
//! What changes an account first locks its guest, as what changes their sessions does.

use lusoria_play::{Millis, PlayerId};
use sqlx::Error;

use super::{
    Store, api_tokens,
    guests::{lock, may_ask},
    passkeys,
    sessions::{self, forget_code},
    sign_ups,
};
use crate::{
    Account, AccountFilter, AccountOpening, BotDeclaration, Guest, NewAccount, NewSession, PasswordHash,
    PasswordRemoval, Proof, Revoking, SecretHash, SessionId, SessionOrigin, Shown, StoreFuture,
    sql::{
        Tx, Undo, args,
        value::{AnyRow, Row},
    },
};

/// `guest`, `handle`, `skeleton`, `password`, `created_at`, and how many recovery codes there are.
impl Row for Account {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            guest: row.get(0)?,
            handle: row.get(1)?,
            skeleton: row.get(2)?,
            password: row.get(3)?,
            created_at: row.get(4)?,
            recovery_codes: row.get(5)?,
        })
    }
}

macro_rules! accounts_where {
    ($condition:literal) => {
        concat!(
            "SELECT guest, handle, skeleton, password, created_at, (SELECT count(*) FROM recovery_codes \
             WHERE recovery_codes.guest = accounts.guest) FROM accounts WHERE ",
            $condition
        )
    };
}

// "~" sorts after every letter of a handle.
const STARTING_ON_SQLITE: &str = accounts_where!(
    "lower(handle) >= lower($1) AND lower(handle) < lower($1) || '~' ORDER BY lower(handle) LIMIT $2"
);
const STARTING_ON_POSTGRES: &str = accounts_where!(
    "lower(handle) COLLATE \"C\" >= lower($1) AND lower(handle) COLLATE \"C\" < lower($1) || '~' \
     ORDER BY lower(handle) COLLATE \"C\" LIMIT $2"
);

/// Whether a guest has an account.
pub(super) async fn exists(tx: &mut Tx, guest: PlayerId) -> Result<bool, Error> {
    tx.exists("SELECT 1 FROM accounts WHERE guest = $1", args![guest]).await
}

/// Locks the guest of a proof. Tells whether it still holds, and the session that asks has not ended.
pub(super) async fn holds(tx: &mut Tx, proof: &Proof) -> Result<bool, Error> {
    if !may_ask(tx, proof.guest, proof.by).await? {
        return Ok(false);
    }
    match &proof.shown {
        Shown::Password(password) => is_password(tx, proof.guest, password).await,
        Shown::Passkey(id) => passkeys::is_of(tx, proof.guest, *id).await,
    }
}

async fn is_password(tx: &mut Tx, guest: PlayerId, password: &PasswordHash) -> Result<bool, Error> {
    let same = "SELECT 1 FROM accounts WHERE guest = $1 AND password = $2";
    tx.exists(same, args![guest, password]).await
}

async fn set_password(tx: &mut Tx, guest: PlayerId, password: Option<&PasswordHash>) -> Result<(), Error> {
    let update = "UPDATE accounts SET password = $2 WHERE guest = $1";
    tx.queue(update, args![guest, password]).await
}

/// Ends all sessions of a guest but the one that asks, and deletes their device code.
async fn end_other_sessions(tx: &mut Tx, proof: &Proof) -> Result<(), Error> {
    let delete = "DELETE FROM tokens WHERE guest = $1 AND id <> $2";
    tx.queue(delete, args![proof.guest, proof.by]).await?;
    forget_code(tx, proof.guest).await
}

async fn add_codes(tx: &mut Tx, guest: PlayerId, codes: &[SecretHash]) -> Result<(), Error> {
    for code in codes {
        let insert = "INSERT INTO recovery_codes (hash, guest) VALUES ($1, $2)";
        tx.queue(insert, args![*code, guest]).await?;
    }
    Ok(())
}

impl Store {
    /// Opens an account for a guest, if they have none, may open one, and nobody has that handle or one that looks
    /// like it, nor the passkey. Spends the code where it takes one.
    pub fn open_account(&self, new: NewAccount) -> StoreFuture<'_, AccountOpening> {
        self.write(new.guest.0, new, |tx, new| {
            Box::pin(async move {
                if !may_ask(tx, new.guest, new.by).await? {
                    return Ok(AccountOpening::SessionEnded);
                }
                if exists(tx, new.guest).await? {
                    return Ok(AccountOpening::HasAccount);
                }
                if let Some(refused) = sign_ups::refuses(tx, new.sign_up_code, new.created_at).await? {
                    return Ok(refused);
                }
                // Waits for another that is opening one under such a handle.
                let insert = "INSERT INTO accounts (guest, handle, skeleton, password, created_at) \
                     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (skeleton) DO NOTHING";
                let account =
                    args![new.guest, &new.handle, &new.skeleton, new.password.as_ref(), new.created_at];
                if tx.execute(insert, account).await? == 0 {
                    return Ok(AccountOpening::HandleTaken);
                }
                if let Some(passkey) = &new.passkey
                    && !passkeys::insert(tx, new.guest, passkey).await?
                {
                    return Err(Undo::With(AccountOpening::PasskeyKnown));
                }
                let rename = "UPDATE guests SET name = $2 WHERE id = $1 AND name = $3";
                tx.queue(rename, args![new.guest, &new.handle, &new.default_name]).await?;
                add_codes(tx, new.guest, &new.recovery_codes).await?;
                if let Some(code) = new.sign_up_code {
                    sign_ups::spend(tx, code).await?;
                }
                Ok(AccountOpening::Opened)
            })
        })
    }

    /// Reads the account of a guest.
    pub fn account(&self, guest: PlayerId) -> StoreFuture<'_, Option<Account>> {
        self.first(accounts_where!("guest = $1"), args![guest])
    }

    /// Finds the account whose handle has this skeleton.
    pub fn account_by_skeleton(&self, skeleton: String) -> StoreFuture<'_, Option<Account>> {
        self.first(accounts_where!("skeleton = $1"), args![skeleton])
    }

    /// Lists at most `limit` accounts.
    pub fn accounts(&self, which: AccountFilter, limit: u32) -> StoreFuture<'_, Vec<Account>> {
        Box::pin(async move {
            match which {
                AccountFilter::Since(at) => {
                    let since =
                        accounts_where!("created_at >= $1 ORDER BY created_at DESC, guest DESC LIMIT $2");
                    self.all(since, args![at, limit]).await
                }
                AccountFilter::Starting(prefix) => {
                    self.read(move |tx| {
                        let starting = tx.either(STARTING_ON_SQLITE, STARTING_ON_POSTGRES);
                        Box::pin(tx.all(starting, args![&prefix, limit]))
                    })
                    .await
                }
            }
        })
    }

    /// Begins a session for a guest whose password was checked; none if they have no account, or the password has
    /// changed since. Beyond [`TOKENS_PER_GUEST_MAX`](crate::TOKENS_PER_GUEST_MAX) sessions the oldest
    /// ends. If the guest is blocked, nothing changes.
    pub fn sign_in(
        &self,
        guest: PlayerId,
        password: PasswordHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>> {
        self.write(guest.0, (guest, password, session, now), |tx, &(id, ref password, ref session, now)| {
            Box::pin(async move {
                let Some(guest) = lock(tx, id).await? else { return Ok(None) };
                if !is_password(tx, id, password).await? {
                    return Ok(None);
                }
                if guest.blocked_at.is_none() {
                    sessions::add(tx, id, session, SessionOrigin::Password, now).await?;
                }
                Ok(Some(guest))
            })
        })
    }

    /// Spends a recovery code of a guest: sets a new password, ends all their sessions, revokes all their API tokens,
    /// removes all their passkeys, deletes their device code and begins a session. None if they have no such code. If
    /// the guest is blocked, nothing changes.
    pub fn recover(
        &self,
        guest: PlayerId,
        code: SecretHash,
        password: PasswordHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>> {
        let args = (guest, code, password, session, now);
        self.write(guest.0, args, |tx, &(id, code, ref password, ref session, now)| {
            Box::pin(async move {
                let Some(guest) = lock(tx, id).await? else { return Ok(None) };
                let has = "SELECT 1 FROM recovery_codes WHERE guest = $1 AND hash = $2";
                if !tx.exists(has, args![id, code]).await? {
                    return Ok(None);
                }
                if guest.blocked_at.is_none() {
                    tx.queue("DELETE FROM recovery_codes WHERE hash = $1", args![code]).await?;
                    set_password(tx, id, Some(password)).await?;
                    tx.queue("DELETE FROM tokens WHERE guest = $1", args![id]).await?;
                    api_tokens::revoke_all(tx, id).await?;
                    passkeys::remove_all(tx, id).await?;
                    forget_code(tx, id).await?;
                    sessions::insert(tx, id, session, SessionOrigin::RecoveryCode, now).await?;
                }
                Ok(Some(guest))
            })
        })
    }

    /// Sets the password of an account, ends all sessions but the one that asks, and deletes the device code; also
    /// what `revoking` names. False, and nothing changes, if the proof no longer holds or the session has ended.
    pub fn change_password(
        &self,
        proof: Proof,
        password: PasswordHash,
        revoking: Revoking,
    ) -> StoreFuture<'_, bool> {
        self.write(proof.guest.0, (proof, password, revoking), |tx, (proof, password, revoking)| {
            Box::pin(async move {
                if !holds(tx, proof).await? {
                    return Ok(false);
                }
                set_password(tx, proof.guest, Some(password)).await?;
                end_other_sessions(tx, proof).await?;
                if revoking.api_tokens {
                    api_tokens::revoke_all(tx, proof.guest).await?;
                }
                if revoking.passkeys {
                    passkeys::remove_all(tx, proof.guest).await?;
                }
                Ok(true)
            })
        })
    }

    /// Removes the password of an account that has a passkey, ends all sessions but the one that asks, and deletes the
    /// device code.
    pub fn remove_password(&self, proof: Proof) -> StoreFuture<'_, PasswordRemoval> {
        self.write(proof.guest.0, proof, |tx, proof| {
            Box::pin(async move {
                if !holds(tx, proof).await? {
                    return Ok(PasswordRemoval::NotProven);
                }
                if passkeys::count(tx, proof.guest).await? == 0 {
                    return Ok(PasswordRemoval::LastWayIn);
                }
                set_password(tx, proof.guest, None).await?;
                end_other_sessions(tx, proof).await?;
                Ok(PasswordRemoval::Removed)
            })
        })
    }

    /// Replaces the recovery codes of an account. False, and nothing changes, if the proof no longer holds or
    /// the session has ended.
    pub fn replace_recovery_codes(&self, proof: Proof, codes: Vec<SecretHash>) -> StoreFuture<'_, bool> {
        self.write(proof.guest.0, (proof, codes), |tx, (proof, codes)| {
            Box::pin(async move {
                if !holds(tx, proof).await? {
                    return Ok(false);
                }
                tx.queue("DELETE FROM recovery_codes WHERE guest = $1", args![proof.guest]).await?;
                add_codes(tx, proof.guest, codes).await?;
                Ok(true)
            })
        })
    }

    /// Makes the guest of an account a bot, if they have no match, and revokes their API tokens.
    pub fn declare_bot(&self, guest: PlayerId, by: SessionId) -> StoreFuture<'_, BotDeclaration> {
        self.write(guest.0, (guest, by), |tx, &(guest, by)| {
            Box::pin(async move {
                if !may_ask(tx, guest, by).await? {
                    return Ok(BotDeclaration::SessionEnded);
                }
                if !exists(tx, guest).await? {
                    return Ok(BotDeclaration::NoAccount);
                }
                let is_bot = "SELECT 1 FROM guests WHERE id = $1 AND kind = 'bot'";
                if tx.exists(is_bot, args![guest]).await? {
                    return Ok(BotDeclaration::Declared);
                }
                let has_played = "SELECT 1 WHERE EXISTS (SELECT 1 FROM matches WHERE seat1 = $1) \
                     OR EXISTS (SELECT 1 FROM matches WHERE seat2 = $1) \
                     OR EXISTS (SELECT 1 FROM matches WHERE made_by = $1)";
                if tx.exists(has_played, args![guest]).await? {
                    return Ok(BotDeclaration::HasPlayed);
                }
                tx.queue("UPDATE guests SET kind = 'bot' WHERE id = $1", args![guest]).await?;
                api_tokens::revoke_all(tx, guest).await?;
                Ok(BotDeclaration::Declared)
            })
        })
    }
}
