//! Accounts: what lets guests sign in anywhere.

use lusoria_play::{Millis, PlayerId};
use rusqlite::Connection;

use super::{
    api_tokens,
    guest_rows::{GuestRow, forget_code, guest, may_ask},
    passkeys,
    readers::Readers,
    sessions::NewSessionRow,
    sign_ups,
    sql::{execute, exists, first, rows},
    text::{column, corrupt, hex, millis, password, password_column, player_id},
    writer::Writer,
};
use crate::{
    Account, AccountFilter, AccountOpening, BotDeclaration, Guest, NewAccount, NewSession, PasswordHash,
    PasswordRemoval, Proof, Revoking, SecretHash, SessionId, SessionOrigin, Shown, StoreError,
};

/// Opens an account.
pub(super) async fn open(writer: &Writer, new: NewAccount) -> Result<AccountOpening, StoreError> {
    let (guest, by, created_at) = (new.guest.0.to_string(), new.by.0.to_string(), column(new.created_at));
    let codes: Vec<String> = new.recovery_codes.iter().map(|code| hex(code.0)).collect();
    let sign_up_code = new.sign_up_code.map(|code| hex(code.0));
    let open = writer.write(move |connection| {
        if !may_ask(connection, &guest, &by)? {
            return Ok(AccountOpening::SessionEnded);
        }
        if exists(connection, "SELECT 1 FROM accounts WHERE guest_id = ?1", [&guest])? {
            return Ok(AccountOpening::HasAccount);
        }
        if let Some(refused) = sign_ups::refuses(connection, sign_up_code.as_deref(), created_at)? {
            return Ok(refused);
        }
        if exists(connection, "SELECT 1 FROM accounts WHERE skeleton = ?1", [&new.skeleton])? {
            return Ok(AccountOpening::HandleTaken);
        }
        if let Some(passkey) = &new.passkey
            && passkeys::is_known(connection, passkey)?
        {
            return Ok(AccountOpening::PasskeyKnown);
        }
        let insert = "INSERT INTO accounts (guest_id, handle, skeleton, password, created_at) \
             VALUES (?1, ?2, ?3, ?4, ?5)";
        let password = password_column(new.password.as_ref());
        execute(connection, insert, (&guest, &new.handle, &new.skeleton, password, created_at))?;
        let rename = "UPDATE guests SET name = ?2 WHERE id = ?1 AND name = ?3";
        execute(connection, rename, (&guest, &new.handle, &new.default_name))?;
        if let Some(passkey) = &new.passkey {
            passkeys::insert(connection, &guest, passkey)?;
        }
        add_codes(connection, &guest, &codes)?;
        if let Some(code) = &sign_up_code {
            sign_ups::spend(connection, code)?;
        }
        Ok(AccountOpening::Opened)
    });
    Ok(open.await?)
}

/// A row of `accounts`, with how many codes there are.
type AccountRow = (String, String, String, String, i64, i64);

macro_rules! accounts_where {
    ($condition:literal) => {
        concat!(
            "SELECT guest_id, handle, skeleton, password, created_at, (SELECT COUNT(*) FROM recovery_codes \
             WHERE recovery_codes.guest_id = accounts.guest_id) FROM accounts WHERE ",
            $condition
        )
    };
}

/// Reads the account of a guest.
pub(super) async fn get(readers: &Readers, guest: PlayerId) -> Result<Option<Account>, StoreError> {
    find(readers, accounts_where!("guest_id = ?1"), guest.0.to_string()).await
}

/// Finds the account whose handle has this skeleton.
pub(super) async fn by_skeleton(readers: &Readers, skeleton: String) -> Result<Option<Account>, StoreError> {
    find(readers, accounts_where!("skeleton = ?1"), skeleton).await
}

const SINCE: &str = accounts_where!("created_at >= ?1 ORDER BY created_at DESC, guest_id DESC LIMIT ?2");
// "~" sorts after every letter of a handle.
const STARTING: &str = accounts_where!(
    "lower(handle) >= lower(?1) AND lower(handle) < lower(?1) || '~' ORDER BY lower(handle) LIMIT ?2"
);

