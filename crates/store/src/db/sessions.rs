//! Sessions of guests, and the codes that begin one.
//!
//! What changes the sessions or codes of a guest first locks the guest: so two of them never meet.

use std::collections::BTreeMap;

use lusoria_play::{Millis, PlayerId};
use serde_json::json;
use sqlx::Error;

use super::{
    Store,
    guests::{self, lock, may_ask},
};
use crate::{
    Ban, Bearer, Call, DeviceCode, Guest, NewSession, SecretHash, Session, SessionId, SessionOrigin,
    StoreFuture, TOKENS_PER_GUEST_MAX,
    sql::{
        Tx, args,
        value::{AnyRow, Ids, Row},
    },
};

/// How many sessions one write notes at most.
const NOTED_AT_ONCE_MAX: usize = 500;

/// Deletes the device code of a guest, if they have one.
pub(super) async fn forget_code(tx: &mut Tx, guest: PlayerId) -> Result<(), Error> {
    tx.queue("DELETE FROM device_codes WHERE guest = $1", args![guest]).await
}

/// Stores the first session of a guest.
pub(super) async fn insert(
    tx: &mut Tx,
    guest: PlayerId,
    new: &NewSession,
    origin: SessionOrigin,
    now: Millis,
) -> Result<(), Error> {
    let insert = "INSERT INTO tokens (hash, id, guest, created_at, origin, device, seen_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $4)";
    tx.queue(insert, args![new.token, new.id, guest, now, origin, new.device.as_deref()]).await
}

/// Stores a session of a guest who may have several. Beyond [`TOKENS_PER_GUEST_MAX`] the oldest ends.
pub(super) async fn add(
    tx: &mut Tx,
    guest: PlayerId,
    new: &NewSession,
    origin: SessionOrigin,
    now: Millis,
) -> Result<(), Error> {
    let delete = "DELETE FROM tokens WHERE guest = $1 AND hash NOT IN \
         (SELECT hash FROM tokens WHERE guest = $1 ORDER BY created_at DESC, hash DESC LIMIT $2)";
    tx.queue(delete, args![guest, TOKENS_PER_GUEST_MAX - 1]).await?;
    insert(tx, guest, new, origin, now).await
}

/// A guest, their session, when it was last used, and their ban.
impl Row for Bearer {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        let ban = match row.get::<Option<Millis>>(7)? {
            Some(_) => Some(Ban { until: row.get(8)?, words: row.get(9)? }),
            None => None,
        };
        Ok(Self { guest: Guest::read(row)?, ban, session: row.get(5)?, seen_at: row.get(6)? })
    }
}

impl Row for Session {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: row.get(0)?,
            created_at: row.get(1)?,
            origin: row.get(2)?,
            device: row.get(3)?,
            seen_at: row.get(4)?,
        })
    }
}

impl Store {
    /// Finds the guest and the session of a token.
    pub fn bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<Bearer>> {
        let select = "SELECT guests.id, guests.name, guests.kind, guests.created_at, guests.blocked_at, \
             tokens.id, tokens.seen_at, bans.imposed_at, bans.until, bans.words \
             FROM tokens JOIN guests ON guests.id = tokens.guest \
             LEFT JOIN sanctions AS bans ON bans.guest = guests.id AND bans.kind = 'ban' WHERE tokens.hash = $1";
        self.read_as(Call::Bearer, move |tx| Box::pin(tx.first(select, args![token])))
    }

