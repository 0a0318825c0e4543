//! Guests who leave.

use lusoria_play::{MatchId, Millis, PlayerId, Recorded, Seat};
use rusqlite::Connection;

use super::{
    SqliteStore,
    accounts::holds,
    events,
    guest_rows::may_ask,
    match_columns::card_column,
    packing,
    readers::Readers,
    sql::{execute, exists, first, one, rows},
    text::{column, millis, player_id},
    writer::Writer,
};
use crate::{
    AdoptionBeginning, BLOCKS_PER_GUEST_MAX, Card, DEPARTURES_MAX, Departure, Departures,
    ENDED_CHALLENGE_KEPT_MS, ErasureBeginning, ErasureBy, FOLLOWS_PER_GUEST_MAX, HandingOver, NewAdoption,
    StoreError, StoreFuture, Version,
};

impl Departures for SqliteStore {
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
        Box::pin(async move { hand_over(&self.writer, id, of, adoption, events, &card).await })
    }

    fn end_departure(&self, departure: Departure) -> StoreFuture<'_, bool> {
        Box::pin(end(&self.writer, departure))
    }
}

const GUEST: &str = "SELECT kind, blocked_at FROM guests WHERE id = ?1";
const BOTH_SEATED: &str = "SELECT 1 FROM matches WHERE seat1 = ?1 AND seat2 = ?2 AND state <> 'open' \
     UNION ALL SELECT 1 FROM matches WHERE seat1 = ?2 AND seat2 = ?1 AND state <> 'open' LIMIT 1";

async fn begin_adoption(writer: &Writer, new: NewAdoption) -> Result<AdoptionBeginning, StoreError> {
    let (adopter, guest) = (new.adopter.0.to_string(), new.guest.0.to_string());
    let begin = writer.write(move |connection| {
        if let Some(refused) = refusal(connection, &new)? {
            return Ok(refused);
        }
        let look_again = "UPDATE matches SET rewritten = rewritten + 1 WHERE seat1 = ?1 AND state = 'open'";
        execute(connection, look_again, [new.guest.0.into_bytes()])?;
        move_relations(connection, &adopter, &guest)?;
        leave(connection, &guest, Some(&adopter), column(new.at))?;
        Ok(AdoptionBeginning::Begun)
    });
    Ok(begin.await?)
}

/// Why an adoption does not begin, if so. Writes nothing.
fn refusal(connection: &Connection, new: &NewAdoption) -> rusqlite::Result<Option<AdoptionBeginning>> {
    let (adopter, guest) = (new.adopter.0.to_string(), new.guest.0.to_string());
    if !may_ask(connection, &adopter, &new.by.0.to_string())? {
        return Ok(Some(AdoptionBeginning::SessionEnded));
    }
    let has_account = |of: &str| exists(connection, "SELECT 1 FROM accounts WHERE guest_id = ?1", [of]);
    if !has_account(&adopter)? {
        return Ok(Some(AdoptionBeginning::NoAccount));
    }
    if adopter == guest {
        return Ok(Some(AdoptionBeginning::Yourself));
    }
    let session = "SELECT 1 FROM tokens WHERE guest_id = ?1 AND id = ?2";
    if !exists(connection, session, (&guest, new.session.0.to_string()))? {
        return Ok(Some(AdoptionBeginning::GuestSessionEnded));
    }
    let (kind, blocked_at): (String, Option<i64>) = one(connection, GUEST, [&guest])?;
    if blocked_at.is_some() {
        return Ok(Some(AdoptionBeginning::GuestBlocked));
    }
    if has_account(&guest)? {
        return Ok(Some(AdoptionBeginning::GuestHasAccount));
    }
    let (kind_of_adopter, _): (String, Option<i64>) = one(connection, GUEST, [&adopter])?;
    if kind != kind_of_adopter {
        return Ok(Some(AdoptionBeginning::OtherKind));
    }
    let seats = (new.adopter.0.into_bytes(), new.guest.0.into_bytes());
    Ok(exists(connection, BOTH_SEATED, seats)?.then_some(AdoptionBeginning::PlayedEachOther))
}

async fn begin_erasure(
    writer: &Writer,
    of: PlayerId,
    by: ErasureBy,
    at: Millis,
) -> Result<ErasureBeginning, StoreError> {
    let guest = of.0.to_string();
    let begin = writer.write(move |connection| {
        let is_proven = match &by {
            ErasureBy::Operator => true,
            ErasureBy::Session(session) => may_ask(connection, &guest, &session.0.to_string())?,
            ErasureBy::Account(proof) => proof.guest == of && holds(connection, proof)?,
        };
        if !is_proven {
            return Ok(ErasureBeginning::NotProven);
        }
        let has_account = "SELECT 1 FROM accounts WHERE guest_id = ?1";
        if matches!(by, ErasureBy::Session(_)) && exists(connection, has_account, [&guest])? {
            return Ok(ErasureBeginning::HasAccount);
        }
        leave(connection, &guest, None, column(at))?;
        Ok(ErasureBeginning::Begun)
    });
    Ok(begin.await?)
}

