//! Passkeys: keys with which people sign in in place of a password.

use std::sync::Arc;

use lusoria_passkey::Credential;
use lusoria_play::{Millis, PasskeyId, PlayerId};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{
    PostgresStore,
    accounts::holds,
    guests::{add_session, guest_of, lock},
    readers::Readers,
    writer::Writer,
};
use crate::{
    Guest, NewSession, PASSKEYS_PER_GUEST_MAX, Passkey, PasskeyAddition, PasskeyRemoval, PasskeyUse,
    Passkeys, Proof, SecretHash, SessionOrigin, StoreError, StoreFuture,
    text::{column, corrupt, millis},
};

impl Passkeys for PostgresStore {
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
    let spend = writer.write(Uuid::nil(), move |connection| {
        Box::pin(async move {
            let spend =
                "INSERT INTO spent_challenges (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";
            let spend = query::<Postgres>(spend).bind(hash.0.to_vec()).bind(column(expires_at));
            Ok(spend.execute(connection).await?.rows_affected() == 1)
        })
    });
    Ok(spend.await?)
}

async fn add(writer: &Writer, proof: Proof, new: Passkey) -> Result<PasskeyAddition, StoreError> {
    let (guest, new) = (proof.guest, Arc::new((proof, new)));
    let add = writer.write(guest.0, move |connection| {
        let new = Arc::clone(&new);
        Box::pin(async move {
            let (proof, new) = &*new;
            if !holds(connection, proof).await? {
                return Ok(PasskeyAddition::NotProven);
            }
            if count(connection, guest).await? >= i64::from(PASSKEYS_PER_GUEST_MAX) {
                return Ok(PasskeyAddition::TooMany);
            }
            let is_new = insert(connection, guest, new).await?;
            Ok(if is_new { PasskeyAddition::Added } else { PasskeyAddition::Known })
        })
    });
    Ok(add.await?)
}

/// A row of `passkeys`.
type PasskeyRow = (Uuid, Uuid, Vec<u8>, Vec<u8>, i64, bool, bool, String, i64, Option<i64>);

fn passkey(row: PasskeyRow) -> Result<Passkey, StoreError> {
    let (id, of, credential, cose_key, counter, is_backup_eligible, is_backed_up, name, created_at, used_at) =
        row;
    let counter = u32::try_from(counter).map_err(corrupt)?;
    Ok(Passkey {
        id: PasskeyId(id),
        guest: PlayerId(of),
        name,
        credential: Credential { id: credential, cose_key, counter, is_backup_eligible, is_backed_up },
        created_at: millis(created_at)?,
        used_at: used_at.map(millis).transpose()?,
    })
}

macro_rules! passkeys_where {
    ($condition:literal) => {
        concat!(
            "SELECT id, guest, credential, cose_key, counter, is_backup_eligible, is_backed_up, name, \
             created_at, used_at FROM passkeys WHERE ",
            $condition
        )
    };
}

const OF_GUEST: &str = passkeys_where!("guest = $1 ORDER BY created_at DESC, id DESC");
const BY_CREDENTIAL: &str = passkeys_where!("credential = $1");

async fn of_guest(readers: &Readers, guest: PlayerId) -> Result<Vec<Passkey>, StoreError> {
    let found: Vec<PasskeyRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(OF_GUEST).bind(guest.0).fetch_all(connection)))
        .await?;
    found.into_iter().map(passkey).collect()
}

async fn by_credential(readers: &Readers, credential: Vec<u8>) -> Result<Option<Passkey>, StoreError> {
    let found: Option<PasskeyRow> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(BY_CREDENTIAL).bind(credential.clone());
            Box::pin(select.fetch_optional(connection))
        })
        .await?;
    found.map(passkey).transpose()
}

async fn rename(writer: &Writer, guest: PlayerId, id: PasskeyId, name: String) -> Result<bool, StoreError> {
    let rename = writer.write(guest.0, move |connection| {
        let rename = query::<Postgres>("UPDATE passkeys SET name = $3 WHERE guest = $1 AND id = $2");
        let rename = rename.bind(guest.0).bind(id.0).bind(name.clone());
        Box::pin(async move { Ok(rename.execute(connection).await?.rows_affected() == 1) })
    });
    Ok(rename.await?)
}

async fn remove(writer: &Writer, proof: Proof, id: PasskeyId) -> Result<PasskeyRemoval, StoreError> {
    let (guest, proof) = (proof.guest, Arc::new(proof));
    let remove = writer.write(guest.0, move |connection| {
        let proof = Arc::clone(&proof);
        Box::pin(async move {
            if !holds(connection, &proof).await? {
                return Ok(PasskeyRemoval::NotProven);
            }
            if !is_of(connection, guest, id).await? {
                return Ok(PasskeyRemoval::NotFound);
            }
            let has_password = "SELECT EXISTS (SELECT FROM accounts WHERE guest = $1 AND password <> '')";
            let has_password = query_scalar::<Postgres, bool>(has_password).bind(guest.0);
            if count(connection, guest).await? == 1 && !has_password.fetch_one(&mut *connection).await? {
                return Ok(PasskeyRemoval::LastWayIn);
            }
            let remove = query::<Postgres>("DELETE FROM passkeys WHERE id = $1").bind(id.0);
            remove.execute(connection).await?;
            Ok(PasskeyRemoval::Removed)
        })
    });
    Ok(remove.await?)
}

