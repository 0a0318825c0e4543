//! Counts of the games.

use lusoria_play::MatchId;
use lusoria_rules::Game;
use rusqlite::Connection;

use super::{
    SqliteStore,
    sql::{execute, one, rows},
    text::match_id,
    writer::Writer,
};
use crate::{
    CountRow, CountingRound, GameCountRows, GameCounts, StoreError, StoreFuture, game_counts::Counting,
};

const ROUND: &str = "SELECT round, definitions FROM game_counting WHERE id = 1";
const UNCOUNTED: &str = "SELECT id FROM matches WHERE state = 'finished' AND counted < ?1 \
     ORDER BY counted, number LIMIT ?2";
const WAITING: &str = "SELECT COUNT(*) FROM matches WHERE state = 'finished' \
     AND counted < (SELECT round FROM game_counting WHERE id = 1)";

impl GameCounts for SqliteStore {
    fn counting_round(&self, definitions: u32) -> StoreFuture<'_, Option<CountingRound>> {
        Box::pin(async move {
            // Nearly always the round goes on: that takes no turn of the writer.
            let (round, kept) = self.readers.read(|connection| one(connection, ROUND, [])).await?;
            match Counting::by(definitions, kept, round, false) {
                Counting::GoOn(round) => Ok(Some(round)),
                Counting::LeaveIt => Ok(None),
                Counting::Begin(_) => begin(&self.writer, definitions, false).await,
            }
        })
    }

    fn count_again(&self, definitions: u32) -> StoreFuture<'_, Option<CountingRound>> {
        Box::pin(begin(&self.writer, definitions, true))
    }

    fn uncounted(&self, round: CountingRound, limit: u32) -> StoreFuture<'_, Vec<MatchId>> {
        Box::pin(async move {
            let found: Vec<([u8; 16],)> =
                self.readers.read(move |connection| rows(connection, UNCOUNTED, (round.0, limit))).await?;
            Ok(found.into_iter().map(|(id,)| match_id(id)).collect())
        })
    }

    fn count_match(
        &self,
        round: CountingRound,
        id: MatchId,
        game: Game,
        counts: Vec<CountRow>,
    ) -> StoreFuture<'_, bool> {
        Box::pin(count(&self.writer, round, id, game, counts))
    }

    fn game_counts(&self, game: Game) -> StoreFuture<'_, GameCountRows> {
        Box::pin(async move {
            let read = self.readers.read(move |connection| {
                let _snapshot = connection.unchecked_transaction()?;
                let select = "SELECT key, count FROM game_counts WHERE game = ?1 ORDER BY key";
                let rows = rows(connection, select, [game.id()])?;
                let (waiting,) = one(connection, WAITING, [])?;
                Ok(GameCountRows { rows, waiting })
            });
            read.await
        })
    }
}

async fn begin(writer: &Writer, definitions: u32, again: bool) -> Result<Option<CountingRound>, StoreError> {
    let begin = writer.write(move |connection| {
        let (round, kept) = one(connection, ROUND, [])?;
        match Counting::by(definitions, kept, round, again) {
            Counting::LeaveIt => Ok(None),
            Counting::GoOn(round) => Ok(Some(round)),
            Counting::Begin(round) => {
                execute(connection, "DELETE FROM game_counts", [])?;
                let update = "UPDATE game_counting SET round = ?1, definitions = ?2";
                execute(connection, update, (round.0, definitions))?;
                Ok(Some(round))
            }
        }
    });
    Ok(begin.await?)
}

async fn count(
    writer: &Writer,
    round: CountingRound,
    id: MatchId,
    game: Game,
    counts: Vec<CountRow>,
) -> Result<bool, StoreError> {
    let count = writer.write(move |connection| {
        if !mark(connection, round, id)? {
            return Ok(false);
        }
        let add = "INSERT INTO game_counts (game, key, count) VALUES (?1, ?2, ?3) \
             ON CONFLICT (game, key) DO UPDATE SET count = count + excluded.count";
        for (key, count) in &counts {
            execute(connection, add, (game.id(), key, count))?;
        }
        Ok(true)
    });
    Ok(count.await?)
}

/// Notes that a match is counted; false if it is already, or not to be counted in that round.
fn mark(connection: &Connection, round: CountingRound, id: MatchId) -> rusqlite::Result<bool> {
    let update = "UPDATE matches SET counted = ?1 WHERE id = ?2 AND state = 'finished' AND counted < ?1 \
         AND ?1 = (SELECT round FROM game_counting WHERE id = 1)";
    Ok(execute(connection, update, (round.0, id.0.into_bytes()))? == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteOptions, sql::plan};

    /// There may be millions of matches, and it is looked for them again and again.
    #[tokio::test]
    async fn uncounted_matches_are_found_by_their_index() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let store = SqliteStore::open(&path, SqliteOptions::default()).await.expect("opened");
        for sql in [UNCOUNTED, WAITING] {
            let steps = store.readers.read(move |connection| Ok(plan(connection, sql))).await.expect("read");
            let is_by_index = |step: &String| !step.contains("SCAN matches") && !step.contains("TEMP B-TREE");
            assert!(steps.iter().all(is_by_index), "{steps:?}");
        }
        store.close_all().await;
    }
}
