//! Seeks: what somebody would play, with anybody who would, too.
//!
//! What adds or withdraws a seek first locks its guest; what answers two locks all seeks of both guests.

use std::sync::Arc;

use lusoria_play::{Bytes32, Clock, MatchId, Millis, Player, PlayerId, SeekId};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{challenges::end_live_waiting, guests::lock, readers::Readers, writer::Writer};
use crate::{
    ANSWERED_SEEK_KEPT_MS, SEEKS_PER_GUEST_MAX, Seek, SeekAdding, SeekWithdrawal, StoreError, WaitingSeek,
    text::{column, corrupt, millis, pace_column, player_kind, seek_terms, seek_terms_column},
};

/// A row of `seeks`.
type SeekRow = (Uuid, Uuid, String, Option<Vec<u8>>, i64, i64, Option<Uuid>);

fn seek(
    (id, guest, terms, seed_hash, created_at, expires_at, answered): SeekRow,
) -> Result<Seek, StoreError> {
    let hash = |bytes: Vec<u8>| bytes.try_into().map(Bytes32).map_err(|_| corrupt("a hash has 32 bytes"));
    Ok(Seek {
        id: SeekId(id),
        guest: PlayerId(guest),
        terms: seek_terms(&terms)?,
        seed_hash: seed_hash.map(hash).transpose()?,
        created_at: millis(created_at)?,
        expires_at: millis(expires_at)?,
        answered: answered.map(MatchId),
    })
}

/// What became of a seek, before its columns are read.
enum Added {
    /// This one waits, since then.
    Waits(Uuid, i64),
    TooMany,
    GuestGone,
}

/// Adds a seek that waits.
pub(super) async fn add(writer: &Writer, new: Seek) -> Result<SeekAdding, StoreError> {
    let (guest, shared) = (new.guest, Arc::new(new.clone()));
    let add = writer.write(guest.0, move |connection| {
        let new = Arc::clone(&shared);
        Box::pin(async move { Ok(insert(connection, &new).await?) })
    });
    Ok(match add.await? {
        Added::Waits(id, since) => {
            SeekAdding::Waits(Seek { id: SeekId(id), created_at: millis(since)?, ..new })
        }
        Added::TooMany => SeekAdding::TooMany,
        Added::GuestGone => SeekAdding::GuestGone,
    })
}

async fn insert(connection: &mut PgConnection, new: &Seek) -> Result<Added, Error> {
    if !matches!(lock(connection, new.guest).await?, Some((.., None))) {
        return Ok(Added::GuestGone);
    }
    let (terms, seed_hash) = (seek_terms_column(&new.terms), new.seed_hash.map(|hash| hash.0.to_vec()));
    let same = "UPDATE seeks SET expires_at = $5 WHERE guest = $1 AND match IS NULL AND expires_at > $2 \
         AND terms = $3 AND seed_hash IS NOT DISTINCT FROM $4 RETURNING id, created_at";
    let same = query_as::<Postgres, (Uuid, i64)>(same)
        .bind(new.guest.0)
        .bind(column(new.created_at))
        .bind(&terms)
        .bind(&seed_hash)
        .bind(column(new.expires_at));
    if let Some((id, since)) = same.fetch_optional(&mut *connection).await? {
        return Ok(Added::Waits(id, since));
    }
    let waiting = "SELECT count(*) FROM seeks WHERE guest = $1 AND match IS NULL AND expires_at > $2";
    let waiting = query_scalar::<Postgres, i64>(waiting).bind(new.guest.0).bind(column(new.created_at));
    if waiting.fetch_one(&mut *connection).await? >= i64::from(SEEKS_PER_GUEST_MAX) {
        return Ok(Added::TooMany);
    }
    let insert = "INSERT INTO seeks (id, guest, terms, pace, seed_hash, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)";
    query::<Postgres>(insert)
        .bind(new.id.0)
        .bind(new.guest.0)
        .bind(&terms)
        .bind(pace_column(new.terms.is_by_days()))
        .bind(&seed_hash)
        .bind(column(new.created_at))
        .bind(column(new.expires_at))
        .execute(connection)
        .await?;
    Ok(Added::Waits(new.id.0, column(new.created_at)))
}

/// The seeks of a guest that wait or were answered, the newest first.
pub(super) async fn of(readers: &Readers, guest: PlayerId, now: Millis) -> Result<Vec<Seek>, StoreError> {
    let select = "SELECT id, guest, terms, seed_hash, created_at, expires_at, match FROM seeks \
         WHERE guest = $1 AND expires_at > $2 ORDER BY created_at DESC, id DESC";
    let found: Vec<SeekRow> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(select).bind(guest.0).bind(column(now));
            Box::pin(select.fetch_all(connection))
        })
        .await?;
    found.into_iter().map(seek).collect()
}

/// A row of `seeks` that waits, with the name and the kind of its guest.
type WaitingRow = (Uuid, Uuid, String, Option<Vec<u8>>, i64, i64, String, String);