/// How many passkeys a guest has.
pub(super) async fn count(connection: &mut PgConnection, guest: PlayerId) -> Result<i64, Error> {
    let count = query_scalar::<Postgres, i64>("SELECT count(*) FROM passkeys WHERE guest = $1");
    count.bind(guest.0).fetch_one(connection).await
}

/// Stores a passkey of a guest. False, and nothing changes, if an account has it.
pub(super) async fn insert(
    connection: &mut PgConnection,
    guest: PlayerId,
    Passkey { id, name, credential, created_at, used_at, .. }: &Passkey,
) -> Result<bool, Error> {
    // Waits for another that is adding it.
    let insert = "INSERT INTO passkeys (id, guest, credential, cose_key, counter, is_backup_eligible, \
         is_backed_up, name, created_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
         ON CONFLICT (credential) DO NOTHING";
    let inserted = query::<Postgres>(insert)
        .bind(id.0)
        .bind(guest.0)
        .bind(&credential.id)
        .bind(&credential.cose_key)
        .bind(i64::from(credential.counter))
        .bind(credential.is_backup_eligible)
        .bind(credential.is_backed_up)
        .bind(name)
        .bind(column(*created_at))
        .bind(used_at.map(column))
        .execute(connection)
        .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Removes all passkeys of a guest.
pub(super) async fn remove_all(connection: &mut PgConnection, guest: PlayerId) -> Result<(), Error> {
    let remove = query::<Postgres>("DELETE FROM passkeys WHERE guest = $1");
    remove.bind(guest.0).execute(connection).await.map(drop)
}

/// Whether a guest has that passkey.
pub(super) async fn is_of(
    connection: &mut PgConnection,
    guest: PlayerId,
    id: PasskeyId,
) -> Result<bool, Error> {
    let is = "SELECT EXISTS (SELECT FROM passkeys WHERE guest = $1 AND id = $2)";
    query_scalar::<Postgres, bool>(is).bind(guest.0).bind(id.0).fetch_one(connection).await
}

async fn note_use(writer: &Writer, used: PasskeyUse) -> Result<bool, StoreError> {
    let note = writer
        .write(used.id.0, move |connection| Box::pin(async move { Ok(note(connection, &used).await?) }));
    Ok(note.await?)
}

/// Notes a use; false if the passkey is gone or was used meanwhile.
async fn note(connection: &mut PgConnection, used: &PasskeyUse) -> Result<bool, Error> {
    let note =
        "UPDATE passkeys SET counter = $3, is_backed_up = $4, used_at = $5 WHERE id = $1 AND counter = $2";
    let noted = query::<Postgres>(note)
        .bind(used.id.0)
        .bind(i64::from(used.counter_before))
        .bind(i64::from(used.counter))
        .bind(used.is_backed_up)
        .bind(column(used.at))
        .execute(connection)
        .await?;
    Ok(noted.rows_affected() == 1)
}

async fn sign_in(
    writer: &Writer,
    used: PasskeyUse,
    session: NewSession,
) -> Result<Option<Guest>, StoreError> {
    let session = Arc::new(session);
    let sign_in = writer.write(used.id.0, move |connection| {
        let session = Arc::clone(&session);
        Box::pin(async move {
            let whose = query_scalar::<Postgres, Uuid>("SELECT guest FROM passkeys WHERE id = $1");
            let whose = whose.bind(used.id.0).fetch_optional(&mut *connection).await?;
            let Some(guest) = whose.map(PlayerId) else { return Ok(None) };
            let Some(found) = lock(connection, guest).await? else { return Ok(None) };
            // It may have been used or removed before the guest was locked.
            let is_same = "SELECT EXISTS (SELECT FROM passkeys WHERE id = $1 AND counter = $2)";
            let is_same = query_scalar::<Postgres, bool>(is_same).bind(used.id.0);
            let is_same = is_same.bind(i64::from(used.counter_before)).fetch_one(&mut *connection).await?;
            if !is_same || (found.4.is_none() && !note(connection, &used).await?) {
                return Ok(None);
            }
            if found.4.is_none() {
                add_session(connection, guest, &session, SessionOrigin::Passkey, used.at).await?;
            }
            Ok(Some(found))
        })
    });
    sign_in.await?.map(guest_of).transpose()
}
