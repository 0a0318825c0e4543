//! Ratings of players.

use lusoria_play::{BySeat, MatchId, Millis, PlayerId};
use lusoria_rating::Rating;
use lusoria_rules::Game;
use serde_json::json;
use sqlx::Error;
use uuid::Uuid;

use super::Store;
use crate::{
    CurvePoint, LeaderboardRow, RATED_PLAYERS_MAX, RatingChange, RatingKey, RatingMark, RatingTables,
    RatingsBefore, SeatChange, StoreFuture, StoredChange, StoredRating,
    error::Refused,
    ratings::day_of,
    sql::{
        Done, Tx, args,
        value::{AnyRow, Column, Ids, Row, undecodable},
    },
    sqlite::match_columns::card,
};

/// How many rows one statement writes at most.
const ROWS_AT_ONCE_MAX: usize = 5_000;
/// How many matches are looked at at once for whether they are rated.
const CARDS_AT_ONCE: u32 = 500;

/// The ratings that meet a condition, as rows of [`OfPlayer`].
macro_rules! ratings {
    ($condition:literal) => {
        concat!(
            "SELECT guest, game, pace, version, number, matches, ended_at, better_sides, points, deviation, volatility \
             FROM ratings WHERE ",
            $condition
        )
    };
}

/// The columns of a [`StoredChange`], and the rest of a query.
macro_rules! changes {
    ($rest:literal) => {
        concat!(
            "SELECT match, seat, guest, opponent, number, at, constants, points_before, deviation_before, \
             volatility_before, points, deviation, volatility, taken_back_at",
            $rest
        )
    };
}

const MARK: &str = "SELECT count(*), count(taken_back_at) FROM rating_changes WHERE game = $1 AND pace = $2";

/// Whose rating, which, and the rating itself.
type OfPlayer = (PlayerId, RatingKey, StoredRating);

/// Reads the columns `game` and `pace` from `index` on.
pub(super) fn key(row: &AnyRow<'_>, index: usize) -> Result<RatingKey, Error> {
    Ok(RatingKey { game: row.get(index)?, pace: row.get(index + 1)? })
}

/// Reads the columns `points`, `deviation` and `volatility` from `index` on.
fn rating(row: &AnyRow<'_>, index: usize) -> Result<Rating, Error> {
    Rating::new(row.get(index)?, row.get(index + 1)?, row.get(index + 2)?).map_err(undecodable)
}

/// Reads `version`, `number`, `matches`, `ended_at`, `better_sides` and the columns of [`rating`] from `index` on.
fn stored(row: &AnyRow<'_>, index: usize) -> Result<StoredRating, Error> {
    Ok(StoredRating {
        version: row.get(index)?,
        number: row.get(index + 1)?,
        matches: row.get(index + 2)?,
        ended_at: row.get(index + 3)?,
        better_sides: row.get(index + 4)?,
        rating: rating(row, index + 5)?,
    })
}

/// `game`, `pace`.
impl Row for RatingKey {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        key(row, 0)
    }
}

impl Row for OfPlayer {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok((row.get(0)?, key(row, 1)?, stored(row, 3)?))
    }
}

impl Row for StoredChange {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: row.get(0)?,
            seat: row.get(1)?,
            player: row.get(2)?,
            opponent: row.get(3)?,
            number: row.get(4)?,
            at: row.get(5)?,
            constants: row.get(6)?,
            before: rating(row, 7)?,
            after: rating(row, 10)?,
            taken_back_at: row.get(13)?,
        })
    }
}

/// A change, and `listed` of its match.
impl Row for CurvePoint {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { change: Row::read(row)?, is_listed: row.get(14)? })
    }
}

/// The id, name and handle of the player, and their rating.
impl Row for LeaderboardRow {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { player: row.get(0)?, name: row.get(1)?, handle: row.get(2)?, stored: stored(row, 3)? })
    }
}

impl Row for RatingMark {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { changes: row.get(0)?, taken_back: row.get(1)? })
    }
}

/// Whether a match is rated, by its card; in a file that may be packed.
struct IsRated(bool);

impl Column for IsRated {
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
        let shown = match row {
            AnyRow::Sqlite(_) => row.get::<Vec<u8>>(index)?,
            AnyRow::Postgres(_) => row.get::<String>(index)?.into_bytes(),
        };
        let card = card(&shown, None, 0).inspect_err(|error| {
            tracing::error!(%error, "could not read the card of a match; leaving it out of rated ones");
        });
        Ok(Self(card.is_ok_and(|card| card.terms.rated)))
    }
}

/// What the append that ends a match, or takes it back, changes of ratings.
pub(crate) struct RatingEntry {
    pub(crate) id: MatchId,
    pub(crate) at: Millis,
    pub(crate) rates: Option<Box<RatingChange>>,
    pub(crate) unrates: bool,
}

