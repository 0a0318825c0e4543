//! Finding an opponent: what seeks and challenges have in common.

use lusoria_play::{Millis, PlayerId};
use sqlx::Error;
use uuid::Uuid;

use super::Store;
use crate::{
    ENDED_CHALLENGE_KEPT_MS, StoreError,
    sql::{Tx, args, value::Ids},
};

/// Whether one of two guests has blocked the other.
pub(super) async fn are_blocked(tx: &mut Tx, one: PlayerId, other: PlayerId) -> Result<bool, Error> {
    let select = "SELECT 1 FROM blocks WHERE guest = $1 AND blocked = $2 OR guest = $2 AND blocked = $1";
    tx.exists(select, args![one, other]).await
}

/// Ends the live seeks and withdraws the live challenges that two guests have made and that wait: they play now.
pub(super) async fn end_live_waiting(
    tx: &mut Tx,
    [one, other]: [PlayerId; 2],
    at: Millis,
) -> Result<(), Error> {
    let lock = "SELECT id FROM seeks WHERE guest IN ($1, $2) AND match IS NULL AND pace = 'live' ORDER BY id";
    let seeks: Vec<Uuid> = tx.lock_all(lock, args![one, other]).await?;
    let delete = "DELETE FROM seeks WHERE id IN (SELECT unhex(value) FROM json_each($1))";
    tx.queue(delete, args![Ids::of(seeks)]).await?;
    let lock = "SELECT id FROM challenges WHERE challenger IN ($1, $2) AND state = 'waiting' \
         AND pace = 'live' AND expires_at > $3 ORDER BY id";
    let challenges: Vec<Uuid> = tx.lock_all(lock, args![one, other, at]).await?;
    let withdraw = "UPDATE challenges SET state = 'withdrawn', expires_at = $2 \
         WHERE id IN (SELECT unhex(value) FROM json_each($1))";
    tx.queue(withdraw, args![Ids::of(challenges), at + ENDED_CHALLENGE_KEPT_MS]).await
}

impl Store {
    /// Lets seeks or challenges of some guests expire at `until`. `lock` selects their ids, in order, by the guests,
    /// `now` and `until`; `update` sets when they expire, by these ids and `until`.
    pub(super) async fn prolong(
        &self,
        lock: &'static str,
        update: &'static str,
        guests: Vec<PlayerId>,
        now: Millis,
        until: Millis,
    ) -> Result<(), StoreError> {
        let guests = Ids::of(guests.into_iter().map(|guest| guest.0));
        self.write(Uuid::nil(), guests, move |tx, guests| {
            Box::pin(async move {
                // In one order, so that two of them do not wait for each other.
                let ids: Vec<Uuid> = tx.lock_all(lock, args![guests.clone(), now, until]).await?;
                tx.queue(update, args![Ids::of(ids), until]).await?;
                Ok(())
            })
        })
        .await
    }
}
