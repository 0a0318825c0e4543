//! Guests, their sessions, and the codes that begin one.
//!
//! What changes the sessions or codes of a guest first locks the guest: so two of them never meet.

use std::sync::Arc;

use lusoria_play::{Millis, PlayerId};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{readers::Readers, session::Undo, writer::Writer};
use crate::{
    Bearer, DeviceCode, Guest, NewSession, SecretHash, Session, SessionId, SessionOrigin, StoreError,
    TOKENS_PER_GUEST_MAX,
    text::{ban, column, kind_column, millis, origin, origin_columns, player_kind},
};

/// A row of `guests`.
pub(super) type GuestRow = (Uuid, String, String, i64, Option<i64>);

/// The guest of a row.
pub(super) fn guest_of((id, name, kind, created_at, blocked_at): GuestRow) -> Result<Guest, StoreError> {
    let id = PlayerId(id);
    let (kind, created_at) = (player_kind(id, &kind)?, millis(created_at)?);
    Ok(Guest { id, name, kind, created_at, blocked_at: blocked_at.map(millis).transpose()? })
}

/// Locks a guest against others that change what is theirs. Reads them; none if there is none.
pub(super) async fn lock(connection: &mut PgConnection, id: PlayerId) -> Result<Option<GuestRow>, Error> {
    let lock = "SELECT id, name, kind, created_at, blocked_at FROM guests WHERE id = $1 FOR NO KEY UPDATE";
    query_as::<Postgres, _>(lock).bind(id.0).fetch_optional(connection).await
}

/// Locks a guest. Tells whether that session of theirs has not ended, and they are not blocked.
pub(super) async fn may_ask(
    connection: &mut PgConnection,
    guest: PlayerId,
    by: SessionId,
) -> Result<bool, Error> {
    if !matches!(lock(connection, guest).await?, Some((.., None))) {
        return Ok(false);
    }
    let session = "SELECT EXISTS (SELECT FROM tokens WHERE guest = $1 AND id = $2)";
    query_scalar::<Postgres, bool>(session).bind(guest.0).bind(by.0).fetch_one(connection).await
}

pub(super) async fn forget_code(connection: &mut PgConnection, guest: PlayerId) -> Result<(), Error> {
    let forget = query::<Postgres>("DELETE FROM device_codes WHERE guest = $1").bind(guest.0);
    forget.execute(connection).await.map(drop)
}

pub(super) async fn insert_session(
    connection: &mut PgConnection,
    guest: PlayerId,
    new: &NewSession,
    of: SessionOrigin,
    now: Millis,
) -> Result<(), Error> {
    let insert = "INSERT INTO tokens (hash, id, guest, created_at, origin, signed_in_by, device, seen_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $4)";
    let (origin, signed_in_by) = origin_columns(of);
    query::<Postgres>(insert)
        .bind(&new.token.0[..])
        .bind(new.id.0)
        .bind(guest.0)
        .bind(column(now))
        .bind(origin)
        .bind(signed_in_by)
        .bind(&new.device)
        .execute(connection)
        .await
        .map(drop)
}

const FORGET_OLDEST: &str = "DELETE FROM tokens WHERE guest = $1 AND hash NOT IN (SELECT hash FROM tokens \
     WHERE guest = $1 ORDER BY created_at DESC, hash DESC LIMIT $2)";

/// Stores a session of a guest who may have several. Beyond [`TOKENS_PER_GUEST_MAX`] the oldest ends.
pub(super) async fn add_session(
    connection: &mut PgConnection,
    guest: PlayerId,
    new: &NewSession,
    of: SessionOrigin,
    now: Millis,
) -> Result<(), Error> {
    let forget = query::<Postgres>(FORGET_OLDEST).bind(guest.0).bind(i64::from(TOKENS_PER_GUEST_MAX) - 1);
    forget.execute(&mut *connection).await?;
    insert_session(connection, guest, new, of, now).await
}

