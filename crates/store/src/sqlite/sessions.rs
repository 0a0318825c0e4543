//! Sessions: the tokens of guests, one for each device.

use lusoria_play::{Millis, PlayerId};
use rusqlite::Connection;

use super::{
    guest_rows::{forget_code, guest},
    readers::Readers,
    sql::{execute, first, rows},
    text::{ban, column, hex, millis, origin, origin_columns, session_id},
    writer::Writer,
};
use crate::{
    Bearer, NewSession, SecretHash, Session, SessionId, SessionOrigin, StoreError, TOKENS_PER_GUEST_MAX,
};

/// How many sessions one write notes at most, so that turns need not wait long for it.
pub(super) const NOTED_AT_ONCE_MAX: usize = 100;

const BY_TOKEN: &str = "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at, \
     tokens.id, tokens.seen_at, bans.imposed_at, bans.until, bans.words \
     FROM tokens JOIN guests ON guests.id = tokens.guest_id \
     LEFT JOIN sanctions AS bans ON bans.guest_id = guests.id AND bans.kind = 'ban' WHERE tokens.hash = ?1";

/// A row of `guests` with the id of a session and when that was seen, and their ban.
type BearerRow =
    (String, String, String, i64, Option<i64>, String, i64, Option<i64>, Option<i64>, Option<String>);

/// Who bears a token.
pub(super) async fn bearer(readers: &Readers, token: SecretHash) -> Result<Option<Bearer>, StoreError> {
    let found: Option<BearerRow> =
        readers.read(move |connection| first(connection, BY_TOKEN, [hex(token.0)])).await?;
    let Some((id, name, kind, created_at, blocked_at, session, seen_at, banned_at, until, words)) = found
    else {
        return Ok(None);
    };
    Ok(Some(Bearer {
        guest: guest((id, name, kind, created_at, blocked_at))?,
        ban: ban((banned_at, until, words))?,
        session: session_id(&session)?,
        seen_at: millis(seen_at)?,
    }))
}

const OF_GUEST: &str = "SELECT id, created_at, COALESCE(signed_in_by, origin), device, seen_at FROM tokens WHERE guest_id = ?1 \
     ORDER BY created_at DESC, hash DESC LIMIT ?2";

/// A row of `tokens`, without its hash.
type SessionRow = (String, i64, String, Option<String>, i64);

fn session((id, created_at, of, device, seen_at): SessionRow) -> Result<Session, StoreError> {
    Ok(Session {
        id: session_id(&id)?,
        created_at: millis(created_at)?,
        origin: origin(&of)?,
        device,
        seen_at: millis(seen_at)?,
    })
}

/// The sessions of a guest, the newest first.
pub(super) async fn of_guest(readers: &Readers, guest: PlayerId) -> Result<Vec<Session>, StoreError> {
    let found = readers.read(move |connection| {
        rows::<SessionRow>(connection, OF_GUEST, (guest.0.to_string(), TOKENS_PER_GUEST_MAX))
    });
    found.await?.into_iter().map(session).collect()
}

/// Ends one session of a guest, as another or itself asks; false if there is none with that id.
pub(super) async fn revoke(
    writer: &Writer,
    guest: PlayerId,
    id: SessionId,
    by: SessionId,
) -> Result<bool, StoreError> {
    let (guest, asks_itself) = (guest.0.to_string(), id == by);
    let revoke = writer.write(move |connection| {
        let one = "DELETE FROM tokens WHERE guest_id = ?1 AND id = ?2";
        let revoked = execute(connection, one, (&guest, id.0.to_string()))? > 0;
        // A code is as good as a session, and one that ends may have made it.
        if revoked && !asks_itself {
            forget_code(connection, &guest)?;
        }
        Ok(revoked)
    });
    Ok(revoke.await?)
}

/// Ends all other sessions of a guest; how many there were.
pub(super) async fn revoke_others(
    writer: &Writer,
    guest: PlayerId,
    kept: SessionId,
) -> Result<u64, StoreError> {
    let guest = guest.0.to_string();
    let revoke = writer.write(move |connection| {
        let others = "DELETE FROM tokens WHERE guest_id = ?1 AND id <> ?2";
        let revoked = execute(connection, others, (&guest, kept.0.to_string()))?;
        forget_code(connection, &guest)?;
        Ok(revoked as u64)
    });
    Ok(revoke.await?)
}

/// Notes when sessions were used.
pub(super) async fn note_seen(writer: &Writer, seen: Vec<(SessionId, Millis)>) -> Result<(), StoreError> {
    for portion in seen.chunks(NOTED_AT_ONCE_MAX) {
        let portion = portion.to_vec();
        let note = writer.write_unacknowledged(move |connection| {
            for (id, at) in &portion {
                let later = "UPDATE tokens SET seen_at = ?1 WHERE id = ?2 AND seen_at < ?1";
                execute(connection, later, (column(*at), id.0.to_string()))?;
            }
            Ok(())
        });
        note.await?;
    }
    Ok(())
}

const FORGET_OLDEST: &str = "DELETE FROM tokens WHERE guest_id = ?1 AND hash NOT IN (SELECT hash FROM tokens \
     WHERE guest_id = ?1 ORDER BY created_at DESC, hash DESC LIMIT ?2)";

/// A new session, converted to columns.
pub(super) struct NewSessionRow {
    id: String,
    token: String,
    device: Option<String>,
    origins: (&'static str, Option<&'static str>),
}

impl NewSessionRow {
    pub(super) fn new(new: NewSession, origin: SessionOrigin) -> Self {
        Self {
            id: new.id.0.to_string(),
            token: hex(new.token.0),
            device: new.device,
            origins: origin_columns(origin),
        }
    }

    /// Stores it for a guest who may have several. Beyond [`TOKENS_PER_GUEST_MAX`] the oldest ends.
    pub(super) fn add(&self, connection: &Connection, guest: &str, now: i64) -> rusqlite::Result<()> {
        execute(connection, FORGET_OLDEST, (guest, TOKENS_PER_GUEST_MAX - 1))?;
        self.insert(connection, guest, now)
    }

    /// Stores it for a guest who has no other.
    pub(super) fn insert(&self, connection: &Connection, guest: &str, now: i64) -> rusqlite::Result<()> {
        let Self { id, token, device, origins: (origin, signed_in_by) } = self;
        let insert = "INSERT INTO tokens (hash, guest_id, created_at, id, origin, signed_in_by, device, seen_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?3)";
        execute(connection, insert, (token, guest, now, id, origin, signed_in_by, device)).map(drop)
    }
}
