//! Guests who leave.
//!
//! An adoption locks the open matches of its guest, then both guests, in the order of appends. It gives these matches
//! another edition: so who is about to join one, and does not know of the adoption, looks again.

use std::sync::Arc;

use lusoria_play::{MatchId, Millis, PlayerId, Recorded, Seat};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{
    PostgresStore,
    accounts::holds,
    appends::card_column,
    guests::{GuestRow, lock, may_ask},
    journal::{has_version, replace},
    readers::Readers,
    session::Undo,
    writer::Writer,
};
use crate::{
    AdoptionBeginning, BLOCKS_PER_GUEST_MAX, Card, DEPARTURES_MAX, Departure, Departures,
    ENDED_CHALLENGE_KEPT_MS, ErasureBeginning, ErasureBy, FOLLOWS_PER_GUEST_MAX, HandingOver, NewAdoption,
    StoreError, StoreFuture, Version,
    text::{column, millis},
};

impl Departures for PostgresStore {
    fn begin_adoption(&self, new: NewAdoption) -> StoreFuture<'_, AdoptionBeginning> {
        Box::pin(begin_adoption(&self.writer, new))
    }

    fn begin_erasure(&self, guest: PlayerId, by: ErasureBy, at: Millis) -> StoreFuture<'_, ErasureBeginning> {
        Box::pin(begin_erasure(&self.writer, guest, by, at))
    }

    fn departures(&self) -> StoreFuture<'_, Vec<Departure>> {
        Box::pin(list(&self.readers))
    }

    fn hand_over(
        &self,
        id: MatchId,
        of: Version,
        adoption: Departure,
        events: Vec<Recorded>,
        card: Card,
    ) -> StoreFuture<'_, HandingOver> {
        Box::pin(hand_over(&self.writer, id, of, adoption, events, card))
    }

    fn end_departure(&self, departure: Departure) -> StoreFuture<'_, bool> {
        Box::pin(end(&self.writer, departure))
    }
}

const LOCK_OPEN: &str =
    "SELECT id FROM matches WHERE seat1 = $1 AND state = 'open' ORDER BY id FOR NO KEY UPDATE";
const LOCK_BOTH: &str = "SELECT id, name, kind, created_at, blocked_at FROM guests WHERE id IN ($1, $2) \
     ORDER BY id FOR NO KEY UPDATE";
const HAS_ACCOUNT: &str = "SELECT EXISTS (SELECT FROM accounts WHERE guest = $1)";
const HAS_SESSION: &str = "SELECT EXISTS (SELECT FROM tokens WHERE guest = $1 AND id = $2)";
const BOTH_SEATED: &str = "SELECT EXISTS (SELECT FROM matches WHERE seat1 = $1 AND seat2 = $2 AND state <> 'open') \
     OR EXISTS (SELECT FROM matches WHERE seat1 = $2 AND seat2 = $1 AND state <> 'open')";

async fn begin_adoption(writer: &Writer, new: NewAdoption) -> Result<AdoptionBeginning, StoreError> {
    let begin = writer.write(new.guest.0, move |connection| {
        Box::pin(async move {
            query::<Postgres>(LOCK_OPEN).bind(new.guest.0).execute(&mut *connection).await?;
            if let Some(refused) = refusal(connection, &new).await? {
                return Ok(refused);
            }
            let look_again = "UPDATE matches SET edition = edition + 1 WHERE seat1 = $1 AND state = 'open'";
            query::<Postgres>(look_again).bind(new.guest.0).execute(&mut *connection).await?;
            move_relations(connection, new.adopter, new.guest).await?;
            leave(connection, new.guest, Some(new.adopter), new.at).await?;
            Ok(AdoptionBeginning::Begun)
        })
    });
    Ok(begin.await?)
}