/// Stores a new guest with their first session.
pub(super) async fn add(writer: &Writer, guest: Guest, session: NewSession) -> Result<(), StoreError> {
    let (id, new) = (guest.id, Arc::new((guest, session)));
    let add = writer.write(id.0, move |connection| {
        let new = Arc::clone(&new);
        Box::pin(async move {
            let (guest, session) = &*new;
            let insert = "INSERT INTO guests (id, name, kind, created_at) VALUES ($1, $2, $3, $4)";
            query::<Postgres>(insert)
                .bind(id.0)
                .bind(&guest.name)
                .bind(kind_column(guest.kind))
                .bind(column(guest.created_at))
                .execute(&mut *connection)
                .await?;
            Ok(insert_session(connection, id, session, SessionOrigin::Guest, guest.created_at).await?)
        })
    });
    Ok(add.await?)
}

/// The guest with that id.
pub(super) async fn get(readers: &Readers, id: PlayerId) -> Result<Option<Guest>, StoreError> {
    let select = "SELECT id, name, kind, created_at, blocked_at FROM guests WHERE id = $1";
    let found: Option<GuestRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(select).bind(id.0).fetch_optional(connection)))
        .await?;
    found.map(guest_of).transpose()
}

/// Finds at most `limit` guests with that name.
pub(super) async fn named(readers: &Readers, name: String, limit: u32) -> Result<Vec<Guest>, StoreError> {
    let select = "SELECT id, name, kind, created_at, blocked_at FROM guests WHERE name = $1 \
         ORDER BY created_at DESC, id DESC LIMIT $2";
    let found: Vec<GuestRow> = readers
        .read(|connection| {
            let named = query_as::<Postgres, _>(select).bind(name.clone()).bind(i64::from(limit));
            Box::pin(named.fetch_all(connection))
        })
        .await?;
    found.into_iter().map(guest_of).collect()
}

/// Renames a guest; false if there is none.
pub(super) async fn rename(writer: &Writer, id: PlayerId, name: String) -> Result<bool, StoreError> {
    let rename = writer.write(id.0, move |connection| {
        let rename =
            query::<Postgres>("UPDATE guests SET name = $2 WHERE id = $1").bind(id.0).bind(name.clone());
        Box::pin(async move { Ok(rename.execute(connection).await?.rows_affected() == 1) })
    });
    Ok(rename.await?)
}

/// Notes since when a guest is blocked; false if there is none or they leave.
pub(super) async fn set_blocked(
    writer: &Writer,
    id: PlayerId,
    since: Option<Millis>,
) -> Result<bool, StoreError> {
    let set = writer.write(id.0, move |connection| {
        Box::pin(async move {
            // Before it is known whether they leave: an adoption or erasure may be about to begin.
            lock(connection, id).await?;
            let set = "UPDATE guests SET blocked_at = $2 WHERE id = $1 \
                 AND NOT EXISTS (SELECT FROM departures WHERE guest = $1)";
            let set = query::<Postgres>(set).bind(id.0);
            let set = set.bind(since.map(column)).execute(&mut *connection).await?;
            if since.is_some() {
                forget_code(connection, id).await?;
            }
            Ok(set.rows_affected() == 1)
        })
    });
    Ok(set.await?)
}

/// Deletes a guest with everything that is theirs alone; false if there is none.
pub(super) async fn forget(writer: &Writer, id: PlayerId) -> Result<bool, StoreError> {
    let forget = writer.write(id.0, move |connection| {
        Box::pin(async move {
            let lock = query::<Postgres>("SELECT FROM guests WHERE id = $1 FOR UPDATE").bind(id.0);
            lock.execute(&mut *connection).await?;
            for of_guest in [
                "DELETE FROM tokens WHERE guest = $1",
                "DELETE FROM device_codes WHERE guest = $1",
                "DELETE FROM used_keys WHERE guest = $1",
                "DELETE FROM accounts WHERE guest = $1",
            ] {
                query::<Postgres>(of_guest).bind(id.0).execute(&mut *connection).await?;
            }
            let forget =
                query::<Postgres>("DELETE FROM guests WHERE id = $1 AND kind <> 'computer'").bind(id.0);
            Ok(forget.execute(connection).await?.rows_affected() == 1)
        })
    });
    Ok(forget.await?)
}

