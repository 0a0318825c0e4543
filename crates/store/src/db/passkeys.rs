//! Passkeys: keys with which people sign in in place of a password.

use lusoria_passkey::Credential;
use lusoria_play::{Millis, PasskeyId, PlayerId};
use sqlx::Error;
use uuid::Uuid;

use super::{Store, accounts::holds, guests::lock, sessions};
use crate::{
    Guest, NewSession, PASSKEYS_PER_GUEST_MAX, Passkey, PasskeyAddition, PasskeyRemoval, PasskeyUse, Proof,
    SecretHash, SessionOrigin, StoreFuture,
    sql::{
        Tx, args,
        value::{AnyRow, Row},
    },
};

/// `id`, `guest`, `name`, `credential`, `cose_key`, `counter`, `is_backup_eligible`, `is_backed_up`, `created_at`,
/// `used_at`.
impl Row for Passkey {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: row.get(0)?,
            guest: row.get(1)?,
            name: row.get(2)?,
            credential: Credential {
                id: row.get(3)?,
                cose_key: row.get(4)?,
                counter: row.get(5)?,
                is_backup_eligible: row.get(6)?,
                is_backed_up: row.get(7)?,
            },
            created_at: row.get(8)?,
            used_at: row.get(9)?,
        })
    }
}

/// Counts the passkeys of a guest.
pub(super) async fn count(tx: &mut Tx, guest: PlayerId) -> Result<u32, Error> {
    tx.one("SELECT count(*) FROM passkeys WHERE guest = $1", args![guest]).await
}

/// Whether a guest has that passkey.
pub(super) async fn is_of(tx: &mut Tx, guest: PlayerId, id: PasskeyId) -> Result<bool, Error> {
    tx.exists("SELECT 1 FROM passkeys WHERE guest = $1 AND id = $2", args![guest, id]).await
}

/// Stores a passkey of a guest. False, and nothing changes, if an account has it.
pub(super) async fn insert(tx: &mut Tx, guest: PlayerId, new: &Passkey) -> Result<bool, Error> {
    // Waits for another that is adding it.
    let insert = "INSERT INTO passkeys (id, guest, name, credential, cose_key, counter, is_backup_eligible, \
         is_backed_up, created_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
         ON CONFLICT (credential) DO NOTHING";
    let Credential { id, cose_key, counter, is_backup_eligible, is_backed_up } = &new.credential;
    let passkey = args![
        new.id,
        guest,
        &new.name,
        id.as_slice(),
        cose_key.as_slice(),
        *counter,
        *is_backup_eligible,
        *is_backed_up,
        new.created_at,
        new.used_at,
    ];
    Ok(tx.execute(insert, passkey).await? == 1)
}

/// Removes all passkeys of a guest.
pub(super) async fn remove_all(tx: &mut Tx, guest: PlayerId) -> Result<(), Error> {
    tx.queue("DELETE FROM passkeys WHERE guest = $1", args![guest]).await
}

/// Stores a use. False, and nothing changes, if the passkey is gone or was used meanwhile.
async fn note(tx: &mut Tx, used: &PasskeyUse) -> Result<bool, Error> {
    let update =
        "UPDATE passkeys SET counter = $3, is_backed_up = $4, used_at = $5 WHERE id = $1 AND counter = $2";
    let PasskeyUse { id, counter_before, counter, is_backed_up, at } = *used;
    Ok(tx.execute(update, args![id, counter_before, counter, is_backed_up, at]).await? == 1)
}

