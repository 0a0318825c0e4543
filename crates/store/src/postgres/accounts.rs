//! Accounts: what lets guests sign in anywhere.
//!
//! What changes an account first locks its guest, as what changes their sessions does.

use std::sync::Arc;

use lusoria_play::{Millis, PlayerId};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{
    api_tokens,
    guests::{add_session, forget_code, guest_of, insert_session, lock, may_ask},
    passkeys,
    readers::Readers,
    session::Undo,
    sign_ups,
    writer::Writer,
};
use crate::{
    Account, AccountFilter, AccountOpening, BotDeclaration, Guest, NewAccount, NewSession, PasswordHash,
    PasswordRemoval, Proof, Revoking, SecretHash, SessionId, SessionOrigin, Shown, StoreError,
    text::{column, corrupt, millis, password, password_column},
};

/// Opens an account.
pub(super) async fn open(writer: &Writer, new: NewAccount) -> Result<AccountOpening, StoreError> {
    let (guest, new) = (new.guest, Arc::new(new));
    let open = writer.write(guest.0, move |connection| {
        let new = Arc::clone(&new);
        Box::pin(async move {
            if !may_ask(connection, guest, new.by).await? {
                return Ok(AccountOpening::SessionEnded);
            }
            let has = "SELECT EXISTS (SELECT FROM accounts WHERE guest = $1)";
            if query_scalar::<Postgres, bool>(has).bind(guest.0).fetch_one(&mut *connection).await? {
                return Ok(AccountOpening::HasAccount);
            }
            if let Some(refused) = sign_ups::refuses(connection, new.sign_up_code, new.created_at).await? {
                return Ok(refused);
            }
            // Waits for another that is opening one under such a handle.
            let insert = "INSERT INTO accounts (guest, handle, skeleton, password, created_at) \
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT (skeleton) DO NOTHING";
            let insert = query::<Postgres>(insert)
                .bind(guest.0)
                .bind(&new.handle)
                .bind(&new.skeleton)
                .bind(password_column(new.password.as_ref()))
                .bind(column(new.created_at));
            if insert.execute(&mut *connection).await?.rows_affected() == 0 {
                return Ok(AccountOpening::HandleTaken);
            }
            if let Some(passkey) = &new.passkey
                && !passkeys::insert(connection, guest, passkey).await?
            {
                return Err(Undo::With(AccountOpening::PasskeyKnown));
            }
            let rename = "UPDATE guests SET name = $2 WHERE id = $1 AND name = $3";
            let rename = query::<Postgres>(rename).bind(guest.0).bind(&new.handle).bind(&new.default_name);
            rename.execute(&mut *connection).await?;
            add_codes(connection, guest, &new.recovery_codes).await?;
            if let Some(code) = new.sign_up_code {
                sign_ups::spend(connection, code).await?;
            }
            Ok(AccountOpening::Opened)
        })
    });
    Ok(open.await?)
}

/// A row of `accounts`, with how many codes there are.
type AccountRow = (Uuid, String, String, String, i64, i64);

macro_rules! accounts_where {
    ($condition:literal) => {
        concat!(
            "SELECT guest, handle, skeleton, password, created_at, (SELECT count(*) FROM recovery_codes \
             WHERE recovery_codes.guest = accounts.guest) FROM accounts WHERE ",
            $condition
        )
    };
}

/// Reads the account of a guest.
pub(super) async fn get(readers: &Readers, guest: PlayerId) -> Result<Option<Account>, StoreError> {
    let select = accounts_where!("guest = $1");
    let found: Option<AccountRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(select).bind(guest.0).fetch_optional(connection)))
        .await?;
    found.map(account).transpose()
}

/// Finds the account whose handle has this skeleton.
pub(super) async fn by_skeleton(readers: &Readers, skeleton: String) -> Result<Option<Account>, StoreError> {
    let select = accounts_where!("skeleton = $1");
    let found: Option<AccountRow> = readers
        .read(|connection| {
            Box::pin(query_as::<Postgres, _>(select).bind(skeleton.clone()).fetch_optional(connection))
        })
        .await?;
    found.map(account).transpose()
}

const SINCE: &str = accounts_where!("created_at >= $1 ORDER BY created_at DESC, guest DESC LIMIT $2");
// "~" sorts after every letter of a handle.
const STARTING: &str = accounts_where!(
    "lower(handle) COLLATE \"C\" >= lower($1) AND lower(handle) COLLATE \"C\" < lower($1) || '~' \
     ORDER BY lower(handle) COLLATE \"C\" LIMIT $2"
);