/// Keeps a code in the place of an earlier one; false if the session that asks has ended, or the guest
/// is blocked.
pub(super) async fn add_device_code(
    writer: &Writer,
    code: DeviceCode,
    by: SessionId,
) -> Result<bool, StoreError> {
    let add = writer.write(code.guest.0, move |connection| {
        let (guest, hash, expires_at) = (code.guest, code.hash.0, code.expires_at);
        Box::pin(async move {
            if !may_ask(connection, guest, by).await? {
                return Ok(false);
            }
            let upsert = "INSERT INTO device_codes (guest, hash, expires_at) VALUES ($1, $2, $3) \
                 ON CONFLICT (guest) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at";
            let upsert = query::<Postgres>(upsert).bind(guest.0).bind(&hash[..]).bind(column(expires_at));
            upsert.execute(connection).await?;
            Ok(true)
        })
    });
    Ok(add.await?)
}

/// Spends a code for a new session; none if the code is not good.
pub(super) async fn spend_device_code(
    writer: &Writer,
    code: SecretHash,
    session: NewSession,
    now: Millis,
) -> Result<Option<Guest>, StoreError> {
    let (of, session) = (session.id.0, Arc::new(session));
    let spend = writer.write(of, move |connection| {
        let session = Arc::clone(&session);
        Box::pin(async move {
            let whose = "SELECT guest FROM device_codes WHERE hash = $1 AND expires_at > $2";
            let whose = query_scalar::<Postgres, Uuid>(whose).bind(&code.0[..]).bind(column(now));
            let Some(guest) = whose.fetch_optional(&mut *connection).await?.map(PlayerId) else {
                return Ok(None);
            };
            let Some(found) = lock(connection, guest).await? else { return Ok(None) };
            if found.4.is_some() {
                return Ok(Some(found));
            }
            // It may have been spent before the guest was locked.
            let spend = "DELETE FROM device_codes WHERE guest = $1 AND hash = $2 AND expires_at > $3";
            let spend = query::<Postgres>(spend).bind(guest.0).bind(&code.0[..]).bind(column(now));
            if spend.execute(&mut *connection).await?.rows_affected() == 0 {
                return Ok(None);
            }
            add_session(connection, guest, &session, SessionOrigin::DeviceCode, now).await?;
            Ok(Some(found))
        })
    });
    spend.await?.map(guest_of).transpose()
}

const BY_TOKEN: &str = "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at, \
     tokens.id, tokens.seen_at, bans.imposed_at, bans.until, bans.words \
     FROM tokens JOIN guests ON guests.id = tokens.guest \
     LEFT JOIN sanctions AS bans ON bans.guest = guests.id AND bans.kind = 'ban' WHERE tokens.hash = $1";

/// A row of `guests` with the id of a session and when that was seen, and their ban.
type BearerRow =
    (Uuid, String, String, i64, Option<i64>, Uuid, i64, Option<i64>, Option<i64>, Option<String>);

/// Who bears a token.
pub(super) async fn bearer(readers: &Readers, token: SecretHash) -> Result<Option<Bearer>, StoreError> {
    let found: Option<BearerRow> = readers
        .read(|connection| {
            Box::pin(query_as::<Postgres, _>(BY_TOKEN).bind(token.0.to_vec()).fetch_optional(connection))
        })
        .await?;
    let Some((id, name, kind, created_at, blocked_at, session, seen_at, banned_at, until, words)) = found
    else {
        return Ok(None);
    };
    Ok(Some(Bearer {
        guest: guest_of((id, name, kind, created_at, blocked_at))?,
        ban: ban((banned_at, until, words))?,
        session: SessionId(session),
        seen_at: millis(seen_at)?,
    }))
}

