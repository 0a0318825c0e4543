//! Guests who leave.
//!
//! An adoption locks the open matches of its guest, then both guests, in the order of appends. It gives these matches
//! another edition: so who is about to join one, and does not know of the adoption, looks again.

use lusoria_play::{MatchId, Millis, PlayerId, Recorded, Seat};
use sqlx::Error;

use super::{
    Store, accounts,
    guests::{lock, may_ask},
    journal::{has_version, replace},
};
use crate::{
    AdoptionBeginning, BLOCKS_PER_GUEST_MAX, Call, Card, DEPARTURES_MAX, Departure, ENDED_CHALLENGE_KEPT_MS,
    ErasureBeginning, ErasureBy, FOLLOWS_PER_GUEST_MAX, Guest, HandingOver, NewAdoption, StoreFuture,
    Version,
    sql::{
        Tx, Undo, args,
        value::{AnyRow, Row},
    },
};

/// `guest`, `adopter`, `since`.
impl Row for Departure {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { guest: row.get(0)?, adopter: row.get(1)?, since: row.get(2)? })
    }
}

/// Locks both guests. Tells why an adoption does not begin, if so.
async fn refusal(tx: &mut Tx, new: &NewAdoption) -> Result<Option<AdoptionBeginning>, Error> {
    let (adopter, guest) = (new.adopter, new.guest);
    let both = "SELECT id, name, kind, created_at, blocked_at FROM guests WHERE id IN ($1, $2) ORDER BY id";
    let locked: Vec<Guest> = tx.lock_all(both, args![adopter, guest]).await?;
    let of = |id: PlayerId| locked.iter().find(|guest| guest.id == id);
    if !may_ask(tx, adopter, new.by).await? {
        return Ok(Some(AdoptionBeginning::SessionEnded));
    }
    if !accounts::exists(tx, adopter).await? {
        return Ok(Some(AdoptionBeginning::NoAccount));
    }
    if adopter == guest {
        return Ok(Some(AdoptionBeginning::Yourself));
    }
    let session = "SELECT 1 FROM tokens WHERE guest = $1 AND id = $2";
    let has_session = tx.exists(session, args![guest, new.session]).await?;
    let (Some(by), Some(leaver), true) = (of(adopter), of(guest), has_session) else {
        return Ok(Some(AdoptionBeginning::GuestSessionEnded));
    };
    if leaver.blocked_at.is_some() {
        return Ok(Some(AdoptionBeginning::GuestBlocked));
    }
    if accounts::exists(tx, guest).await? {
        return Ok(Some(AdoptionBeginning::GuestHasAccount));
    }
    if by.kind != leaver.kind {
        return Ok(Some(AdoptionBeginning::OtherKind));
    }
    let both_seated = "SELECT 1 FROM matches WHERE seat1 = $1 AND seat2 = $2 AND state <> 'open' \
         UNION ALL SELECT 1 FROM matches WHERE seat1 = $2 AND seat2 = $1 AND state <> 'open' LIMIT 1";
    Ok(tx.exists(both_seated, args![adopter, guest]).await?.then_some(AdoptionBeginning::PlayedEachOther))
}

/// Notes that a guest leaves, and ends what they could still do.
async fn leave(tx: &mut Tx, guest: PlayerId, adopter: Option<PlayerId>, at: Millis) -> Result<(), Error> {
    tx.queue("UPDATE departures SET adopter = $2 WHERE adopter = $1", args![guest, adopter]).await?;
    let upsert = "INSERT INTO departures (guest, adopter, since) VALUES ($1, $2, $3) \
         ON CONFLICT (guest) DO UPDATE SET adopter = excluded.adopter";
    tx.queue(upsert, args![guest, adopter, at]).await?;
    let block = "UPDATE guests SET blocked_at = COALESCE(blocked_at, $2) WHERE id = $1";
    tx.queue(block, args![guest, at]).await?;
    for delete in [
        "DELETE FROM tokens WHERE guest = $1",
        "DELETE FROM api_tokens WHERE guest = $1",
        "DELETE FROM device_codes WHERE guest = $1",
        "DELETE FROM seeks WHERE guest = $1",
    ] {
        tx.queue(delete, args![guest]).await?;
    }
    let withdraw = "UPDATE challenges SET state = 'withdrawn', expires_at = $2 \
         WHERE (challenger = $1 OR challenged = $1) AND state = 'waiting'";
    tx.queue(withdraw, args![guest, at.saturating_add(ENDED_CHALLENGE_KEPT_MS)]).await
}

