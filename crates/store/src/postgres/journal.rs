//! The head, the events, the secret and the deadline of a match.

use std::sync::Arc;

use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis, Recorded};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{appends::card_column, readers::Readers, session::Undo, writer::Writer};
use crate::{
    Card, HEADS_MAX, Head, Journal, StoreError, Version,
    append_row::AppendRow,
    text::{column, corrupt, millis, seq},
};

pub(super) const HEADS: &str = "SELECT id, head, edition, deadlines.at \
     FROM matches LEFT JOIN deadlines ON deadlines.match = matches.id WHERE id = ANY ($1)";

type HeadRow = (Uuid, i64, i64, Option<i64>);

/// The heads of those of the matches that exist.
pub(super) async fn heads(readers: &Readers, ids: Vec<MatchId>) -> Result<Vec<(MatchId, Head)>, StoreError> {
    let ids: Arc<[Uuid]> = ids.into_iter().map(|id| id.0).take(HEADS_MAX).collect();
    let found = readers.read(|connection| {
        let ids = Arc::clone(&ids);
        Box::pin(async move { query_as::<Postgres, HeadRow>(HEADS).bind(&*ids).fetch_all(connection).await })
    });
    let head = |(id, head, edition, deadline)| Ok((MatchId(id), head_of((head, edition, deadline))?));
    found.await?.into_iter().map(head).collect()
}

/// The head of a match.
pub(super) async fn head(readers: &Readers, id: MatchId) -> Result<Option<Head>, StoreError> {
    Ok(heads(readers, vec![id]).await?.pop().map(|(_, head)| head))
}

fn head_of((head, edition, deadline): (i64, i64, Option<i64>)) -> Result<Head, StoreError> {
    let version = Version { head: seq(head)?, edition: seq(edition)? };
    Ok(Head { version, deadline: deadline.map(millis).transpose()? })
}

/// The row lock waits for a commit under way; and of what was read before, nothing is appended to another
/// edition.
const SHUT_OUT: &str = "UPDATE matches SET edition = edition + 1 WHERE id = $1 \
     RETURNING head, edition, (SELECT at FROM deadlines WHERE match = $1)";
/// Waits for a creation under way, and takes the id from one that is late.
const TAKE_ID: &str = "INSERT INTO secrets (match) VALUES ($1) ON CONFLICT DO NOTHING";
const IS_TAKEN: &str = "SELECT EXISTS (SELECT FROM secrets WHERE match = $1 AND secret IS NULL)";

/// Waits until writes to a match are decided whose outcome is unknown, and shuts out what comes late.
pub(super) async fn settle(writer: &Writer, id: MatchId) -> Result<Option<Head>, StoreError> {
    let settled = writer.write(id.0, move |connection| {
        Box::pin(async move {
            for _ in 0..2 {
                let shut_out = query_as::<Postgres, (i64, i64, Option<i64>)>(SHUT_OUT).bind(id.0);
                if let Some(head) = shut_out.fetch_optional(&mut *connection).await? {
                    return Ok(Some(head));
                }
                let taken = query::<Postgres>(TAKE_ID).bind(id.0).execute(&mut *connection).await?;
                let is_taken = query_scalar::<Postgres, bool>(IS_TAKEN).bind(id.0);
                if taken.rows_affected() == 1 || is_taken.fetch_one(&mut *connection).await? {
                    return Ok(None);
                }
                // It was created meanwhile.
            }
            Err(Undo::Error(Error::Protocol(format!("match {} has a secret and no row", id.0))))
        })
    });
    settled.await?.map(head_of).transpose()
}

/// Corrects the deadline of a match that still has that head.
pub(super) async fn correct_deadline(
    writer: &Writer,
    id: MatchId,
    head: u32,
    deadline: Option<Millis>,
) -> Result<(), StoreError> {
    const LOCK: &str = "SELECT head FROM matches WHERE id = $1 FOR NO KEY UPDATE";
    const SET: &str = "INSERT INTO deadlines (match, at) VALUES ($1, $2) ON CONFLICT (match) DO UPDATE SET at = excluded.at";
    const UNSET: &str = "DELETE FROM deadlines WHERE match = $1";
    let correct = writer.write(id.0, move |connection| {
        Box::pin(async move {
            let found: Option<i64> =
                query_scalar::<Postgres, _>(LOCK).bind(id.0).fetch_optional(&mut *connection).await?;
            if found == Some(i64::from(head)) {
                let correct = match deadline {
                    Some(at) => query::<Postgres>(SET).bind(id.0).bind(column(at)),
                    None => query::<Postgres>(UNSET).bind(id.0),
                };
                correct.execute(connection).await?;
            }
            Ok(())
        })
    });
    Ok(correct.await?)
}

