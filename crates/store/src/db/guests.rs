//! Guests.

use lusoria_play::{Level, Millis, Player, PlayerId, PlayerKind};
use sqlx::Error;

use super::{Store, sessions};
use crate::{
    Guest, NamedPlayer, NewSession, SessionId, SessionOrigin, StoreFuture,
    sql::{
        Statement, Tx, args,
        value::{AnyRow, Argument, Ids, Row, Value, undecodable},
    },
};

impl Argument for PlayerKind {
    fn value(this: Option<Self>) -> Value {
        Value::Text(this.map(|kind| match kind {
            Self::Person => "person".to_owned(),
            Self::Bot => "bot".to_owned(),
            Self::Computer(_) => "computer".to_owned(),
        }))
    }
}

/// Reads the columns `id`, `name` and `kind` of a guest from `index` on. The level of the computer follows from its id.
pub(super) fn player(row: &AnyRow<'_>, index: usize) -> Result<Player, Error> {
    let id: PlayerId = row.get(index)?;
    let kind = match &*row.get::<String>(index + 2)? {
        "person" => PlayerKind::Person,
        "bot" => PlayerKind::Bot,
        "computer" => {
            let level = Level::ALL.into_iter().find(|level| level.player_id() == id);
            PlayerKind::Computer(level.ok_or_else(|| undecodable("a computer without a level"))?)
        }
        other => return Err(undecodable(format!("there is no kind {other:?}"))),
    };
    Ok(Player { id, name: row.get(index + 1)?, kind })
}

/// `id`, `name`, `kind`, `created_at`, `blocked_at`.
impl Row for Guest {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        let Player { id, name, kind } = player(row, 0)?;
        Ok(Self { id, name, kind, created_at: row.get(3)?, blocked_at: row.get(4)? })
    }
}

/// `id`, `name`, `kind`, `handle`.
impl Row for NamedPlayer {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { player: player(row, 0)?, handle: row.get(3)? })
    }
}

/// Reads a guest, whom nobody else changes before the transaction ends, nor what is theirs.
pub(super) async fn lock(tx: &mut Tx, id: PlayerId) -> Result<Option<Guest>, Error> {
    tx.lock_first("SELECT id, name, kind, created_at, blocked_at FROM guests WHERE id = $1", args![id]).await
}

/// Locks a guest. Tells whether their session `by` has not ended, and they are not blocked.
pub(super) async fn may_ask(tx: &mut Tx, guest: PlayerId, by: SessionId) -> Result<bool, Error> {
    if lock(tx, guest).await?.is_none_or(|guest| guest.blocked_at.is_some()) {
        return Ok(false);
    }
    tx.exists("SELECT 1 FROM tokens WHERE guest = $1 AND id = $2", args![guest, by]).await
}

/// Finds those of some guests who are there, are not blocked and do not adopt `departed`. They stay so until the
/// transaction ends.
pub(super) fn who_may_play(ids: &[PlayerId], departed: Option<PlayerId>) -> Statement {
    let select = "SELECT id FROM guests WHERE id IN (SELECT unhex(value) FROM json_each($1)) \
         AND blocked_at IS NULL \
         AND NOT EXISTS (SELECT 1 FROM departures WHERE guest = $2 AND adopter = guests.id) ORDER BY id";
    Statement::holding(select, args![Ids::of(ids.iter().map(|id| id.0)), departed])
}

impl Store {
    /// Stores a new guest with their first session.
    pub fn add_guest(&self, guest: Guest, session: NewSession) -> StoreFuture<'_, ()> {
        self.write(guest.id.0, (guest, session), |tx, (guest, session)| {
            Box::pin(async move {
                let insert = "INSERT INTO guests (id, name, kind, created_at) VALUES ($1, $2, $3, $4)";
                tx.queue(insert, args![guest.id, &guest.name, guest.kind, guest.created_at]).await?;
                Ok(sessions::insert(tx, guest.id, session, SessionOrigin::Guest, guest.created_at).await?)
            })
        })
    }

    /// Reads a guest.
    pub fn guest(&self, id: PlayerId) -> StoreFuture<'_, Option<Guest>> {
        self.first("SELECT id, name, kind, created_at, blocked_at FROM guests WHERE id = $1", args![id])
    }

    /// Reads the names and handles of some guests, each once and in any order. Those who are gone are left out.
    pub fn named_players(&self, ids: Vec<PlayerId>) -> StoreFuture<'_, Vec<NamedPlayer>> {
        let select = "SELECT guests.id, name, kind, handle FROM guests LEFT JOIN accounts ON accounts.guest = guests.id \
             WHERE guests.id IN (SELECT unhex(value) FROM json_each($1))";
        self.all(select, args![Ids::of(ids.into_iter().map(|id| id.0))])
    }

    /// Finds at most `limit` guests with exactly that name, the newest first.
    pub fn guests_named(&self, name: String, limit: u32) -> StoreFuture<'_, Vec<Guest>> {
        let select = "SELECT id, name, kind, created_at, blocked_at FROM guests WHERE name = $1 \
             ORDER BY created_at DESC, id DESC LIMIT $2";
        self.all(select, args![name, limit])
    }

    /// Renames a guest. False if there is no such guest.
    pub fn rename_guest(&self, id: PlayerId, name: String) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let update = "UPDATE guests SET name = $2 WHERE id = $1";
            Ok(self.execute(id.0, update, args![id, name]).await? == 1)
        })
    }

    /// Blocks a guest since that time, or unblocks them. Blocking deletes their device code. False, and nothing
    /// changes, if there is no such guest or they leave.
    pub fn set_blocked(&self, id: PlayerId, since: Option<Millis>) -> StoreFuture<'_, bool> {
        self.write(id.0, (id, since), |tx, &(id, since)| {
            Box::pin(async move {
                // Before it is known whether they leave: an adoption or erasure may be about to begin.
                lock(tx, id).await?;
                let update = "UPDATE guests SET blocked_at = $2 WHERE id = $1 \
                     AND NOT EXISTS (SELECT 1 FROM departures WHERE guest = $1)";
                let is_set = tx.execute(update, args![id, since]).await? == 1;
                if since.is_some() {
                    sessions::forget_code(tx, id).await?;
                }
                Ok(is_set)
            })
        })
    }

    /// Deletes a guest with their account, tokens, API tokens, device code, idempotency keys, seeks, blocks and
    /// push subscriptions. Their
    /// matches stay.
    /// False if there is no such guest.
    pub fn forget_guest(&self, id: PlayerId) -> StoreFuture<'_, bool> {
        self.write(id.0, id, |tx, &id| {
            Box::pin(async move {
                lock(tx, id).await?;
                for of_guest in [
                    "DELETE FROM tokens WHERE guest = $1",
                    "DELETE FROM device_codes WHERE guest = $1",
                    "DELETE FROM used_keys WHERE guest = $1",
                    "DELETE FROM accounts WHERE guest = $1",
                ] {
                    tx.queue(of_guest, args![id]).await?;
                }
                let delete = "DELETE FROM guests WHERE id = $1 AND kind <> 'computer'";
                Ok(tx.execute(delete, args![id]).await? == 1)
            })
        })
    }
}