/// The adopter's follows and blocks, which are newer than those of the guest, stay. What is left of the guest's goes
/// with them.
const MOVE_OWN: [(u32, &str, &str); 2] = [
    (
        FOLLOWS_PER_GUEST_MAX,
        "SELECT count(*) FROM follows WHERE guest = $1",
        "INSERT INTO follows (guest, followed, created_at) \
         SELECT $1, followed, created_at FROM follows WHERE guest = $2 AND followed <> $1 \
         AND followed NOT IN (SELECT followed FROM follows WHERE guest = $1) \
         ORDER BY created_at DESC, followed DESC LIMIT $3 ON CONFLICT DO NOTHING",
    ),
    (
        BLOCKS_PER_GUEST_MAX,
        "SELECT count(*) FROM blocks WHERE guest = $1",
        "INSERT INTO blocks (guest, blocked, created_at) \
         SELECT $1, blocked, created_at FROM blocks WHERE guest = $2 AND blocked <> $1 \
         AND blocked NOT IN (SELECT blocked FROM blocks WHERE guest = $1) \
         ORDER BY created_at DESC, blocked DESC LIMIT $3 ON CONFLICT DO NOTHING",
    ),
];

const MOVE_OTHERS: [&str; 10] = [
    // Who follows or blocks both has one less.
    "INSERT INTO follows (guest, followed, created_at) SELECT guest, $1, created_at FROM follows \
     WHERE followed = $2 AND guest NOT IN ($1, $2) ORDER BY guest ON CONFLICT DO NOTHING",
    "INSERT INTO blocks (guest, blocked, created_at) SELECT guest, $1, created_at FROM blocks \
     WHERE blocked = $2 AND guest NOT IN ($1, $2) ORDER BY guest ON CONFLICT DO NOTHING",
    "INSERT INTO used_keys (guest, key, digest, match, first, at) \
     SELECT $1, key, digest, match, first, at FROM used_keys WHERE guest = $2 ORDER BY key \
     ON CONFLICT DO NOTHING",
    "UPDATE remarks SET guest = $1 WHERE guest = $2",
    "UPDATE reports SET reporter = $1 WHERE reporter = $2 AND NOT EXISTS (SELECT 1 FROM reports AS other \
     WHERE other.reporter = $1 AND other.match = reports.match AND other.reported = reports.reported)",
    "UPDATE reports SET reported = $1 WHERE reported = $2 AND NOT EXISTS (SELECT 1 FROM reports AS other \
     WHERE other.reported = $1 AND other.match = reports.match AND other.reporter = reports.reporter)",
    // A mute or a ban of the adopter stays.
    "UPDATE sanctions SET guest = $1 WHERE guest = $2 AND (kind = 'warning' OR NOT EXISTS \
     (SELECT 1 FROM sanctions AS other WHERE other.guest = $1 AND other.kind = sanctions.kind))",
    "UPDATE leavings SET guest = $1 WHERE guest = $2",
    "UPDATE turn_losses SET guest = $1 WHERE guest = $2",
    "UPDATE engine_flags SET guest = $1 WHERE guest = $2 AND (closed_at IS NOT NULL OR NOT EXISTS \
     (SELECT 1 FROM engine_flags AS other WHERE other.guest = $1 AND other.closed_at IS NULL \
     AND other.game = engine_flags.game AND other.pace = engine_flags.pace))",
];

/// Gives the adopter what stands between the guest and others.
async fn move_relations(tx: &mut Tx, adopter: PlayerId, guest: PlayerId) -> Result<(), Error> {
    for (max, count, insert) in MOVE_OWN {
        let own: u32 = tx.one(count, args![adopter]).await?;
        tx.queue(insert, args![adopter, guest, max.saturating_sub(own)]).await?;
    }
    for sql in MOVE_OTHERS {
        tx.queue(sql, args![adopter, guest]).await?;
    }
    for delete in [
        "DELETE FROM follows WHERE guest = $1 OR followed = $1",
        "DELETE FROM blocks WHERE guest = $1 OR blocked = $1",
        "DELETE FROM used_keys WHERE guest = $1",
    ] {
        tx.queue(delete, args![guest]).await?;
    }
    Ok(())
}

/// What the adopter has laid down themselves stays; then what the guest has laid down goes with them. Who lays down
/// something locks the match, which is locked.
const MOVE_CONDITIONAL_TURNS: &str = "UPDATE conditional_turns SET guest = $3 WHERE match = $1 AND guest = $2 \
     AND EXISTS (SELECT 1 FROM guests WHERE id = $3) \
     AND NOT EXISTS (SELECT 1 FROM conditional_turns WHERE match = $1 AND guest = $3)";