impl Store {
    /// Spends a challenge, and remembers it until `expires_at`. False if it was spent before.
    pub fn spend_challenge(&self, hash: SecretHash, expires_at: Millis) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let insert = "INSERT INTO spent_challenges (hash, expires_at) VALUES ($1, $2) \
                 ON CONFLICT (hash) DO NOTHING";
            Ok(self.execute(Uuid::nil(), insert, args![hash, expires_at]).await? == 1)
        })
    }

    /// Stores a passkey of the account that the proof is for, if it has fewer than
    /// [`PASSKEYS_PER_GUEST_MAX`](crate::PASSKEYS_PER_GUEST_MAX).
    pub fn add_passkey(&self, proof: Proof, new: Passkey) -> StoreFuture<'_, PasskeyAddition> {
        self.write(proof.guest.0, (proof, new), |tx, (proof, new)| {
            Box::pin(async move {
                if !holds(tx, proof).await? {
                    return Ok(PasskeyAddition::NotProven);
                }
                if count(tx, proof.guest).await? >= PASSKEYS_PER_GUEST_MAX {
                    return Ok(PasskeyAddition::TooMany);
                }
                let is_new = insert(tx, proof.guest, new).await?;
                Ok(if is_new { PasskeyAddition::Added } else { PasskeyAddition::Known })
            })
        })
    }

    /// Lists the passkeys of a guest, the newest first.
    pub fn passkeys(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Passkey>> {
        let select = "SELECT id, guest, name, credential, cose_key, counter, is_backup_eligible, is_backed_up, \
             created_at, used_at FROM passkeys WHERE guest = $1 ORDER BY created_at DESC, id DESC";
        self.all(select, args![guest])
    }

    /// Finds the passkey whose credential has this id.
    pub fn passkey(&self, credential: Vec<u8>) -> StoreFuture<'_, Option<Passkey>> {
        let select = "SELECT id, guest, name, credential, cose_key, counter, is_backup_eligible, is_backed_up, \
             created_at, used_at FROM passkeys WHERE credential = $1";
        self.first(select, args![credential])
    }

    /// Renames a passkey of a guest. False if they have none with that id.
    pub fn rename_passkey(&self, guest: PlayerId, id: PasskeyId, name: String) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let update = "UPDATE passkeys SET name = $3 WHERE guest = $1 AND id = $2";
            Ok(self.execute(guest.0, update, args![guest, id, name]).await? == 1)
        })
    }

    /// Removes a passkey of the account that the proof is for.
    pub fn remove_passkey(&self, proof: Proof, id: PasskeyId) -> StoreFuture<'_, PasskeyRemoval> {
        self.write(proof.guest.0, (proof, id), |tx, (proof, id)| {
            Box::pin(async move {
                if !holds(tx, proof).await? {
                    return Ok(PasskeyRemoval::NotProven);
                }
                if !is_of(tx, proof.guest, *id).await? {
                    return Ok(PasskeyRemoval::NotFound);
                }
                let has_password = "SELECT 1 FROM accounts WHERE guest = $1 AND password IS NOT NULL";
                if count(tx, proof.guest).await? == 1 && !tx.exists(has_password, args![proof.guest]).await? {
                    return Ok(PasskeyRemoval::LastWayIn);
                }
                tx.queue("DELETE FROM passkeys WHERE id = $1", args![*id]).await?;
                Ok(PasskeyRemoval::Removed)
            })
        })
    }

    /// Stores that a passkey was used. False, and nothing changes, if it is gone or was used meanwhile.
    pub fn use_passkey(&self, used: PasskeyUse) -> StoreFuture<'_, bool> {
        self.write(used.id.0, used, |tx, used| Box::pin(async move { Ok(note(tx, used).await?) }))
    }

    /// The same, and begins a session of its guest; none if it is gone or was used meanwhile. Beyond
    /// [`TOKENS_PER_GUEST_MAX`](crate::TOKENS_PER_GUEST_MAX) sessions the oldest ends. If the guest is blocked,
    /// nothing changes.
    pub fn sign_in_with_passkey(
        &self,
        used: PasskeyUse,
        session: NewSession,
    ) -> StoreFuture<'_, Option<Guest>> {
        self.write(used.id.0, (used, session), |tx, (used, session)| {
            Box::pin(async move {
                let whose = "SELECT guest FROM passkeys WHERE id = $1";
                let Some(id) = tx.first::<PlayerId>(whose, args![used.id]).await? else { return Ok(None) };
                let Some(guest) = lock(tx, id).await? else { return Ok(None) };
                // It may have been used or removed before the guest was locked.
                if guest.blocked_at.is_some() {
                    let same = "SELECT 1 FROM passkeys WHERE id = $1 AND counter = $2";
                    let is_same = tx.exists(same, args![used.id, used.counter_before]).await?;
                    return Ok(is_same.then_some(guest));
                }
                if !note(tx, used).await? {
                    return Ok(None);
                }
                sessions::add(tx, id, session, SessionOrigin::Passkey, used.at).await?;
                Ok(Some(guest))
            })
        })
    }
}
