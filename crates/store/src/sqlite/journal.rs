//! The head, the secret and the deadline of a match.

use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis};

use super::{
    readers::Readers,
    sql::{execute, first},
    text::{bytes, column, millis, seq},
    writer::Writer,
};
use crate::{Head, StoreError};

/// Corrects the deadline of a match that still has that head.
pub(super) async fn set_deadline(
    writer: &Writer,
    id: MatchId,
    head: u32,
    deadline: Option<Millis>,
) -> Result<(), StoreError> {
    let set = writer.write_unacknowledged(move |connection| {
        let set = "UPDATE matches SET deadline = ?1 WHERE id = ?2 AND head = ?3";
        execute(connection, set, (deadline.map(column), id.0.to_string(), head)).map(drop)
    });
    Ok(set.await?)
}

/// The head of a match.
pub(super) async fn head(readers: &Readers, id: MatchId) -> Result<Option<Head>, StoreError> {
    let select = "SELECT head, deadline FROM matches WHERE id = ?1";
    let found: Option<(i64, Option<i64>)> =
        readers.read(move |connection| first(connection, select, [id.0.to_string()])).await?;
    let Some((head, deadline)) = found else { return Ok(None) };
    Ok(Some(Head { seq: seq(head)?, deadline: deadline.map(millis).transpose()? }))
}

/// The secret `s[1024]` of a match.
pub(super) async fn secret(readers: &Readers, id: MatchId) -> Result<Option<Secret>, StoreError> {
    let select = "SELECT secret FROM secrets WHERE match_id = ?1";
    let found: Option<(String,)> =
        readers.read(move |connection| first(connection, select, [id.0.to_string()])).await?;
    found.map(|(hex,)| bytes(hex).map(Secret::new)).transpose()
}
