//! What the computer thinks of matches that are over: at most once for each.

use lusoria_play::MatchId;

use super::{
    creation::number_of,
    readers::Readers,
    sql::{execute, first},
    writer::Writer,
};
use crate::{KeptAnalysis, StoreError};

pub(super) async fn get(readers: &Readers, id: MatchId) -> Result<Option<KeptAnalysis>, StoreError> {
    let select = "SELECT engine, body FROM analyses WHERE match = (SELECT number FROM matches WHERE id = ?1)";
    let found = readers.read(move |connection| first(connection, select, [id.0.into_bytes()])).await?;
    Ok(found.map(|(engine, body)| KeptAnalysis { engine, body }))
}

/// Keeps an analysis in place of an earlier one; false if there is no such match.
pub(super) async fn keep(writer: &Writer, id: MatchId, analysis: KeptAnalysis) -> Result<bool, StoreError> {
    let keep = writer.write(move |connection| {
        let Some(number) = number_of(connection, id)? else { return Ok(false) };
        let upsert = "INSERT INTO analyses (match, engine, body) VALUES (?1, ?2, ?3) \
             ON CONFLICT (match) DO UPDATE SET engine = excluded.engine, body = excluded.body";
        execute(connection, upsert, (number, &analysis.engine, &analysis.body))?;
        Ok(true)
    });
    Ok(keep.await?)
}