impl RatingEntry {
    /// Writes it in the present transaction, which must be undone if it is refused. Its locks come after those of
    /// matches, in the order of the players.
    pub(crate) async fn write(&self, tx: &mut Tx) -> Result<Result<(), Refused>, Error> {
        if let Some(rates) = &self.rates {
            let BySeat(one, two) = &rates.seats;
            let mut seats = [one, two];
            seats.sort_by_key(|seat| seat.player);
            for seat in seats {
                if !advance(tx, rates.key, seat).await? {
                    return Ok(Err(Refused::Conflict));
                }
            }
            let BySeat(one, two) = rates.stored(self.id);
            insert(tx, rates.key, &[one, two]).await?;
        }
        if self.unrates {
            let stale = "INSERT INTO ratings_stale (game, pace) \
                 SELECT DISTINCT game, pace FROM rating_changes WHERE match = $1 ON CONFLICT DO NOTHING";
            tx.queue(stale, args![self.id]).await?;
            let mark = "UPDATE rating_changes SET taken_back_at = $2 WHERE match = $1";
            tx.queue(mark, args![self.id, self.at]).await?;
        }
        Ok(Ok(()))
    }
}

/// Writes a rating; false if its version is no longer the expected one, which is 0 if there is none.
async fn advance(tx: &mut Tx, key: RatingKey, change: &SeatChange) -> Result<bool, Error> {
    const FIRST: &str = "INSERT INTO ratings (guest, game, pace, version, number, matches, ended_at, better_sides, \
         points, deviation, volatility) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING";
    const NEXT: &str = "UPDATE ratings SET version = $4, number = $5, matches = $6, ended_at = $7, better_sides = $8, \
         points = $9, deviation = $10, volatility = $11 \
         WHERE guest = $1 AND game = $2 AND pace = $3 AND version = $12";
    let StoredRating { rating, version, number, matches, ended_at, better_sides } = change.after;
    let mut args = args![
        change.player,
        key.game,
        key.pace,
        version,
        number,
        matches,
        ended_at,
        better_sides,
        rating.points(),
        rating.deviation(),
        rating.volatility(),
    ];
    let sql = if change.expected == 0 {
        FIRST
    } else {
        args.extend(args![change.expected]);
        NEXT
    };
    Ok(tx.execute(sql, args).await? == 1)
}

/// Stores changes of a game and pace. Skips those whose matches are gone.
async fn insert(tx: &mut Tx, key: RatingKey, changes: &[StoredChange]) -> Result<(), Error> {
    const INSERT: &str = "INSERT INTO rating_changes (match, seat, guest, opponent, game, pace, number, at, constants, \
         points_before, deviation_before, volatility_before, points, deviation, volatility, taken_back_at) \
         SELECT unhex(value->>0), CAST(value->>1 AS bigint), unhex(value->>2), unhex(value->>3), $1, $2, \
         CAST(value->>4 AS bigint), CAST(value->>5 AS bigint), CAST(value->>6 AS bigint), \
         CAST(value->>7 AS double precision), CAST(value->>8 AS double precision), \
         CAST(value->>9 AS double precision), CAST(value->>10 AS double precision), \
         CAST(value->>11 AS double precision), CAST(value->>12 AS double precision), CAST(value->>13 AS bigint) \
         FROM json_each($3) WHERE EXISTS (SELECT 1 FROM matches WHERE matches.id = unhex(value->>0))";
    let row = |of: &StoredChange| {
        json!([
            of.id.0.simple().to_string(),
            of.seat.number(),
            of.player.0.simple().to_string(),
            of.opponent.0.simple().to_string(),
            of.number,
            of.at,
            of.constants,
            of.before.points(),
            of.before.deviation(),
            of.before.volatility(),
            of.after.points(),
            of.after.deviation(),
            of.after.volatility(),
            of.taken_back_at,
        ])
    };
    let rows: Vec<_> = changes.iter().map(row).collect();
    write_rows(tx, INSERT, key, &rows).await
}

/// Runs a statement for a game, a pace and rows.
async fn write_rows(
    tx: &mut Tx,
    sql: &'static str,
    key: RatingKey,
    rows: &[serde_json::Value],
) -> Result<(), Error> {
    for portion in rows.chunks(ROWS_AT_ONCE_MAX) {
        tx.queue(sql, args![key.game, key.pace, json!(portion)]).await?;
    }
    Ok(())
}

