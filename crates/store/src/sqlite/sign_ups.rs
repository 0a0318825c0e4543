//! Who may open an account, and what the operator does with accounts.

use lusoria_play::{Millis, PlayerId};
use rusqlite::Connection;

use super::{
    guest_rows::forget_code,
    passkeys,
    readers::Readers,
    sql::{execute, exists, first, one},
    writer::Writer,
};
use crate::{
    AccountOpening, RECOVERY_CODES_MAX, SecretHash, SignUpPolicy, SignUps, StoreError,
    text::{column, hex, sign_up_policy, sign_up_policy_column},
};

const POLICY: &str = "SELECT policy FROM sign_ups";

/// Why an account may not be opened; none if it may. Where it takes a code, the caller spends it.
pub(super) fn refuses(
    connection: &Connection,
    code: Option<&str>,
    now: i64,
) -> rusqlite::Result<Option<AccountOpening>> {
    let policy: Option<(String,)> = first(connection, POLICY, [])?;
    Ok(match (policy.as_ref().map(|(policy,)| policy.as_str()), code) {
        (Some("closed"), _) => Some(AccountOpening::SignUpsClosed),
        (Some("invite_only"), None) => Some(AccountOpening::SignUpCodeRequired),
        (Some("invite_only"), Some(code)) => {
            let is_good = "SELECT 1 FROM sign_up_codes WHERE hash = ?1 AND expires_at > ?2";
            (!exists(connection, is_good, (code, now))?).then_some(AccountOpening::UnknownSignUpCode)
        }
        _ => None,
    })
}

/// Spends the code of an account that is opened, if it takes one.
pub(super) fn spend(connection: &Connection, code: &str) -> rusqlite::Result<()> {
    let spend = "DELETE FROM sign_up_codes WHERE hash = ?1 \
         AND EXISTS (SELECT 1 FROM sign_ups WHERE policy = 'invite_only')";
    execute(connection, spend, [code]).map(drop)
}

/// Who may open an account, and how many codes are good.
pub(super) async fn get(readers: &Readers, now: Millis) -> Result<SignUps, StoreError> {
    let read = readers.read(move |connection| {
        let policy: Option<(String,)> = first(connection, POLICY, [])?;
        let count = "SELECT COUNT(*) FROM sign_up_codes WHERE expires_at > ?1";
        let (codes,): (u64,) = one(connection, count, [column(now)])?;
        Ok((policy, codes))
    });
    let (policy, codes) = read.await?;
    let policy = policy.map_or(Ok(SignUpPolicy::Open), |(policy,)| sign_up_policy(&policy))?;
    Ok(SignUps { policy, codes })
}

/// Sets who may open an account.
pub(super) async fn set(writer: &Writer, policy: SignUpPolicy) -> Result<(), StoreError> {
    let set = writer.write(move |connection| {
        let set = "INSERT INTO sign_ups (id, policy) VALUES (1, ?1) \
             ON CONFLICT (id) DO UPDATE SET policy = excluded.policy";
        execute(connection, set, [sign_up_policy_column(policy)]).map(drop)
    });
    Ok(set.await?)
}

/// Adds codes to open an account with.
pub(super) async fn add_codes(
    writer: &Writer,
    codes: Vec<SecretHash>,
    expires_at: Millis,
) -> Result<(), StoreError> {
    let (codes, expires_at): (Vec<String>, _) =
        (codes.iter().map(|code| hex(code.0)).collect(), column(expires_at));
    let add = writer.write(move |connection| {
        for code in &codes {
            let insert = "INSERT INTO sign_up_codes (hash, expires_at) VALUES (?1, ?2)";
            execute(connection, insert, (code, expires_at))?;
        }
        Ok(())
    });
    Ok(add.await?)
}

/// Adds a recovery code; false if there is no account, or it has as many as it may have.
pub(super) async fn add_recovery_code(
    writer: &Writer,
    guest: PlayerId,
    code: SecretHash,
) -> Result<bool, StoreError> {
    let (guest, code) = (guest.0.to_string(), hex(code.0));
    let add = writer.write(move |connection| {
        let insert = "INSERT INTO recovery_codes (hash, guest_id) SELECT ?1, guest_id FROM accounts \
             WHERE guest_id = ?2 AND (SELECT COUNT(*) FROM recovery_codes WHERE guest_id = ?2) < ?3";
        Ok(execute(connection, insert, (&code, &guest, RECOVERY_CODES_MAX))? == 1)
    });
    Ok(add.await?)
}

/// Removes an account; how many sessions ended, none if there is no account.
pub(super) async fn remove_account(writer: &Writer, guest: PlayerId) -> Result<Option<u64>, StoreError> {
    let guest = guest.0.to_string();
    let remove = writer.write(move |connection| {
        if !exists(connection, "SELECT 1 FROM accounts WHERE guest_id = ?1", [&guest])? {
            return Ok(None);
        }
        execute(connection, "DELETE FROM recovery_codes WHERE guest_id = ?1", [&guest])?;
        execute(connection, "DELETE FROM api_tokens WHERE guest_id = ?1", [&guest])?;
        passkeys::remove_all(connection, &guest)?;
        execute(connection, "DELETE FROM accounts WHERE guest_id = ?1", [&guest])?;
        forget_code(connection, &guest)?;
        let end = "DELETE FROM tokens WHERE guest_id = ?1 AND signed_in_by IS NOT NULL";
        Ok(Some(execute(connection, end, [&guest])? as u64))
    });
    Ok(remove.await?)
}