/// The seeks that wait, the oldest first.
pub(super) async fn waiting(readers: &Readers, now: Millis) -> Result<Vec<WaitingSeek>, StoreError> {
    let select = "SELECT seeks.id, guest, terms, seed_hash, seeks.created_at, expires_at, name, kind \
         FROM seeks JOIN guests ON guests.id = guest \
         WHERE match IS NULL AND expires_at > $1 AND blocked_at IS NULL ORDER BY seeks.created_at, seeks.id";
    let found: Vec<WaitingRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(select).bind(column(now)).fetch_all(connection)))
        .await?;
    let waiting = |(id, guest, terms, seed_hash, created_at, expires_at, name, kind): WaitingRow| {
        let seek = seek((id, guest, terms, seed_hash, created_at, expires_at, None))?;
        let kind = player_kind(seek.guest, &kind)?;
        Ok(WaitingSeek { player: Player { id: seek.guest, name, kind }, seek })
    };
    found.into_iter().map(waiting).collect()
}

/// The seeks that were answered at or after `since`.
pub(super) async fn answered(readers: &Readers, since: Millis) -> Result<Vec<Seek>, StoreError> {
    let select = "SELECT id, guest, terms, seed_hash, created_at, expires_at, match FROM seeks \
         WHERE match IS NOT NULL AND expires_at >= $1";
    let found: Vec<SeekRow> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(select).bind(column(since + ANSWERED_SEEK_KEPT_MS));
            Box::pin(select.fetch_all(connection))
        })
        .await?;
    found.into_iter().map(seek).collect()
}

/// Has the waiting seeks of guests that are not by days expire later.
pub(super) async fn prolong(
    writer: &Writer,
    guests: Vec<PlayerId>,
    now: Millis,
    until: Millis,
) -> Result<(), StoreError> {
    let guests: Arc<[Uuid]> = guests.into_iter().map(|guest| guest.0).collect();
    let prolong = writer.write(Uuid::nil(), move |connection| {
        let guests = Arc::clone(&guests);
        Box::pin(async move {
            // In one order, so that two of them do not wait for each other.
            let update = "UPDATE seeks SET expires_at = $3 WHERE id IN (SELECT id FROM seeks \
                 WHERE guest = ANY ($1) AND match IS NULL AND pace = 'live' AND expires_at > $2 \
                 AND expires_at < $3 ORDER BY id FOR UPDATE)";
            let update = query::<Postgres>(update).bind(&guests[..]).bind(column(now)).bind(column(until));
            update.execute(connection).await?;
            Ok(())
        })
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
    let withdraw = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            let select =
                "SELECT match FROM seeks WHERE id = $1 AND guest = $2 AND expires_at > $3 FOR UPDATE";
            let select = query_scalar::<Postgres, Option<Uuid>>(select).bind(id.0).bind(guest.0);
            match select.bind(column(now)).fetch_optional(&mut *connection).await? {
                None => Ok(SeekWithdrawal::NoSuchSeek),
                Some(Some(of)) => Ok(SeekWithdrawal::Answered(MatchId(of))),
                Some(None) => {
                    let delete = query::<Postgres>("DELETE FROM seeks WHERE id = $1").bind(id.0);
                    delete.execute(connection).await?;
                    Ok(SeekWithdrawal::Withdrawn)
                }
            }
        })
    });
    Ok(withdraw.await?)
}

/// The two seeks that a new match answers, as columns.
pub(super) struct Answered {
    seeks: [Uuid; 2],
    of: Uuid,
    is_by_days: bool,
    at: i64,
    kept_until: i64,
}

/// All seeks of the two guests, so that no other match answers one of them meanwhile. In one order.
const LOCK: &str = "SELECT id, guest, match IS NULL AND expires_at > $2 FROM seeks \
     WHERE guest IN (SELECT guest FROM seeks WHERE id = ANY ($1)) ORDER BY id FOR UPDATE";
const ARE_BLOCKED: &str = "SELECT EXISTS (SELECT FROM blocks WHERE guest = ANY ($1) AND blocked = ANY ($1))";

impl Answered {
    pub(super) fn by(seeks: [SeekId; 2], of: MatchId, clock: &Clock, at: Millis) -> Self {
        Self {
            seeks: seeks.map(|id| id.0),
            of: of.0,
            is_by_days: clock.is_by_days(),
            at: column(at),
            kept_until: column(at + ANSWERED_SEEK_KEPT_MS),
        }
    }

    /// Notes that the match answers them. False unless both wait, of two guests of whom neither has blocked the
    /// other. The guests are locked.
    pub(super) async fn note(&self, connection: &mut PgConnection) -> Result<bool, Error> {
        let locked = query_as::<Postgres, (Uuid, Uuid, bool)>(LOCK).bind(&self.seeks[..]).bind(self.at);
        let locked = locked.fetch_all(&mut *connection).await?;
        let waits = |(id, _, waits): &&(Uuid, Uuid, bool)| *waits && self.seeks.contains(id);
        let guests: Vec<Uuid> = locked.iter().filter(waits).map(|(_, guest, _)| *guest).collect();
        let [one, other] = guests[..] else { return Ok(false) };
        let are_blocked = query_scalar::<Postgres, bool>(ARE_BLOCKED).bind(&guests);
        if one == other || are_blocked.fetch_one(&mut *connection).await? {
            return Ok(false);
        }
        let note = "UPDATE seeks SET match = $2, expires_at = $3 WHERE id = ANY ($1)";
        let note = query::<Postgres>(note).bind(&self.seeks[..]).bind(self.of).bind(self.kept_until);
        note.execute(&mut *connection).await?;
        if !self.is_by_days {
            end_live_waiting(connection, &guests, self.at).await?;
        }
        Ok(true)
    }
}