/// Lists accounts.
pub(super) async fn list(
    readers: &Readers,
    which: AccountFilter,
    limit: u32,
) -> Result<Vec<Account>, StoreError> {
    let found: Vec<AccountRow> = readers
        .read(|connection| {
            let select = match &which {
                AccountFilter::Since(at) => query_as::<Postgres, _>(SINCE).bind(column(*at)),
                AccountFilter::Starting(prefix) => query_as(STARTING).bind(prefix.clone()),
            };
            Box::pin(select.bind(i64::from(limit)).fetch_all(connection))
        })
        .await?;
    found.into_iter().map(account).collect()
}

fn account(row: AccountRow) -> Result<Account, StoreError> {
    let (guest, handle, skeleton, stored, created_at, codes) = row;
    Ok(Account {
        guest: PlayerId(guest),
        handle,
        skeleton,
        password: password(stored),
        recovery_codes: u32::try_from(codes).map_err(corrupt)?,
        created_at: millis(created_at)?,
    })
}

/// Begins a session of a guest who has shown this password; none if it is no longer theirs.
pub(super) async fn sign_in(
    writer: &Writer,
    guest: PlayerId,
    password: PasswordHash,
    session: NewSession,
    now: Millis,
) -> Result<Option<Guest>, StoreError> {
    let new = Arc::new((password, session));
    let sign_in = writer.write(guest.0, move |connection| {
        let new = Arc::clone(&new);
        Box::pin(async move {
            let (password, session) = &*new;
            let Some(found) = lock(connection, guest).await? else { return Ok(None) };
            if !is_password(connection, guest, password).await? {
                return Ok(None);
            }
            if found.4.is_none() {
                add_session(connection, guest, session, SessionOrigin::Password, now).await?;
            }
            Ok(Some(found))
        })
    });
    sign_in.await?.map(guest_of).transpose()
}

/// Spends a recovery code for a new password and a session; none if the code is not good.
pub(super) async fn recover(
    writer: &Writer,
    guest: PlayerId,
    code: SecretHash,
    password: PasswordHash,
    session: NewSession,
    now: Millis,
) -> Result<Option<Guest>, StoreError> {
    let new = Arc::new((password, session));
    let recover = writer.write(guest.0, move |connection| {
        let new = Arc::clone(&new);
        Box::pin(async move {
            let (password, session) = &*new;
            let Some(found) = lock(connection, guest).await? else { return Ok(None) };
            let has = "SELECT EXISTS (SELECT FROM recovery_codes WHERE guest = $1 AND hash = $2)";
            let has = query_scalar::<Postgres, bool>(has).bind(guest.0).bind(&code.0[..]);
            if !has.fetch_one(&mut *connection).await? {
                return Ok(None);
            }
            if found.4.is_none() {
                let spend = query::<Postgres>("DELETE FROM recovery_codes WHERE hash = $1").bind(&code.0[..]);
                spend.execute(&mut *connection).await?;
                set_password(connection, guest, Some(password)).await?;
                let end = query::<Postgres>("DELETE FROM tokens WHERE guest = $1").bind(guest.0);
                end.execute(&mut *connection).await?;
                api_tokens::revoke_all(connection, guest).await?;
                passkeys::remove_all(connection, guest).await?;
                forget_code(connection, guest).await?;
                insert_session(connection, guest, session, SessionOrigin::RecoveryCode, now).await?;
            }
            Ok(Some(found))
        })
    });
    recover.await?.map(guest_of).transpose()
}

/// Sets a password and ends all other sessions; false if the proof no longer holds.
pub(super) async fn change_password(
    writer: &Writer,
    proof: Proof,
    password: PasswordHash,
    revoking: Revoking,
) -> Result<bool, StoreError> {
    let (guest, new) = (proof.guest, Arc::new((proof, password)));
    let change = writer.write(guest.0, move |connection| {
        let new = Arc::clone(&new);
        Box::pin(async move {
            let (proof, password) = &*new;
            if !holds(connection, proof).await? {
                return Ok(false);
            }
            set_password(connection, guest, Some(password)).await?;
            end_other_sessions(connection, proof).await?;
            if revoking.api_tokens {
                api_tokens::revoke_all(connection, guest).await?;
            }
            if revoking.passkeys {
                passkeys::remove_all(connection, guest).await?;
            }
            Ok(true)
        })
    });
    Ok(change.await?)
}

/// Removes a password and ends all other sessions, unless it is the last way to sign in.
pub(super) async fn remove_password(writer: &Writer, proof: Proof) -> Result<PasswordRemoval, StoreError> {
    let (guest, proof) = (proof.guest, Arc::new(proof));
    let remove = writer.write(guest.0, move |connection| {
        let proof = Arc::clone(&proof);
        Box::pin(async move {
            if !holds(connection, &proof).await? {
                return Ok(PasswordRemoval::NotProven);
            }
            if passkeys::count(connection, guest).await? == 0 {
                return Ok(PasswordRemoval::LastWayIn);
            }
            set_password(connection, guest, None).await?;
            end_other_sessions(connection, &proof).await?;
            Ok(PasswordRemoval::Removed)
        })
    });
    Ok(remove.await?)
}

