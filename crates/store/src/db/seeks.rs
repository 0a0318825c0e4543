//! Seeks: offers to play that any fitting opponent may answer.
//!
//! A transaction that adds a seek locks its guest, one that withdraws it locks the seek, and one that answers two locks
//! all seeks of both guests.

use lusoria_play::{Bytes32, Clock, MatchId, Millis, Pace, PlayerId, SeekId};
use sqlx::Error;

use super::{
    Store, guests,
    opponents::{are_blocked, end_live_waiting},
};
use crate::{
    ANSWERED_SEEK_KEPT_MS, SEEKS_PER_GUEST_MAX, Seek, SeekAdding, SeekWithdrawal, StoreFuture, WaitingSeek,
    sql::{
        Tx, args,
        value::{AnyRow, Row},
    },
};

/// `id`, `guest`, `terms`, `seed_hash`, `created_at`, `expires_at`, `match`.
impl Row for Seek {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: row.get(0)?,
            guest: row.get(1)?,
            terms: row.get(2)?,
            seed_hash: row.get::<Option<[u8; 32]>>(3)?.map(Bytes32),
            created_at: row.get(4)?,
            expires_at: row.get(5)?,
            answered: row.get(6)?,
        })
    }
}

/// A seek, then `id`, `name` and `kind` of its guest.
impl Row for WaitingSeek {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { seek: Seek::read(row)?, player: guests::player(row, 7)? })
    }
}

impl Store {
    /// Adds a seek that waits.
    pub fn add_seek(&self, seek: Seek) -> StoreFuture<'_, SeekAdding> {
        self.write(seek.guest.0, seek, |tx, new| {
            Box::pin(async move {
                if guests::lock(tx, new.guest).await?.is_none_or(|guest| guest.blocked_at.is_some()) {
                    return Ok(SeekAdding::GuestGone);
                }
                let (now, seed_hash) = (new.created_at, new.seed_hash.map(|hash| hash.0));
                let same = "UPDATE seeks SET expires_at = $5 WHERE guest = $1 AND match IS NULL \
                     AND expires_at > $2 AND terms = $3 AND seed_hash IS NOT DISTINCT FROM $4 \
                     RETURNING id, created_at";
                let same: Option<(SeekId, Millis)> =
                    tx.first(same, args![new.guest, now, &new.terms, seed_hash, new.expires_at]).await?;
                if let Some((id, created_at)) = same {
                    return Ok(SeekAdding::Waits(Seek { id, created_at, ..new.clone() }));
                }
                let waiting =
                    "SELECT count(*) FROM seeks WHERE guest = $1 AND match IS NULL AND expires_at > $2";
                let waiting: u32 = tx.one(waiting, args![new.guest, now]).await?;
                if waiting >= SEEKS_PER_GUEST_MAX {
                    return Ok(SeekAdding::TooMany);
                }
                let pace = if new.terms.is_correspondence() { Pace::Days } else { Pace::Live };
                let insert = "INSERT INTO seeks (id, guest, terms, pace, seed_hash, created_at, expires_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)";
                let row = args![new.id, new.guest, &new.terms, pace, seed_hash, now, new.expires_at];
                tx.queue(insert, row).await?;
                Ok(SeekAdding::Waits(new.clone()))
            })
        })
    }

    /// Lists the seeks of a guest that wait or were answered, the newest first.
    pub fn seeks_of(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<Seek>> {
        let select = "SELECT id, guest, terms, seed_hash, created_at, expires_at, match FROM seeks \
         WHERE guest = $1 AND expires_at > $2 ORDER BY created_at DESC, id DESC";
        self.all(select, args![guest, now])
    }

    /// Lists the seeks that wait, the oldest first. Those of guests whom the operator has blocked are left out.
    pub fn waiting_seeks(&self, now: Millis) -> StoreFuture<'_, Vec<WaitingSeek>> {
        let select = "SELECT seeks.id, guest, terms, seed_hash, seeks.created_at, expires_at, match, \
         guests.id, name, kind FROM seeks JOIN guests ON guests.id = guest \
         WHERE match IS NULL AND expires_at > $1 AND blocked_at IS NULL \
         ORDER BY seeks.created_at, seeks.id";
        self.all(select, args![now])
    }

    /// Lists the seeks that were answered at or after `since`, in any order.
    pub fn answered_seeks(&self, since: Millis) -> StoreFuture<'_, Vec<Seek>> {
        let select = "SELECT id, guest, terms, seed_hash, created_at, expires_at, match FROM seeks \
         WHERE match IS NOT NULL AND expires_at >= $1";
        self.all(select, args![since + ANSWERED_SEEK_KEPT_MS])
    }

    /// Extends the live seeks of some guests that wait to `until`; never shortens them.
    pub fn prolong_seeks(&self, guests: Vec<PlayerId>, now: Millis, until: Millis) -> StoreFuture<'_, ()> {
        let lock = "SELECT id FROM seeks WHERE guest IN (SELECT unhex(value) FROM json_each($1)) \
         AND match IS NULL AND pace = 'live' AND expires_at > $2 AND expires_at < $3 ORDER BY id";
        let update = "UPDATE seeks SET expires_at = $2 WHERE id IN (SELECT unhex(value) FROM json_each($1))";
        Box::pin(self.prolong(lock, update, guests, now, until))
    }

    /// Withdraws a seek of a guest.
    pub fn withdraw_seek(&self, guest: PlayerId, id: SeekId, now: Millis) -> StoreFuture<'_, SeekWithdrawal> {
        self.write(guest.0, (guest, id, now), |tx, &(guest, id, now)| {
            Box::pin(async move {
                let lock = "SELECT match FROM seeks WHERE id = $1 AND guest = $2 AND expires_at > $3";
                Ok(match tx.lock_first::<Option<MatchId>>(lock, args![id, guest, now]).await? {
                    None => SeekWithdrawal::NoSuchSeek,
                    Some(Some(of)) => SeekWithdrawal::Answered(of),
                    Some(None) => {
                        tx.queue("DELETE FROM seeks WHERE id = $1", args![id]).await?;
                        SeekWithdrawal::Withdrawn
                    }
                })
            })
        })
    }
}

