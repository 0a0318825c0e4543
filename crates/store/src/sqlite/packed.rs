//! What is packed of finished matches: all their events, compressed in one piece.
//!
//! The text that is compressed has a line for each append: the milliseconds since the append before
//! it, a space, and its events as a JSON array. Events are numbered from 1. The compressor knows
//! what such texts have in common from a dictionary, which never changes: a later one would be
//! another file, and its number in the first byte of what is packed.

use std::{borrow::Cow, fmt::Write, sync::LazyLock};

use lusoria_play::MatchId;
use sqlx::Error;
use zstd::{
    bulk::{Compressor, Decompressor},
    dict::{DecoderDictionary, EncoderDictionary},
    zstd_safe::CParameter,
};

use crate::{
    StoreError,
    append_row::AppendRow,
    sql::{Tx, args, value::undecodable},
    text::corrupt,
};

/// The first byte of what is packed with [`DICTIONARY`]; the length of the text, four bytes from the
/// least on, follows.
const FORM: u8 = 1;

/// What journals have in common, learned from matches of all games.
pub(super) const DICTIONARY: &[u8] = include_bytes!("../../dictionary/journal-1.zdict");

/// How hard to compress: level 15 takes five times as long for a tenth less.
pub(super) const LEVEL: i32 = 9;

static TO_PACK: LazyLock<EncoderDictionary<'static>> =
    LazyLock::new(|| EncoderDictionary::copy(DICTIONARY, LEVEL));
static TO_UNPACK: LazyLock<DecoderDictionary<'static>> =
    LazyLock::new(|| DecoderDictionary::copy(DICTIONARY));

/// The longest text that is unpacked, in bytes: a damaged length must not take all memory.
const TEXT_MAX: usize = 256 << 20;

/// The length of a part. SQLite fills its pages well with rows that are small beside them.
const PART: u32 = 480;

/// Compresses some bytes; a checksum is in them.
fn compress(bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    compress_with(&TO_PACK, bytes)
}

/// As [`compress`], with another dictionary.
pub(super) fn compress_with(dictionary: &EncoderDictionary<'_>, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    let failed = |error| StoreError::Failed(format!("packing: {error}"));
    let mut compressor = Compressor::with_prepared_dictionary(dictionary).map_err(failed)?;
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
pub(crate) fn pack(appends: &[AppendRow]) -> Result<Vec<u8>, StoreError> {
    let packed = compress(text_of(appends).as_bytes())?;
    // Before the journal is deleted.
    if unpack(&packed)? == appends { Ok(packed) } else { Err(corrupt("the journal has a gap")) }
}

/// The text that is compressed.
pub(super) fn text_of(appends: &[AppendRow]) -> String {
    let mut text = String::new();
    let mut before = 0;
    for append in appends {
        writeln!(text, "{} {}", append.at - before, append.events).expect("a string takes all");
        before = append.at;
    }
    text
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
pub(crate) fn pack_card(json: &str) -> Result<Vec<u8>, StoreError> {
    compress(json.as_bytes())
}

/// What lists show of a match as JSON, whether it is packed or not.
pub(super) fn card_json(column: &[u8]) -> Result<Cow<'_, [u8]>, StoreError> {
    if column.first() == Some(&b'{') { Ok(Cow::Borrowed(column)) } else { decompress(column).map(Cow::Owned) }
}

/// What is packed of a match, all parts of it.
pub(super) async fn parts(tx: &mut Tx, number: i64) -> Result<Vec<u8>, Error> {
    let select = "SELECT body FROM packed WHERE match = $1 ORDER BY arrival";
    let parts: Vec<Vec<u8>> = tx.all(select, args![number]).await?;
    Ok(parts.concat())
}

/// The appends of a match that are packed.
pub(crate) async fn read(tx: &mut Tx, number: i64) -> Result<Vec<AppendRow>, Error> {
    let parts = parts(tx, number).await?;
    if parts.is_empty() {
        Ok(Vec::new())
    } else {
        unpack(&parts).map_err(|error| undecodable(error.to_string()))
    }
}

/// Stores what is packed of a match in place of what was before.
pub(crate) async fn replace_parts(tx: &mut Tx, number: i64, packed: &[u8]) -> Result<(), Error> {
    tx.queue("DELETE FROM packed WHERE match = $1", args![number]).await?;
    let insert = "INSERT INTO packed (match, body) \
         WITH RECURSIVE part (at) AS (SELECT 1 UNION ALL SELECT at + $3 FROM part WHERE at + $3 <= length($2)) \
         SELECT $1, substr($2, at, $3) FROM part";
    tx.queue(insert, args![number, packed, PART]).await
}

/// Notes that a match has ended, and when it last changed; or that it has not.
pub(super) async fn note_settling(tx: &mut Tx, id: MatchId, has_ended: bool, at: i64) -> Result<(), Error> {
    let upsert = "INSERT INTO settling (match, at) SELECT number, $2 FROM matches WHERE id = $1 \
         ON CONFLICT (match) DO UPDATE SET at = excluded.at";
    if has_ended {
        tx.queue(upsert, args![id, at]).await
    } else {
        let delete = "DELETE FROM settling WHERE match = (SELECT number FROM matches WHERE id = $1)";
        tx.queue(delete, args![id]).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