/// Replaces the recovery codes; false if the proof no longer holds.
pub(super) async fn replace_recovery_codes(
    writer: &Writer,
    proof: Proof,
    codes: Vec<SecretHash>,
) -> Result<bool, StoreError> {
    let (guest, new) = (proof.guest, Arc::new((proof, codes)));
    let replace = writer.write(guest.0, move |connection| {
        let new = Arc::clone(&new);
        Box::pin(async move {
            let (proof, codes) = &*new;
            if !holds(connection, proof).await? {
                return Ok(false);
            }
            let forget = query::<Postgres>("DELETE FROM recovery_codes WHERE guest = $1").bind(guest.0);
            forget.execute(&mut *connection).await?;
            add_codes(connection, guest, codes).await?;
            Ok(true)
        })
    });
    Ok(replace.await?)
}

/// Makes the guest of an account a bot, if they have no match. A match that is being made with them waits for
/// the lock of the guest, or this for the match.
pub(super) async fn declare_bot(
    writer: &Writer,
    guest: PlayerId,
    by: SessionId,
) -> Result<BotDeclaration, StoreError> {
    let declare = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            if !may_ask(connection, guest, by).await? {
                return Ok(BotDeclaration::SessionEnded);
            }
            let is = async |connection: &mut PgConnection, condition: &'static str| {
                query_scalar::<Postgres, bool>(condition).bind(guest.0).fetch_one(connection).await
            };
            if !is(&mut *connection, "SELECT EXISTS (SELECT FROM accounts WHERE guest = $1)").await? {
                return Ok(BotDeclaration::NoAccount);
            }
            let is_bot = "SELECT EXISTS (SELECT FROM guests WHERE id = $1 AND kind = 'bot')";
            if is(&mut *connection, is_bot).await? {
                return Ok(BotDeclaration::Declared);
            }
            let has_played = "SELECT EXISTS (SELECT FROM matches WHERE seat1 = $1) \
                 OR EXISTS (SELECT FROM matches WHERE seat2 = $1) \
                 OR EXISTS (SELECT FROM matches WHERE made_by = $1)";
            if is(&mut *connection, has_played).await? {
                return Ok(BotDeclaration::HasPlayed);
            }
            let declare = query::<Postgres>("UPDATE guests SET kind = 'bot' WHERE id = $1").bind(guest.0);
            declare.execute(&mut *connection).await?;
            api_tokens::revoke_all(connection, guest).await?;
            Ok(BotDeclaration::Declared)
        })
    });
    Ok(declare.await?)
}

pub(super) async fn holds(connection: &mut PgConnection, proof: &Proof) -> Result<bool, Error> {
    if !may_ask(connection, proof.guest, proof.by).await? {
        return Ok(false);
    }
    match &proof.shown {
        Shown::Password(password) => is_password(connection, proof.guest, password).await,
        Shown::Passkey(id) => passkeys::is_of(connection, proof.guest, *id).await,
    }
}

async fn is_password(
    connection: &mut PgConnection,
    guest: PlayerId,
    password: &PasswordHash,
) -> Result<bool, Error> {
    let is = "SELECT EXISTS (SELECT FROM accounts WHERE guest = $1 AND password = $2 AND $2 <> '')";
    query_scalar::<Postgres, bool>(is).bind(guest.0).bind(&password.0).fetch_one(connection).await
}

async fn set_password(
    connection: &mut PgConnection,
    guest: PlayerId,
    password: Option<&PasswordHash>,
) -> Result<(), Error> {
    let set = query::<Postgres>("UPDATE accounts SET password = $2 WHERE guest = $1");
    set.bind(guest.0).bind(password_column(password)).execute(connection).await.map(drop)
}

/// Ends all sessions of a guest but the one that asks, and deletes their device code.
async fn end_other_sessions(connection: &mut PgConnection, proof: &Proof) -> Result<(), Error> {
    let others = query::<Postgres>("DELETE FROM tokens WHERE guest = $1 AND id <> $2");
    others.bind(proof.guest.0).bind(proof.by.0).execute(&mut *connection).await?;
    forget_code(connection, proof.guest).await
}

async fn add_codes(
    connection: &mut PgConnection,
    guest: PlayerId,
    codes: &[SecretHash],
) -> Result<(), Error> {
    let codes: Vec<Vec<u8>> = codes.iter().map(|code| code.0.to_vec()).collect();
    let insert = query::<Postgres>("INSERT INTO recovery_codes (hash, guest) SELECT unnest($1::bytea[]), $2");
    insert.bind(codes).bind(guest.0).execute(connection).await.map(drop)
}
