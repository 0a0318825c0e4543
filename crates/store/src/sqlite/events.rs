//! The events of matches.

use lusoria_play::{MatchId, Recorded};
use rusqlite::Connection;

use super::{
    readers::Readers,
    sql::{execute, rows},
    text::{column, corrupt, millis, seq},
};
use crate::StoreError;

const AFTER: &str = "SELECT seq, first_seq, at, body FROM events WHERE match_id = ?1 AND seq > ?2 \
     ORDER BY seq LIMIT ?3";

/// At most `limit` events after number `since`.
pub(super) async fn after(
    readers: &Readers,
    id: MatchId,
    since: u32,
    limit: u32,
) -> Result<Vec<Recorded>, StoreError> {
    let found: Vec<(i64, i64, i64, String)> =
        readers.read(move |connection| rows(connection, AFTER, (id.0.to_string(), since, limit))).await?;
    found
        .into_iter()
        .map(|(number, first, at, body)| {
            let event = serde_json::from_str(&body)
                .map_err(|error| corrupt(format!("event {number} of match {}: {error}", id.0)))?;
            Ok(Recorded { seq: seq(number)?, first: seq(first)?, at: millis(at)?, event })
        })
        .collect()
}

/// An event as its row.
pub(super) struct EventRow {
    seq: i64,
    first: i64,
    at: i64,
    body: String,
}

/// Events as rows; serialised here, in the caller's task, not in the writer's.
pub(super) fn event_rows(events: &[Recorded]) -> Result<Vec<EventRow>, StoreError> {
    events
        .iter()
        .map(|recorded| {
            let body = serde_json::to_string(&recorded.event)
                .map_err(|error| StoreError::Failed(format!("an event cannot be written: {error}")))?;
            Ok(EventRow {
                seq: i64::from(recorded.seq),
                first: i64::from(recorded.first),
                at: column(recorded.at),
                body,
            })
        })
        .collect()
}

/// Inserts events of a match.
pub(super) fn insert(connection: &Connection, id: &str, rows: &[EventRow]) -> rusqlite::Result<()> {
    let insert = "INSERT INTO events (match_id, seq, first_seq, at, body) VALUES (?1, ?2, ?3, ?4, ?5)";
    for EventRow { seq, first, at, body } in rows {
        execute(connection, insert, (id, seq, first, at, body))?;
    }
    Ok(())
}

/// Replaces an event of a match.
pub(super) fn replace(connection: &Connection, id: &str, row: &EventRow) -> rusqlite::Result<()> {
    let update = "UPDATE events SET body = ?1 WHERE match_id = ?2 AND seq = ?3";
    execute(connection, update, (&row.body, id, row.seq)).map(drop)
}
