//! What the computer thinks of matches that are over: at most once for each.

use futures_util::future::BoxFuture;
use lusoria_play::MatchId;
use sqlx::{SqliteConnection, SqlitePool};

use super::{creation, failure, write::Write, writer::Writer};
use crate::{KeptAnalysis, StoreError};

pub(super) async fn get(readers: &SqlitePool, id: MatchId) -> Result<Option<KeptAnalysis>, StoreError> {
    let found: Option<(String, String)> =
        sqlx::query_as("SELECT engine, body FROM analyses WHERE match_id = $1")
            .bind(id.0.to_string())
            .fetch_optional(readers)
            .await
            .map_err(failure::of_read)?;
    Ok(found.map(|(engine, body)| KeptAnalysis { engine, body }))
}

/// Keeps an analysis in place of an earlier one; false if there is no such match.
pub(super) async fn keep(writer: &Writer, id: MatchId, analysis: KeptAnalysis) -> Result<bool, StoreError> {
    let KeptAnalysis { engine, body } = analysis;
    Ok(writer.write(Keep { id: id.0.to_string(), engine, body }).await?)
}

struct Keep {
    id: String,
    engine: String,
    body: String,
}

impl Write for Keep {
    type Outcome = bool;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<bool>> {
        Box::pin(async {
            if !creation::is_there(connection, &self.id).await? {
                return Ok(false);
            }
            sqlx::query(
                "INSERT INTO analyses (match_id, engine, body) VALUES ($1, $2, $3) \
                 ON CONFLICT (match_id) DO UPDATE SET engine = excluded.engine, body = excluded.body",
            )
            .bind(&self.id)
            .bind(&self.engine)
            .bind(&self.body)
            .execute(&mut *connection)
            .await?;
            Ok(true)
        })
    }
}
