//! Seeks: what somebody would play, with anybody who would, too.

use lusoria_play::{Bytes32, Clock, MatchId, Millis, Player, PlayerId, SeekId};
use rusqlite::Connection;
use uuid::Uuid;

use super::{
    challenges::end_live_waiting,
    readers::Readers,
    sql::{execute, exists, first, one, rows},
    text::{
        bytes, column, corrupt, hex, millis, pace_column, player_id, player_kind, seek_terms,
        seek_terms_column,
    },
    writer::Writer,
};
use crate::{
    ANSWERED_SEEK_KEPT_MS, SEEKS_PER_GUEST_MAX, Seek, SeekAdding, SeekWithdrawal, StoreError, WaitingSeek,
};

/// A row of `seeks`.
type SeekRow = (String, String, String, Option<String>, i64, i64, Option<String>);

fn seek(
    (id, guest, terms, seed_hash, created_at, expires_at, answered): SeekRow,
) -> Result<Seek, StoreError> {
    Ok(Seek {
        id: SeekId(uuid(&id)?),
        guest: player_id(&guest)?,
        terms: seek_terms(&terms)?,
        seed_hash: seed_hash.map(bytes).transpose()?.map(Bytes32),
        created_at: millis(created_at)?,
        expires_at: millis(expires_at)?,
        answered: answered.map(|id| uuid(&id).map(MatchId)).transpose()?,
    })
}

fn uuid(column: &str) -> Result<Uuid, StoreError> {
    Uuid::try_parse(column).map_err(corrupt)
}

/// What became of a seek, before its columns are read.
enum Added {
    /// This one waits, since then.
    Waits(String, i64),
    TooMany,
    GuestGone,
}

/// Adds a seek that waits.
pub(super) async fn add(writer: &Writer, new: Seek) -> Result<SeekAdding, StoreError> {
    let (id, guest, terms) = (new.id.0.to_string(), new.guest.0.to_string(), seek_terms_column(&new.terms));
    let (pace, seed_hash) = (pace_column(new.terms.is_by_days()), new.seed_hash.map(|hash| hex(hash.0)));
    let (now, expires_at) = (column(new.created_at), column(new.expires_at));
    let add = writer.write(move |connection| {
        let is_there = "SELECT 1 FROM guests WHERE id = ?1 AND blocked_at IS NULL";
        if !exists(connection, is_there, [&guest])? {
            return Ok(Added::GuestGone);
        }
        let same = "SELECT id, created_at FROM seeks WHERE guest_id = ?1 AND match_id IS NULL \
             AND expires_at > ?2 AND terms = ?3 AND seed_hash IS ?4";
        if let Some((same, since)) = first(connection, same, (&guest, now, &terms, &seed_hash))? {
            let prolong = "UPDATE seeks SET expires_at = ?2 WHERE id = ?1";
            execute(connection, prolong, (&same, expires_at))?;
            return Ok(Added::Waits(same, since));
        }
        let waiting =
            "SELECT COUNT(*) FROM seeks WHERE guest_id = ?1 AND match_id IS NULL AND expires_at > ?2";
        let (waiting,): (u32,) = one(connection, waiting, (&guest, now))?;
        if waiting >= SEEKS_PER_GUEST_MAX {
            return Ok(Added::TooMany);
        }
        let insert = "INSERT INTO seeks (id, guest_id, terms, pace, seed_hash, created_at, expires_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        execute(connection, insert, (&id, &guest, &terms, pace, &seed_hash, now, expires_at))?;
        Ok(Added::Waits(id.clone(), now))
    });
    Ok(match add.await? {
        Added::Waits(id, since) => {
            SeekAdding::Waits(Seek { id: SeekId(uuid(&id)?), created_at: millis(since)?, ..new })
        }
        Added::TooMany => SeekAdding::TooMany,
        Added::GuestGone => SeekAdding::GuestGone,
    })
}

/// The seeks of a guest that wait or were answered, the newest first.
pub(super) async fn of(readers: &Readers, guest: PlayerId, now: Millis) -> Result<Vec<Seek>, StoreError> {
    let select = "SELECT id, guest_id, terms, seed_hash, created_at, expires_at, match_id FROM seeks \
         WHERE guest_id = ?1 AND expires_at > ?2 ORDER BY created_at DESC, id DESC";
    let by = (guest.0.to_string(), column(now));
    let found: Vec<SeekRow> = readers.read(move |connection| rows(connection, select, by)).await?;
    found.into_iter().map(seek).collect()
}

/// A row of `seeks` that waits, with the name and the kind of its guest.
type WaitingRow = (String, String, String, Option<String>, i64, i64, String, String);

