//! Ratings of players: what the end of a match changes, what is read of them, and how they are replaced.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use lusoria_play::{BySeat, MatchId, Millis, PlayerId, Seat};
use lusoria_rules::Game;
use sqlx_core::{
    error::Error, executor::Executor, query::query, query_as::query_as, query_scalar::query_scalar,
};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{PostgresStore, readers::Readers, session::Undo, writer::Writer};
use crate::{
    CurvePoint, LeaderboardRow, RATED_PLAYERS_MAX, RatingChange, RatingKey, RatingMark, RatingTables,
    Ratings, RatingsBefore, StoreError, StoreFuture, StoredChange, StoredRating,
    error::Refused,
    ratings::day_of,
    text::{column, corrupt, millis, rating, rating_columns, rating_key, seat, seq, stored_rating},
};

impl Ratings for PostgresStore {
    fn ratings_before(
        &self,
        players: BySeat<PlayerId>,
        key: RatingKey,
        at: Millis,
    ) -> StoreFuture<'_, RatingsBefore> {
        Box::pin(before(&self.readers, players, key, at))
    }

    fn ratings_of(
        &self,
        players: Vec<PlayerId>,
    ) -> StoreFuture<'_, Vec<(PlayerId, RatingKey, StoredRating)>> {
        Box::pin(of_players(&self.readers, players))
    }

    fn rating_changes(
        &self,
        player: PlayerId,
        key: RatingKey,
        after: u32,
        limit: u32,
    ) -> StoreFuture<'_, Vec<CurvePoint>> {
        Box::pin(changes(&self.readers, player, key, after, limit))
    }

    fn leaderboard(
        &self,
        key: RatingKey,
        bots: bool,
        since: Millis,
        limit: u32,
    ) -> StoreFuture<'_, Vec<LeaderboardRow>> {
        Box::pin(leaderboard(&self.readers, key, bots, since, limit))
    }

    fn rated_matches(&self, game: Game, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Vec<MatchId>> {
        Box::pin(rated_matches(&self.readers, game, after, limit))
    }

    fn rating_mark(&self, key: RatingKey) -> StoreFuture<'_, RatingMark> {
        Box::pin(async move { self.readers.read(|connection| Box::pin(mark(connection, key))).await })
    }

    fn rating_tables(&self, key: RatingKey) -> StoreFuture<'_, RatingTables> {
        Box::pin(tables(&self.readers, key))
    }

    fn replace_ratings(&self, key: RatingKey, seen: RatingMark, new: RatingTables) -> StoreFuture<'_, bool> {
        Box::pin(replace(&self.writer, key, seen, new))
    }

    fn stale_ratings(&self) -> StoreFuture<'_, Vec<RatingKey>> {
        Box::pin(stale(&self.readers))
    }
}

/// What the append that ends a match, or takes it back, changes of ratings.
pub(super) struct RatingEntry {
    pub(super) id: MatchId,
    pub(super) at: i64,
    pub(super) rates: Option<Box<RatingChange>>,
    pub(super) unrates: bool,
}

impl RatingEntry {
    /// Writes it in the present transaction, which must be undone if it is refused. Its locks come after those of
    /// matches, in the order of the players.
    pub(super) async fn write(&self, connection: &mut PgConnection) -> Result<Result<(), Refused>, Error> {
        if let Some(rates) = &self.rates {
            let mut seats = Seat::BOTH;
            seats.sort_by_key(|seat| rates.seats.get(*seat).player);
            for seat in seats {
                let of = rates.seats.get(seat);
                if !advance(connection, of.player, rates.key, of.expected, &of.after).await? {
                    return Ok(Err(Refused::Conflict));
                }
            }
            let changes = rates.stored(self.id);
            insert(connection, rates.key, Seat::BOTH.map(|seat| *changes.get(seat)).as_slice()).await?;
        }
        if self.unrates {
            let stale = "INSERT INTO ratings_stale (game, pace) \
                 SELECT DISTINCT game, pace FROM rating_changes WHERE match = $1 ON CONFLICT DO NOTHING";
            query::<Postgres>(stale).bind(self.id.0).execute(&mut *connection).await?;
            let mark = "UPDATE rating_changes SET taken_back_at = $2 WHERE match = $1";
            query::<Postgres>(mark).bind(self.id.0).bind(self.at).execute(connection).await?;
        }
        Ok(Ok(()))
    }
}

