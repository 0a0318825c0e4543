//! Passkeys: keys with which people sign in in place of a password.

use lusoria_passkey::Credential;
use lusoria_play::{Millis, PasskeyId, PlayerId};
use rusqlite::Connection;

use super::{
    SqliteStore,
    accounts::holds,
    guest_rows::{GuestRow, guest},
    readers::Readers,
    sessions::NewSessionRow,
    sql::{execute, exists, first, one, rows},
    text::{column, corrupt, hex, millis, passkey_id, player_id},
    writer::Writer,
};
use crate::{
    Guest, NewSession, PASSKEYS_PER_GUEST_MAX, Passkey, PasskeyAddition, PasskeyRemoval, PasskeyUse,
    Passkeys, Proof, SecretHash, SessionOrigin, StoreError, StoreFuture,
};

impl Passkeys for SqliteStore {
    fn spend_challenge(&self, hash: SecretHash, expires_at: Millis) -> StoreFuture<'_, bool> {
        Box::pin(spend_challenge(&self.writer, hash, expires_at))
    }

    fn add_passkey(&self, proof: Proof, new: Passkey) -> StoreFuture<'_, PasskeyAddition> {
        Box::pin(add(&self.writer, proof, new))
    }

    fn passkeys(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Passkey>> {
        Box::pin(of_guest(&self.readers, guest))
    }

    fn passkey(&self, credential: Vec<u8>) -> StoreFuture<'_, Option<Passkey>> {
        Box::pin(by_credential(&self.readers, credential))
    }

    fn rename_passkey(&self, guest: PlayerId, id: PasskeyId, name: String) -> StoreFuture<'_, bool> {
        Box::pin(rename(&self.writer, guest, id, name))
    }

    fn remove_passkey(&self, proof: Proof, id: PasskeyId) -> StoreFuture<'_, PasskeyRemoval> {
        Box::pin(remove(&self.writer, proof, id))
    }

    fn use_passkey(&self, used: PasskeyUse) -> StoreFuture<'_, bool> {
        Box::pin(note_use(&self.writer, used))
    }

    fn sign_in_with_passkey(&self, used: PasskeyUse, session: NewSession) -> StoreFuture<'_, Option<Guest>> {
        Box::pin(sign_in(&self.writer, used, session))
    }
}

async fn spend_challenge(writer: &Writer, hash: SecretHash, expires_at: Millis) -> Result<bool, StoreError> {
    let (hash, expires_at) = (hex(hash.0), column(expires_at));
    let spend = writer.write(move |connection| {
        let spend =
            "INSERT INTO spent_challenges (hash, expires_at) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING";
        Ok(execute(connection, spend, (&hash, expires_at))? == 1)
    });
    Ok(spend.await?)
}

async fn add(writer: &Writer, proof: Proof, new: Passkey) -> Result<PasskeyAddition, StoreError> {
    let of = proof.guest.0.to_string();
    let add = writer.write(move |connection| {
        if !holds(connection, &proof)? {
            return Ok(PasskeyAddition::NotProven);
        }
        if count(connection, &of)? >= PASSKEYS_PER_GUEST_MAX {
            return Ok(PasskeyAddition::TooMany);
        }
        if is_known(connection, &new)? {
            return Ok(PasskeyAddition::Known);
        }
        insert(connection, &of, &new)?;
        Ok(PasskeyAddition::Added)
    });
    Ok(add.await?)
}

/// A row of `passkeys`.
type PasskeyRow = (String, String, Vec<u8>, Vec<u8>, i64, bool, bool, String, i64, Option<i64>);

fn passkey(row: PasskeyRow) -> Result<Passkey, StoreError> {
    let (id, of, credential, cose_key, counter, is_backup_eligible, is_backed_up, name, created_at, used_at) =
        row;
    let counter = u32::try_from(counter).map_err(corrupt)?;
    Ok(Passkey {
        id: passkey_id(&id)?,
        guest: player_id(&of)?,
        name,
        credential: Credential { id: credential, cose_key, counter, is_backup_eligible, is_backed_up },
        created_at: millis(created_at)?,
        used_at: used_at.map(millis).transpose()?,
    })
}

macro_rules! passkeys_where {
    ($condition:literal) => {
        concat!(
            "SELECT id, guest_id, credential, cose_key, counter, is_backup_eligible, is_backed_up, name, \
             created_at, used_at FROM passkeys WHERE ",
            $condition
        )
    };
}

const OF_GUEST: &str = passkeys_where!("guest_id = ?1 ORDER BY created_at DESC, id DESC");

async fn of_guest(readers: &Readers, guest: PlayerId) -> Result<Vec<Passkey>, StoreError> {
    let found =
        readers.read(move |connection| rows::<PasskeyRow>(connection, OF_GUEST, (guest.0.to_string(),)));
    found.await?.into_iter().map(passkey).collect()
}