/// Lists accounts.
pub(super) async fn list(
    readers: &Readers,
    which: AccountFilter,
    limit: u32,
) -> Result<Vec<Account>, StoreError> {
    let found = readers.read(move |connection| match which {
        AccountFilter::Since(at) => rows::<AccountRow>(connection, SINCE, (column(at), limit)),
        AccountFilter::Starting(prefix) => rows(connection, STARTING, (prefix, limit)),
    });
    found.await?.into_iter().map(account).collect()
}

async fn find(readers: &Readers, select: &'static str, by: String) -> Result<Option<Account>, StoreError> {
    let found = readers.read(move |connection| first(connection, select, [&by])).await?;
    found.map(account).transpose()
}

fn account(row: AccountRow) -> Result<Account, StoreError> {
    let (guest, handle, skeleton, stored, created_at, codes) = row;
    Ok(Account {
        guest: player_id(&guest)?,
        handle,
        skeleton,
        password: password(stored),
        recovery_codes: u32::try_from(codes).map_err(corrupt)?,
        created_at: millis(created_at)?,
    })
}

const BY_PASSWORD: &str = "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at \
     FROM accounts JOIN guests ON guests.id = accounts.guest_id \
     WHERE accounts.guest_id = ?1 AND accounts.password = ?2 AND ?2 <> ''";

/// Begins a session of a guest who has shown this password; none if it is no longer theirs.
pub(super) async fn sign_in(
    writer: &Writer,
    of: PlayerId,
    password: PasswordHash,
    session: NewSession,
    now: Millis,
) -> Result<Option<Guest>, StoreError> {
    let (id, now) = (of.0.to_string(), column(now));
    let session = NewSessionRow::new(session, SessionOrigin::Password);
    let sign_in = writer.write(move |connection| {
        let found: Option<GuestRow> = first(connection, BY_PASSWORD, (&id, &password.0))?;
        if let Some((.., None)) = &found {
            session.add(connection, &id, now)?;
        }
        Ok(found)
    });
    sign_in.await?.map(guest).transpose()
}

const BY_CODE: &str = "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at \
     FROM recovery_codes JOIN guests ON guests.id = recovery_codes.guest_id \
     WHERE recovery_codes.guest_id = ?1 AND recovery_codes.hash = ?2";

/// Spends a recovery code for a new password and a session; none if the code is not good.
pub(super) async fn recover(
    writer: &Writer,
    of: PlayerId,
    code: SecretHash,
    password: PasswordHash,
    session: NewSession,
    now: Millis,
) -> Result<Option<Guest>, StoreError> {
    let (id, code, now) = (of.0.to_string(), hex(code.0), column(now));
    let session = NewSessionRow::new(session, SessionOrigin::RecoveryCode);
    let recover = writer.write(move |connection| {
        let found: Option<GuestRow> = first(connection, BY_CODE, (&id, &code))?;
        if let Some((.., None)) = &found {
            execute(connection, "DELETE FROM recovery_codes WHERE hash = ?1", [&code])?;
            set_password(connection, &id, Some(&password))?;
            execute(connection, "DELETE FROM tokens WHERE guest_id = ?1", [&id])?;
            api_tokens::revoke_all(connection, &id)?;
            passkeys::remove_all(connection, &id)?;
            forget_code(connection, &id)?;
            session.insert(connection, &id, now)?;
        }
        Ok(found)
    });
    recover.await?.map(guest).transpose()
}

/// Sets a password and ends all other sessions; false if the proof no longer holds.
pub(super) async fn change_password(
    writer: &Writer,
    proof: Proof,
    password: PasswordHash,
    revoking: Revoking,
) -> Result<bool, StoreError> {
    let (guest, by) = (proof.guest.0.to_string(), proof.by.0.to_string());
    let change = writer.write(move |connection| {
        if !holds(connection, &proof)? {
            return Ok(false);
        }
        set_password(connection, &guest, Some(&password))?;
        end_other_sessions(connection, &guest, &by)?;
        if revoking.api_tokens {
            api_tokens::revoke_all(connection, &guest)?;
        }
        if revoking.passkeys {
            passkeys::remove_all(connection, &guest)?;
        }
        Ok(true)
    });
    Ok(change.await?)
}

