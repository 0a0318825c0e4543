//! The events of matches: rows of `journal`, one for each append.

use lusoria_play::{MatchId, Recorded};
use rusqlite::Connection;

use super::{
    append_row::AppendRow,
    failure::undecodable,
    packed,
    readers::Readers,
    sql::{self, execute},
    text::corrupt,
};
use crate::{Journal, StoreError};

/// At most `limit` events after number `since`.
pub(super) async fn after(
    readers: &Readers,
    id: MatchId,
    since: u32,
    limit: u32,
) -> Result<Journal, StoreError> {
    let found = readers.read(move |connection| {
        // One state of the database: between two queries a match could be packed.
        let _snapshot = connection.unchecked_transaction()?;
        let one = "SELECT number, packed, rewritten FROM matches WHERE id = ?1";
        let found: Option<(i64, u32, u32)> = sql::first(connection, one, [id.0.into_bytes()])?;
        let Some((number, packed_until, edition)) = found else { return Ok((0, Vec::new())) };
        let mut appends = if since < packed_until { packed::read(connection, number)? } else { Vec::new() };
        appends.retain(|append| append.last > i64::from(since));
        appends.extend(journal_after(connection, number, since, limit)?);
        Ok((edition, appends))
    });
    let (edition, appends) = found.await?;
    let mut events = Vec::new();
    for append in appends {
        if events.len() >= limit as usize {
            break;
        }
        events.extend(append.recorded(id)?.into_iter().filter(|event| event.seq > since));
    }
    events.truncate(limit as usize);
    Ok(Journal { edition, events })
}

/// Where the appends of a match are that have events after number `since`, in order.
fn arrivals_after(connection: &Connection, number: i64, since: u32) -> rusqlite::Result<Vec<i64>> {
    let newest = "SELECT arrival FROM newest WHERE match = ?1";
    let mut next = sql::first(connection, newest, [number])?.map(|(arrival,)| arrival);
    let mut arrivals = Vec::new();
    while let Some(arrival) = next {
        let link = "SELECT before, last FROM journal WHERE arrival = ?1";
        let (before, last): (Option<i64>, i64) = sql::one(connection, link, [arrival])?;
        if last <= i64::from(since) {
            break;
        }
        if before.is_some_and(|before| before >= arrival) {
            return Err(undecodable(corrupt(format!(
                "append {arrival} of match {number} follows a later one"
            ))));
        }
        arrivals.push(arrival);
        next = before;
    }
    arrivals.reverse();
    Ok(arrivals)
}

fn append_at(connection: &Connection, arrival: i64) -> rusqlite::Result<AppendRow> {
    let row = "SELECT first, last, at, events FROM journal WHERE arrival = ?1";
    let (first, last, at, events) = sql::one(connection, row, [arrival])?;
    Ok(AppendRow { first, last, at, events })
}

/// At most `limit` appends of a match with events after number `since`, in order.
pub(super) fn journal_after(
    connection: &Connection,
    number: i64,
    since: u32,
    limit: u32,
) -> rusqlite::Result<Vec<AppendRow>> {
    let arrivals = arrivals_after(connection, number, since)?;
    arrivals.into_iter().take(limit as usize).map(|arrival| append_at(connection, arrival)).collect()
}

/// Adds an append to the journal of a match, behind the append `before`, with what lists show of it if
/// the row of the match does not say so. Returns where it is.
pub(super) fn insert(
    connection: &Connection,
    number: i64,
    before: Option<i64>,
    append: &AppendRow,
    standing: Option<&str>,
) -> rusqlite::Result<i64> {
    let insert = "INSERT INTO journal (match, before, first, last, at, events, standing) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let AppendRow { first, last, at, events } = append;
    execute(connection, insert, (number, before, first, last, at, events, standing))?;
    let arrival = connection.last_insert_rowid();
    let upsert = "INSERT INTO newest (match, arrival, last) VALUES (?1, ?2, ?3) \
         ON CONFLICT (match) DO UPDATE SET arrival = excluded.arrival, last = excluded.last";
    execute(connection, upsert, (number, arrival, last))?;
    Ok(arrival)
}

/// Deletes the journal of a match; not what is packed of it.
pub(super) fn delete(connection: &Connection, number: i64) -> rusqlite::Result<()> {
    for arrival in arrivals_after(connection, number, 0)? {
        execute(connection, "DELETE FROM journal WHERE arrival = ?1", [arrival])?;
    }
    execute(connection, "DELETE FROM newest WHERE match = ?1", [number]).map(drop)
}

/// Replaces an event in the journal of a match by another with its number.
pub(super) fn replace(
    connection: &Connection,
    id: MatchId,
    number: i64,
    event: &Recorded,
) -> rusqlite::Result<()> {
    let arrivals = arrivals_after(connection, number, event.seq.saturating_sub(1))?;
    let Some(&arrival) = arrivals.first() else {
        let missing = format!("match {} has no event {}", id.0, event.seq);
        return Err(undecodable(StoreError::Failed(missing)));
    };
    let replaced = append_at(connection, arrival)?.replaced(id, event);
    let AppendRow { events, .. } = replaced.map_err(undecodable)?;
    execute(connection, "UPDATE journal SET events = ?1 WHERE arrival = ?2", (events, arrival)).map(drop)
}
