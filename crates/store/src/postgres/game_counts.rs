//! Counts of the games.

use std::sync::Arc;

use lusoria_play::MatchId;
use lusoria_rules::Game;
use sqlx_core::{query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::Postgres;
use uuid::Uuid;

use super::{PostgresStore, writer::Writer};
use crate::{
    CountRow, CountingRound, GameCountRows, GameCounts, StoreError, StoreFuture,
    game_counts::Counting,
    text::{column, corrupt},
};

const ROUND: &str = "SELECT round, definitions FROM game_counting WHERE id = 1";
/// Nobody counts in it any more while another round begins.
const LOCK_ROUND: &str = "SELECT round, definitions FROM game_counting WHERE id = 1 FOR UPDATE";
/// It stays the present one until the match is counted.
const SHARE_ROUND: &str = "SELECT round = $1 FROM game_counting WHERE id = 1 FOR SHARE";
const MARK: &str = "UPDATE matches SET counted = $1 WHERE id = $2 AND state = 'finished' AND counted < $1";
/// Rows come in order, so that two that add to the same ones do not wait for each other in a circle.
const ADD: &str = "INSERT INTO game_counts (game, key, count) \
     SELECT $1, key, count FROM unnest($2::text[], $3::bigint[]) AS added (key, count) \
     ON CONFLICT (game, key) DO UPDATE SET count = game_counts.count + excluded.count";
const UNCOUNTED: &str = "SELECT id FROM matches WHERE state = 'finished' AND counted < $1 \
     ORDER BY counted, id LIMIT $2";
const COUNTS: &str = "SELECT key, count FROM game_counts WHERE game = $1 ORDER BY key COLLATE \"C\"";
const WAITING: &str = "SELECT count(*) FROM matches WHERE state = 'finished' \
     AND counted < (SELECT round FROM game_counting WHERE id = 1)";

impl GameCounts for PostgresStore {
    fn counting_round(&self, definitions: u32) -> StoreFuture<'_, Option<CountingRound>> {
        Box::pin(async move {
            // Nearly always the round goes on.
            let found: (i64, i64) = self
                .readers
                .read(|connection| Box::pin(query_as::<Postgres, _>(ROUND).fetch_one(connection)))
                .await?;
            match counting(found, definitions, false) {
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
            let found: Vec<Uuid> = self
                .readers
                .read(|connection| {
                    let select = query_scalar::<Postgres, _>(UNCOUNTED).bind(i64::from(round.0));
                    Box::pin(select.bind(i64::from(limit)).fetch_all(connection))
                })
                .await?;
            Ok(found.into_iter().map(MatchId).collect())
        })
    }

    fn count_match(
        &self,
        round: CountingRound,
        id: MatchId,
        game: Game,
        counts: Vec<CountRow>,
    ) -> StoreFuture<'_, bool> {
        Box::pin(add(&self.writer, round, id, game, counts))
    }

    fn game_counts(&self, game: Game) -> StoreFuture<'_, GameCountRows> {
        Box::pin(async move {
            let found: (Vec<(String, i64)>, i64) = self
                .readers
                .read(|connection| {
                    Box::pin(async move {
                        let rows = query_as::<Postgres, _>(COUNTS)
                            .bind(game.id())
                            .fetch_all(&mut *connection)
                            .await?;
                        Ok((rows, query_scalar::<Postgres, _>(WAITING).fetch_one(connection).await?))
                    })
                })
                .await?;
            let (rows, waiting) = found;
            let number = |count: i64| u64::try_from(count).map_err(corrupt);
            let row = |(key, count)| Ok((key, number(count)?));
            let rows = rows.into_iter().map(row).collect::<Result<_, StoreError>>()?;
            Ok(GameCountRows { rows, waiting: number(waiting)? })
        })
    }
}

fn counting((round, kept): (i64, i64), definitions: u32, again: bool) -> Counting {
    let number = |column: i64| u32::try_from(column).unwrap_or(u32::MAX);
    Counting::by(definitions, number(kept), number(round), again)
}

async fn begin(writer: &Writer, definitions: u32, again: bool) -> Result<Option<CountingRound>, StoreError> {
    let begin = writer.write(Uuid::nil(), move |connection| {
        Box::pin(async move {
            let found = query_as::<Postgres, _>(LOCK_ROUND).fetch_one(&mut *connection).await?;
            match counting(found, definitions, again) {
                Counting::LeaveIt => Ok(None),
                Counting::GoOn(round) => Ok(Some(round)),
                Counting::Begin(round) => {
                    query::<Postgres>("DELETE FROM game_counts").execute(&mut *connection).await?;
                    let update = "UPDATE game_counting SET round = $1, definitions = $2";
                    let update = query::<Postgres>(update).bind(i64::from(round.0));
                    update.bind(i64::from(definitions)).execute(connection).await?;
                    Ok(Some(round))
                }
            }
        })
    });
    Ok(begin.await?)
}

async fn add(
    writer: &Writer,
    round: CountingRound,
    id: MatchId,
    game: Game,
    counts: Vec<CountRow>,
) -> Result<bool, StoreError> {
    let (keys, counts): (Vec<String>, Vec<i64>) =
        counts.into_iter().map(|(key, count)| (key, column(count))).unzip();
    let added = Arc::new((keys, counts));
    let add = writer.write(id.0, move |connection| {
        let added = Arc::clone(&added);
        Box::pin(async move {
            let is_present = query_scalar::<Postgres, bool>(SHARE_ROUND).bind(i64::from(round.0));
            if !is_present.fetch_one(&mut *connection).await? {
                return Ok(false);
            }
            let mark = query::<Postgres>(MARK).bind(i64::from(round.0)).bind(id.0);
            if mark.execute(&mut *connection).await?.rows_affected() == 0 {
                return Ok(false);
            }
            let (keys, counts) = &*added;
            let add = query::<Postgres>(ADD).bind(game.id()).bind(keys).bind(counts);
            add.execute(connection).await?;
            Ok(true)
        })
    });
    Ok(add.await?)
}
