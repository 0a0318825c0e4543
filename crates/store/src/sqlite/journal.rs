//! The head, the secret and the deadline of a match.

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis};
use sqlx::{SqliteConnection, SqlitePool};

use super::{
    failure,
    text::{bytes, column, millis, seq},
    write::Write,
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
    let set = SetDeadline { id: id.0.to_string(), head: i64::from(head), deadline: deadline.map(column) };
    Ok(writer.write(set).await?)
}

/// The head of a match.
pub(super) async fn head(readers: &SqlitePool, id: MatchId) -> Result<Option<Head>, StoreError> {
    let found: Option<(i64, Option<i64>)> =
        sqlx::query_as("SELECT head, deadline FROM matches WHERE id = $1")
            .bind(id.0.to_string())
            .fetch_optional(readers)
            .await
            .map_err(failure::of_read)?;
    let Some((head, deadline)) = found else { return Ok(None) };
    Ok(Some(Head { seq: seq(head)?, deadline: deadline.map(millis).transpose()? }))
}

/// The secret `s[1024]` of a match.
pub(super) async fn secret(readers: &SqlitePool, id: MatchId) -> Result<Option<Secret>, StoreError> {
    let found: Option<String> = sqlx::query_scalar("SELECT secret FROM secrets WHERE match_id = $1")
        .bind(id.0.to_string())
        .fetch_optional(readers)
        .await
        .map_err(failure::of_read)?;
    found.map(|hex| bytes(hex).map(Secret::new)).transpose()
}

struct SetDeadline {
    id: String,
    head: i64,
    deadline: Option<i64>,
}

impl Write for SetDeadline {
    type Outcome = ();
    const IS_ACKNOWLEDGED: bool = false;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>> {
        Box::pin(async {
            sqlx::query("UPDATE matches SET deadline = $1 WHERE id = $2 AND head = $3")
                .bind(self.deadline)
                .bind(&self.id)
                .bind(self.head)
                .execute(connection)
                .await?;
            Ok(())
        })
    }
}