/// The seeks that wait, the oldest first.
pub(super) async fn waiting(readers: &Readers, now: Millis) -> Result<Vec<WaitingSeek>, StoreError> {
    let select = "SELECT seeks.id, guest_id, terms, seed_hash, seeks.created_at, expires_at, name, kind \
         FROM seeks JOIN guests ON guests.id = guest_id \
         WHERE match_id IS NULL AND expires_at > ?1 AND blocked_at IS NULL \
         ORDER BY seeks.created_at, seeks.id";
    let found: Vec<WaitingRow> =
        readers.read(move |connection| rows(connection, select, [column(now)])).await?;
    let waiting = |(id, guest, terms, seed_hash, created_at, expires_at, name, kind): WaitingRow| {
        let seek = seek((id, guest, terms, seed_hash, created_at, expires_at, None))?;
        let kind = player_kind(seek.guest, &kind)?;
        Ok(WaitingSeek { player: Player { id: seek.guest, name, kind }, seek })
    };
    found.into_iter().map(waiting).collect()
}

/// The seeks that were answered at or after `since`.
pub(super) async fn answered(readers: &Readers, since: Millis) -> Result<Vec<Seek>, StoreError> {
    let select = "SELECT id, guest_id, terms, seed_hash, created_at, expires_at, match_id FROM seeks \
         WHERE match_id IS NOT NULL AND expires_at >= ?1";
    let by = [column(since + ANSWERED_SEEK_KEPT_MS)];
    let found: Vec<SeekRow> = readers.read(move |connection| rows(connection, select, by)).await?;
    found.into_iter().map(seek).collect()
}

/// Has the waiting seeks of guests that are not by days expire later.
pub(super) async fn prolong(
    writer: &Writer,
    guests: Vec<PlayerId>,
    now: Millis,
    until: Millis,
) -> Result<(), StoreError> {
    let guests: Vec<_> = guests.iter().map(|guest| guest.0.to_string()).collect();
    let prolong = writer.write(move |connection| {
        let update = "UPDATE seeks SET expires_at = ?3 WHERE guest_id = ?1 AND match_id IS NULL \
             AND pace = 'live' AND expires_at > ?2 AND expires_at < ?3";
        for guest in &guests {
            execute(connection, update, (guest, column(now), column(until)))?;
        }
        Ok(())
    });
    Ok(prolong.await?)
}

/// Withdraws a seek.
pub(super) async fn withdraw(
    writer: &Writer,
    guest: PlayerId,
    id: SeekId,
    now: Millis,
) -> Result<SeekWithdrawal, StoreError> {
    let (guest, id) = (guest.0.to_string(), id.0.to_string());
    let withdraw = writer.write(move |connection| {
        let select = "SELECT match_id FROM seeks WHERE id = ?1 AND guest_id = ?2 AND expires_at > ?3";
        let found: Option<(Option<String>,)> = first(connection, select, (&id, &guest, column(now)))?;
        if let Some((None,)) = found {
            execute(connection, "DELETE FROM seeks WHERE id = ?1", [&id])?;
        }
        Ok(found)
    });
    Ok(match withdraw.await? {
        None => SeekWithdrawal::NoSuchSeek,
        Some((None,)) => SeekWithdrawal::Withdrawn,
        Some((Some(of),)) => SeekWithdrawal::Answered(MatchId(uuid(&of)?)),
    })
}

/// The two seeks that a new match answers, as columns.
pub(super) struct Answered {
    seeks: [String; 2],
    of: String,
    is_by_days: bool,
    at: i64,
    kept_until: i64,
}

impl Answered {
    pub(super) fn by(seeks: [SeekId; 2], of: MatchId, clock: &Clock, at: Millis) -> Self {
        Self {
            seeks: seeks.map(|id| id.0.to_string()),
            of: of.0.to_string(),
            is_by_days: clock.is_by_days(),
            at: column(at),
            kept_until: column(at + ANSWERED_SEEK_KEPT_MS),
        }
    }

    /// Whether both wait, of two guests of whom neither has blocked the other.
    pub(super) fn may_be(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let [one, other] = &self.seeks;
        let fit = "SELECT 1 FROM seeks AS one JOIN seeks AS other ON other.guest_id <> one.guest_id \
             WHERE one.id = ?1 AND other.id = ?2 AND one.match_id IS NULL AND other.match_id IS NULL \
             AND one.expires_at > ?3 AND other.expires_at > ?3 \
             AND NOT EXISTS (SELECT 1 FROM blocks \
                 WHERE guest_id = one.guest_id AND blocked_id = other.guest_id \
                 OR guest_id = other.guest_id AND blocked_id = one.guest_id)";
        exists(connection, fit, (one, other, self.at))
    }

    /// Notes that the match answers them.
    pub(super) fn note(&self, connection: &Connection) -> rusqlite::Result<()> {
        let [one, other] = &self.seeks;
        let note = "UPDATE seeks SET match_id = ?3, expires_at = ?4 WHERE id IN (?1, ?2)";
        execute(connection, note, (one, other, &self.of, self.kept_until))?;
        if self.is_by_days {
            return Ok(());
        }
        let guest =
            |id: &String| super::sql::one(connection, "SELECT guest_id FROM seeks WHERE id = ?1", [id]);
        let ((one,), (other,)): ((String,), (String,)) = (guest(one)?, guest(other)?);
        end_live_waiting(connection, [&one, &other], self.at)
    }
}