async fn replace(tx: &mut Tx, key: RatingKey, seen: RatingMark, new: &RatingTables) -> Done<bool> {
    const EMPTY: &str = "UPDATE ratings SET version = version + 1, number = 0, matches = 0, ended_at = 0, \
         better_sides = 0, points = $3, deviation = $4, volatility = $5 WHERE game = $1 AND pace = $2";
    // Without WHERE, SQLite would take ON CONFLICT for the condition of a join.
    const FILL: &str = "INSERT INTO ratings (guest, game, pace, version, number, matches, ended_at, better_sides, \
         points, deviation, volatility) SELECT unhex(value->>0), $1, $2, 1, CAST(value->>1 AS bigint), \
         CAST(value->>2 AS bigint), CAST(value->>3 AS bigint), CAST(value->>4 AS bigint), \
         CAST(value->>5 AS double precision), CAST(value->>6 AS double precision), \
         CAST(value->>7 AS double precision) FROM json_each($3) WHERE true \
         ON CONFLICT (guest, game, pace) DO UPDATE SET number = excluded.number, matches = excluded.matches, \
         ended_at = excluded.ended_at, better_sides = excluded.better_sides, points = excluded.points, \
         deviation = excluded.deviation, volatility = excluded.volatility";
    let of_key = || args![key.game, key.pace];
    // The end of a rated match waits until the new ratings are there, and then meets another version.
    if matches!(tx, Tx::Postgres(_)) {
        tx.script("LOCK TABLE ratings IN SHARE ROW EXCLUSIVE MODE").await?;
    }
    if tx.one::<RatingMark>(MARK, of_key()).await? != seen {
        return Ok(false);
    }
    tx.queue("DELETE FROM rating_changes WHERE game = $1 AND pace = $2", of_key()).await?;
    insert(tx, key, &new.changes).await?;
    let start = StoredRating::none_of(key.game).rating;
    let empty = args![key.game, key.pace, start.points(), start.deviation(), start.volatility()];
    tx.queue(EMPTY, empty).await?;
    let row = |(player, of): (&PlayerId, &StoredRating)| {
        json!([
            player.0.simple().to_string(),
            of.number,
            of.matches,
            of.ended_at,
            of.better_sides,
            of.rating.points(),
            of.rating.deviation(),
            of.rating.volatility(),
        ])
    };
    let rows: Vec<_> = new.ratings.iter().map(row).collect();
    write_rows(tx, FILL, key, &rows).await?;
    tx.queue("DELETE FROM ratings_stale WHERE game = $1 AND pace = $2", of_key()).await?;
    Ok(true)
}

