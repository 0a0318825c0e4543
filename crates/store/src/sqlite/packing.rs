//! Finished matches packed: all their events compressed in one piece.
//!
//! The text that is compressed has a line for each append: the milliseconds since the append before
//! it, a space, and its events as a JSON array. Events are numbered from 1. The compressor knows
//! what such texts have in common from a dictionary, which never changes: a later one would be
//! another file, and its number in the first byte of what is packed.

use std::{borrow::Cow, fmt::Write, sync::LazyLock, time::Duration};

use rusqlite::Connection;
use zstd::{
    bulk::{Compressor, Decompressor},
    dict::{DecoderDictionary, EncoderDictionary},
    zstd_safe::CParameter,
};

use super::{
    events::{self, AppendRow},
    failure::undecodable,
    match_columns::{card, card_column},
    readers::Readers,
    sql::{execute, first, one, rows},
    text::{column, corrupt},
    writer::Writer,
};
use crate::{Millis, StoreError};

/// The first byte of what is packed with [`DICTIONARY`]; the length of the text, four bytes from the
/// least on, follows.
const FORM: u8 = 1;

/// What journals have in common, learned from matches of all games.
const DICTIONARY: &[u8] = include_bytes!("../../dictionary/journal-1.zdict");

/// How hard to compress: level 15 takes five times as long for a tenth less.
const LEVEL: i32 = 9;

static TO_PACK: LazyLock<EncoderDictionary<'static>> =
    LazyLock::new(|| EncoderDictionary::copy(DICTIONARY, LEVEL));
static TO_UNPACK: LazyLock<DecoderDictionary<'static>> =
    LazyLock::new(|| DecoderDictionary::copy(DICTIONARY));

/// The longest text that is unpacked, in bytes: a damaged length must not take all memory.
const TEXT_MAX: usize = 256 << 20;

/// The length of a part. SQLite fills its pages well with rows that are small beside them.
const PART: usize = 480;

/// How many rows of the journal one write replaces, so that turns need not wait long for it.
const ROWS_AT_ONCE: usize = 1_000;

/// How many matches are looked at together: those that ended together lie on the same pages.
const MATCHES_AT_ONCE: u32 = 64;

/// Compresses some bytes; a checksum is in them.
fn compress(bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    let failed = |error| StoreError::Failed(format!("packing: {error}"));
    let mut compressor = Compressor::with_prepared_dictionary(&TO_PACK).map_err(failed)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true)).map_err(failed)?;
    compressor.set_parameter(CParameter::DictIdFlag(false)).map_err(failed)?;
    let compressed = compressor.compress(bytes).map_err(failed)?;
    let length =
        u32::try_from(bytes.len()).map_err(|error| StoreError::Failed(format!("packing: {error}")))?;
    Ok([&[FORM], &length.to_le_bytes()[..], &compressed].concat())
}

/// The reverse of [`compress`].
fn decompress(packed: &[u8]) -> Result<Vec<u8>, StoreError> {
    let Some(([FORM, length @ ..], frame)) = packed.split_first_chunk::<5>() else {
        return Err(corrupt("packed in a form that is not known"));
    };
    let length = u32::from_le_bytes(*length) as usize;
    if length > TEXT_MAX {
        return Err(corrupt("packed, and damaged: it is too long"));
    }
    let unpacked = Decompressor::with_prepared_dictionary(&TO_UNPACK)
        .and_then(|mut decompressor| decompressor.decompress(frame, length))
        .map_err(|error| corrupt(format!("packed, and damaged: {error}")))?;
    if unpacked.len() == length { Ok(unpacked) } else { Err(corrupt("packed, and damaged: it is too short")) }
}

/// The appends of a match from its first event on, compressed.
pub(super) fn pack(appends: &[AppendRow]) -> Result<Vec<u8>, StoreError> {
    let mut text = String::new();
    let mut before = 0;
    for append in appends {
        writeln!(text, "{} {}", append.at - before, append.events).expect("a string takes all");
        before = append.at;
    }
    let packed = compress(text.as_bytes())?;
    // Before the journal is deleted.
    if unpack(&packed)? == appends { Ok(packed) } else { Err(corrupt("the journal has a gap")) }
}

/// The reverse of [`pack`].
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<AppendRow>, StoreError> {
    let text = String::from_utf8(decompress(packed)?).map_err(corrupt)?;
    let (mut at, mut last) = (0_i64, 0_i64);
    let mut append = |line: &str| {
        let (since, events) = line.split_once(' ')?;
        at = at.checked_add(since.parse().ok()?)?;
        let count: Vec<&serde_json::value::RawValue> = serde_json::from_str(events).ok()?;
        let first = last + 1;
        last += i64::try_from(count.len()).ok()?;
        Some(AppendRow { first, last, at, events: events.to_owned() })
    };
    text.lines().map(|line| append(line).ok_or_else(|| corrupt("packed, and not a journal"))).collect()
}

/// What lists show of a match, packed.
pub(super) fn pack_card(json: &str) -> Result<Vec<u8>, StoreError> {
    compress(json.as_bytes())
}

/// What lists show of a match as JSON, whether it is packed or not.
pub(super) fn card_json(column: &[u8]) -> Result<Cow<'_, [u8]>, StoreError> {
    if column.first() == Some(&b'{') { Ok(Cow::Borrowed(column)) } else { decompress(column).map(Cow::Owned) }
}

/// What is packed of a match, all parts of it.
fn parts(connection: &Connection, number: i64) -> rusqlite::Result<Vec<u8>> {
    let select = "SELECT body FROM packed WHERE match = ?1 ORDER BY arrival";
    let parts: Vec<(Vec<u8>,)> = rows(connection, select, [number])?;
    Ok(parts.into_iter().flat_map(|(part,)| part).collect())
}

