//! What the operator asks for: guests by name, blocking, deleting, statistics.
//! Deleting goes through the writer like every other write.

use futures_util::future::BoxFuture;
use lusoria_play::{MatchId, Millis, PlayerId, Recorded};
use sqlx::{SqliteConnection, SqlitePool};
use uuid::{NoContext, Timestamp, Uuid};

use super::{
    events::{EventRow, event_rows},
    failure,
    guest_rows::{GuestRow, forget_code, guest},
    lists::{Row, columns, match_rows},
    match_columns::card_column,
    text::{column, corrupt, match_id, state},
    write::Write,
    writer::Writer,
};
use crate::{Card, Guest, MatchesOfGame, Page, Recent, Statistics, StoreError};

/// Sorts before every id.
const BEFORE_ALL: &str = "";

const NAMED: &str = "SELECT id, name, kind, created_at, blocked_at FROM guests WHERE name = $1 \
     ORDER BY created_at DESC, id DESC LIMIT $2";

const MATCHES_OF: &str = "SELECT id FROM (\
     SELECT id FROM (SELECT id FROM matches WHERE seat1 = $1 AND id > $2 ORDER BY id LIMIT $3) AS one \
     UNION SELECT id FROM (SELECT id FROM matches WHERE seat2 = $1 AND id > $2 ORDER BY id LIMIT $3) AS two \
     UNION SELECT id FROM (SELECT id FROM matches WHERE made_by = $1 AND id > $2 ORDER BY id LIMIT $3) AS made\
     ) AS theirs ORDER BY id LIMIT $3";

const STALE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM matches WHERE state <> 'finished' AND updated_at < $1 AND id > $2 ORDER BY id LIMIT $3"
);

/// Finds at most `limit` guests with that name.
pub(super) async fn guests_named(
    readers: &SqlitePool,
    name: String,
    limit: u32,
) -> Result<Vec<Guest>, StoreError> {
    let rows: Vec<GuestRow> = sqlx::query_as(NAMED)
        .bind(name)
        .bind(i64::from(limit))
        .fetch_all(readers)
        .await
        .map_err(failure::of_read)?;
    rows.into_iter().map(guest).collect()
}

