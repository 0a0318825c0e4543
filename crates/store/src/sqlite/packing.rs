//! Packs finished matches, and puts packed ones back.

use std::time::Duration;

use rusqlite::Connection;

use super::{
    events,
    match_columns::{card, card_column},
    packed::{self, note_settling, pack, pack_card},
    readers::{Readers, blocking},
    sql::{execute, first, one, rows},
    text::column,
    writer::Writer,
};
use crate::{Millis, StoreError};

/// How many rows of the journal one write replaces, so that turns need not wait long for it.
const ROWS_AT_ONCE: usize = 1_000;

/// How many matches are looked at together: those that ended together lie on the same pages.
const MATCHES_AT_ONCE: u32 = 64;

/// Packs the matches that ended and have not changed for the time `settled_after`.
pub(super) async fn pack_settled(
    writer: &Writer,
    readers: &Readers,
    now: Millis,
    settled_after: Duration,
) -> Result<(), StoreError> {
    let settled_after = Millis::try_from(settled_after.as_millis()).unwrap_or(Millis::MAX);
    let before = column(now.saturating_sub(settled_after));
    // What cannot be packed stays as it is, and is not tried again before the next time.
    let mut after = (i64::MIN, 0);
    loop {
        let settled = "SELECT at, match FROM settling WHERE at <= ?1 AND (at, match) > (?2, ?3) \
             ORDER BY at, match LIMIT ?4";
        let range = (before, after.0, after.1, MATCHES_AT_ONCE);
        let found: Vec<(i64, i64)> = readers.read(move |connection| rows(connection, settled, range)).await?;
        let Some(&newest) = found.last() else { return Ok(()) };
        after = newest;
        let mut batch = Vec::new();
        let mut count = 0;
        for (_, number) in found {
            let packed = match read_and_pack(readers, number).await {
                Ok(Some(packed)) => packed,
                Ok(None) => continue,
                Err(StoreError::Corrupt(why) | StoreError::Failed(why)) => {
                    tracing::error!(number, why, "could not pack a match; leaving it as it is");
                    continue;
                }
                Err(error) => return Err(error),
            };
            count += packed.appends;
            batch.push(packed);
            if count >= ROWS_AT_ONCE {
                store(writer, std::mem::take(&mut batch)).await?;
                count = 0;
            }
        }
        store(writer, batch).await?;
    }
}

/// A match as it will be stored.
struct Packed {
    number: i64,
    /// Its head when it was read, and how often it had been rewritten.
    head: i64,
    rewritten: i64,
    /// How many rows of the journal it replaces.
    appends: usize,
    updated_at: i64,
    body: Vec<u8>,
    card: Vec<u8>,
}

/// Reads a match and packs it; none if it has not ended.
async fn read_and_pack(readers: &Readers, number: i64) -> Result<Option<Packed>, StoreError> {
    let found = readers.read(move |connection| {
        let _snapshot = connection.unchecked_transaction()?;
        let row = "SELECT head, rewritten, updated_at, card, standing \
             FROM match_rows WHERE number = ?1 AND state = 'finished'";
        let Some(row) = first::<(i64, i64, i64, Vec<u8>, Option<String>)>(connection, row, [number])? else {
            return Ok(None);
        };
        let journal = events::journal_after(connection, number, 0, u32::MAX)?;
        Ok(Some((row, packed::read(connection, number)?, journal)))
    });
    let Some((row, mut all, journal)) = found.await? else { return Ok(None) };
    let (head, rewritten, updated_at, shown, standing) = row;
    let work = move || {
        let appends = journal.len();
        all.extend(journal);
        let shown = card(&shown, standing.as_deref(), updated_at)?;
        let card = pack_card(&card_column(&shown))?;
        Ok(Packed { number, head, rewritten, appends, updated_at, body: pack(&all)?, card })
    };
    blocking(work).await.map(Some)
}

