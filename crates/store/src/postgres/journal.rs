//! The journal in PostgreSQL: all plain appends of a batch are one statement.

use lusoria_play::{MatchId, Recorded};
use sqlx::{Error, Postgres, query_as};

use crate::{
    Card, Head, StoreError,
    append_row::AppendRow,
    error::Refused,
    match_rows::{NewRow, PlainAppend},
    sql::{Done, Tx, Undo, args},
    text::state_column,
};

/// Writes the appends of a batch that need not be refused.
///
/// It sees what was committed when it began, and the rows that it locks as they are once it has them: the era and the
/// matches.
const APPEND: &str = "
    WITH asked AS MATERIALIZED (
        SELECT * FROM unnest(
            $1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
            $8::text[], $9::text[], $10::boolean[], $11::uuid[], $12::bigint[]
        ) WITH ORDINALITY AS asked(
            id, head, edition, era, last, at, events,
            card, state, listed, seat2, deadline, n
        )
    ), present AS MATERIALIZED (
        SELECT era FROM cluster FOR SHARE
    ), locked AS MATERIALIZED (
        SELECT id, head, edition FROM matches WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE
    ), judged AS MATERIALIZED (
        SELECT asked.*, CASE
            WHEN asked.era <> (SELECT era FROM present) THEN 1
            WHEN locked.id IS NULL OR locked.head <> asked.head OR locked.edition <> asked.edition THEN 2
            ELSE 0
        END AS refused
        FROM asked LEFT JOIN locked ON locked.id = asked.id
    ), good AS (
        SELECT * FROM judged WHERE refused = 0
    ), moved AS (
        UPDATE matches SET head = good.last, updated_at = good.at, card = good.card,
            state = good.state, listed = good.listed, seat2 = good.seat2
        FROM good WHERE matches.id = good.id
    ), written AS (
        INSERT INTO journal (match, first, last, at, events)
        SELECT id, head + 1, last, at, events FROM good
    ), timed AS (
        INSERT INTO deadlines (match, at)
        SELECT id, deadline FROM good WHERE deadline IS NOT NULL
        ON CONFLICT (match) DO UPDATE SET at = excluded.at
    ), untimed AS (
        DELETE FROM deadlines USING good WHERE deadlines.match = good.id AND good.deadline IS NULL
    )
    SELECT n, refused FROM judged";

/// Writes plain appends, which must be to different matches. The outcomes are in their order.
pub(super) async fn append_plain(
    tx: &mut Tx,
    entries: &[&PlainAppend],
) -> Result<Vec<Result<(), Refused>>, Error> {
    fn column_of<'e, T>(entries: &[&'e PlainAppend], value: impl Fn(&'e PlainAppend) -> T) -> Vec<T> {
        entries.iter().map(|entry| value(entry)).collect()
    }
    let query = query_as::<Postgres, (i64, i32)>(APPEND)
        .bind(column_of(entries, |entry| entry.id.0))
        .bind(column_of(entries, |entry| i64::from(entry.of.head)))
        .bind(column_of(entries, |entry| i64::from(entry.of.edition)))
        .bind(column_of(entries, |entry| i64::try_from(entry.era.0).unwrap_or(i64::MAX)))
        .bind(column_of(entries, |entry| entry.events.last))
        .bind(column_of(entries, |entry| entry.events.at))
        .bind(column_of(entries, |entry| &*entry.events.events))
        .bind(column_of(entries, |entry| entry.shown.card.to_json()))
        .bind(column_of(entries, |entry| state_column(entry.shown.state)))
        .bind(column_of(entries, |entry| entry.shown.listed))
        .bind(column_of(entries, |entry| entry.shown.seat2.map(|player| player.0)))
        .bind(column_of(entries, |entry| {
            entry.shown.deadline.map(|at| i64::try_from(at).unwrap_or(i64::MAX))
        }));
    let mut judged = query.fetch_all(tx.postgres()?).await?;
    judged.sort_unstable_by_key(|(n, _)| *n);
    if judged.len() != entries.len() {
        return Err(Error::Protocol("the database answered to another number of appends".to_owned()));
    }
    let outcome = |(_, refused)| match refused {
        0 => Ok(()),
        1 => Err(Refused::Outdated),
        _ => Err(Refused::Conflict),
    };
    Ok(judged.into_iter().map(outcome).collect())
}

