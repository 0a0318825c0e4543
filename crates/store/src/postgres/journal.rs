//! The events of matches, and shutting out writes that are in doubt.

use lusoria_play::{MatchId, Recorded};
use sqlx::Error;

use super::appends::card_column;
use crate::{
    Card, Head, Journal, StoreError,
    append_row::AppendRow,
    db::{
        Db, Tx, Undo,
        value::{args, undecodable},
    },
};

/// The row lock waits for a commit under way; and of what was read before, nothing is appended to another
/// edition.
const SHUT_OUT: &str = "UPDATE matches SET edition = edition + 1 WHERE id = $1 \
     RETURNING head, edition, (SELECT at FROM deadlines WHERE match = $1)";
/// Waits for a creation under way, and takes the id from one that is late.
const TAKE_ID: &str = "INSERT INTO secrets (match) VALUES ($1) ON CONFLICT DO NOTHING";
const IS_TAKEN: &str = "SELECT 1 FROM secrets WHERE match = $1 AND secret IS NULL";

/// Waits until writes to a match are decided whose outcome is unknown, and shuts out what comes late.
pub(super) async fn settle(db: &Db, id: MatchId) -> Result<Option<Head>, StoreError> {
    db.write(id.0, id, |tx, &id| {
        Box::pin(async move {
            for _ in 0..2 {
                let shut_out: Option<Head> = tx.first(SHUT_OUT, args![id]).await?;
                if shut_out.is_some() {
                    return Ok(shut_out);
                }
                if tx.execute(TAKE_ID, args![id]).await? == 1 || tx.exists(IS_TAKEN, args![id]).await? {
                    return Ok(None);
                }
                // It was created meanwhile.
            }
            Err(Undo::Error(Error::Protocol(format!("match {} has a secret and no row", id.0))))
        })
    })
    .await
}

/// One statement, so that the edition and the events are of one state of the database.
pub(crate) const EVENTS: &str = "SELECT edition, journal.first, journal.last, journal.at, journal.events \
     FROM matches LEFT JOIN LATERAL (\
         SELECT * FROM journal WHERE match = $1 AND last > $2 ORDER BY last LIMIT $3\
     ) AS journal ON true WHERE id = $1";

type EventsRow = (u32, Option<i64>, Option<i64>, Option<i64>, Option<String>);

/// Reads at most `limit` events with numbers greater than `since`, in order.
pub(super) async fn events(db: &Db, id: MatchId, since: u32, limit: u32) -> Result<Journal, StoreError> {
    let mut found: Vec<EventsRow> = db.all(EVENTS, args![id, since, limit]).await?;
    // A join promises no order.
    found.sort_unstable_by_key(|(_, first, ..)| *first);
    let mut journal = Journal { edition: 0, events: Vec::new() };
    for row in found {
        journal.edition = row.0;
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

const APPEND_WITH: &str =
    "SELECT first, last, at, events FROM journal WHERE match = $1 AND last >= $2 ORDER BY last LIMIT 1";

/// Replaces the card and events of a match that is locked: another edition. An error that is not the database's tells
/// what is wrong with the events.
pub(crate) async fn replace(
    tx: &mut Tx,
    id: MatchId,
    events: &[Recorded],
    card: &Card,
) -> Result<Result<(), StoreError>, Error> {
    let Tx::Postgres(_) = tx else { return Err(undecodable("a file keeps its events in another way")) };
    let update = "UPDATE matches SET card = $2, edition = edition + 1 WHERE id = $1";
    tx.execute(update, args![id, card_column(card)]).await?;
    for event in events {
        let found = tx.first(APPEND_WITH, args![id, event.seq]).await?;
        let Some((first, last, at, events)) = found else {
            return Ok(Err(StoreError::Failed(format!("match {} has no event {}", id.0, event.seq))));
        };
        let AppendRow { events, .. } = match (AppendRow { first, last, at, events }).replaced(id, event) {
            Ok(replaced) => replaced,
            Err(error) => return Ok(Err(error)),
        };
        let update = "UPDATE journal SET events = $3 WHERE match = $1 AND last = $2";
        tx.execute(update, args![id, last, events]).await?;
    }
    Ok(Ok(()))
}
