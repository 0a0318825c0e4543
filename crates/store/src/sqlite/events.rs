//! The events of matches: rows of `journal`, one for each append.

use lusoria_play::{Event, MatchId, Recorded};
use rusqlite::Connection;

use super::{
    packing,
    readers::Readers,
    sql::{self, execute, rows},
    text::{column, corrupt, millis, seq},
};
use crate::{StoreError, model::last_number};

/// The events of an append, which happened at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AppendRow {
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) at: i64,
    /// A JSON array.
    pub(super) events: String,
}

impl AppendRow {
    /// Serialises the events of an append; in the caller's task, not in the writer's.
    ///
    /// # Errors
    /// If they are not one append that follows number `head`.
    pub(super) fn of(head: u32, events: &[Recorded]) -> Result<Self, StoreError> {
        let last = i64::from(last_number(head, events)?);
        let bodies: Vec<&Event> = events.iter().map(|recorded| &recorded.event).collect();
        let json = serde_json::to_string(&bodies)
            .map_err(|error| StoreError::Failed(format!("an event cannot be written: {error}")))?;
        Ok(Self { first: i64::from(head) + 1, last, at: column(events[0].at), events: json })
    }

    /// The events, each with its number.
    pub(super) fn recorded(&self, id: MatchId) -> Result<Vec<Recorded>, StoreError> {
        let (first, at) = (seq(self.first)?, millis(self.at)?);
        let events: Vec<Event> = serde_json::from_str(&self.events)
            .map_err(|error| corrupt(format!("the events {first} … of match {}: {error}", id.0)))?;
        if i64::try_from(events.len()) != Ok(self.last - self.first + 1) {
            return Err(corrupt(format!("the events {first} … of match {} are not all there", id.0)));
        }
        let recorded = |(seq, event)| Recorded { seq, first, at, event };
        Ok((first..).zip(events).map(recorded).collect())
    }
}

/// At most `limit` events after number `since`.
pub(super) async fn after(
    readers: &Readers,
    id: MatchId,
    since: u32,
    limit: u32,
) -> Result<Vec<Recorded>, StoreError> {
    let found = readers.read(move |connection| {
        // One state of the database: between two queries a match could be packed.
        let _snapshot = connection.unchecked_transaction()?;
        let one = "SELECT number, packed FROM matches WHERE id = ?1";
        let Some((number, packed)) = sql::first::<(i64, u32)>(connection, one, [id.0.into_bytes()])? else {
            return Ok((Vec::new(), Vec::new()));
        };
        let parts = if since < packed { packing::parts(connection, number)? } else { Vec::new() };
        Ok((parts, journal_after(connection, number, since, limit)?))
    });
    let (parts, journal) = found.await?;
    let mut appends = if parts.is_empty() { Vec::new() } else { packing::unpack(&parts)? };
    appends.retain(|append| append.last > i64::from(since));
    appends.extend(journal);
    let mut events = Vec::new();
    for append in appends {
        if events.len() >= limit as usize {
            break;
        }
        events.extend(append.recorded(id)?.into_iter().filter(|event| event.seq > since));
    }
    events.truncate(limit as usize);
    Ok(events)
}

/// At most `limit` appends of a match with events after number `since`.
pub(super) fn journal_after(
    connection: &Connection,
    number: i64,
    since: u32,
    limit: u32,
) -> rusqlite::Result<Vec<AppendRow>> {
    let after =
        "SELECT first, last, at, events FROM journal WHERE match = ?1 AND last > ?2 ORDER BY last LIMIT ?3";
    let found = rows(connection, after, (number, since, limit))?;
    Ok(found.into_iter().map(|(first, last, at, events)| AppendRow { first, last, at, events }).collect())
}

/// Adds an append to the journal of a match, with what lists show of it if the row of the match does
/// not say so.
pub(super) fn insert(
    connection: &Connection,
    number: i64,
    append: &AppendRow,
    standing: Option<&str>,
) -> rusqlite::Result<()> {
    let insert =
        "INSERT INTO journal (match, first, last, at, events, standing) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let AppendRow { first, last, at, events } = append;
    execute(connection, insert, (number, first, last, at, events, standing)).map(drop)
}

/// Replaces an event in the journal of a match by another with its number.
pub(super) fn replace(
    connection: &Connection,
    id: MatchId,
    number: i64,
    event: &Recorded,
) -> rusqlite::Result<Result<(), StoreError>> {
    let around =
        "SELECT first, last, at, events FROM journal WHERE match = ?1 AND last >= ?2 ORDER BY last LIMIT 1";
    let Some((first, last, at, events)) = sql::first(connection, around, (number, event.seq))? else {
        return Ok(Err(StoreError::Failed(format!("match {} has no event {}", id.0, event.seq))));
    };
    let replaced = AppendRow { first, last, at, events }.recorded(id).and_then(|mut events| {
        for old in events.iter_mut().filter(|old| old.seq == event.seq) {
            old.event = event.event.clone();
        }
        let head = events.first().map_or(0, |first| first.seq - 1);
        AppendRow::of(head, &events)
    });
    match replaced {
        Ok(append) => {
            let update = "UPDATE journal SET events = ?1 WHERE match = ?2 AND last = ?3";
            execute(connection, update, (append.events, number, last)).map(|_| Ok(()))
        }
        Err(error) => Ok(Err(error)),
    }
}