impl Store {
    /// Reads what is known before a match of these two players is rated that ends at `at`.
    pub fn ratings_before(
        &self,
        players: BySeat<PlayerId>,
        key: RatingKey,
        at: Millis,
    ) -> StoreFuture<'_, RatingsBefore> {
        const RATINGS: &str = ratings!("guest IN ($1, $2) AND game = $3 AND pace = $4");
        const EARLIER: &str = "SELECT count(*) FROM rating_changes WHERE guest = $1 AND opponent = $2 \
             AND game = $3 AND pace = $4 AND at >= $5 AND at < $6 AND taken_back_at IS NULL";
        let BySeat(one, two) = players;
        let (begins, ends) = day_of(at);
        self.read(move |tx| {
            Box::pin(async move {
                // The versions first: a match that is rated in between then makes the append conflict.
                let ratings: Vec<OfPlayer> = tx.all(RATINGS, args![one, two, key.game, key.pace]).await?;
                let earlier = args![one, two, key.game, key.pace, begins, ends];
                let earlier_today = tx.one(EARLIER, earlier).await?;
                let of = |player| ratings.iter().find(|(id, ..)| *id == player).map(|(.., stored)| *stored);
                Ok(RatingsBefore { stored: BySeat(of(one), of(two)), earlier_today })
            })
        })
    }

    /// Reads all ratings of at most [`RATED_PLAYERS_MAX`] players, by player and key; those of others are left out.
    pub fn ratings_of(&self, players: Vec<PlayerId>) -> StoreFuture<'_, Vec<OfPlayer>> {
        Box::pin(async move {
            let ids = Ids::of(players.into_iter().take(RATED_PLAYERS_MAX).map(|player| player.0));
            let select = ratings!("guest IN (SELECT unhex(value) FROM json_each($1))");
            let mut found: Vec<OfPlayer> = self.all(select, args![ids]).await?;
            found.sort_by_key(|(player, key, _)| (*player, *key));
            Ok(found)
        })
    }

    /// Lists at most `limit` changes of a player's rating with numbers greater than `after`, in their order, without
    /// those taken back.
    pub fn rating_changes(
        &self,
        player: PlayerId,
        key: RatingKey,
        after: u32,
        limit: u32,
    ) -> StoreFuture<'_, Vec<CurvePoint>> {
        let select = changes!(
            ", (SELECT listed FROM matches WHERE matches.id = rating_changes.match) FROM rating_changes \
         WHERE guest = $1 AND game = $2 AND pace = $3 AND number > $4 AND taken_back_at IS NULL \
         ORDER BY number LIMIT $5"
        );
        self.all(select, args![player, key.game, key.pace, after, limit])
    }

    /// Lists at most `limit` bots, or people, with an account that is not blocked, whose rating is settled and rests
    /// on at least [`LEADERBOARD_MATCHES_MIN`](crate::LEADERBOARD_MATCHES_MIN) matches, the last of which ended at
    /// `since` or later: the highest first, those with equal points by their ids.
    pub fn leaderboard(
        &self,
        key: RatingKey,
        bots: bool,
        since: Millis,
        limit: u32,
    ) -> StoreFuture<'_, Vec<LeaderboardRow>> {
        // The conditions of the index, in its words.
        let select = "SELECT guests.id, guests.name, accounts.handle, version, number, matches, ended_at, \
             better_sides, points, deviation, volatility \
             FROM ratings JOIN guests ON guests.id = ratings.guest JOIN accounts ON accounts.guest = guests.id \
             WHERE game = $1 AND pace = $2 AND deviation <= 75 AND matches >= 20 AND ended_at >= $3 \
             AND (guests.kind = 'bot') = $4 AND blocked_at IS NULL ORDER BY points DESC, guests.id LIMIT $5";
        self.all(select, args![key.game, key.pace, since, bots, limit])
    }

    /// Lists at most `limit` matches of a game after `after`, in the order of their ids, that have ended and were rated
    /// by their terms. They come from the matches, not from what is stored of ratings.
    pub fn rated_matches(
        &self,
        game: Game,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        Box::pin(async move {
            // What is packed tells SQL nothing.
            let select = "SELECT id, card FROM matches WHERE state = 'finished' AND game = $1 AND id > $2 \
             ORDER BY id LIMIT $3";
            let mut after = after.unwrap_or(MatchId(Uuid::nil()));
            let mut found = Vec::new();
            while found.len() < limit as usize {
                let page: Vec<(MatchId, IsRated)> =
                    self.all(select, args![game, after, CARDS_AT_ONCE]).await?;
                let Some((last, _)) = page.last() else { break };
                after = *last;
                found.extend(page.iter().filter(|(_, is_rated)| is_rated.0).map(|(id, _)| *id));
            }
            found.truncate(limit as usize);
            Ok(found)
        })
    }

    /// Counts the changes of a game and pace.
    pub fn rating_mark(&self, key: RatingKey) -> StoreFuture<'_, RatingMark> {
        self.one(MARK, args![key.game, key.pace])
    }

    /// Reads all that is stored of a game and pace, as it is at one moment.
    pub fn rating_tables(&self, key: RatingKey) -> StoreFuture<'_, RatingTables> {
        Box::pin(async move {
            const RATINGS: &str = ratings!("game = $1 AND pace = $2");
            const CHANGES: &str =
                changes!(" FROM rating_changes WHERE game = $1 AND pace = $2 ORDER BY match, seat");
            self.read(move |tx| {
                Box::pin(async move {
                    let begin = tx.either("BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
                    tx.script(begin).await?;
                    let ratings = tx.all::<OfPlayer>(RATINGS, args![key.game, key.pace]).await;
                    let changes = tx.all(CHANGES, args![key.game, key.pace]).await;
                    let changes = tx.end_reading(changes).await;
                    let ratings = ratings?.into_iter().map(|(player, _, stored)| (player, stored)).collect();
                    Ok(RatingTables { ratings, changes: changes? })
                })
            })
            .await
        })
    }

    /// Replaces all that is stored of a game and pace, whatever versions `new` has, and notes that it is no longer
    /// stale. Every rating gets a higher version than it had, so that what was computed from those before is not
    /// stored any more. A player who is not in `new` keeps a row without matches. False, and nothing changes, if
    /// `seen` is not the mark any more.
    pub fn replace_ratings(
        &self,
        key: RatingKey,
        seen: RatingMark,
        new: RatingTables,
    ) -> StoreFuture<'_, bool> {
        // Any lane: it locks what it changes.
        let args = (key, seen, new);
        self.write(Uuid::new_v4(), args, |tx, (key, seen, new)| Box::pin(replace(tx, *key, *seen, new)))
    }

    /// Lists the games and paces of which a match was taken back since their ratings were last replaced.
    pub fn stale_ratings(&self) -> StoreFuture<'_, Vec<RatingKey>> {
        Box::pin(async move {
            let mut keys: Vec<RatingKey> = self.all("SELECT game, pace FROM ratings_stale", args![]).await?;
            keys.sort();
            Ok(keys)
        })
    }
}