/// Writes a rating, if its version is still the expected one; 0 if there is none.
async fn advance(
    connection: &mut PgConnection,
    player: PlayerId,
    key: RatingKey,
    expected: u32,
    new: &StoredRating,
) -> Result<bool, Error> {
    const FIRST: &str = "INSERT INTO ratings (guest, game, pace, version, number, matches, ended_at, better_sides, \
         points, deviation, volatility) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING";
    const NEXT: &str = "UPDATE ratings SET version = $4, number = $5, matches = $6, ended_at = $7, better_sides = $8, \
         points = $9, deviation = $10, volatility = $11 \
         WHERE guest = $1 AND game = $2 AND pace = $3 AND version = $12";
    let [version, number, matches, ended_at, better_sides] = rating_columns(new);
    let write = query::<Postgres>(if expected == 0 { FIRST } else { NEXT })
        .bind(player.0)
        .bind(key.game.id())
        .bind(key.pace.name())
        .bind(version)
        .bind(number)
        .bind(matches)
        .bind(ended_at)
        .bind(better_sides)
        .bind(new.rating.points())
        .bind(new.rating.deviation())
        .bind(new.rating.volatility());
    let write = if expected == 0 { write } else { write.bind(i64::from(expected)) };
    Ok(write.execute(connection).await?.rows_affected() == 1)
}

/// Writes changes of a game and pace whose matches are there.
async fn insert(
    connection: &mut PgConnection,
    key: RatingKey,
    changes: &[StoredChange],
) -> Result<(), Error> {
    const INSERT: &str = "INSERT INTO rating_changes (match, seat, guest, opponent, game, pace, number, at, constants, \
         points_before, deviation_before, volatility_before, points, deviation, volatility, taken_back_at) \
         SELECT match, seat, guest, opponent, $1, $2, number, at, constants, p0, d0, v0, p1, d1, v1, taken_back_at \
         FROM unnest($3::uuid[], $4::bigint[], $5::uuid[], $6::uuid[], $7::bigint[], $8::bigint[], $9::bigint[], \
         $10::float8[], $11::float8[], $12::float8[], $13::float8[], $14::float8[], $15::float8[], $16::bigint[]) \
         AS new(match, seat, guest, opponent, number, at, constants, p0, d0, v0, p1, d1, v1, taken_back_at) \
         WHERE EXISTS (SELECT FROM matches WHERE matches.id = new.match)";
    fn each<T>(changes: &[StoredChange], value: impl Fn(&StoredChange) -> T) -> Vec<T> {
        changes.iter().map(value).collect()
    }
    query::<Postgres>(INSERT)
        .bind(key.game.id())
        .bind(key.pace.name())
        .bind(each(changes, |change| change.id.0))
        .bind(each(changes, |change| i64::from(change.seat.number())))
        .bind(each(changes, |change| change.player.0))
        .bind(each(changes, |change| change.opponent.0))
        .bind(each(changes, |change| i64::from(change.number)))
        .bind(each(changes, |change| column(change.at)))
        .bind(each(changes, |change| i64::from(change.constants)))
        .bind(each(changes, |change| change.before.points()))
        .bind(each(changes, |change| change.before.deviation()))
        .bind(each(changes, |change| change.before.volatility()))
        .bind(each(changes, |change| change.after.points()))
        .bind(each(changes, |change| change.after.deviation()))
        .bind(each(changes, |change| change.after.volatility()))
        .bind(each(changes, |change| change.taken_back_at.map(column)))
        .execute(connection)
        .await
        .map(drop)
}

/// The columns of a change, in the order of [`ChangeColumns`].
macro_rules! change {
    () => {
        "SELECT match, seat, guest, opponent, number, at, constants, points_before, deviation_before, \
         volatility_before, points, deviation, volatility, taken_back_at FROM rating_changes "
    };
}

type ChangeColumns = (Uuid, i64, Uuid, Uuid, i64, i64, i64, f64, f64, f64, f64, f64, f64, Option<i64>);