/// Removes a password and ends all other sessions, unless it is the last way to sign in.
pub(super) async fn remove_password(writer: &Writer, proof: Proof) -> Result<PasswordRemoval, StoreError> {
    let (guest, by) = (proof.guest.0.to_string(), proof.by.0.to_string());
    let remove = writer.write(move |connection| {
        if !holds(connection, &proof)? {
            return Ok(PasswordRemoval::NotProven);
        }
        if passkeys::count(connection, &guest)? == 0 {
            return Ok(PasswordRemoval::LastWayIn);
        }
        set_password(connection, &guest, None)?;
        end_other_sessions(connection, &guest, &by)?;
        Ok(PasswordRemoval::Removed)
    });
    Ok(remove.await?)
}

/// Replaces the recovery codes; false if the proof no longer holds.
pub(super) async fn replace_recovery_codes(
    writer: &Writer,
    proof: Proof,
    codes: Vec<SecretHash>,
) -> Result<bool, StoreError> {
    let guest = proof.guest.0.to_string();
    let codes: Vec<String> = codes.iter().map(|code| hex(code.0)).collect();
    let replace = writer.write(move |connection| {
        if !holds(connection, &proof)? {
            return Ok(false);
        }
        execute(connection, "DELETE FROM recovery_codes WHERE guest_id = ?1", [&guest])?;
        add_codes(connection, &guest, &codes)?;
        Ok(true)
    });
    Ok(replace.await?)
}

/// Makes the guest of an account a bot, if they have no match.
pub(super) async fn declare_bot(
    writer: &Writer,
    of: PlayerId,
    by: SessionId,
) -> Result<BotDeclaration, StoreError> {
    let (guest, by, seat) = (of.0.to_string(), by.0.to_string(), of.0.into_bytes());
    let declare = writer.write(move |connection| {
        if !may_ask(connection, &guest, &by)? {
            return Ok(BotDeclaration::SessionEnded);
        }
        if !exists(connection, "SELECT 1 FROM accounts WHERE guest_id = ?1", [&guest])? {
            return Ok(BotDeclaration::NoAccount);
        }
        if exists(connection, "SELECT 1 FROM guests WHERE id = ?1 AND kind = 'bot'", [&guest])? {
            return Ok(BotDeclaration::Declared);
        }
        let matches = "SELECT 1 FROM matches WHERE seat1 = ?1 UNION ALL SELECT 1 FROM matches WHERE seat2 = ?1 \
             UNION ALL SELECT 1 FROM matches WHERE made_by = ?1 LIMIT 1";
        if exists(connection, matches, [seat])? {
            return Ok(BotDeclaration::HasPlayed);
        }
        execute(connection, "UPDATE guests SET kind = 'bot' WHERE id = ?1", [&guest])?;
        api_tokens::revoke_all(connection, &guest)?;
        Ok(BotDeclaration::Declared)
    });
    Ok(declare.await?)
}

pub(super) fn holds(connection: &Connection, Proof { guest, by, shown }: &Proof) -> rusqlite::Result<bool> {
    let guest = guest.0.to_string();
    let is_good = match shown {
        Shown::Password(password) => {
            let is_theirs = "SELECT 1 FROM accounts WHERE guest_id = ?1 AND password = ?2 AND ?2 <> ''";
            exists(connection, is_theirs, (&guest, &password.0))?
        }
        Shown::Passkey(id) => {
            let is_theirs = "SELECT 1 FROM passkeys WHERE guest_id = ?1 AND id = ?2";
            exists(connection, is_theirs, (&guest, id.0.to_string()))?
        }
    };
    Ok(is_good && may_ask(connection, &guest, &by.0.to_string())?)
}

fn set_password(
    connection: &Connection,
    guest: &str,
    password: Option<&PasswordHash>,
) -> rusqlite::Result<()> {
    let set = "UPDATE accounts SET password = ?2 WHERE guest_id = ?1";
    execute(connection, set, (guest, password_column(password))).map(drop)
}

/// Ends all sessions of a guest but `kept`, and deletes their device code.
fn end_other_sessions(connection: &Connection, guest: &str, kept: &str) -> rusqlite::Result<()> {
    execute(connection, "DELETE FROM tokens WHERE guest_id = ?1 AND id <> ?2", (guest, kept))?;
    forget_code(connection, guest)
}

fn add_codes(connection: &Connection, guest: &str, codes: &[String]) -> rusqlite::Result<()> {
    for code in codes {
        let insert = "INSERT INTO recovery_codes (hash, guest_id) VALUES (?1, ?2)";
        execute(connection, insert, (code, guest))?;
    }
    Ok(())
}
