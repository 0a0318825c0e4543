//! Packs finished matches, in a file.

use std::time::Duration;

use lusoria_play::Millis;
use sqlx::Error;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::Store;
use crate::{
    StoreError,
    append_row::AppendRow,
    sql::{Tx, args},
    sqlite::{
        journal::{appends_after, delete},
        match_columns::card,
        packed::{self, pack, pack_card},
    },
};

/// How many rows of the journal one write replaces, so that turns need not wait long for it.
const ROWS_AT_ONCE: usize = 1_000;

/// How many matches are looked at together: those that ended together lie on the same pages.
const MATCHES_AT_ONCE: u32 = 64;

/// Packs the matches that ended and have not changed for the time `settled_after`.
pub(super) async fn pack_settled(db: &Store, now: Millis, settled_after: Duration) -> Result<(), StoreError> {
    let settled_after = Millis::try_from(settled_after.as_millis()).unwrap_or(Millis::MAX);
    let before = now.saturating_sub(settled_after);
    // What cannot be packed stays as it is, and is not tried again before the next time.
    let mut after = (i64::MIN, 0_i64);
    loop {
        let settled = "SELECT at, match FROM settling WHERE at <= $1 AND (at, match) > ($2, $3) \
             ORDER BY at, match LIMIT $4";
        let found: Vec<(i64, i64)> =
            db.all(settled, args![before, after.0, after.1, MATCHES_AT_ONCE]).await?;
        let Some(&newest) = found.last() else { return Ok(()) };
        after = newest;
        let mut batch = Vec::new();
        let mut count = 0;
        for (_, number) in found {
            let packed = match read_and_pack(db, number).await {
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
                store(db, std::mem::take(&mut batch)).await?;
                count = 0;
            }
        }
        store(db, batch).await?;
    }
}

/// A match as it will be stored.
struct Packed {
    number: i64,
    /// Its head when it was read, and how often it had been rewritten.
    head: i64,
    edition: i64,
    /// How many rows of the journal it replaces.
    appends: usize,
    updated_at: i64,
    body: Vec<u8>,
    card: Vec<u8>,
}

/// What is read of a match to pack it: its head, edition, time, card and standing, what is packed already, and the rest.
type Unpacked = ((i64, i64, i64, Vec<u8>, Option<String>), Vec<AppendRow>, Vec<AppendRow>);

/// Reads a match and packs it; none if it has not ended.
async fn read_and_pack(db: &Store, number: i64) -> Result<Option<Packed>, StoreError> {
    let found: Option<Unpacked> = db
        .read(move |tx| {
            Box::pin(async move {
                tx.queue("BEGIN", args![]).await?;
                let read = unpacked(tx, number).await;
                tx.end_reading(read).await
            })
        })
        .await?;
    let Some((row, mut all, journal)) = found else { return Ok(None) };
    let (head, edition, updated_at, shown, standing) = row;
    let work = move || {
        let appends = journal.len();
        all.extend(journal);
        let shown = card(&shown, standing.as_deref(), updated_at)?;
        let card = pack_card(&shown.to_json())?;
        Ok(Packed { number, head, edition, appends, updated_at, body: pack(&all)?, card })
    };
    spawn_blocking(work).await.expect("packing does not panic").map(Some)
}

async fn unpacked(tx: &mut Tx, number: i64) -> Result<Option<Unpacked>, Error> {
    let select = "SELECT head, edition, updated_at, card, standing \
         FROM match_rows WHERE number = $1 AND state = 'finished'";
    let Some(row) = tx.first(select, args![number]).await? else { return Ok(None) };
    let packed = packed::read(tx, number).await?;
    let since = packed.last().map_or(0, |append| append.last);
    let journal = appends_after(tx, number, u32::try_from(since).unwrap_or(u32::MAX), u32::MAX).await?;
    Ok(Some((row, packed, journal)))
}

/// Stores packed matches that have not changed since they were read.
async fn store(db: &Store, batch: Vec<Packed>) -> Result<(), StoreError> {
    if batch.is_empty() {
        return Ok(());
    }
    let write = db.write_unacknowledged(Uuid::nil(), batch, |tx, batch| {
        Box::pin(async move {
            for Packed { number, head, edition, updated_at, body, card, .. } in batch {
                let update = "UPDATE matches SET packed = $2, updated_at = $4, card = $5 \
                     WHERE number = (SELECT number FROM match_rows \
                         WHERE number = $1 AND head = $2 AND edition = $3 AND state = 'finished')";
                if tx.execute(update, args![*number, *head, *edition, *updated_at, &card[..]]).await? == 1 {
                    packed::replace_parts(tx, *number, body).await?;
                    delete(tx, *number).await?;
                    tx.queue("DELETE FROM settling WHERE match = $1", args![*number]).await?;
                }
            }
            Ok(())
        })
    });
    write.await
}