    /// Stores a one-time code with which a guest signs in on another device, requested by the
    /// session `by`. It replaces an earlier code. False, and nothing changes, if that session has
    /// ended or the guest is blocked.
    pub fn add_device_code(&self, code: DeviceCode, by: SessionId) -> StoreFuture<'_, bool> {
        self.write(code.guest.0, (code, by), |tx, (code, by)| {
            Box::pin(async move {
                if !may_ask(tx, code.guest, *by).await? {
                    return Ok(false);
                }
                let upsert = "INSERT INTO device_codes (guest, hash, expires_at) VALUES ($1, $2, $3) \
                     ON CONFLICT (guest) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at";
                tx.queue(upsert, args![code.guest, code.hash, code.expires_at]).await?;
                Ok(true)
            })
        })
    }

    /// Spends a device code that has not expired by `now` and stores the new session in the same
    /// transaction; none if there is no such code. Beyond [`TOKENS_PER_GUEST_MAX`] sessions the
    /// oldest ends. If the guest is blocked, nothing changes.
    pub fn spend_device_code(
        &self,
        code: SecretHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>> {
        self.write(session.id.0, (code, session, now), |tx, (code, session, now)| {
            Box::pin(async move {
                let whose = "SELECT guest FROM device_codes WHERE hash = $1 AND expires_at > $2";
                let Some(id) = tx.first::<PlayerId>(whose, args![*code, *now]).await? else {
                    return Ok(None);
                };
                let Some(guest) = lock(tx, id).await? else { return Ok(None) };
                if guest.blocked_at.is_some() {
                    return Ok(Some(guest));
                }
                // It may have been spent before the guest was locked.
                let spend = "DELETE FROM device_codes WHERE guest = $1 AND hash = $2 AND expires_at > $3";
                if tx.execute(spend, args![id, *code, *now]).await? == 0 {
                    return Ok(None);
                }
                add(tx, id, session, SessionOrigin::DeviceCode, *now).await?;
                Ok(Some(guest))
            })
        })
    }

    /// Lists the sessions of a guest, the newest first.
    pub fn sessions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Session>> {
        let select = "SELECT id, created_at, origin, device, seen_at FROM tokens WHERE guest = $1 \
             ORDER BY created_at DESC, hash DESC LIMIT $2";
        self.all(select, args![guest, TOKENS_PER_GUEST_MAX])
    }

    /// Ends the session `id` of a guest, requested by the session `by`: its token is no longer
    /// valid. False if the guest has no such session. If it is another session than `by`, this
    /// also deletes the device code, which that session may have made; a session that ends itself
    /// may leave a code to come back with.
    pub fn revoke_session(&self, guest: PlayerId, id: SessionId, by: SessionId) -> StoreFuture<'_, bool> {
        self.write(guest.0, (guest, id, by), |tx, &(guest, id, by)| {
            Box::pin(async move {
                guests::lock(tx, guest).await?;
                let delete = "DELETE FROM tokens WHERE guest = $1 AND id = $2";
                let is_revoked = tx.execute(delete, args![guest, id]).await? > 0;
                // A code is as good as a session, and the one that ends may have made it.
                if is_revoked && id != by {
                    forget_code(tx, guest).await?;
                }
                Ok(is_revoked)
            })
        })
    }

    /// Ends all sessions of a guest but `kept`, and deletes their device code. Returns how many
    /// sessions ended.
    pub fn revoke_other_sessions(&self, guest: PlayerId, kept: SessionId) -> StoreFuture<'_, u64> {
        self.write(guest.0, (guest, kept), |tx, &(guest, kept)| {
            Box::pin(async move {
                guests::lock(tx, guest).await?;
                let delete = "DELETE FROM tokens WHERE guest = $1 AND id <> $2";
                let revoked = tx.execute(delete, args![guest, kept]).await?;
                forget_code(tx, guest).await?;
                Ok(revoked)
            })
        })
    }

    /// Stores when sessions were last used, if that is later than what is stored. Skips sessions
    /// that have ended.
    pub fn note_seen(&self, seen: Vec<(SessionId, Millis)>) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut latest = BTreeMap::<SessionId, Millis>::new();
            for (id, at) in seen {
                let noted = latest.entry(id).or_default();
                *noted = at.max(*noted);
            }
            let latest: Vec<(SessionId, Millis)> = latest.into_iter().collect();
            for portion in latest.chunks(NOTED_AT_ONCE_MAX) {
                self.write_unacknowledged(portion[0].0.0, portion.to_vec(), |tx, seen| {
                Box::pin(async move {
                    // In one order: another node may note the same sessions.
                    let lock = "SELECT id FROM tokens WHERE id IN (SELECT unhex(value) FROM json_each($1)) ORDER BY id";
                    let found: Vec<SessionId> =
                        tx.lock_all(lock, args![Ids::of(seen.iter().map(|(id, _)| id.0))]).await?;
                    let rows = seen.iter().filter(|(id, _)| found.contains(id));
                    let rows: Vec<_> = rows.map(|(id, at)| json!([id.0.simple().to_string(), at])).collect();
                    let update = "UPDATE tokens SET seen_at = seen.at FROM \
                         (SELECT unhex(value->>0) AS id, CAST(value->>1 AS bigint) AS at FROM json_each($1)) AS seen \
                         WHERE tokens.id = seen.id AND tokens.seen_at < seen.at";
                    tx.queue(update, args![json!(rows)]).await?;
                    Ok(())
                })
            })
            .await?;
            }
            Ok(())
        })
    }
}