/// Locks both guests. Tells why an adoption does not begin, if so.
async fn refusal(
    connection: &mut PgConnection,
    new: &NewAdoption,
) -> Result<Option<AdoptionBeginning>, Error> {
    let (adopter, guest) = (new.adopter.0, new.guest.0);
    let locked: Vec<GuestRow> =
        query_as::<Postgres, _>(LOCK_BOTH).bind(adopter).bind(guest).fetch_all(&mut *connection).await?;
    let of = |id: Uuid| locked.iter().find(|row| row.0 == id);
    if !may_ask(connection, new.adopter, new.by).await? {
        return Ok(Some(AdoptionBeginning::SessionEnded));
    }
    let has_account = async |connection: &mut PgConnection, of: Uuid| {
        query_scalar::<Postgres, bool>(HAS_ACCOUNT).bind(of).fetch_one(connection).await
    };
    if !has_account(&mut *connection, adopter).await? {
        return Ok(Some(AdoptionBeginning::NoAccount));
    }
    if adopter == guest {
        return Ok(Some(AdoptionBeginning::Yourself));
    }
    let has_session = query_scalar::<Postgres, bool>(HAS_SESSION).bind(guest).bind(new.session.0);
    let (Some(by), Some(row), true) =
        (of(adopter), of(guest), has_session.fetch_one(&mut *connection).await?)
    else {
        return Ok(Some(AdoptionBeginning::GuestSessionEnded));
    };
    if row.4.is_some() {
        return Ok(Some(AdoptionBeginning::GuestBlocked));
    }
    if has_account(&mut *connection, guest).await? {
        return Ok(Some(AdoptionBeginning::GuestHasAccount));
    }
    if by.2 != row.2 {
        return Ok(Some(AdoptionBeginning::OtherKind));
    }
    let both = query_scalar::<Postgres, bool>(BOTH_SEATED).bind(adopter).bind(guest);
    Ok(both.fetch_one(connection).await?.then_some(AdoptionBeginning::PlayedEachOther))
}

async fn begin_erasure(
    writer: &Writer,
    guest: PlayerId,
    by: ErasureBy,
    at: Millis,
) -> Result<ErasureBeginning, StoreError> {
    let by = Arc::new(by);
    let begin = writer.write(guest.0, move |connection| {
        let by = Arc::clone(&by);
        Box::pin(async move {
            let is_proven = match &*by {
                ErasureBy::Operator => {
                    lock(connection, guest).await?;
                    true
                }
                ErasureBy::Session(session) => may_ask(connection, guest, *session).await?,
                ErasureBy::Account(proof) => proof.guest == guest && holds(connection, proof).await?,
            };
            if !is_proven {
                return Ok(ErasureBeginning::NotProven);
            }
            let has_account = query_scalar::<Postgres, bool>(HAS_ACCOUNT).bind(guest.0);
            if matches!(*by, ErasureBy::Session(_)) && has_account.fetch_one(&mut *connection).await? {
                return Ok(ErasureBeginning::HasAccount);
            }
            leave(connection, guest, None, at).await?;
            Ok(ErasureBeginning::Begun)
        })
    });
    Ok(begin.await?)
}

/// Notes that a guest leaves, and ends what they could still do.
async fn leave(
    connection: &mut PgConnection,
    guest: PlayerId,
    adopter: Option<PlayerId>,
    at: Millis,
) -> Result<(), Error> {
    let adopter = adopter.map(|adopter| adopter.0);
    let redirect = query::<Postgres>("UPDATE departures SET adopter = $2 WHERE adopter = $1");
    redirect.bind(guest.0).bind(adopter).execute(&mut *connection).await?;
    let insert = "INSERT INTO departures (guest, adopter, since) VALUES ($1, $2, $3) \
         ON CONFLICT (guest) DO UPDATE SET adopter = excluded.adopter";
    let insert = query::<Postgres>(insert).bind(guest.0).bind(adopter).bind(column(at));
    insert.execute(&mut *connection).await?;
    let block = query::<Postgres>("UPDATE guests SET blocked_at = COALESCE(blocked_at, $2) WHERE id = $1");
    block.bind(guest.0).bind(column(at)).execute(&mut *connection).await?;
    for sql in [
        "DELETE FROM tokens WHERE guest = $1",
        "DELETE FROM api_tokens WHERE guest = $1",
        "DELETE FROM device_codes WHERE guest = $1",
        "DELETE FROM seeks WHERE guest = $1",
    ] {
        query::<Postgres>(sql).bind(guest.0).execute(&mut *connection).await?;
    }
    let withdraw = "UPDATE challenges SET state = 'withdrawn', expires_at = $2 \
         WHERE (challenger = $1 OR challenged = $1) AND state = 'waiting'";
    let kept_until = column(at.saturating_add(ENDED_CHALLENGE_KEPT_MS));
    query::<Postgres>(withdraw).bind(guest.0).bind(kept_until).execute(connection).await.map(drop)
}