/// The appends of a match that are packed.
pub(super) fn read(connection: &Connection, number: i64) -> rusqlite::Result<Vec<AppendRow>> {
    let parts = parts(connection, number)?;
    if parts.is_empty() { Ok(Vec::new()) } else { unpack(&parts).map_err(undecodable) }
}

/// Stores what is packed of a match in place of what was before.
pub(super) fn replace_parts(connection: &Connection, number: i64, packed: &[u8]) -> rusqlite::Result<()> {
    execute(connection, "DELETE FROM packed WHERE match = ?1", [number])?;
    for part in packed.chunks(PART) {
        execute(connection, "INSERT INTO packed (match, body) VALUES (?1, ?2)", (number, part))?;
    }
    Ok(())
}

/// Notes that a match has ended, and when it last changed; or that it has not.
pub(super) fn note_settling(
    connection: &Connection,
    number: i64,
    has_ended: bool,
    at: i64,
) -> rusqlite::Result<()> {
    if has_ended {
        let upsert = "INSERT INTO settling (match, at) VALUES (?1, ?2) \
             ON CONFLICT (match) DO UPDATE SET at = excluded.at";
        execute(connection, upsert, (number, at)).map(drop)
    } else {
        execute(connection, "DELETE FROM settling WHERE match = ?1", [number]).map(drop)
    }
}

/// Packs the matches that have ended and have not changed for so long.
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
            let packed = match packed(readers, number).await {
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
                write(writer, std::mem::take(&mut batch)).await?;
                count = 0;
            }
        }
        write(writer, batch).await?;
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
async fn packed(readers: &Readers, number: i64) -> Result<Option<Packed>, StoreError> {
    let found = readers.read(move |connection| {
        let _snapshot = connection.unchecked_transaction()?;
        let row = "SELECT head, rewritten, updated_at, card, standing \
             FROM match_rows WHERE number = ?1 AND state = 'finished'";
        let Some(row) = first::<(i64, i64, i64, Vec<u8>, Option<String>)>(connection, row, [number])? else {
            return Ok(None);
        };
        let journal = events::journal_after(connection, number, 0, u32::MAX)?;
        Ok(Some((row, read(connection, number)?, journal)))
    });
    let Some((row, mut all, journal)) = found.await? else { return Ok(None) };
    let (head, rewritten, updated_at, shown, standing) = row;
    let pack = move || {
        let appends = journal.len();
        all.extend(journal);
        let shown = card(&shown, standing.as_deref(), updated_at)?;
        let card = pack_card(&card_column(&shown))?;
        Ok(Packed { number, head, rewritten, appends, updated_at, body: pack(&all)?, card })
    };
    super::blocking(pack).await.map(Some)
}

/// Stores packed matches that have not changed since they were read.
async fn write(writer: &Writer, batch: Vec<Packed>) -> Result<(), StoreError> {
    if batch.is_empty() {
        return Ok(());
    }
    let write = writer.write_unacknowledged(move |connection| {
        for Packed { number, head, rewritten, updated_at, body, card, .. } in &batch {
            let update = "UPDATE matches SET packed = ?2, updated_at = ?4, card = ?5 \
                 WHERE number = (SELECT number FROM match_rows \
                     WHERE number = ?1 AND head = ?2 AND rewritten = ?3 AND state = 'finished')";
            if execute(connection, update, (number, head, rewritten, updated_at, card))? == 1 {
                replace_parts(connection, *number, body)?;
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
    let mut appends = read(connection, number)?;
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
    use crate::sqlite::{SqliteOptions, SqliteStore};

    fn appends() -> Vec<AppendRow> {
        let append = |first, last, at, events: &str| AppendRow { first, last, at, events: events.to_owned() };
        vec![
            append(1, 1, 1_700_000_000_000, r#"[{"type":"created"}]"#),
            append(2, 4, 1_700_000_000_000, r#"[{"a":"[\n,]"},{"b":[1,2]},3]"#),
            append(5, 5, 1_700_000_000_017, r#"[{"type":"passed","name":"Ζήνων"}]"#),
        ]
    }

    #[test]
    fn what_is_packed_comes_back() {
        assert_eq!(unpack(&pack(&appends()).expect("packed")).expect("a journal"), appends());
    }

    #[test]
    fn damage_is_found() {
        let packed = pack(&appends()).expect("packed");
        for at in 0..packed.len() {
            let mut damaged = packed.clone();
            damaged[at] ^= 4;
            assert!(unpack(&damaged).is_err(), "byte {at}");
        }
        assert!(unpack(&packed[..packed.len() - 1]).is_err());
        assert!(unpack(&[]).is_err());
    }

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
            events::insert(connection, number, None, &appends()[0], None)?;
            note_settling(connection, number, true, 1)?;
            Ok(number)
        });
        let number = make.await.expect("made");
        let read = packed(&store.readers, number).await.expect("read").expect("it has ended");
        let rewrite = store.writer.write(move |connection| {
            execute(connection, "UPDATE matches SET rewritten = rewritten + 1 WHERE number = ?1", [number])
        });
        rewrite.await.expect("rewritten");
        write(&store.writer, vec![read]).await.expect("tried");
        let is_packed =
            move |connection: &Connection| parts(connection, number).map(|parts| !parts.is_empty());
        assert!(!store.readers.read(is_packed).await.expect("read"));
        pack_settled(&store.writer, &store.readers, 1, Duration::ZERO).await.expect("packed");
        assert!(store.readers.read(is_packed).await.expect("read"));
        store.close_all().await;
    }
}