/// Matches in which a guest has a seat or which they made.
pub(super) async fn matches_of(
    readers: &SqlitePool,
    guest: PlayerId,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Vec<MatchId>, StoreError> {
    let ids: Vec<String> = sqlx::query_scalar(MATCHES_OF)
        .bind(guest.0.to_string())
        .bind(begin_after(after))
        .bind(i64::from(limit))
        .fetch_all(readers)
        .await
        .map_err(failure::of_read)?;
    ids.iter().map(|id| match_id(id)).collect()
}

/// Unfinished matches that have not changed since `before`.
pub(super) async fn stale(
    readers: &SqlitePool,
    before: Millis,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Page, StoreError> {
    let rows: Vec<Row> = sqlx::query_as(STALE)
        .bind(column(before))
        .bind(begin_after(after))
        .bind(i64::from(limit))
        .fetch_all(readers)
        .await
        .map_err(failure::of_read)?;
    let last = rows.last().filter(|_| rows.len() == limit as usize).map(|(id, ..)| match_id(id));
    Ok(Page { next: last.transpose()?, rows: match_rows(rows).await })
}

fn begin_after(after: Option<MatchId>) -> String {
    after.map_or_else(|| BEFORE_ALL.to_owned(), |id| id.0.to_string())
}

/// How much there is of everything. It reads every row of `matches` and `guests`.
pub(super) async fn statistics(readers: &SqlitePool, since: Vec<Millis>) -> Result<Statistics, StoreError> {
    // Only one connection: the others stay free for players.
    let mut connection = readers.acquire().await.map_err(failure::of_read)?;
    let (people, bots, blocked): (i64, i64, i64) = sqlx::query_as(
        "SELECT COUNT(*) FILTER (WHERE kind = 'person'), COUNT(*) FILTER (WHERE kind = 'bot'), \
         COUNT(blocked_at) FROM guests",
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(failure::of_read)?;
    let rows: Vec<(String, String, i64, i64)> =
        sqlx::query_as("SELECT game, state, COUNT(*), SUM(head) FROM matches GROUP BY game, state")
            .fetch_all(&mut *connection)
            .await
            .map_err(failure::of_read)?;
    let of_game = |(game, name, matches, events): (String, String, i64, i64)| {
        Ok(MatchesOfGame {
            game: game.parse().map_err(|error: lusoria_rules::UnknownGame| corrupt(error))?,
            state: state(&name)?,
            matches: count(matches),
            events: count(events),
        })
    };
    let mut matches = rows.into_iter().map(of_game).collect::<Result<Vec<_>, StoreError>>()?;
    matches.sort_by_key(|of| (of.game.id(), of.state));
    let mut recent = Vec::with_capacity(since.len());
    for since in since {
        let (guests, made, touched): (i64, i64, i64) = sqlx::query_as(
            "SELECT (SELECT COUNT(*) FROM guests WHERE created_at >= $1 AND kind <> 'computer'), \
             (SELECT COUNT(*) FROM matches WHERE id >= $2), \
             (SELECT COUNT(*) FROM matches WHERE updated_at >= $1)",
        )
        .bind(column(since))
        .bind(first_id_of(since).to_string())
        .fetch_one(&mut *connection)
        .await
        .map_err(failure::of_read)?;
        recent.push(Recent { since, guests: count(guests), made: count(made), touched: count(touched) });
    }
    // These pragmas exist in SQLite only.
    let bytes: i64 =
        sqlx::query_scalar("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
            .fetch_one(&mut *connection)
            .await
            .map_err(failure::of_read)?;
    Ok(Statistics {
        people: count(people),
        bots: count(bots),
        blocked: count(blocked),
        matches,
        bytes: count(bytes),
        recent,
    })
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// The least id that a match made then can have: ids of version 7 begin with the time.
fn first_id_of(at: Millis) -> Uuid {
    let seconds = at / 1_000;
    let nanos = u32::try_from(at % 1_000).expect("less than a thousand") * 1_000_000;
    let mut bytes = *Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, nanos)).as_bytes();
    bytes[6..].fill(0);
    Uuid::from_bytes(bytes)
}

/// Notes since when a guest is blocked; false if there is none.
pub(super) async fn set_blocked(
    writer: &Writer,
    id: PlayerId,
    since: Option<Millis>,
) -> Result<bool, StoreError> {
    Ok(writer.write(SetBlocked { id: id.0.to_string(), since: since.map(column) }).await?)
}

/// Deletes a guest with everything that is theirs alone; false if there is none.
pub(super) async fn forget_guest(writer: &Writer, id: PlayerId) -> Result<bool, StoreError> {
    Ok(writer.write(ForgetGuest { id: id.0.to_string() }).await?)
}

/// Replaces events of a match and its card; false if its head is another.
pub(super) async fn rewrite(
    writer: &Writer,
    id: MatchId,
    head: u32,
    events: Vec<Recorded>,
    card: &Card,
) -> Result<bool, StoreError> {
    let events = event_rows(&events)?;
    let card = card_column(card);
    Ok(writer.write(Rewrite { id: id.0.to_string(), head: i64::from(head), events, card }).await?)
}

/// Forgets a match that has ended, with all that belongs to it; false if there is none.
pub(super) async fn forget_match(writer: &Writer, id: MatchId, head: u32) -> Result<bool, StoreError> {
    Ok(writer.write(ForgetMatch { id: id.0.to_string(), head: i64::from(head) }).await?)
}

struct SetBlocked {
    id: String,
    since: Option<i64>,
}

impl Write for SetBlocked {
    type Outcome = bool;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<bool>> {
        Box::pin(async {
            let set = sqlx::query("UPDATE guests SET blocked_at = $1 WHERE id = $2")
                .bind(self.since)
                .bind(&self.id)
                .execute(&mut *connection)
                .await?;
            if self.since.is_some() {
                forget_code(connection, &self.id).await?;
            }
            Ok(set.rows_affected() == 1)
        })
    }
}

struct ForgetGuest {
    id: String,
}

impl Write for ForgetGuest {
    type Outcome = bool;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<bool>> {
        Box::pin(async {
            for sql in [
                "DELETE FROM tokens WHERE guest_id = $1",
                "DELETE FROM device_codes WHERE guest_id = $1",
                "DELETE FROM used_keys WHERE guest_id = $1",
            ] {
                sqlx::query(sql).bind(&self.id).execute(&mut *connection).await?;
            }
            let guest = sqlx::query("DELETE FROM guests WHERE id = $1 AND kind <> 'computer'")
                .bind(&self.id)
                .execute(&mut *connection)
                .await?;
            Ok(guest.rows_affected() == 1)
        })
    }
}

struct Rewrite {
    id: String,
    head: i64,
    events: Vec<EventRow>,
    card: String,
}

impl Write for Rewrite {
    type Outcome = bool;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<bool>> {
        Box::pin(async {
            let row = sqlx::query("UPDATE matches SET card = $1 WHERE id = $2 AND head = $3")
                .bind(&self.card)
                .bind(&self.id)
                .bind(self.head)
                .execute(&mut *connection)
                .await?;
            let is_there = row.rows_affected() == 1;
            for event in self.events.iter().filter(|_| is_there) {
                sqlx::query("UPDATE events SET body = $1 WHERE match_id = $2 AND seq = $3")
                    .bind(event.body())
                    .bind(&self.id)
                    .bind(event.seq())
                    .execute(&mut *connection)
                    .await?;
            }
            Ok(is_there)
        })
    }
}

struct ForgetMatch {
    id: String,
    head: i64,
}

impl Write for ForgetMatch {
    type Outcome = bool;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<bool>> {
        Box::pin(async {
            let there: Option<i64> = sqlx::query_scalar(
                "SELECT head FROM matches WHERE id = $1 AND head = $2 AND state = 'finished'",
            )
            .bind(&self.id)
            .bind(self.head)
            .fetch_optional(&mut *connection)
            .await?;
            if there.is_none() {
                return Ok(false);
            }
            for sql in [
                "DELETE FROM used_keys WHERE match_id = $1",
                "DELETE FROM invitations WHERE match_id = $1",
                "DELETE FROM analyses WHERE match_id = $1",
                "DELETE FROM secrets WHERE match_id = $1",
                "DELETE FROM events WHERE match_id = $1",
                "DELETE FROM matches WHERE id = $1",
            ] {
                sqlx::query(sql).bind(&self.id).execute(&mut *connection).await?;
            }
            Ok(true)
        })
    }
}
