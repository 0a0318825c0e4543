//! Counts of the games.

use lusoria_play::MatchId;
use lusoria_rules::Game;
use serde_json::json;
use sqlx::Error;
use uuid::Uuid;

use super::Store;
use crate::{
    CountRow, CountingRound, GameCountRows, StoreError, StoreFuture,
    game_counts::Counting,
    sql::{Statement, Undo, args},
};

const ROUND: &str = "SELECT round, definitions FROM game_counting WHERE id = 1";

impl Store {
    /// The round in which matches are counted by these definitions. If they were counted by earlier ones, another round
    /// begins, without counts. None if later definitions are in use, of another release: leave counting to it.
    pub fn counting_round(&self, definitions: u32) -> StoreFuture<'_, Option<CountingRound>> {
        Box::pin(async move {
            // Nearly always the round goes on.
            let (round, kept) = self.one(ROUND, args![]).await?;
            match Counting::by(definitions, kept, round, false) {
                Counting::GoOn(round) => Ok(Some(round)),
                Counting::LeaveIt => Ok(None),
                Counting::Begin(_) => self.begin_round(definitions, false).await,
            }
        })
    }

    /// Begins another round, without counts, by these definitions. None, and nothing changes, if later ones are in use.
    pub fn count_again(&self, definitions: u32) -> StoreFuture<'_, Option<CountingRound>> {
        Box::pin(self.begin_round(definitions, true))
    }

    async fn begin_round(&self, definitions: u32, again: bool) -> Result<Option<CountingRound>, StoreError> {
        self.write(Uuid::nil(), (definitions, again), |tx, &(definitions, again)| {
            Box::pin(async move {
                // No match is counted in it any more while another round begins.
                let found = tx.lock_first::<(u32, u32)>(ROUND, args![]).await?;
                let (round, kept) = found.ok_or(Error::RowNotFound)?;
                match Counting::by(definitions, kept, round, again) {
                    Counting::LeaveIt => Ok(None),
                    Counting::GoOn(round) => Ok(Some(round)),
                    Counting::Begin(round) => {
                        tx.queue("DELETE FROM game_counts", args![]).await?;
                        let update = "UPDATE game_counting SET round = $1, definitions = $2";
                        tx.queue(update, args![round.0, definitions]).await?;
                        Ok(Some(round))
                    }
                }
            })
        })
        .await
    }

    /// Finds at most `limit` finished matches that are not counted in that round.
    pub fn uncounted(&self, round: CountingRound, limit: u32) -> StoreFuture<'_, Vec<MatchId>> {
        let select = "SELECT id FROM matches WHERE state = 'finished' AND counted < $1 \
             ORDER BY counted, id LIMIT $2";
        self.all(select, args![round.0, limit])
    }

    /// Counts finished matches of a game: adds what they come to together, each of `counts` once, to its counts.
    /// False, and nothing changes, if one of them is counted already, has not ended or is gone, or another round has
    /// begun.
    pub fn count_matches(
        &self,
        round: CountingRound,
        ids: Vec<MatchId>,
        game: Game,
        counts: Vec<CountRow>,
    ) -> StoreFuture<'_, bool> {
        self.write(Uuid::nil(), (round, ids, game, counts), |tx, (round, ids, game, counts)| {
            Box::pin(async move {
                let mark = "UPDATE matches SET counted = $1 WHERE id = $2 AND state = 'finished' \
                     AND counted < $1 AND $1 = (SELECT round FROM game_counting WHERE id = 1)";
                // It stays the present one until the matches are counted.
                let held = Statement::holding(ROUND, args![]);
                let marks = ids.iter().map(|id| Statement::new(mark, args![round.0, *id]));
                let done = tx.run_all(std::iter::once(held).chain(marks).collect()).await?;
                if done[1..].iter().any(|mark| mark.changed() == 0) {
                    return Err(Undo::With(false));
                }
                // Rows come in order, so that two that add to the same ones do not wait for each other in a circle.
                // Without WHERE, SQLite would take ON CONFLICT for the condition of a join.
                let add = "INSERT INTO game_counts (game, key, count) \
                     SELECT $1, value->>0, CAST(value->>1 AS bigint) FROM json_each($2) WHERE true \
                     ON CONFLICT (game, key) DO UPDATE SET count = game_counts.count + excluded.count";
                tx.queue(add, args![*game, json!(counts)]).await?;
                Ok(true)
            })
        })
    }

    /// Reads the counts of a game.
    pub fn game_counts(&self, game: Game) -> StoreFuture<'_, GameCountRows> {
        Box::pin(async move {
            // One statement sees one moment. The row without a key is the number of matches that wait.
            let select = "SELECT key, count FROM game_counts WHERE game = $1 UNION ALL \
             SELECT NULL, count(*) FROM matches WHERE state = 'finished' \
             AND counted < (SELECT round FROM game_counting WHERE id = 1)";
            let mut found: Vec<(Option<String>, u64)> = self.all(select, args![game]).await?;
            found.sort_unstable();
            let mut counts = GameCountRows::default();
            for (key, count) in found {
                match key {
                    Some(key) => counts.rows.push((key, count)),
                    None => counts.waiting = count,
                }
            }
            Ok(counts)
        })
    }
}
