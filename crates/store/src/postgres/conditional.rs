//! Conditional turns: what players have laid down to be played for them.

use std::sync::Arc;

use lusoria_play::{ConditionalTurns, MatchId, Millis, PlayerId};
use sqlx_core::{query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::Postgres;
use uuid::Uuid;

use super::{PostgresStore, readers::Readers, writer::Writer};
use crate::{
    Conditionals, StoreError, StoreFuture,
    conditional::{turns_column, turns_of},
    text::column,
};

impl Conditionals for PostgresStore {
    fn set_conditional_turns(
        &self,
        id: MatchId,
        guest: PlayerId,
        turns: ConditionalTurns,
    ) -> StoreFuture<'_, bool> {
        Box::pin(set(&self.writer, id, guest, turns))
    }

    fn conditional_turns(&self, id: MatchId, guest: PlayerId) -> StoreFuture<'_, Option<ConditionalTurns>> {
        Box::pin(get(&self.readers, id, guest))
    }

    fn conditional_turns_of(&self, guest: PlayerId) -> StoreFuture<'_, Vec<(MatchId, ConditionalTurns)>> {
        Box::pin(of_guest(&self.readers, guest))
    }

    fn conditional_matches(
        &self,
        since: Millis,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        Box::pin(matches(&self.readers, since, after, limit))
    }
}

async fn set(
    writer: &Writer,
    id: MatchId,
    guest: PlayerId,
    turns: ConditionalTurns,
) -> Result<bool, StoreError> {
    let turns: Option<Arc<str>> = (!turns.is_empty()).then(|| turns_column(&turns).into());
    let set = writer.write(id.0, move |connection| {
        let turns = turns.clone();
        Box::pin(async move {
            // Locked, so that neither goes meanwhile.
            let has_match = "SELECT id FROM matches WHERE id = $1 FOR SHARE";
            let has_guest = "SELECT id FROM guests WHERE id = $1 FOR SHARE";
            for (select, of) in [(has_match, id.0), (has_guest, guest.0)] {
                let found = query_scalar::<Postgres, Uuid>(select).bind(of);
                if found.fetch_optional(&mut *connection).await?.is_none() {
                    return Ok(false);
                }
            }
            let remove = "DELETE FROM conditional_turns WHERE match = $1 AND guest = $2";
            let upsert = "INSERT INTO conditional_turns (match, guest, turns) VALUES ($1, $2, $3) \
                 ON CONFLICT (match, guest) DO UPDATE SET turns = excluded.turns";
            match turns {
                Some(turns) => {
                    let upsert = query::<Postgres>(upsert).bind(id.0).bind(guest.0).bind(&*turns);
                    upsert.execute(connection).await?
                }
                None => query::<Postgres>(remove).bind(id.0).bind(guest.0).execute(connection).await?,
            };
            Ok(true)
        })
    });
    Ok(set.await?)
}

async fn get(
    readers: &Readers,
    id: MatchId,
    guest: PlayerId,
) -> Result<Option<ConditionalTurns>, StoreError> {
    let select = "SELECT turns FROM conditional_turns WHERE match = $1 AND guest = $2";
    let found: Option<String> = readers
        .read(|connection| {
            let select = query_scalar::<Postgres, _>(select).bind(id.0).bind(guest.0);
            Box::pin(select.fetch_optional(connection))
        })
        .await?;
    found.map(|turns| turns_of(&turns)).transpose()
}

async fn of_guest(
    readers: &Readers,
    guest: PlayerId,
) -> Result<Vec<(MatchId, ConditionalTurns)>, StoreError> {
    let select = "SELECT match, turns FROM conditional_turns WHERE guest = $1 ORDER BY match";
    let found: Vec<(Uuid, String)> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(select).bind(guest.0).fetch_all(connection)))
        .await?;
    found.into_iter().map(|(id, turns)| Ok((MatchId(id), turns_of(&turns)?))).collect()
}

async fn matches(
    readers: &Readers,
    since: Millis,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Vec<MatchId>, StoreError> {
    let select = "SELECT DISTINCT matches.id FROM conditional_turns JOIN matches ON matches.id = match \
         WHERE state <> 'finished' AND updated_at >= $1 AND matches.id > $2 ORDER BY matches.id LIMIT $3";
    let after = after.map_or_else(Uuid::nil, |id| id.0);
    let found: Vec<Uuid> = readers
        .read(|connection| {
            let select = query_scalar::<Postgres, _>(select).bind(column(since)).bind(after);
            Box::pin(select.bind(i64::from(limit)).fetch_all(connection))
        })
        .await?;
    Ok(found.into_iter().map(MatchId).collect())
}