/// The adopter's follows and blocks, which are newer than those of the guest, stay. What is left of the guest's goes
/// with them.
const MOVE_FOLLOWS: &str = "INSERT INTO follows (guest, followed, created_at) \
     SELECT $1, followed, created_at FROM follows WHERE guest = $2 AND followed <> $1 \
     AND followed NOT IN (SELECT followed FROM follows WHERE guest = $1) \
     ORDER BY created_at DESC, followed DESC \
     LIMIT greatest(0, $3 - (SELECT count(*) FROM follows WHERE guest = $1)) ON CONFLICT DO NOTHING";
const MOVE_BLOCKS: &str = "INSERT INTO blocks (guest, blocked, created_at) \
     SELECT $1, blocked, created_at FROM blocks WHERE guest = $2 AND blocked <> $1 \
     AND blocked NOT IN (SELECT blocked FROM blocks WHERE guest = $1) \
     ORDER BY created_at DESC, blocked DESC \
     LIMIT greatest(0, $3 - (SELECT count(*) FROM blocks WHERE guest = $1)) ON CONFLICT DO NOTHING";

/// Gives the adopter what stands between the guest and others.
async fn move_relations(
    connection: &mut PgConnection,
    adopter: PlayerId,
    guest: PlayerId,
) -> Result<(), Error> {
    for (sql, max) in [(MOVE_FOLLOWS, FOLLOWS_PER_GUEST_MAX), (MOVE_BLOCKS, BLOCKS_PER_GUEST_MAX)] {
        let own = query::<Postgres>(sql).bind(adopter.0).bind(guest.0).bind(i64::from(max));
        own.execute(&mut *connection).await?;
    }
    for sql in [
        // Who follows or blocks both has one less.
        "INSERT INTO follows (guest, followed, created_at) SELECT guest, $1, created_at FROM follows \
         WHERE followed = $2 AND guest NOT IN ($1, $2) ORDER BY guest ON CONFLICT DO NOTHING",
        "INSERT INTO blocks (guest, blocked, created_at) SELECT guest, $1, created_at FROM blocks \
         WHERE blocked = $2 AND guest NOT IN ($1, $2) ORDER BY guest ON CONFLICT DO NOTHING",
        "INSERT INTO used_keys (guest, key, digest, match, first, at) \
         SELECT $1, key, digest, match, first, at FROM used_keys WHERE guest = $2 ORDER BY key \
         ON CONFLICT DO NOTHING",
        "UPDATE remarks SET guest = $1 WHERE guest = $2",
        "UPDATE reports SET reporter = $1 WHERE reporter = $2 AND NOT EXISTS (SELECT FROM reports AS other \
         WHERE other.reporter = $1 AND other.match = reports.match AND other.reported = reports.reported)",
        "UPDATE reports SET reported = $1 WHERE reported = $2 AND NOT EXISTS (SELECT FROM reports AS other \
         WHERE other.reported = $1 AND other.match = reports.match AND other.reporter = reports.reporter)",
        // A mute or a ban of the adopter stays.
        "UPDATE sanctions SET guest = $1 WHERE guest = $2 AND (kind = 'warning' OR NOT EXISTS \
         (SELECT FROM sanctions AS other WHERE other.guest = $1 AND other.kind = sanctions.kind))",
        "UPDATE leavings SET guest = $1 WHERE guest = $2",
        "UPDATE turn_losses SET guest = $1 WHERE guest = $2",
        "UPDATE engine_flags SET guest = $1 WHERE guest = $2 AND (closed_at IS NOT NULL OR NOT EXISTS \
         (SELECT FROM engine_flags AS other WHERE other.guest = $1 AND other.closed_at IS NULL \
         AND other.game = engine_flags.game AND other.pace = engine_flags.pace))",
    ] {
        query::<Postgres>(sql).bind(adopter.0).bind(guest.0).execute(&mut *connection).await?;
    }
    for sql in [
        "DELETE FROM follows WHERE guest = $1 OR followed = $1",
        "DELETE FROM blocks WHERE guest = $1 OR blocked = $1",
        "DELETE FROM used_keys WHERE guest = $1",
    ] {
        query::<Postgres>(sql).bind(guest.0).execute(&mut *connection).await?;
    }
    Ok(())
}