fn change_of(columns: ChangeColumns) -> Result<StoredChange, StoreError> {
    let (id, at_seat, player, opponent, number, at, constants, p0, d0, v0, p1, d1, v1, taken_back_at) =
        columns;
    Ok(StoredChange {
        id: MatchId(id),
        seat: seat(at_seat)?,
        player: PlayerId(player),
        opponent: PlayerId(opponent),
        number: seq(number)?,
        at: millis(at)?,
        constants: u16::try_from(constants).map_err(corrupt)?,
        before: rating((p0, d0, v0))?,
        after: rating((p1, d1, v1))?,
        taken_back_at: taken_back_at.map(millis).transpose()?,
    })
}

/// The columns of a rating, in the order of [`RatingRow`].
macro_rules! rated {
    () => {
        "SELECT guest, game, pace, version, number, matches, ended_at, better_sides, points, deviation, volatility \
         FROM ratings "
    };
}

type RatingRow = (Uuid, String, String, i64, i64, i64, i64, i64, f64, f64, f64);

fn rating_of(row: RatingRow) -> Result<(PlayerId, RatingKey, StoredRating), StoreError> {
    let (player, game, pace, version, number, matches, ended_at, better_sides, p, d, v) = row;
    let stored = stored_rating([version, number, matches, ended_at, better_sides], (p, d, v))?;
    Ok((PlayerId(player), rating_key(&game, &pace)?, stored))
}

async fn before(
    readers: &Readers,
    players: BySeat<PlayerId>,
    key: RatingKey,
    at: Millis,
) -> Result<RatingsBefore, StoreError> {
    const RATINGS: &str = concat!(rated!(), "WHERE guest = ANY ($1) AND game = $2 AND pace = $3");
    const EARLIER: &str = "SELECT count(*) FROM rating_changes WHERE guest = $1 AND opponent = $2 \
         AND game = $3 AND pace = $4 AND at >= $5 AND at < $6 AND taken_back_at IS NULL";
    let BySeat(one, two) = players;
    let (begins, ends) = day_of(at);
    let read = readers.read(|connection| {
        Box::pin(async move {
            // The versions first: a match that is rated in between then makes the append conflict.
            let ratings: Vec<RatingRow> = query_as::<Postgres, _>(RATINGS)
                .bind(vec![one.0, two.0])
                .bind(key.game.id())
                .bind(key.pace.name())
                .fetch_all(&mut *connection)
                .await?;
            let earlier: i64 = query_scalar::<Postgres, _>(EARLIER)
                .bind(one.0)
                .bind(two.0)
                .bind(key.game.id())
                .bind(key.pace.name())
                .bind(column(begins))
                .bind(column(ends))
                .fetch_one(connection)
                .await?;
            Ok((ratings, earlier))
        })
    });
    let (ratings, earlier) = read.await?;
    let ratings: Vec<_> = ratings.into_iter().map(rating_of).collect::<Result<_, _>>()?;
    let of = |player| ratings.iter().find(|(id, ..)| *id == player).map(|(_, _, stored)| *stored);
    Ok(RatingsBefore { stored: BySeat(of(one), of(two)), earlier_today: seq(earlier)? })
}

async fn of_players(
    readers: &Readers,
    mut players: Vec<PlayerId>,
) -> Result<Vec<(PlayerId, RatingKey, StoredRating)>, StoreError> {
    const SELECT: &str = concat!(rated!(), "WHERE guest = ANY ($1)");
    players.truncate(RATED_PLAYERS_MAX);
    let ids: Vec<Uuid> = players.into_iter().map(|player| player.0).collect();
    let found: Vec<RatingRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(SELECT).bind(ids.clone()).fetch_all(connection)))
        .await?;
    let mut found: Vec<_> = found.into_iter().map(rating_of).collect::<Result<_, _>>()?;
    found.sort_by_key(|(player, key, _)| (*player, *key));
    Ok(found)
}

async fn changes(
    readers: &Readers,
    player: PlayerId,
    key: RatingKey,
    after: u32,
    limit: u32,
) -> Result<Vec<CurvePoint>, StoreError> {
    const SELECT: &str = concat!(
        change!(),
        "WHERE guest = $1 AND game = $2 AND pace = $3 AND number > $4 AND taken_back_at IS NULL \
         ORDER BY number LIMIT $5"
    );
    const LISTED: &str = "SELECT id FROM matches WHERE id = ANY ($1) AND listed";
    let (found, listed) = readers
        .read(|connection| {
            Box::pin(async move {
                let select = query_as::<Postgres, ChangeColumns>(SELECT).bind(player.0).bind(key.game.id());
                let select = select.bind(key.pace.name()).bind(i64::from(after)).bind(i64::from(limit));
                let found = select.fetch_all(&mut *connection).await?;
                let ids: Vec<Uuid> = found.iter().map(|change| change.0).collect();
                let listed = query_scalar::<Postgres, Uuid>(LISTED).bind(ids).fetch_all(connection).await?;
                Ok((found, listed))
            })
        })
        .await?;
    let point = |columns: ChangeColumns| {
        let is_listed = listed.contains(&columns.0);
        Ok(CurvePoint { change: change_of(columns)?, is_listed })
    };
    found.into_iter().map(point).collect()
}