const OF_GUEST: &str = "SELECT id, created_at, COALESCE(signed_in_by, origin), device, seen_at FROM tokens WHERE guest = $1 \
     ORDER BY created_at DESC, hash DESC LIMIT $2";

/// A row of `tokens`, without its hash.
type SessionRow = (Uuid, i64, String, Option<String>, i64);

/// The sessions of a guest, the newest first.
pub(super) async fn sessions(readers: &Readers, guest: PlayerId) -> Result<Vec<Session>, StoreError> {
    let found: Vec<SessionRow> = readers
        .read(|connection| {
            let sessions =
                query_as::<Postgres, _>(OF_GUEST).bind(guest.0).bind(i64::from(TOKENS_PER_GUEST_MAX));
            Box::pin(sessions.fetch_all(connection))
        })
        .await?;
    let session = |(id, created_at, of, device, seen_at): SessionRow| {
        let (created_at, seen_at) = (millis(created_at)?, millis(seen_at)?);
        Ok(Session { id: SessionId(id), created_at, origin: origin(&of)?, device, seen_at })
    };
    found.into_iter().map(session).collect()
}

/// Ends one session of a guest, as another or itself asks; false if there is none with that id.
pub(super) async fn revoke(
    writer: &Writer,
    guest: PlayerId,
    id: SessionId,
    by: SessionId,
) -> Result<bool, StoreError> {
    let revoke = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            lock(connection, guest).await?;
            let one =
                query::<Postgres>("DELETE FROM tokens WHERE guest = $1 AND id = $2").bind(guest.0).bind(id.0);
            let revoked = one.execute(&mut *connection).await?.rows_affected() > 0;
            // A code is as good as a session, and one that ends may have made it.
            if revoked && id != by {
                forget_code(connection, guest).await?;
            }
            Ok(revoked)
        })
    });
    Ok(revoke.await?)
}

/// Ends all other sessions of a guest; how many there were.
pub(super) async fn revoke_others(
    writer: &Writer,
    guest: PlayerId,
    kept: SessionId,
) -> Result<u64, StoreError> {
    let revoke = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            lock(connection, guest).await?;
            let others = query::<Postgres>("DELETE FROM tokens WHERE guest = $1 AND id <> $2");
            let revoked = others.bind(guest.0).bind(kept.0).execute(&mut *connection).await?.rows_affected();
            forget_code(connection, guest).await?;
            Ok(revoked)
        })
    });
    Ok(revoke.await?)
}

/// Locked in their order: another node may note the same sessions.
const NOTE_SEEN: &str = "WITH seen AS MATERIALIZED (\
         SELECT tokens.id, seen.at FROM unnest($1::uuid[], $2::bigint[]) AS seen(id, at) \
         JOIN tokens ON tokens.id = seen.id ORDER BY tokens.id FOR NO KEY UPDATE OF tokens\
     ) UPDATE tokens SET seen_at = seen.at FROM seen WHERE tokens.id = seen.id AND tokens.seen_at < seen.at";

/// How many sessions one write notes at most.
pub(super) const NOTED_AT_ONCE_MAX: usize = 500;

/// Notes when sessions were used.
pub(super) async fn note_seen(writer: &Writer, seen: Vec<(SessionId, Millis)>) -> Result<(), StoreError> {
    let mut latest = std::collections::BTreeMap::new();
    for (id, at) in seen {
        latest
            .entry(id.0)
            .and_modify(|noted: &mut i64| *noted = column(at).max(*noted))
            .or_insert(column(at));
    }
    let latest: Vec<(Uuid, i64)> = latest.into_iter().collect();
    for portion in latest.chunks(NOTED_AT_ONCE_MAX) {
        let (ids, times): (Vec<Uuid>, Vec<i64>) = portion.iter().copied().unzip();
        let note = writer.write(ids[0], move |connection| {
            let note = query::<Postgres>(NOTE_SEEN).bind(ids.clone()).bind(times.clone());
            Box::pin(async move { note.execute(connection).await.map(drop).map_err(Undo::Error) })
        });
        note.await?;
    }
    Ok(())
}