async fn list(readers: &Readers) -> Result<Vec<Departure>, StoreError> {
    let select = "SELECT guest, adopter, since FROM departures ORDER BY since, guest LIMIT $1";
    let found: Vec<(Uuid, Option<Uuid>, i64)> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(select).bind(i64::from(DEPARTURES_MAX));
            Box::pin(select.fetch_all(connection))
        })
        .await?;
    let departure = |(guest, adopter, since): (Uuid, Option<Uuid>, i64)| {
        Ok(Departure { guest: PlayerId(guest), adopter: adopter.map(PlayerId), since: millis(since)? })
    };
    found.into_iter().map(departure).collect()
}

/// Keeps it from becoming another until the transaction ends.
const LOCK_DEPARTURE: &str = "SELECT EXISTS (SELECT FROM departures \
     WHERE guest = $1 AND adopter IS NOT DISTINCT FROM $2 FOR SHARE)";

const HAND_OVER: &str = "UPDATE matches SET card = $2, edition = edition + 1, seat1 = $3, seat2 = $4, \
     made_by = CASE WHEN made_by = $5 THEN $6 ELSE made_by END WHERE id = $1";

/// What the adopter has laid down themselves stays; then what the guest has laid down goes with them. Who lays down
/// something locks the match, which is locked.
const MOVE_CONDITIONAL_TURNS: &str = "UPDATE conditional_turns SET guest = $3 WHERE match = $1 AND guest = $2 \
     AND EXISTS (SELECT FROM guests WHERE id = $3) \
     AND NOT EXISTS (SELECT FROM conditional_turns WHERE match = $1 AND guest = $3)";

async fn hand_over(
    writer: &Writer,
    id: MatchId,
    of: Version,
    adoption: Departure,
    events: Vec<Recorded>,
    card: Card,
) -> Result<HandingOver, StoreError> {
    let Some(adopter) = adoption.adopter else { return Ok(HandingOver::Ended) };
    let seats = Seat::BOTH.map(|seat| card.player(seat).map(|player| player.0));
    let new: Arc<(Vec<Recorded>, String)> = Arc::new((events, card_column(&card)));
    let hand_over = writer.write(id.0, move |connection| {
        let new = Arc::clone(&new);
        Box::pin(async move {
            let is_same = has_version(connection, id, of).await?;
            let lock = query_scalar::<Postgres, bool>(LOCK_DEPARTURE).bind(adoption.guest.0).bind(adopter.0);
            if !lock.fetch_one(&mut *connection).await? {
                return Ok(Ok(HandingOver::Ended));
            }
            if !is_same {
                return Ok(Ok(HandingOver::MovedOn));
            }
            let (events, card) = &*new;
            let update = query::<Postgres>(HAND_OVER).bind(id.0).bind(card).bind(seats[0]).bind(seats[1]);
            update.bind(adoption.guest.0).bind(adopter.0).execute(&mut *connection).await?;
            let moved = query::<Postgres>(MOVE_CONDITIONAL_TURNS).bind(id.0);
            moved.bind(adoption.guest.0).bind(adopter.0).execute(&mut *connection).await?;
            for event in events {
                if let Err(error) = replace(connection, id, event).await? {
                    return Err(Undo::With(Err(error)));
                }
            }
            Ok(Ok(HandingOver::HandedOver))
        })
    });
    hand_over.await?
}

async fn end(writer: &Writer, departure: Departure) -> Result<bool, StoreError> {
    let end = writer.write(departure.guest.0, move |connection| {
        let end = "DELETE FROM departures WHERE guest = $1 AND adopter IS NOT DISTINCT FROM $2";
        let end =
            query::<Postgres>(end).bind(departure.guest.0).bind(departure.adopter.map(|adopter| adopter.0));
        Box::pin(async move { Ok(end.execute(connection).await?.rows_affected() == 1) })
    });
    Ok(end.await?)
}
