//! The head, the secret and the deadline of a match.

use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis};

use super::{
    deadlines,
    readers::Readers,
    sql::first,
    text::{column, millis, seq},
    writer::Writer,
};
use crate::{Head, StoreError};

/// Corrects the deadline of a match that still has that head.
pub(super) async fn correct_deadline(
    writer: &Writer,
    id: MatchId,
    head: u32,
    deadline: Option<Millis>,
) -> Result<(), StoreError> {
    let correct = writer.write_unacknowledged(move |connection| {
        let with_head = "SELECT number FROM match_rows WHERE id = ?1 AND head = ?2";
        match first(connection, with_head, (id.0.into_bytes(), head))? {
            Some((number,)) => deadlines::set(connection, number, deadline.map(column)),
            None => Ok(()),
        }
    });
    Ok(correct.await?)
}

/// The head of a match.
pub(super) async fn head(readers: &Readers, id: MatchId) -> Result<Option<Head>, StoreError> {
    let select = "SELECT head, (SELECT at FROM deadlines WHERE match = number) FROM match_rows WHERE id = ?1";
    let found: Option<(i64, Option<i64>)> =
        readers.read(move |connection| first(connection, select, [id.0.into_bytes()])).await?;
    let Some((head, deadline)) = found else { return Ok(None) };
    Ok(Some(Head { seq: seq(head)?, deadline: deadline.map(millis).transpose()? }))
}

/// The secret `s[1024]` of a match.
pub(super) async fn secret(readers: &Readers, id: MatchId) -> Result<Option<Secret>, StoreError> {
    let select = "SELECT secret FROM secrets WHERE match = (SELECT number FROM matches WHERE id = ?1)";
    let found: Option<([u8; 32],)> =
        readers.read(move |connection| first(connection, select, [id.0.into_bytes()])).await?;
    Ok(found.map(|(secret,)| Secret::new(secret)))
}
