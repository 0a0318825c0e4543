//! Conditional turns: what players have laid down to be played for them.

use lusoria_play::{ConditionalTurns, MatchId, Millis, PlayerId};

use super::{
    SqliteStore,
    creation::number_of,
    readers::Readers,
    sql::{execute, exists, first, rows},
    text::{column, match_id},
    writer::Writer,
};
use crate::{
    Conditionals, StoreError, StoreFuture,
    conditional::{turns_column, turns_of},
};

impl Conditionals for SqliteStore {
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
    let guest = guest.0.to_string();
    let set = writer.write(move |connection| {
        let Some(number) = number_of(connection, id)? else { return Ok(false) };
        if !exists(connection, "SELECT 1 FROM guests WHERE id = ?1", [&guest])? {
            return Ok(false);
        }
        if turns.is_empty() {
            let remove = "DELETE FROM conditional_turns WHERE match = ?1 AND guest_id = ?2";
            execute(connection, remove, (number, &guest))?;
        } else {
            let upsert = "INSERT INTO conditional_turns (match, guest_id, turns) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (match, guest_id) DO UPDATE SET turns = excluded.turns";
            execute(connection, upsert, (number, &guest, turns_column(&turns)))?;
        }
        Ok(true)
    });
    Ok(set.await?)
}

async fn get(
    readers: &Readers,
    id: MatchId,
    guest: PlayerId,
) -> Result<Option<ConditionalTurns>, StoreError> {
    let select = "SELECT turns FROM conditional_turns \
         WHERE match = (SELECT number FROM matches WHERE id = ?1) AND guest_id = ?2";
    let by = (id.0.into_bytes(), guest.0.to_string());
    let found: Option<(String,)> = readers.read(move |connection| first(connection, select, by)).await?;
    found.map(|(turns,)| turns_of(&turns)).transpose()
}

async fn of_guest(
    readers: &Readers,
    guest: PlayerId,
) -> Result<Vec<(MatchId, ConditionalTurns)>, StoreError> {
    let select = "SELECT matches.id, turns FROM conditional_turns JOIN matches ON matches.number = conditional_turns.match \
         WHERE guest_id = ?1 ORDER BY matches.id";
    let guest = guest.0.to_string();
    let found: Vec<([u8; 16], String)> =
        readers.read(move |connection| rows(connection, select, [guest])).await?;
    found.into_iter().map(|(id, turns)| Ok((match_id(id), turns_of(&turns)?))).collect()
}

async fn matches(
    readers: &Readers,
    since: Millis,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Vec<MatchId>, StoreError> {
    let select = "SELECT DISTINCT match_rows.id FROM conditional_turns \
         JOIN match_rows ON match_rows.number = conditional_turns.match \
         WHERE state <> 'finished' AND updated_at >= ?1 AND match_rows.id > ?2 ORDER BY match_rows.id LIMIT ?3";
    let after = after.map_or_else(Vec::new, |id| id.0.into_bytes().to_vec());
    let by = (column(since), after, limit);
    let found: Vec<([u8; 16],)> = readers.read(move |connection| rows(connection, select, by)).await?;
    Ok(found.into_iter().map(|(id,)| match_id(id)).collect())
}