/// The two seeks that a new match answers.
pub(crate) struct Answered {
    seeks: [SeekId; 2],
    of: MatchId,
    pace: Pace,
    at: Millis,
}

impl Answered {
    pub(crate) const fn by(seeks: [SeekId; 2], of: MatchId, clock: &Clock, at: Millis) -> Self {
        Self { seeks, of, pace: clock.pace(), at }
    }

    /// Notes that the match answers them. False unless both wait, of two guests of whom neither has blocked the other.
    /// Ends what else of both waits to be played live, if the match is. The guests are locked.
    pub(crate) async fn note(&self, tx: &mut Tx) -> Result<bool, Error> {
        let [one, other] = self.seeks;
        // All seeks of both guests, so that no other match answers one of them meanwhile.
        let lock = "SELECT id, guest, match IS NULL AND expires_at > $3 FROM seeks \
             WHERE guest IN (SELECT guest FROM seeks WHERE id IN ($1, $2)) ORDER BY id";
        let locked: Vec<(SeekId, PlayerId, bool)> = tx.lock_all(lock, args![one, other, self.at]).await?;
        let waiting = locked.iter().filter(|(id, _, waits)| *waits && self.seeks.contains(id));
        let guests: Vec<PlayerId> = waiting.map(|(_, guest, _)| *guest).collect();
        let [first, second] = guests[..] else { return Ok(false) };
        if first == second || are_blocked(tx, first, second).await? {
            return Ok(false);
        }
        let note = "UPDATE seeks SET match = $3, expires_at = $4 WHERE id IN ($1, $2)";
        tx.queue(note, args![one, other, self.of, self.at + ANSWERED_SEEK_KEPT_MS]).await?;
        if self.pace == Pace::Live {
            end_live_waiting(tx, [first, second], self.at).await?;
        }
        Ok(true)
    }
}