/// One statement, so that the edition and the events are of one state of the database.
pub(super) const EVENTS: &str = "SELECT edition, journal.first, journal.last, journal.at, journal.events \
     FROM matches LEFT JOIN LATERAL (\
         SELECT * FROM journal WHERE match = $1 AND last > $2 ORDER BY last LIMIT $3\
     ) AS journal ON true WHERE id = $1";

type EventsRow = (i64, Option<i64>, Option<i64>, Option<i64>, Option<String>);

/// At most `limit` events after number `since`.
pub(super) async fn events(
    readers: &Readers,
    id: MatchId,
    since: u32,
    limit: u32,
) -> Result<Journal, StoreError> {
    let found = readers.read(|connection| {
        let events =
            query_as::<Postgres, EventsRow>(EVENTS).bind(id.0).bind(i64::from(since)).bind(i64::from(limit));
        Box::pin(events.fetch_all(connection))
    });
    let mut found = found.await?;
    // A join promises no order.
    found.sort_unstable_by_key(|(_, first, ..)| *first);
    let mut journal = Journal { edition: 0, events: Vec::new() };
    for row in found {
        journal.edition = seq(row.0)?;
        let (_, Some(first), Some(last), Some(at), Some(events)) = row else { continue };
        let append = AppendRow { first, last, at, events }.recorded(id)?;
        journal.events.extend(append.into_iter().filter(|event| event.seq > since));
        if journal.events.len() >= limit as usize {
            break;
        }
    }
    journal.events.truncate(limit as usize);
    Ok(journal)
}

/// The secret `s[1024]` of a match.
pub(super) async fn secret(readers: &Readers, id: MatchId) -> Result<Option<Secret>, StoreError> {
    let select = "SELECT secret FROM secrets WHERE match = $1 AND secret IS NOT NULL";
    let found: Option<Vec<u8>> = readers
        .read(|connection| {
            Box::pin(query_scalar::<Postgres, _>(select).bind(id.0).fetch_optional(connection))
        })
        .await?;
    let secret =
        |bytes: Vec<u8>| bytes.try_into().map(Secret::new).map_err(|_| corrupt("a secret of another length"));
    found.map(secret).transpose()
}

const LOCK_VERSION: &str = "SELECT head, edition FROM matches WHERE id = $1 FOR NO KEY UPDATE";
const REWRITE: &str = "UPDATE matches SET card = $2, edition = edition + 1 WHERE id = $1";
const APPEND_WITH: &str =
    "SELECT first, last, at, events FROM journal WHERE match = $1 AND last >= $2 ORDER BY last LIMIT 1";
const REPLACE: &str = "UPDATE journal SET events = $3 WHERE match = $1 AND last = $2";

/// Locks a match. Tells whether that is its version.
pub(super) async fn has_version(
    connection: &mut PgConnection,
    id: MatchId,
    of: Version,
) -> Result<bool, Error> {
    let found: Option<(i64, i64)> =
        query_as::<Postgres, _>(LOCK_VERSION).bind(id.0).fetch_optional(connection).await?;
    Ok(found == Some((i64::from(of.head), i64::from(of.edition))))
}

/// Replaces events of a match and its card; false if its version is another.
pub(super) async fn rewrite(
    writer: &Writer,
    id: MatchId,
    of: Version,
    events: Vec<Recorded>,
    card: &Card,
) -> Result<bool, StoreError> {
    let new: Arc<(Vec<Recorded>, String)> = Arc::new((events, card_column(card)));
    let rewrite = writer.write(id.0, move |connection| {
        let new = Arc::clone(&new);
        Box::pin(async move {
            if !has_version(connection, id, of).await? {
                return Ok(Ok(false));
            }
            let (events, card) = &*new;
            query::<Postgres>(REWRITE).bind(id.0).bind(card).execute(&mut *connection).await?;
            for event in events {
                if let Err(error) = replace(connection, id, event).await? {
                    return Err(Undo::With(Err(error)));
                }
            }
            Ok(Ok(true))
        })
    });
    rewrite.await?
}

/// Replaces one event in the append that it is in.
pub(super) async fn replace(
    connection: &mut PgConnection,
    id: MatchId,
    event: &Recorded,
) -> Result<Result<(), StoreError>, Error> {
    let found: Option<(i64, i64, i64, String)> = query_as::<Postgres, _>(APPEND_WITH)
        .bind(id.0)
        .bind(i64::from(event.seq))
        .fetch_optional(&mut *connection)
        .await?;
    let Some((first, last, at, events)) = found else {
        return Ok(Err(StoreError::Failed(format!("match {} has no event {}", id.0, event.seq))));
    };
    match (AppendRow { first, last, at, events }).replaced(id, event) {
        Err(error) => Ok(Err(error)),
        Ok(append) => {
            query::<Postgres>(REPLACE).bind(id.0).bind(last).bind(append.events).execute(connection).await?;
            Ok(Ok(()))
        }
    }
}