/// A place on the board: who, and the columns of the rating.
type BoardRow = (Uuid, String, String, i64, i64, i64, i64, i64, f64, f64, f64);

async fn leaderboard(
    readers: &Readers,
    key: RatingKey,
    bots: bool,
    since: Millis,
    limit: u32,
) -> Result<Vec<LeaderboardRow>, StoreError> {
    // The conditions of the index, in its words.
    const SELECT: &str = "SELECT guests.id, guests.name, accounts.handle, version, number, matches, ended_at, \
         better_sides, points, deviation, volatility \
         FROM ratings JOIN guests ON guests.id = ratings.guest JOIN accounts ON accounts.guest = guests.id \
         WHERE game = $1 AND pace = $2 AND deviation <= 75 AND matches >= 20 AND ended_at >= $3 \
         AND (guests.kind = 'bot') = $4 AND blocked_at IS NULL ORDER BY points DESC, guests.id LIMIT $5";
    let found: Vec<BoardRow> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(SELECT).bind(key.game.id()).bind(key.pace.name());
            Box::pin(select.bind(column(since)).bind(bots).bind(i64::from(limit)).fetch_all(connection))
        })
        .await?;
    let rows = found.into_iter().map(
        |(player, name, handle, version, number, matches, ended_at, better_sides, p, d, v)| {
            let stored = stored_rating([version, number, matches, ended_at, better_sides], (p, d, v))?;
            Ok(LeaderboardRow { player: PlayerId(player), name, handle, stored })
        },
    );
    rows.collect()
}