/// Notes that a guest leaves, and ends what they could still do.
fn leave(connection: &Connection, guest: &str, adopter: Option<&str>, at: i64) -> rusqlite::Result<()> {
    let redirect = "UPDATE departures SET adopter_id = ?2 WHERE adopter_id = ?1";
    execute(connection, redirect, (guest, adopter))?;
    let insert = "INSERT INTO departures (guest_id, adopter_id, since) VALUES (?1, ?2, ?3) \
         ON CONFLICT (guest_id) DO UPDATE SET adopter_id = excluded.adopter_id";
    execute(connection, insert, (guest, adopter, at))?;
    execute(
        connection,
        "UPDATE guests SET blocked_at = COALESCE(blocked_at, ?2) WHERE id = ?1",
        (guest, at),
    )?;
    for sql in [
        "DELETE FROM tokens WHERE guest_id = ?1",
        "DELETE FROM api_tokens WHERE guest_id = ?1",
        "DELETE FROM device_codes WHERE guest_id = ?1",
        "DELETE FROM seeks WHERE guest_id = ?1",
    ] {
        execute(connection, sql, [guest])?;
    }
    let withdraw = "UPDATE challenges SET state = 'withdrawn', expires_at = ?2 \
         WHERE (challenger_id = ?1 OR challenged_id = ?1) AND state = 'waiting'";
    execute(connection, withdraw, (guest, at + column(ENDED_CHALLENGE_KEPT_MS))).map(drop)
}

/// The adopter's follows and blocks, which are newer than those of the guest, stay. What is left of the guest's goes
/// with them.
const MOVE_FOLLOWS: &str = "INSERT OR IGNORE INTO follows (guest_id, followed_id, created_at) \
     SELECT ?1, followed_id, created_at FROM follows WHERE guest_id = ?2 AND followed_id <> ?1 \
     AND followed_id NOT IN (SELECT followed_id FROM follows WHERE guest_id = ?1) \
     ORDER BY created_at DESC, followed_id DESC \
     LIMIT max(0, ?3 - (SELECT COUNT(*) FROM follows WHERE guest_id = ?1))";
const MOVE_BLOCKS: &str = "INSERT OR IGNORE INTO blocks (guest_id, blocked_id, created_at) \
     SELECT ?1, blocked_id, created_at FROM blocks WHERE guest_id = ?2 AND blocked_id <> ?1 \
     AND blocked_id NOT IN (SELECT blocked_id FROM blocks WHERE guest_id = ?1) \
     ORDER BY created_at DESC, blocked_id DESC \
     LIMIT max(0, ?3 - (SELECT COUNT(*) FROM blocks WHERE guest_id = ?1))";

/// Gives the adopter what stands between the guest and others.
fn move_relations(connection: &Connection, adopter: &str, guest: &str) -> rusqlite::Result<()> {
    let both = (adopter, guest);
    execute(connection, MOVE_FOLLOWS, (adopter, guest, FOLLOWS_PER_GUEST_MAX))?;
    execute(connection, MOVE_BLOCKS, (adopter, guest, BLOCKS_PER_GUEST_MAX))?;
    for sql in [
        // Who follows or blocks both has one less.
        "UPDATE OR IGNORE follows SET followed_id = ?1 WHERE followed_id = ?2 AND guest_id <> ?1",
        "UPDATE OR IGNORE blocks SET blocked_id = ?1 WHERE blocked_id = ?2 AND guest_id <> ?1",
        "DELETE FROM follows WHERE guest_id = ?2 OR followed_id = ?2",
        "DELETE FROM blocks WHERE guest_id = ?2 OR blocked_id = ?2",
        "UPDATE OR IGNORE used_keys SET guest_id = ?1 WHERE guest_id = ?2",
        "DELETE FROM used_keys WHERE guest_id = ?2",
        "UPDATE remarks SET guest_id = ?1 WHERE guest_id = ?2",
        "UPDATE OR IGNORE reports SET reporter_id = ?1 WHERE reporter_id = ?2",
        "UPDATE OR IGNORE reports SET reported_id = ?1 WHERE reported_id = ?2",
        // A mute or a ban of the adopter stays.
        "UPDATE OR IGNORE sanctions SET guest_id = ?1 WHERE guest_id = ?2",
        "UPDATE leavings SET guest_id = ?1 WHERE guest_id = ?2",
        "UPDATE turn_losses SET guest_id = ?1 WHERE guest_id = ?2",
        "UPDATE OR IGNORE engine_flags SET guest_id = ?1 WHERE guest_id = ?2",
    ] {
        execute(connection, sql, both)?;
    }
    Ok(())
}

