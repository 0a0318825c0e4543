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
use crate::{HEADS_MAX, Head, StoreError, Version};

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

const HEAD: &str = "SELECT head, rewritten, (SELECT at FROM deadlines WHERE match = number) \
     FROM match_rows WHERE id = ?1";

/// The columns of [`HEAD`].
type HeadRow = (i64, u32, Option<i64>);

fn head_of((head, edition, deadline): HeadRow) -> Result<Head, StoreError> {
    let version = Version { head: seq(head)?, edition };
    Ok(Head { version, deadline: deadline.map(millis).transpose()? })
}

/// The head of a match.
pub(super) async fn head(readers: &Readers, id: MatchId) -> Result<Option<Head>, StoreError> {
    let found = readers.read(move |connection| first(connection, HEAD, [id.0.into_bytes()])).await?;
    found.map(head_of).transpose()
}

/// The heads of those of the matches that exist.
pub(super) async fn heads(readers: &Readers, ids: Vec<MatchId>) -> Result<Vec<(MatchId, Head)>, StoreError> {
    let found = readers.read(move |connection| {
        let mut found = Vec::with_capacity(ids.len());
        for id in ids.into_iter().take(HEADS_MAX) {
            found.extend(first(connection, HEAD, [id.0.into_bytes()])?.map(|row| (id, row)));
        }
        Ok(found)
    });
    found.await?.into_iter().map(|(id, row)| Ok((id, head_of(row)?))).collect()
}

/// The secret `s[1024]` of a match.
pub(super) async fn secret(readers: &Readers, id: MatchId) -> Result<Option<Secret>, StoreError> {
    let select = "SELECT secret FROM secrets WHERE match = (SELECT number FROM matches WHERE id = ?1)";
    let found: Option<([u8; 32],)> =
        readers.read(move |connection| first(connection, select, [id.0.into_bytes()])).await?;
    Ok(found.map(|(secret,)| Secret::new(secret)))
}
