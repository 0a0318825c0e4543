//! Lists of matches, and which of them are due. Every query walks an index from its start and stops at its limit,
//! however many matches there are.

use lusoria_play::{Level, MatchId, Millis, PlayerId};
use sqlx::Error;
use uuid::Uuid;

use super::Store;
use crate::{
    Call, Due, MatchFilter, MatchRow, MatchState, Page, Played, StoreError, StoreFuture, Unfinished,
    sql::{
        args,
        value::{AnyRow, Column, Row},
    },
    sqlite::match_columns::card,
    text::{corrupt, first_id_of, seq},
};

/// The columns of a [`Found`].
macro_rules! columns {
    () => {
        "id, head, updated_at, card, standing"
    };
}

/// Public matches that also meet `$and`.
macro_rules! listed {
    ($and:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM match_rows WHERE listed AND state = $3 AND id < $1 ",
            $and,
            " ORDER BY id DESC LIMIT $2"
        )
    };
}

/// Matches that meet `$both`, in which `$3` has seat 1 and that meet `$one`, or has seat 2 and that meet `$two`: one
/// branch for each seat, so that each can walk the index of its seat.
macro_rules! of_player {
    ($one:literal, $two:literal, $both:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM (SELECT ",
            columns!(),
            " FROM match_rows WHERE seat1 = $3 AND id < $1",
            $one,
            $both,
            " ORDER BY id DESC LIMIT $2) AS one UNION ALL SELECT ",
            columns!(),
            " FROM (SELECT ",
            columns!(),
            " FROM match_rows WHERE seat2 = $3 AND seat1 <> $3 AND id < $1",
            $two,
            $both,
            " ORDER BY id DESC LIMIT $2) AS two ORDER BY id DESC LIMIT $2"
        )
    };
}

/// Matches of player `$3`, made since `$4`, of game `$5` or of all games, as viewer `$6` may see them. `$one` and
/// `$two` restrict the other seat.
macro_rules! played {
    ($one:literal, $two:literal) => {
        of_player!(
            $one,
            $two,
            " AND (listed OR seat1 = $6 OR seat2 = $6) AND (CAST($5 AS text) IS NULL OR game = $5)"
        )
    };
}

const LISTED: &str = listed!("");
const LISTED_OF_GAME: &str = listed!("AND game = $4");
const OF_PLAYER: &str = of_player!("", "", "");
const OF_PLAYER_FINISHED: &str = of_player!("", "", " AND state = 'finished'");
// The first condition is that of the indexes of unfinished matches.
const OF_PLAYER_UNFINISHED: &str = of_player!("", "", " AND state <> 'finished' AND state = $4");
const PLAYED: &str = played!(" AND id >= $4 AND seat2 IS NOT NULL", " AND id >= $4");
// The first condition is that of the index of both seats; `IS TRUE` has both databases take it.
const PLAYED_AGAINST: &str = played!(
    " AND state <> 'open' AND (id >= $4) IS TRUE AND seat2 = $7",
    " AND state <> 'open' AND (id >= $4) IS TRUE AND seat1 = $7"
);
const ONE: &str = concat!("SELECT ", columns!(), " FROM match_rows WHERE id = $1");
const STALE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM match_rows WHERE state <> 'finished' AND updated_at < $1 AND id > $2 ORDER BY id LIMIT $3"
);
const MATCHES_OF: &str = "SELECT id FROM (\
     SELECT id FROM (SELECT id FROM matches WHERE seat1 = $1 AND id > $2 ORDER BY id LIMIT $3) AS one \
     UNION SELECT id FROM (SELECT id FROM matches WHERE seat2 = $1 AND id > $2 ORDER BY id LIMIT $3) AS two \
     UNION SELECT id FROM (SELECT id FROM matches WHERE made_by = $1 AND id > $2 ORDER BY id LIMIT $3) AS made\
     ) AS theirs ORDER BY id LIMIT $3";

const DUE: &str = "SELECT match, at FROM deadlines WHERE at <= $1 ORDER BY at, match LIMIT $2";
const NEXT_DEADLINE: &str = "SELECT min(at) FROM deadlines";
const UNFINISHED: &str = "SELECT (SELECT count(*) FROM matches WHERE seat1 = $1 AND state <> 'finished') \
     + (SELECT count(*) FROM matches WHERE made_by = $1 AND state <> 'finished')";
// `IS TRUE` keeps both databases from walking all matches of the computer.
const UNFINISHED_WITH_COMPUTER: &str = "SELECT (SELECT count(*) FROM matches \
         WHERE seat1 = $1 AND (seat2 BETWEEN $2 AND $3) IS TRUE AND state <> 'finished') \
     + (SELECT count(*) FROM matches \
         WHERE seat2 = $1 AND (seat1 BETWEEN $2 AND $3) IS TRUE AND state <> 'finished') \
     + (SELECT count(*) FROM matches WHERE made_by = $1 AND state <> 'finished')";