async fn list(readers: &Readers) -> Result<Vec<Departure>, StoreError> {
    let select = "SELECT guest_id, adopter_id, since FROM departures ORDER BY since, guest_id LIMIT ?1";
    let found: Vec<(String, Option<String>, i64)> =
        readers.read(move |connection| rows(connection, select, [DEPARTURES_MAX])).await?;
    let departure = |(guest, adopter, since): (String, Option<String>, i64)| {
        let adopter = adopter.as_deref().map(player_id).transpose()?;
        Ok(Departure { guest: player_id(&guest)?, adopter, since: millis(since)? })
    };
    found.into_iter().map(departure).collect()
}

/// Whether a guest leaves in that way.
fn is_leaving(
    connection: &Connection,
    Departure { guest, adopter, .. }: &Departure,
) -> rusqlite::Result<bool> {
    let select = "SELECT 1 FROM departures WHERE guest_id = ?1 AND adopter_id IS ?2";
    exists(connection, select, (guest.0.to_string(), adopter.map(|adopter| adopter.0.to_string())))
}

/// The first of these guests who adopts the player in seat 1, if one does.
pub(super) fn first_adopter(
    connection: &Connection,
    guests: &[PlayerId],
    seat1: Option<PlayerId>,
) -> rusqlite::Result<Option<PlayerId>> {
    let Some(seat1) = seat1.map(|player| player.0.to_string()) else { return Ok(None) };
    for guest in guests {
        let adopts = "SELECT 1 FROM departures WHERE guest_id = ?1 AND adopter_id = ?2";
        if exists(connection, adopts, (&seat1, guest.0.to_string()))? {
            return Ok(Some(*guest));
        }
    }
    Ok(None)
}

const HAND_OVER: &str = "UPDATE matches SET card = ?2, rewritten = rewritten + 1, seat1 = ?3, seat2 = ?4, \
     made_by = CASE WHEN made_by = ?5 THEN ?6 ELSE made_by END WHERE number = ?1";

/// What the adopter has laid down themselves stays; then what the guest has laid down goes with them.
const MOVE_CONDITIONAL_TURNS: &str = "UPDATE OR IGNORE conditional_turns SET guest_id = ?3 \
     WHERE match = ?1 AND guest_id = ?2 AND EXISTS (SELECT 1 FROM guests WHERE id = ?3)";

async fn hand_over(
    writer: &Writer,
    id: MatchId,
    of: Version,
    adoption: Departure,
    events: Vec<Recorded>,
    card: &Card,
) -> Result<HandingOver, StoreError> {
    let seats = Seat::BOTH.map(|seat| card.player(seat).map(|player| player.0.into_bytes()));
    let card = card_column(card);
    let [from, to] =
        [Some(adoption.guest), adoption.adopter].map(|player| player.map(|player| player.0.into_bytes()));
    let hand_over = writer.write(move |connection| {
        let Some(adopter) = adoption.adopter else { return Ok(HandingOver::Ended) };
        if !is_leaving(connection, &adoption)? {
            return Ok(HandingOver::Ended);
        }
        let with_version = "SELECT number FROM match_rows WHERE id = ?1 AND head = ?2 AND rewritten = ?3";
        let found = first(connection, with_version, (id.0.into_bytes(), of.head, of.edition))?;
        let Some((number,)) = found else { return Ok(HandingOver::MovedOn) };
        let number: i64 = number;
        packing::put_back(connection, number)?;
        execute(connection, HAND_OVER, (number, card.as_bytes(), seats[0], seats[1], from, to))?;
        let moved = (number, adoption.guest.0.to_string(), adopter.0.to_string());
        execute(connection, MOVE_CONDITIONAL_TURNS, moved)?;
        for event in &events {
            events::replace(connection, id, number, event)?;
        }
        Ok(HandingOver::HandedOver)
    });
    Ok(hand_over.await?)
}

async fn end(writer: &Writer, departure: Departure) -> Result<bool, StoreError> {
    let guest = departure.guest.0.to_string();
    let end = writer.write(move |connection| {
        let is_this = is_leaving(connection, &departure)?;
        if is_this {
            execute(connection, "DELETE FROM departures WHERE guest_id = ?1", [&guest])?;
        }
        Ok(is_this)
    });
    Ok(end.await?)
}
