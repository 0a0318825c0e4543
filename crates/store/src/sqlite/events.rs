//! The events of matches.

use std::sync::LazyLock;

use lusoria_play::{MatchId, Recorded};
use sqlx::{SqliteConnection, SqlitePool};

use super::{
    failure,
    rows::{ForRows, LazyRows},
    text::{column, corrupt, millis, seq},
};
use crate::StoreError;

/// At most `limit` events after number `since`.
pub(super) async fn after(
    readers: &SqlitePool,
    id: MatchId,
    since: u32,
    limit: u32,
) -> Result<Vec<Recorded>, StoreError> {
    let rows: Vec<(i64, i64, i64, String)> = sqlx::query_as(
        "SELECT seq, first_seq, at, body FROM events WHERE match_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    )
    .bind(id.0.to_string())
    .bind(i64::from(since))
    .bind(i64::from(limit))
    .fetch_all(readers)
    .await
    .map_err(failure::of_read)?;
    rows.into_iter()
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

impl EventRow {
    /// Its number.
    pub(super) const fn seq(&self) -> i64 {
        self.seq
    }

    /// What happened, as JSON.
    pub(super) fn body(&self) -> &str {
        &self.body
    }
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

static INSERT: LazyRows =
    LazyLock::new(|| ForRows::new("INSERT INTO events (match_id, seq, first_seq, at, body) VALUES ", 5, ""));

/// Inserts events, each with the id of its match.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    rows: &[(&str, &EventRow)],
) -> sqlx::Result<()> {
    for (statement, rows) in INSERT.portions(rows) {
        let mut insert = sqlx::query(statement);
        for (id, row) in rows {
            insert = insert.bind(*id).bind(row.seq).bind(row.first).bind(row.at).bind(row.body.as_str());
        }
        insert.execute(&mut *connection).await?;
    }
    Ok(())
}