async fn rated_matches(
    readers: &Readers,
    game: Game,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Vec<MatchId>, StoreError> {
    // In a name the quotation marks would be escaped.
    const SELECT: &str = "SELECT id FROM matches WHERE state = 'finished' AND game = $1 AND id > $2 \
         AND card LIKE '%\"rated\":true%' ORDER BY id LIMIT $3";
    let after = after.map_or_else(Uuid::nil, |id| id.0);
    let found: Vec<Uuid> = readers
        .read(|connection| {
            let select = query_scalar::<Postgres, _>(SELECT).bind(game.id()).bind(after);
            Box::pin(select.bind(i64::from(limit)).fetch_all(connection))
        })
        .await?;
    Ok(found.into_iter().map(MatchId).collect())
}

async fn mark(connection: &mut PgConnection, key: RatingKey) -> Result<RatingMark, Error> {
    const MARK: &str =
        "SELECT count(*), count(taken_back_at) FROM rating_changes WHERE game = $1 AND pace = $2";
    let mark = query_as::<Postgres, (i64, i64)>(MARK).bind(key.game.id()).bind(key.pace.name());
    let (changes, taken_back) = mark.fetch_one(connection).await?;
    Ok(RatingMark { changes: changes.unsigned_abs(), taken_back: taken_back.unsigned_abs() })
}

async fn tables(readers: &Readers, key: RatingKey) -> Result<RatingTables, StoreError> {
    const RATINGS: &str = concat!(rated!(), "WHERE game = $1 AND pace = $2");
    const CHANGES: &str = concat!(change!(), "WHERE game = $1 AND pace = $2 ORDER BY match, seat");
    let read = readers.read(|connection| {
        Box::pin(async move {
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            let ratings = query_as::<Postgres, RatingRow>(RATINGS).bind(key.game.id()).bind(key.pace.name());
            let ratings = ratings.fetch_all(&mut *connection).await;
            let changes =
                query_as::<Postgres, ChangeColumns>(CHANGES).bind(key.game.id()).bind(key.pace.name());
            let changes = changes.fetch_all(&mut *connection).await;
            connection.execute("COMMIT").await?;
            Ok((ratings?, changes?))
        })
    });
    let (ratings, changes) = read.await?;
    let player_and_rating = |row| rating_of(row).map(|(player, _, stored)| (player, stored));
    Ok(RatingTables {
        ratings: ratings.into_iter().map(player_and_rating).collect::<Result<_, _>>()?,
        changes: changes.into_iter().map(change_of).collect::<Result<_, _>>()?,
    })
}

async fn replace(
    writer: &Writer,
    key: RatingKey,
    seen: RatingMark,
    new: RatingTables,
) -> Result<bool, StoreError> {
    // Any lane: what it meets it locks.
    let new = Arc::new(new);
    let replaced = writer.write(Uuid::new_v4(), move |connection| {
        replace_in_transaction(connection, key, seen, Arc::clone(&new))
    });
    Ok(replaced.await?)
}

fn replace_in_transaction(
    connection: &mut PgConnection,
    key: RatingKey,
    seen: RatingMark,
    new: Arc<RatingTables>,
) -> BoxFuture<'_, Result<bool, Undo<bool>>> {
    const CLEAR: &str = "DELETE FROM rating_changes WHERE game = $1 AND pace = $2";
    const EMPTY: &str = "UPDATE ratings SET version = version + 1, number = 0, matches = 0, ended_at = 0, \
         better_sides = 0, points = $3, deviation = $4, volatility = $5 WHERE game = $1 AND pace = $2";
    const FILL: &str = "INSERT INTO ratings (guest, game, pace, version, number, matches, ended_at, better_sides, \
         points, deviation, volatility) \
         SELECT guest, $1, $2, 1, number, matches, ended_at, better_sides, points, deviation, volatility \
         FROM unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::float8[], $9::float8[], \
         $10::float8[]) AS new(guest, number, matches, ended_at, better_sides, points, deviation, volatility) \
         ON CONFLICT (guest, game, pace) DO UPDATE SET number = excluded.number, matches = excluded.matches, \
         ended_at = excluded.ended_at, better_sides = excluded.better_sides, points = excluded.points, \
         deviation = excluded.deviation, volatility = excluded.volatility";
    const FRESH: &str = "DELETE FROM ratings_stale WHERE game = $1 AND pace = $2";
    Box::pin(async move {
        // The end of a rated match waits until the new ratings are there, and then meets another version.
        connection.execute("LOCK TABLE ratings IN SHARE ROW EXCLUSIVE MODE").await?;
        if mark(connection, key).await? != seen {
            return Err(Undo::With(false));
        }
        let (game, pace) = (key.game.id(), key.pace.name());
        query::<Postgres>(CLEAR).bind(game).bind(pace).execute(&mut *connection).await?;
        insert(connection, key, &new.changes).await?;
        let start = StoredRating::none_of(key.game).rating;
        query::<Postgres>(EMPTY)
            .bind(game)
            .bind(pace)
            .bind(start.points())
            .bind(start.deviation())
            .bind(start.volatility())
            .execute(&mut *connection)
            .await?;
        let column_of = |n: usize| new.ratings.values().map(|of| rating_columns(of)[n]).collect::<Vec<_>>();
        let numbers = |of: fn(&StoredRating) -> f64| new.ratings.values().map(of).collect::<Vec<_>>();
        query::<Postgres>(FILL)
            .bind(game)
            .bind(pace)
            .bind(new.ratings.keys().map(|player| player.0).collect::<Vec<_>>())
            .bind(column_of(1))
            .bind(column_of(2))
            .bind(column_of(3))
            .bind(column_of(4))
            .bind(numbers(|of| of.rating.points()))
            .bind(numbers(|of| of.rating.deviation()))
            .bind(numbers(|of| of.rating.volatility()))
            .execute(&mut *connection)
            .await?;
        query::<Postgres>(FRESH).bind(game).bind(pace).execute(connection).await?;
        Ok(true)
    })
}

async fn stale(readers: &Readers) -> Result<Vec<RatingKey>, StoreError> {
    let select = "SELECT game, pace FROM ratings_stale";
    let found: Vec<(String, String)> =
        readers.read(|connection| Box::pin(query_as::<Postgres, _>(select).fetch_all(connection))).await?;
    let mut keys: Vec<_> =
        found.into_iter().map(|(game, pace)| rating_key(&game, &pace)).collect::<Result<_, _>>()?;
    keys.sort();
    Ok(keys)
}