async fn by_credential(readers: &Readers, credential: Vec<u8>) -> Result<Option<Passkey>, StoreError> {
    let select = passkeys_where!("credential = ?1");
    let found = readers.read(move |connection| first::<PasskeyRow>(connection, select, [&credential]));
    found.await?.map(passkey).transpose()
}

async fn rename(writer: &Writer, guest: PlayerId, id: PasskeyId, name: String) -> Result<bool, StoreError> {
    let (of, id) = (guest.0.to_string(), id.0.to_string());
    let rename = writer.write(move |connection| {
        let rename = "UPDATE passkeys SET name = ?3 WHERE guest_id = ?1 AND id = ?2";
        Ok(execute(connection, rename, (&of, &id, &name))? == 1)
    });
    Ok(rename.await?)
}

async fn remove(writer: &Writer, proof: Proof, id: PasskeyId) -> Result<PasskeyRemoval, StoreError> {
    let (of, id) = (proof.guest.0.to_string(), id.0.to_string());
    let remove = writer.write(move |connection| {
        if !holds(connection, &proof)? {
            return Ok(PasskeyRemoval::NotProven);
        }
        if !exists(connection, "SELECT 1 FROM passkeys WHERE guest_id = ?1 AND id = ?2", (&of, &id))? {
            return Ok(PasskeyRemoval::NotFound);
        }
        let has_password = "SELECT 1 FROM accounts WHERE guest_id = ?1 AND password <> ''";
        if count(connection, &of)? == 1 && !exists(connection, has_password, [&of])? {
            return Ok(PasskeyRemoval::LastWayIn);
        }
        execute(connection, "DELETE FROM passkeys WHERE id = ?1", [&id])?;
        Ok(PasskeyRemoval::Removed)
    });
    Ok(remove.await?)
}

/// How many passkeys a guest has.
pub(super) fn count(connection: &Connection, guest: &str) -> rusqlite::Result<u32> {
    let (count,) = one(connection, "SELECT COUNT(*) FROM passkeys WHERE guest_id = ?1", [guest])?;
    Ok(count)
}

/// Whether an account has this passkey.
pub(super) fn is_known(
    connection: &Connection,
    Passkey { credential, .. }: &Passkey,
) -> rusqlite::Result<bool> {
    exists(connection, "SELECT 1 FROM passkeys WHERE credential = ?1", [&credential.id])
}

/// Stores a passkey of a guest.
pub(super) fn insert(connection: &Connection, guest: &str, new: &Passkey) -> rusqlite::Result<()> {
    let insert = "INSERT INTO passkeys (id, guest_id, credential, cose_key, counter, is_backup_eligible, \
         is_backed_up, name, created_at, used_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let credential = &new.credential;
    let row = (
        new.id.0.to_string(),
        guest,
        &credential.id,
        &credential.cose_key,
        credential.counter,
        credential.is_backup_eligible,
        credential.is_backed_up,
        &new.name,
        column(new.created_at),
        new.used_at.map(column),
    );
    execute(connection, insert, row).map(drop)
}

/// Removes all passkeys of a guest.
pub(super) fn remove_all(connection: &Connection, guest: &str) -> rusqlite::Result<()> {
    execute(connection, "DELETE FROM passkeys WHERE guest_id = ?1", [guest]).map(drop)
}

async fn note_use(writer: &Writer, used: PasskeyUse) -> Result<bool, StoreError> {
    Ok(writer.write(move |connection| note(connection, &used)).await?)
}

/// Notes a use; false if the passkey is gone or was used meanwhile.
fn note(connection: &Connection, used: &PasskeyUse) -> rusqlite::Result<bool> {
    let note =
        "UPDATE passkeys SET counter = ?3, is_backed_up = ?4, used_at = ?5 WHERE id = ?1 AND counter = ?2";
    let PasskeyUse { id, counter_before, counter, is_backed_up, at } = used;
    let row = (id.0.to_string(), counter_before, counter, is_backed_up, column(*at));
    Ok(execute(connection, note, row)? == 1)
}

const WHOSE: &str = "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at \
     FROM passkeys JOIN guests ON guests.id = passkeys.guest_id \
     WHERE passkeys.id = ?1 AND passkeys.counter = ?2";

async fn sign_in(
    writer: &Writer,
    used: PasskeyUse,
    session: NewSession,
) -> Result<Option<Guest>, StoreError> {
    let session = NewSessionRow::new(session, SessionOrigin::Passkey);
    let sign_in = writer.write(move |connection| {
        let found: Option<GuestRow> = first(connection, WHOSE, (used.id.0.to_string(), used.counter_before))?;
        if let Some((of, .., None)) = &found {
            note(connection, &used)?;
            session.add(connection, of, column(used.at))?;
        }
        Ok(found)
    });
    sign_in.await?.map(guest).transpose()
}
