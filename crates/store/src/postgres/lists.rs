//! Lists of matches, and which of them are due. Every query walks an index from its start and stops at
//! its limit, however many matches there are.

use lusoria_play::{Level, MatchId, Millis, PlayerId};
use lusoria_rules::Game;
use sqlx_core::{query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::Postgres;
use uuid::Uuid;

use super::readers::Readers;
use crate::{
    Card, Due, MatchFilter, MatchRow, MatchState, Page, Played, StoreError, Unfinished,
    text::{column, corrupt, first_id_of, millis, seq, state_column},
};

/// The columns of a [`Row`].
macro_rules! columns {
    () => {
        "id, head, updated_at, card"
    };
}

/// Public matches that also meet `$and`.
macro_rules! listed {
    ($and:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM matches WHERE listed AND state = $3 AND id < $1 ",
            $and,
            " ORDER BY id DESC LIMIT $2"
        )
    };
}

/// Matches in which `$3` has a seat that also meet `$and`; one branch for each seat, so that each can
/// walk the index of its seat.
macro_rules! of_player {
    ($and:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM (\
                 (SELECT ",
            columns!(),
            " FROM matches WHERE seat1 = $3 AND id < $1 ",
            $and,
            " ORDER BY id DESC LIMIT $2) \
                 UNION ALL \
                 (SELECT ",
            columns!(),
            " FROM matches WHERE seat2 = $3 AND seat1 <> $3 AND id < $1 ",
            $and,
            " ORDER BY id DESC LIMIT $2)\
             ) AS theirs ORDER BY id DESC LIMIT $2"
        )
    };
}

/// Matches of `$3` that `$6` may see, made since `$4`, of game `$5` or all; `$one` and `$two` say who has the other seat.
macro_rules! played {
    ($one:literal, $two:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM ((SELECT ",
            columns!(),
            " FROM matches WHERE seat1 = $3 AND id < $1 AND ",
            $one,
            " AND (listed OR seat1 = $6 OR seat2 = $6) AND ($5::text IS NULL OR game = $5) \
             ORDER BY id DESC LIMIT $2) UNION ALL (SELECT ",
            columns!(),
            " FROM matches WHERE seat2 = $3 AND seat1 <> $3 AND id < $1 AND ",
            $two,
            " AND (listed OR seat1 = $6 OR seat2 = $6) AND ($5::text IS NULL OR game = $5) \
             ORDER BY id DESC LIMIT $2)) AS theirs ORDER BY id DESC LIMIT $2"
        )
    };
}

const LISTED: &str = listed!("");
const LISTED_OF_GAME: &str = listed!("AND game = $4");
const OF_PLAYER: &str = of_player!("");
const OF_PLAYER_FINISHED: &str = of_player!("AND state = 'finished'");
// The first condition is that of the indexes of unfinished matches.
const OF_PLAYER_UNFINISHED: &str = of_player!("AND state <> 'finished' AND state = $4");
const PLAYED: &str = played!("id >= $4 AND seat2 IS NOT NULL", "id >= $4");
// The first condition is that of the index of both seats; `IS TRUE` has PostgreSQL take it.
const PLAYED_AGAINST: &str = played!(
    "state <> 'open' AND (id >= $4) IS TRUE AND seat2 = $7",
    "state <> 'open' AND (id >= $4) IS TRUE AND seat1 = $7"
);
const ONE: &str = concat!("SELECT ", columns!(), " FROM matches WHERE id = $1");
const STALE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM matches WHERE state <> 'finished' AND updated_at < $1 AND id > $2 ORDER BY id LIMIT $3"
);
const MATCHES_OF: &str = "SELECT id FROM (\
     (SELECT id FROM matches WHERE seat1 = $1 AND id > $2 ORDER BY id LIMIT $3) \
     UNION (SELECT id FROM matches WHERE seat2 = $1 AND id > $2 ORDER BY id LIMIT $3) \
     UNION (SELECT id FROM matches WHERE made_by = $1 AND id > $2 ORDER BY id LIMIT $3)\
     ) AS theirs ORDER BY id LIMIT $3";

const DUE: &str = "SELECT match, at FROM deadlines WHERE at <= $1 ORDER BY at, match LIMIT $2";
const NEXT_DEADLINE: &str = "SELECT min(at) FROM deadlines";
const UNFINISHED: &str = "SELECT (SELECT count(*) FROM matches WHERE seat1 = $1 AND state <> 'finished') \
     + (SELECT count(*) FROM matches WHERE made_by = $1 AND state <> 'finished')";
const UNFINISHED_WITH_COMPUTER: &str = "SELECT \
     (SELECT count(*) FROM matches WHERE seat1 = $1 AND state <> 'finished' AND seat2 = ANY ($2)) \
     + (SELECT count(*) FROM matches WHERE seat2 = $1 AND state <> 'finished' AND seat1 = ANY ($2)) \
     + (SELECT count(*) FROM matches WHERE made_by = $1 AND state <> 'finished')";
const UNFINISHED_AGAINST_ITSELF: &str =
    "SELECT count(*) FROM matches WHERE made_by IS NOT NULL AND state <> 'finished'";
const BY_STATE: &str = "SELECT count(*) FILTER (WHERE state = 'open'), count(*) FILTER (WHERE state = 'live') \
     FROM matches WHERE state <> 'finished'";

type Row = (Uuid, i64, i64, String);

/// A page of matches, the newest first.
pub(super) async fn list(
    readers: &Readers,
    filter: MatchFilter,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Page, StoreError> {
    let after = after.map_or(Uuid::max(), |id| id.0);
    // One more than asked for tells whether there is another page.
    let more = i64::from(limit) + 1;
    let mut found = readers
        .read(|connection| {
            let page = |sql: &'static str| query_as::<Postgres, Row>(sql).bind(after).bind(more);
            let page = match filter {
                MatchFilter::Listed { state, game: None } => page(LISTED).bind(state_column(state)),
                MatchFilter::Listed { state, game: Some(game) } => {
                    page(LISTED_OF_GAME).bind(state_column(state)).bind(game.id())
                }
                MatchFilter::Of { player, state: None } => page(OF_PLAYER).bind(player.0),
                MatchFilter::Of { player, state: Some(MatchState::Finished) } => {
                    page(OF_PLAYER_FINISHED).bind(player.0)
                }
                MatchFilter::Of { player, state: Some(state @ (MatchState::Open | MatchState::Live)) } => {
                    page(OF_PLAYER_UNFINISHED).bind(player.0).bind(state_column(state))
                }
                MatchFilter::Played(Played { player, opponent, game, viewer, from, until }) => {
                    let before = until.map(first_id_of).map_or(after, |until| until.min(after));
                    let since = from.map_or(Uuid::nil(), first_id_of);
                    let played = |sql: &'static str| {
                        let page = query_as::<Postgres, Row>(sql).bind(before).bind(more).bind(player.0);
                        page.bind(since).bind(game.map(Game::id)).bind(viewer.map(|viewer| viewer.0))
                    };
                    match opponent {
                        None => played(PLAYED),
                        Some(opponent) => played(PLAYED_AGAINST).bind(opponent.0),
                    }
                }
            };
            Box::pin(page.fetch_all(connection))
        })
        .await?;
    let has_more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let last = found.last().filter(|_| has_more).map(|row| MatchId(row.0));
    Ok(Page { next: last, rows: match_rows(found).await })
}

/// The row of one match.
pub(super) async fn row(readers: &Readers, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
    let found = readers
        .read(|connection| Box::pin(query_as::<Postgres, Row>(ONE).bind(id.0).fetch_optional(connection)))
        .await?;
    found.map(match_row).transpose()
}

/// Unfinished matches that have not changed since `before`.
pub(super) async fn stale(
    readers: &Readers,
    before: Millis,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Page, StoreError> {
    let after = after.map_or(Uuid::nil(), |id| id.0);
    let found = readers
        .read(|connection| {
            let stale =
                query_as::<Postgres, Row>(STALE).bind(column(before)).bind(after).bind(i64::from(limit));
            Box::pin(stale.fetch_all(connection))
        })
        .await?;
    let last = found.last().filter(|_| found.len() == limit as usize).map(|row| MatchId(row.0));
    Ok(Page { next: last, rows: match_rows(found).await })
}

/// Matches in which a guest has a seat or which they made.
pub(super) async fn matches_of(
    readers: &Readers,
    guest: PlayerId,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Vec<MatchId>, StoreError> {
    let after = after.map_or(Uuid::nil(), |id| id.0);
    let found: Vec<Uuid> = readers
        .read(|connection| {
            let ids =
                query_scalar::<Postgres, _>(MATCHES_OF).bind(guest.0).bind(after).bind(i64::from(limit));
            Box::pin(ids.fetch_all(connection))
        })
        .await?;
    Ok(found.into_iter().map(MatchId).collect())
}

/// How many matches a guest has made that have not ended.
pub(super) async fn unfinished_created_by(readers: &Readers, guest: PlayerId) -> Result<u32, StoreError> {
    let count = readers.read(|connection| {
        Box::pin(query_scalar::<Postgres, i64>(UNFINISHED).bind(guest.0).fetch_one(connection))
    });
    seq(count.await?)
}

/// How many matches that have not ended the computer plays against a guest, or in their place.
pub(super) async fn unfinished_with_computer(readers: &Readers, guest: PlayerId) -> Result<u32, StoreError> {
    let count = readers.read(|connection| {
        let levels = Level::ALL.map(|level| level.player_id().0);
        let count = query_scalar::<Postgres, i64>(UNFINISHED_WITH_COMPUTER).bind(guest.0).bind(levels);
        Box::pin(count.fetch_one(connection))
    });
    seq(count.await?)
}

/// How many matches that have not ended the computer plays against itself.
pub(super) async fn unfinished_against_itself(readers: &Readers) -> Result<u32, StoreError> {
    let count = readers.read(|connection| {
        Box::pin(query_scalar::<Postgres, i64>(UNFINISHED_AGAINST_ITSELF).fetch_one(connection))
    });
    seq(count.await?)
}

/// How many matches have not ended.
pub(super) async fn unfinished(readers: &Readers) -> Result<Unfinished, StoreError> {
    let (open, live): (i64, i64) =
        readers.read(|connection| Box::pin(query_as::<Postgres, _>(BY_STATE).fetch_one(connection))).await?;
    Ok(Unfinished { open: seq(open)?, live: seq(live)? })
}

/// Matches whose deadline is at or before `now`.
pub(super) async fn due(readers: &Readers, now: Millis, limit: u32) -> Result<Vec<Due>, StoreError> {
    let found: Vec<(Uuid, i64)> = readers
        .read(|connection| {
            let due = query_as::<Postgres, _>(DUE).bind(column(now)).bind(i64::from(limit));
            Box::pin(due.fetch_all(connection))
        })
        .await?;
    found.into_iter().map(|(id, at)| Ok(Due { id: MatchId(id), at: millis(at)? })).collect()
}

/// The earliest deadline.
pub(super) async fn next_deadline(readers: &Readers) -> Result<Option<Millis>, StoreError> {
    let found = readers.read(|connection| {
        Box::pin(query_scalar::<Postgres, Option<i64>>(NEXT_DEADLINE).fetch_one(connection))
    });
    found.await?.map(millis).transpose()
}

/// How many rows are read before others get their turn on the thread.
const ROWS_AT_ONCE: usize = 16;

/// Reads the rows of a list. One that cannot be read is left out: the rest is still good.
async fn match_rows(found: Vec<Row>) -> Vec<MatchRow> {
    let mut rows = Vec::with_capacity(found.len());
    for (n, row) in found.into_iter().enumerate() {
        if n % ROWS_AT_ONCE == ROWS_AT_ONCE - 1 {
            tokio::task::yield_now().await;
        }
        match match_row(row) {
            Ok(row) => rows.push(row),
            Err(error) => {
                tracing::error!(%error, "could not read the row of a match; leaving it out of a list");
            }
        }
    }
    rows
}

fn match_row((id, head, updated_at, card): Row) -> Result<MatchRow, StoreError> {
    let card: Card = serde_json::from_str(&card)
        .map_err(|error| corrupt(format_args!("the card of match {id}: {error}")))?;
    Ok(MatchRow { id: MatchId(id), head: seq(head)?, card: Card { updated_at: millis(updated_at)?, ..card } })
}

#[cfg(test)]
mod tests {
    use lusoria_services::postgres::Database;

    use super::*;
    use crate::postgres::{PostgresOptions, PostgresStore, journal};

    /// How PostgreSQL runs a query on large tables: whatever the parameters are, and without what is only
    /// good for small ones.
    fn plan(database: &Database, sql: &str) -> String {
        let parameters = (1..=9).take_while(|n| sql.contains(&format!("${n}"))).count();
        let nulls = vec!["NULL"; parameters].join(", ");
        let execute =
            if parameters == 0 { "EXECUTE asked".to_owned() } else { format!("EXECUTE asked ({nulls})") };
        let explain = format!(
            "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off; \
             SET enable_sort = off; PREPARE asked AS {sql}; EXPLAIN (COSTS OFF) {execute}"
        );
        database.run(&explain).expect("a plan")
    }

    /// Matches of a hundred players, of which one in fifty has not ended.
    const MANY: &str = "
        INSERT INTO matches (id, game, state, listed, seat1, seat2, made_by, head, updated_at, card)
        SELECT gen_random_uuid(), CASE n % 3 WHEN 0 THEN 'zeno' ELSE 'tavla' END,
            CASE n % 50 WHEN 0 THEN 'live' WHEN 1 THEN 'open' ELSE 'finished' END, n % 2 = 0,
            md5((n % 100)::text)::uuid, md5((n * 7 % 100)::text)::uuid,
            CASE n % 40 WHEN 0 THEN md5((n % 100)::text)::uuid END, 9, n, repeat('card', 150)
        FROM generate_series(1, 20000) AS n;
        INSERT INTO journal SELECT id, 8, 9, 1, repeat('event', 100) FROM matches;
        INSERT INTO deadlines SELECT id, 5 FROM matches;
        ANALYZE";

    /// The cost of a list does not depend on the number of matches.
    #[tokio::test]
    async fn every_list_walks_an_index_in_its_order() {
        let database = Database::new().expect("a database");
        let store = PostgresStore::open(&database.url(), PostgresOptions::default()).await.expect("opened");
        crate::Store::close(&store).await;
        database.run(MANY).expect("many matches");
        let (seats, unfinished): (&[&str], &[&str]) =
            (&["matches_seat1", "matches_seat2"], &["matches_seat1_unfinished", "matches_seat2_unfinished"]);
        for (sql, indexes) in [
            (LISTED, &["matches_listed"][..]),
            (LISTED_OF_GAME, &["matches_listed_game"]),
            (OF_PLAYER, seats),
            (OF_PLAYER_FINISHED, seats),
            (OF_PLAYER_UNFINISHED, unfinished),
            (PLAYED, seats),
            (PLAYED_AGAINST, &["matches_pair"]),
            (ONE, &["matches_pkey"]),
            (STALE, &["matches_unfinished"]),
            (DUE, &["deadlines_at"]),
            (NEXT_DEADLINE, &["deadlines_at"]),
            (UNFINISHED, &["matches_seat1_unfinished", "matches_made_by_unfinished"]),
            (UNFINISHED_AGAINST_ITSELF, &["matches_made_by_unfinished"]),
            (BY_STATE, &["unfinished"]),
            (journal::EVENTS, &["matches_pkey", "journal_pkey"]),
            (journal::HEADS, &["matches_pkey", "deadlines_pkey"]),
        ] {
            let plan = plan(&database, sql);
            for index in indexes {
                assert!(
                    plan.lines().any(|line| line.contains("Index") && line.contains(index)),
                    "{sql}\n{index}\n{plan}"
                );
            }
            let steps = || plan.lines().map(|line| line.trim_start_matches([' ', '-', '>']));
            let is_bad =
                |step: &str| step.starts_with("Seq Scan") || ["Sort", "Incremental Sort"].contains(&step);
            assert!(!steps().any(is_bad), "{sql}\n{plan}");
        }
    }
}