/// Stores packed matches that have not changed since they were read.
async fn store(writer: &Writer, batch: Vec<Packed>) -> Result<(), StoreError> {
    if batch.is_empty() {
        return Ok(());
    }
    let write = writer.write_unacknowledged(move |connection| {
        for Packed { number, head, rewritten, updated_at, body, card, .. } in &batch {
            let update = "UPDATE matches SET packed = ?2, updated_at = ?4, card = ?5 \
                 WHERE number = (SELECT number FROM match_rows \
                     WHERE number = ?1 AND head = ?2 AND rewritten = ?3 AND state = 'finished')";
            if execute(connection, update, (number, head, rewritten, updated_at, card))? == 1 {
                packed::replace_parts(connection, *number, body)?;
                events::delete(connection, *number)?;
                execute(connection, "DELETE FROM settling WHERE match = ?1", [number])?;
            }
        }
        Ok(())
    });
    Ok(write.await?)
}

/// Puts the events of a packed match back into the journal, so that they can be changed.
pub(super) fn put_back(connection: &Connection, number: i64) -> rusqlite::Result<()> {
    let mut appends = packed::read(connection, number)?;
    if appends.is_empty() {
        return Ok(());
    }
    let now = "SELECT standing, state = 'finished', updated_at FROM match_rows WHERE number = ?1";
    let (standing, has_ended, at): (Option<String>, bool, i64) = one(connection, now, [number])?;
    appends.extend(events::journal_after(connection, number, 0, u32::MAX)?);
    events::delete(connection, number)?;
    let mut before = None;
    for append in &appends {
        before = Some(events::insert(connection, number, before, append, standing.as_deref())?);
    }
    execute(connection, "DELETE FROM packed WHERE match = ?1", [number])?;
    execute(connection, "UPDATE matches SET packed = 0 WHERE number = ?1", [number])?;
    note_settling(connection, number, has_ended, at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteOptions, SqliteStore, append_row::AppendRow};

    const CARD: &[u8] =
        br#"{"terms":{"variant":{"game":"tavla","mother":"play_on"},"points":1,"clock":{"kind":"none"},
        "colours":"lot","admission":"open"},"players":[null,null],"score":[0,0],"white":null,"waits_for":null,
        "turns":0,"created_at":1,"updated_at":1,"result":{"ended":"drawn"}}"#;

    /// Else a name that is erased meanwhile would come back.
    #[tokio::test]
    async fn a_match_that_is_rewritten_while_it_is_packed_is_packed_later() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let store = SqliteStore::open(&path, SqliteOptions::default()).await.expect("opened");
        let make = store.writer.write(|connection| {
            let insert = "INSERT INTO matches (id, game, state, listed, seat1, updated_at, card) \
                 VALUES (x'00', 'tavla', 'finished', 1, x'00', 1, ?1)";
            execute(connection, insert, [CARD])?;
            let number = connection.last_insert_rowid();
            let append = AppendRow { first: 1, last: 1, at: 1, events: "[{}]".to_owned() };
            events::insert(connection, number, None, &append, None)?;
            note_settling(connection, number, true, 1)?;
            Ok(number)
        });
        let number = make.await.expect("made");
        let read = read_and_pack(&store.readers, number).await.expect("read").expect("it has ended");
        let rewrite = store.writer.write(move |connection| {
            execute(connection, "UPDATE matches SET rewritten = rewritten + 1 WHERE number = ?1", [number])
        });
        rewrite.await.expect("rewritten");
        super::store(&store.writer, vec![read]).await.expect("tried");
        let is_packed =
            move |connection: &Connection| packed::parts(connection, number).map(|parts| !parts.is_empty());
        assert!(!store.readers.read(is_packed).await.expect("read"));
        pack_settled(&store.writer, &store.readers, 1, Duration::ZERO).await.expect("packed");
        assert!(store.readers.read(is_packed).await.expect("read"));
        store.close_all().await;
    }
}
