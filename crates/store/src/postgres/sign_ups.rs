//! Who may open an account, and what the operator does with accounts.

use lusoria_play::{Millis, PlayerId};
use sqlx_core::{error::Error, query::query, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{
    guests::{forget_code, lock},
    readers::Readers,
    writer::Writer,
};
use crate::{
    AccountOpening, RECOVERY_CODES_MAX, SecretHash, SignUpPolicy, SignUps, StoreError,
    text::{column, corrupt, sign_up_policy, sign_up_policy_column},
};

/// Why an account may not be opened; none if it may. Holds the policy, and the code that it takes, until the
/// transaction ends.
pub(super) async fn refuses(
    connection: &mut PgConnection,
    code: Option<SecretHash>,
    now: Millis,
) -> Result<Option<AccountOpening>, Error> {
    let policy = query_scalar::<Postgres, String>("SELECT policy FROM sign_ups FOR SHARE");
    let policy = policy.fetch_optional(&mut *connection).await?;
    Ok(match (policy.as_deref(), code) {
        (Some("closed"), _) => Some(AccountOpening::SignUpsClosed),
        (Some("invite_only"), None) => Some(AccountOpening::SignUpCodeRequired),
        (Some("invite_only"), Some(code)) => {
            let lock = "SELECT TRUE FROM sign_up_codes WHERE hash = $1 AND expires_at > $2 FOR UPDATE";
            let lock = query_scalar::<Postgres, bool>(lock).bind(code.0.to_vec()).bind(column(now));
            let is_good = lock.fetch_optional(connection).await?.is_some();
            (!is_good).then_some(AccountOpening::UnknownSignUpCode)
        }
        _ => None,
    })
}

/// Spends the code of an account that is opened, if it takes one.
pub(super) async fn spend(connection: &mut PgConnection, code: SecretHash) -> Result<(), Error> {
    let spend = "DELETE FROM sign_up_codes WHERE hash = $1 \
         AND EXISTS (SELECT FROM sign_ups WHERE policy = 'invite_only')";
    query::<Postgres>(spend).bind(code.0.to_vec()).execute(connection).await.map(drop)
}

/// Who may open an account, and how many codes are good.
pub(super) async fn get(readers: &Readers, now: Millis) -> Result<SignUps, StoreError> {
    let read = readers.read(move |connection| {
        Box::pin(async move {
            let policy = query_scalar::<Postgres, String>("SELECT policy FROM sign_ups");
            let policy = policy.fetch_optional(&mut *connection).await?;
            let count = "SELECT count(*) FROM sign_up_codes WHERE expires_at > $1";
            let count = query_scalar::<Postgres, i64>(count).bind(column(now));
            Ok((policy, count.fetch_one(connection).await?))
        })
    });
    let (policy, codes) = read.await?;
    let policy = policy.map_or(Ok(SignUpPolicy::Open), |policy| sign_up_policy(&policy))?;
    Ok(SignUps { policy, codes: u64::try_from(codes).map_err(corrupt)? })
}

/// Sets who may open an account. Waits for those that are being opened.
pub(super) async fn set(writer: &Writer, policy: SignUpPolicy) -> Result<(), StoreError> {
    let set = writer.write(Uuid::nil(), move |connection| {
        Box::pin(async move {
            query::<Postgres>("LOCK TABLE sign_ups IN EXCLUSIVE MODE").execute(&mut *connection).await?;
            let set = "INSERT INTO sign_ups (id, policy) VALUES (1, $1) \
                 ON CONFLICT (id) DO UPDATE SET policy = excluded.policy";
            query::<Postgres>(set).bind(sign_up_policy_column(policy)).execute(connection).await?;
            Ok(())
        })
    });
    Ok(set.await?)
}

/// Adds codes to open an account with.
pub(super) async fn add_codes(
    writer: &Writer,
    codes: Vec<SecretHash>,
    expires_at: Millis,
) -> Result<(), StoreError> {
    let codes: Vec<Vec<u8>> = codes.iter().map(|code| code.0.to_vec()).collect();
    let add = writer.write(Uuid::nil(), move |connection| {
        let codes = codes.clone();
        Box::pin(async move {
            let insert = "INSERT INTO sign_up_codes (hash, expires_at) SELECT unnest($1::bytea[]), $2";
            query::<Postgres>(insert).bind(codes).bind(column(expires_at)).execute(connection).await?;
            Ok(())
        })
    });
    Ok(add.await?)
}

/// Adds a recovery code; false if there is no account, or it has as many as it may have.
pub(super) async fn add_recovery_code(
    writer: &Writer,
    guest: PlayerId,
    code: SecretHash,
) -> Result<bool, StoreError> {
    let add = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            lock(connection, guest).await?;
            let insert = "INSERT INTO recovery_codes (hash, guest) SELECT $1, guest FROM accounts \
                 WHERE guest = $2 AND (SELECT count(*) FROM recovery_codes WHERE guest = $2) < $3";
            let insert = query::<Postgres>(insert)
                .bind(code.0.to_vec())
                .bind(guest.0)
                .bind(i64::from(RECOVERY_CODES_MAX));
            Ok(insert.execute(connection).await?.rows_affected() == 1)
        })
    });
    Ok(add.await?)
}

/// Removes an account; how many sessions ended, none if there is no account.
pub(super) async fn remove_account(writer: &Writer, guest: PlayerId) -> Result<Option<u64>, StoreError> {
    let remove = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            lock(connection, guest).await?;
            // Its recovery codes go with it.
            let remove = query::<Postgres>("DELETE FROM accounts WHERE guest = $1").bind(guest.0);
            if remove.execute(&mut *connection).await?.rows_affected() == 0 {
                return Ok(None);
            }
            forget_code(connection, guest).await?;
            let end = "DELETE FROM tokens WHERE guest = $1 AND signed_in_by IS NOT NULL";
            let ended = query::<Postgres>(end).bind(guest.0).execute(connection).await?;
            Ok(Some(ended.rows_affected()))
        })
    });
    Ok(remove.await?)
}