/// Writes an append to a match that is locked and has its version.
pub(crate) async fn write(tx: &mut Tx, entry: &PlainAppend) -> Result<(), Error> {
    let (shown, events) = (&entry.shown, &entry.events);
    let update = "UPDATE matches SET head = $2, updated_at = $3, card = $4, state = $5, listed = $6, seat2 = $7 \
         WHERE id = $1";
    let args = args![
        entry.id,
        events.last,
        events.at,
        shown.card.to_json(),
        shown.state,
        shown.listed,
        shown.seat2,
    ];
    tx.execute(update, args).await?;
    insert(tx, entry.id, events).await?;
    let upsert = "INSERT INTO deadlines (match, at) VALUES ($1, $2) \
         ON CONFLICT (match) DO UPDATE SET at = excluded.at";
    match shown.deadline {
        Some(at) => tx.execute(upsert, args![entry.id, at]).await.map(drop),
        None => tx.execute("DELETE FROM deadlines WHERE match = $1", args![entry.id]).await.map(drop),
    }
}

/// Stores the row and the events of a new match.
pub(crate) async fn create(tx: &mut Tx, new: &NewRow) -> Result<(), Error> {
    let (shown, events) = (&new.shown, &new.events);
    let insert_row = "INSERT INTO matches (id, game, state, listed, seat1, seat2, made_by, head, updated_at, card) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let args = args![
        new.id,
        shown.card.game(),
        shown.state,
        shown.listed,
        shown.seat1,
        shown.seat2,
        new.made_by,
        events.last,
        events.at,
        shown.card.to_json(),
    ];
    tx.execute(insert_row, args).await?;
    insert(tx, new.id, events).await?;
    if let Some(at) = shown.deadline {
        tx.execute("INSERT INTO deadlines (match, at) VALUES ($1, $2)", args![new.id, at]).await?;
    }
    Ok(())
}

async fn insert(
    tx: &mut Tx,
    id: MatchId,
    AppendRow { first, last, at, events }: &AppendRow,
) -> Result<(), Error> {
    let insert = "INSERT INTO journal (match, first, last, at, events) VALUES ($1, $2, $3, $4, $5)";
    tx.execute(insert, args![id, *first, *last, *at, events]).await.map(drop)
}

/// The row lock waits for a commit under way; and of what was read before, nothing is appended to another
/// edition.
const SHUT_OUT: &str = "UPDATE matches SET edition = edition + 1 WHERE id = $1 \
     RETURNING head, edition, (SELECT at FROM deadlines WHERE match = $1)";
/// Waits for a creation under way, and takes the id from one that is late.
const TAKE_ID: &str = "INSERT INTO secrets (match) VALUES ($1) ON CONFLICT DO NOTHING";
const IS_TAKEN: &str = "SELECT 1 FROM secrets WHERE match = $1 AND secret IS NULL";

/// Waits until writes to a match are decided whose outcome is unknown, and shuts out what comes late.
pub(crate) async fn settle(tx: &mut Tx, id: MatchId) -> Done<Option<Head>> {
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
}

/// One statement, so that the edition and the events are of one state of the database.
pub(crate) const EVENTS: &str = "SELECT edition, journal.first, journal.last, journal.at, journal.events \
     FROM matches LEFT JOIN LATERAL (\
         SELECT * FROM journal WHERE match = $1 AND last > $2 ORDER BY last LIMIT $3\
     ) AS journal ON true WHERE id = $1";

type EventsRow = (u32, Option<i64>, Option<i64>, Option<i64>, Option<String>);

/// Reads at most `limit` appends with events after number `since`, in order, and the edition of the match.
pub(crate) async fn appends(
    tx: &mut Tx,
    id: MatchId,
    since: u32,
    limit: u32,
) -> Result<(u32, Vec<AppendRow>), Error> {
    let mut found: Vec<EventsRow> = tx.all(EVENTS, args![id, since, limit]).await?;
    // A join promises no order.
    found.sort_unstable_by_key(|(_, first, ..)| *first);
    let edition = found.first().map_or(0, |row| row.0);
    let append = |(_, first, last, at, events): EventsRow| {
        Some(AppendRow { first: first?, last: last?, at: at?, events: events? })
    };
    Ok((edition, found.into_iter().filter_map(append).collect()))
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
    let update = "UPDATE matches SET card = $2, edition = edition + 1 WHERE id = $1";
    tx.execute(update, args![id, card.to_json()]).await?;
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