const UNFINISHED_AGAINST_ITSELF: &str =
    "SELECT count(*) FROM matches WHERE made_by IS NOT NULL AND state <> 'finished'";
const BY_STATE: &str = "SELECT count(*) FILTER (WHERE state = 'open'), count(*) FILTER (WHERE state = 'live') \
     FROM matches WHERE state <> 'finished'";

/// A row of a list, before its card is read.
type Found = (MatchId, i64, i64, Shown, Option<String>);

/// The card of a match as it is stored: in a file it may be packed.
struct Shown(Vec<u8>);

impl Column for Shown {
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
        match row {
            AnyRow::Sqlite(_) => row.get(index).map(Self),
            AnyRow::Postgres(_) => row.get(index).map(|json: String| Self(json.into_bytes())),
        }
    }
}

/// `match`, `at`.
impl Row for Due {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { id: row.get(0)?, at: row.get(1)? })
    }
}

impl Store {
    /// Lists a page of at most `limit` matches (at least 1) after `after`, the newest first
    /// (ids of version 7 sort by time).
    pub fn list(&self, filter: MatchFilter, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        Box::pin(async move {
            let after = after.map_or(Uuid::max(), |id| id.0);
            // One more than asked for tells whether there is another page.
            let more = u64::from(limit) + 1;
            let (sql, args) = match filter {
                MatchFilter::Listed { state, game: None } => (LISTED, args![after, more, state]),
                MatchFilter::Listed { state, game: Some(game) } => {
                    (LISTED_OF_GAME, args![after, more, state, game])
                }
                MatchFilter::Of { player, state: None } => (OF_PLAYER, args![after, more, player]),
                MatchFilter::Of { player, state: Some(MatchState::Finished) } => {
                    (OF_PLAYER_FINISHED, args![after, more, player])
                }
                MatchFilter::Of { player, state: Some(state @ (MatchState::Open | MatchState::Live)) } => {
                    (OF_PLAYER_UNFINISHED, args![after, more, player, state])
                }
                MatchFilter::Played(Played { player, opponent, game, viewer, from, until }) => {
                    let before = until.map(first_id_of).map_or(after, |until| until.min(after));
                    let since = from.map_or(Uuid::nil(), first_id_of);
                    match opponent {
                        None => (PLAYED, args![before, more, player, since, game, viewer]),
                        Some(opponent) => {
                            (PLAYED_AGAINST, args![before, more, player, since, game, viewer, opponent])
                        }
                    }
                }
            };
            let listed = self.read_as(Call::List, move |tx| Box::pin(tx.all(sql, args.clone())));
            let mut found: Vec<Found> = listed.await?;
            let has_more = found.len() > limit as usize;
            found.truncate(limit as usize);
            let next = found.last().filter(|_| has_more).map(|row| row.0);
            Ok(Page { next, rows: match_rows(found).await })
        })
    }

    /// Reads what lists show of one match.
    pub fn row(&self, id: MatchId) -> StoreFuture<'_, Option<MatchRow>> {
        Box::pin(async move { self.first(ONE, args![id]).await?.map(match_row).transpose() })
    }

    /// Lists at most `limit` matches after `after`, in the order of their ids, that have not ended
    /// and have not changed since `before`.
    pub fn stale(&self, before: Millis, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        Box::pin(async move {
            let after = after.map_or(Uuid::nil(), |id| id.0);
            let stale =
                self.read_as(Call::Stale, move |tx| Box::pin(tx.all(STALE, args![before, after, limit])));
            let found: Vec<Found> = stale.await?;
            let next = found.last().filter(|_| found.len() == limit as usize).map(|row| row.0);
            Ok(Page { next, rows: match_rows(found).await })
        })
    }

    /// Lists at most `limit` matches after `after`, in the order of their ids, in which a guest has
    /// a seat or which they made, whatever their state.
    pub fn matches_of(
        &self,
        guest: PlayerId,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        let after = after.map_or(Uuid::nil(), |id| id.0);
        self.all(MATCHES_OF, args![guest, after, limit])
    }

    /// Counts the unfinished matches that a guest has made: the limit on creating.
    pub fn unfinished_created_by(&self, guest: PlayerId) -> StoreFuture<'_, u32> {
        self.one(UNFINISHED, args![guest])
    }

    /// Counts the unfinished matches that the computer plays against a guest, or in their place:
    /// the limit on having it play.
    pub fn unfinished_with_computer(&self, guest: PlayerId) -> StoreFuture<'_, u32> {
        let [first, .., last] = Level::ALL.map(Level::player_id);
        self.one(UNFINISHED_WITH_COMPUTER, args![guest, first, last])
    }

    /// Counts the unfinished matches that the computer plays against itself: the limit on those
    /// of all guests.
    pub fn unfinished_against_itself(&self) -> StoreFuture<'_, u32> {
        self.one(UNFINISHED_AGAINST_ITSELF, args![])
    }

    /// Counts the matches that have not ended.
    pub fn unfinished(&self) -> StoreFuture<'_, Unfinished> {
        Box::pin(async move {
            let (open, live) = self.one(BY_STATE, args![]).await?;
            Ok(Unfinished { open, live })
        })
    }

    /// Finds matches whose deadline is at or before `now`, the earliest first.
    pub fn due(&self, now: Millis, limit: u32) -> StoreFuture<'_, Vec<Due>> {
        self.all(DUE, args![now, limit])
    }

    /// Finds the earliest deadline of all matches.
    pub fn next_deadline(&self) -> StoreFuture<'_, Option<Millis>> {
        self.one(NEXT_DEADLINE, args![])
    }
}