impl Store {
    /// Begins the adoption of a guest. The adopter gets their idempotency keys, their follows and blocks, and those of
    /// others that concern them: each once, as many as there may be, and none between the two. Their open matches have
    /// another edition, so that a join in progress reads them again. An adopter is never seated in a match of the
    /// guest afterwards, even by an earlier request.
    pub fn begin_adoption(&self, new: NewAdoption) -> StoreFuture<'_, AdoptionBeginning> {
        self.write(new.guest.0, new, |tx, new| {
            Box::pin(async move {
                let open = "SELECT id FROM matches WHERE seat1 = $1 AND state = 'open' ORDER BY id";
                tx.lock_all::<MatchId>(open, args![new.guest]).await?;
                if let Some(refused) = refusal(tx, new).await? {
                    return Ok(refused);
                }
                let look_again =
                    "UPDATE matches SET edition = edition + 1 WHERE seat1 = $1 AND state = 'open'";
                tx.queue(look_again, args![new.guest]).await?;
                move_relations(tx, new.adopter, new.guest).await?;
                leave(tx, new.guest, Some(new.adopter), new.at).await?;
                Ok(AdoptionBeginning::Begun)
            })
        })
    }

    /// Begins the erasure of a guest, of whom there may be nothing but matches. An adoption of theirs that has begun
    /// becomes one.
    pub fn begin_erasure(
        &self,
        guest: PlayerId,
        by: ErasureBy,
        at: Millis,
    ) -> StoreFuture<'_, ErasureBeginning> {
        self.write(guest.0, (guest, by, at), |tx, &(guest, ref by, at)| {
            Box::pin(async move {
                let is_proven = match by {
                    ErasureBy::Operator => {
                        lock(tx, guest).await?;
                        true
                    }
                    ErasureBy::Session(session) => may_ask(tx, guest, *session).await?,
                    ErasureBy::Account(proof) => proof.guest == guest && accounts::holds(tx, proof).await?,
                };
                if !is_proven {
                    return Ok(ErasureBeginning::NotProven);
                }
                if matches!(by, ErasureBy::Session(_)) && accounts::exists(tx, guest).await? {
                    return Ok(ErasureBeginning::HasAccount);
                }
                leave(tx, guest, None, at).await?;
                Ok(ErasureBeginning::Begun)
            })
        })
    }

    /// Lists those who leave, the earliest first; at most [`DEPARTURES_MAX`].
    pub fn departures(&self) -> StoreFuture<'_, Vec<Departure>> {
        let select = "SELECT guest, adopter, since FROM departures ORDER BY since, guest LIMIT $1";
        self.all(select, args![DEPARTURES_MAX])
    }

    /// Replaces events of a match by others with the same numbers, and its card, in which the adopter stands in the
    /// place of the guest: another edition. The maker of the match is replaced, too, and the adopter gets the
    /// conditional turns that the guest has laid down for it, unless they have some there.
    pub fn hand_over(
        &self,
        id: MatchId,
        of: Version,
        adoption: Departure,
        events: Vec<Recorded>,
        card: Card,
    ) -> StoreFuture<'_, HandingOver> {
        Box::pin(async move {
            let Some(adopter) = adoption.adopter else { return Ok(HandingOver::Ended) };
            let new = (id, of, adoption.guest, adopter, events, card);
            let call = self.call(|| Call::HandOver(id, new.4.clone()));
            let handed_over =
                self.transact(id.0, true, new, |tx, &(id, of, guest, adopter, ref events, ref card)| {
                    Box::pin(async move {
                        let is_same = has_version(tx, id, of).await?;
                        // It stays so until the transaction ends.
                        let adopts = "SELECT guest FROM departures WHERE guest = $1 AND adopter = $2";
                        if tx.hold_all::<PlayerId>(adopts, args![guest, adopter]).await?.is_empty() {
                            return Ok(Ok(HandingOver::Ended));
                        }
                        if !is_same {
                            return Ok(Ok(HandingOver::MovedOn));
                        }
                        let update = "UPDATE matches SET seat1 = $2, seat2 = $3, \
                     made_by = CASE WHEN made_by = $4 THEN $5 ELSE made_by END WHERE id = $1";
                        let [one, two] = Seat::BOTH.map(|seat| card.player(seat));
                        tx.queue(update, args![id, one, two, guest, adopter]).await?;
                        tx.queue(MOVE_CONDITIONAL_TURNS, args![id, guest, adopter]).await?;
                        match replace(tx, id, events, card).await? {
                            Ok(()) => Ok(Ok(HandingOver::HandedOver)),
                            Err(error) => Err(Undo::With(Err(error))),
                        }
                    })
                });
            self.through(call, async { handed_over.await? }).await
        })
    }

    /// Notes that nothing of a guest is left to do. False, and nothing changes, if their departure is another by now.
    pub fn end_departure(&self, departure: Departure) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let Departure { guest, adopter, .. } = departure;
            let delete = "DELETE FROM departures WHERE guest = $1 AND adopter IS NOT DISTINCT FROM $2";
            Ok(self.execute(guest.0, delete, args![guest, adopter]).await? == 1)
        })
    }
}