/// How many rows are read before others get their turn on the thread.
const ROWS_AT_ONCE: usize = 16;

/// Reads the rows of a list. One that cannot be read is left out, and the rest is returned.
async fn match_rows(found: Vec<Found>) -> Vec<MatchRow> {
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

fn match_row((id, head, updated_at, Shown(shown), standing): Found) -> Result<MatchRow, StoreError> {
    let card = card(&shown, standing.as_deref(), updated_at)
        .map_err(|error| corrupt(format_args!("the card of match {}: {error}", id.0)))?;
    Ok(MatchRow { id, head: seq(head)?, card })
}

#[cfg(test)]
mod tests {
    use lusoria_services::postgres::Database;

    use super::*;
    use crate::{
        db::{journal::HEADS, tournaments},
        postgres::{PostgresOptions, journal::EVENTS},
    };

    /// How PostgreSQL runs a query on large tables: whatever the parameters are, and without what is only
    /// good for small ones.
    fn plan(database: &Database, sql: &str) -> String {
        let parameters = (1..=9).take_while(|n| sql.contains(&format!("${n}"))).count();
        let nulls = vec!["NULL"; parameters].join(", ");
        let execute =
            if parameters == 0 { "EXECUTE asked".to_owned() } else { format!("EXECUTE asked ({nulls})") };
        // Which function of that name is meant, only the type of its argument tells.
        let types = if sql.contains("json_each($1)") { "(text)" } else { "" };
        let explain = format!(
            "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off; \
             SET enable_sort = off; PREPARE asked {types} AS {sql}; EXPLAIN (COSTS OFF) {execute}"
        );
        database.run(&explain).expect("a plan")
    }

    /// Matches of a hundred players, and tournaments, of which few have not ended.
    const MANY: &str = "
        INSERT INTO matches (id, game, state, listed, seat1, seat2, made_by, head, updated_at, card)
        SELECT gen_random_uuid(), CASE n % 3 WHEN 0 THEN 'zeno' ELSE 'tavla' END,
            CASE n % 50 WHEN 0 THEN 'live' WHEN 1 THEN 'open' ELSE 'finished' END, n % 2 = 0,
            md5((n % 100)::text)::uuid, md5((n * 7 % 100)::text)::uuid,
            CASE n % 40 WHEN 0 THEN md5((n % 100)::text)::uuid END, 9, n, repeat('card', 150)
        FROM generate_series(1, 20000) AS n;
        INSERT INTO journal SELECT id, 8, 9, 1, repeat('event', 100) FROM matches;
        INSERT INTO deadlines SELECT id, 5 FROM matches;
        INSERT INTO tournaments (id, organiser, head, last_at, game, stage, listed, at, card, wake_at)
        SELECT gen_random_uuid(), md5((n % 100)::text)::uuid, 9, n, CASE n % 3 WHEN 0 THEN 'zeno' ELSE 'tavla' END,
            CASE n % 50 WHEN 0 THEN 'running' WHEN 1 THEN 'announced' ELSE 'ended' END, n % 2 = 0,
            n, repeat('card', 150), CASE WHEN n % 50 < 2 THEN n END
        FROM generate_series(1, 5000) AS n;
        ANALYZE";

    /// The cost of a list does not depend on the number of matches.
    #[tokio::test]
    async fn every_list_walks_an_index_in_its_order() {
        let database = Database::new().expect("a database");
        let store = Store::open_server(&database.url(), PostgresOptions::default()).await.expect("opened");
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
            (EVENTS, &["matches_pkey", "journal_pkey"]),
            (HEADS, &["matches_pkey", "deadlines_pkey"]),
            (tournaments::SOONEST, &["tournaments_listed"]),
            (tournaments::NEWEST_OF_GAME, &["tournaments_listed_game"]),
            (tournaments::ALL, &["tournaments_at"]),
            (tournaments::DUE, &["tournaments_wake_at"]),
            (tournaments::NEXT_WAKE, &["tournaments_wake_at"]),
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
