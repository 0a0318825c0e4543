//! Ratings of players: what is read of them, and how they are replaced.

use std::collections::BTreeMap;

use lusoria_play::{BySeat, MatchId, Millis, PlayerId};
use lusoria_rules::Game;
use rusqlite::{Connection, Row};

use super::{
    SqliteStore,
    creation::number_of,
    failure::undecodable,
    match_columns::card,
    rating_rows::{self, ChangeRow},
    readers::Readers,
    sql::{execute, one, rows},
    text::{column, match_id, millis, player_id, rating, rating_key, seat, seq, stored_rating},
    writer::Writer,
};
use crate::{
    CurvePoint, LeaderboardRow, RATED_PLAYERS_MAX, RatingKey, RatingMark, RatingTables, Ratings,
    RatingsBefore, StoreError, StoreFuture, StoredChange, StoredRating, ratings::day_of, text::corrupt,
};

impl Ratings for SqliteStore {
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
        Box::pin(self.readers.read(move |connection| mark(connection, key)))
    }

    fn rating_tables(&self, key: RatingKey) -> StoreFuture<'_, RatingTables> {
        Box::pin(self.readers.read(move |connection| tables(connection, key)))
    }

    fn replace_ratings(&self, key: RatingKey, seen: RatingMark, new: RatingTables) -> StoreFuture<'_, bool> {
        Box::pin(replace(&self.writer, key, seen, new))
    }

    fn stale_ratings(&self) -> StoreFuture<'_, Vec<RatingKey>> {
        Box::pin(stale(&self.readers))
    }
}

/// Of how many matches it is read at once whether they are rated.
const CARDS_AT_ONCE: u32 = 500;

/// The columns of a change, in the order of [`ChangeColumns`].
const CHANGE: &str = "matches.id, seat, guest_id, opponent_id, rating_changes.number, at, constants, \
     points_before, deviation_before, volatility_before, points, deviation, volatility, taken_back_at";

type ChangeColumns =
    ([u8; 16], i64, String, String, i64, i64, i64, f64, f64, f64, f64, f64, f64, Option<i64>);

fn change_of(columns: ChangeColumns) -> Result<StoredChange, StoreError> {
    let (id, at_seat, player, opponent, number, at, constants, p0, d0, v0, p1, d1, v1, taken_back_at) =
        columns;
    Ok(StoredChange {
        id: match_id(id),
        seat: seat(at_seat)?,
        player: player_id(&player)?,
        opponent: player_id(&opponent)?,
        number: seq(number)?,
        at: millis(at)?,
        constants: u16::try_from(constants).map_err(corrupt)?,
        before: rating((p0, d0, v0))?,
        after: rating((p1, d1, v1))?,
        taken_back_at: taken_back_at.map(millis).transpose()?,
    })
}

async fn before(
    readers: &Readers,
    players: BySeat<PlayerId>,
    key: RatingKey,
    at: Millis,
) -> Result<RatingsBefore, StoreError> {
    const EARLIER: &str = "SELECT COUNT(*) FROM rating_changes WHERE guest_id = ?1 AND opponent_id = ?2 \
         AND game = ?3 AND pace = ?4 AND at >= ?5 AND at < ?6 AND taken_back_at IS NULL";
    let BySeat(one_, two) = players;
    let (begins, ends) = day_of(at);
    let read = readers.read(move |connection| {
        // The versions first: a match that is rated in between then makes the append conflict.
        let stored =
            BySeat(rating_rows::stored(connection, one_, key)?, rating_rows::stored(connection, two, key)?);
        let pair = (one_.0.to_string(), two.0.to_string(), key.game.id(), key.pace.name());
        let (one_, two, game, pace) = pair;
        let by = (one_, two, game, pace, column(begins), column(ends));
        let (earlier_today,): (u32,) = one(connection, EARLIER, by)?;
        Ok(RatingsBefore { stored, earlier_today })
    });
    read.await
}

/// Whose rating, which, and its columns.
type RatingRow = (String, String, String, i64, i64, i64, i64, i64, f64, f64, f64);

fn rating_of(row: RatingRow) -> Result<(PlayerId, RatingKey, StoredRating), StoreError> {
    let (player, game, pace, version, number, matches, ended_at, better_sides, p, d, v) = row;
    let stored = stored_rating([version, number, matches, ended_at, better_sides], (p, d, v))?;
    Ok((player_id(&player)?, rating_key(&game, &pace)?, stored))
}

async fn of_players(
    readers: &Readers,
    mut players: Vec<PlayerId>,
) -> Result<Vec<(PlayerId, RatingKey, StoredRating)>, StoreError> {
    const SELECT: &str = "SELECT guest_id, game, pace, version, number, matches, ended_at, better_sides, \
         points, deviation, volatility FROM ratings \
         WHERE guest_id IN (SELECT value FROM json_each(?1)) ORDER BY guest_id, game, pace";
    players.truncate(RATED_PLAYERS_MAX);
    let ids: Vec<String> = players.into_iter().map(|player| player.0.to_string()).collect();
    let ids = serde_json::to_string(&ids).map_err(corrupt)?;
    let found: Vec<RatingRow> = readers.read(move |connection| rows(connection, SELECT, [ids])).await?;
    let mut found: Vec<_> = found.into_iter().map(rating_of).collect::<Result<_, _>>()?;
    found.sort_by_key(|(player, key, _)| (*player, *key));
    Ok(found)
}

/// A change and whether its match is listed.
struct PointRow(ChangeColumns, bool);

impl TryFrom<&Row<'_>> for PointRow {
    type Error = rusqlite::Error;

    fn try_from(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self(ChangeColumns::try_from(row)?, row.get("listed")?))
    }
}

async fn changes(
    readers: &Readers,
    player: PlayerId,
    key: RatingKey,
    after: u32,
    limit: u32,
) -> Result<Vec<CurvePoint>, StoreError> {
    let select = format!(
        "SELECT {CHANGE}, listed FROM rating_changes JOIN matches ON matches.number = match \
         WHERE guest_id = ?1 AND rating_changes.game = ?2 AND pace = ?3 AND rating_changes.number > ?4 \
         AND taken_back_at IS NULL ORDER BY rating_changes.number LIMIT ?5"
    );
    let by = (player.0.to_string(), key.game.id(), key.pace.name(), after, limit);
    let found: Vec<PointRow> = readers.read(move |connection| rows(connection, &select, by)).await?;
    found
        .into_iter()
        .map(|PointRow(change, is_listed)| Ok(CurvePoint { change: change_of(change)?, is_listed }))
        .collect()
}

/// A place on the board: who, and the columns of the rating.
type BoardRow = (String, String, String, i64, i64, i64, i64, i64, f64, f64, f64);

/// The conditions of the index, in its words.
const LEADERBOARD: &str = "SELECT guests.id, guests.name, accounts.handle, version, number, matches, ended_at, \
     better_sides, points, deviation, volatility \
     FROM ratings JOIN guests ON guests.id = ratings.guest_id JOIN accounts ON accounts.guest_id = guests.id \
     WHERE game = ?1 AND pace = ?2 AND deviation <= 75 AND matches >= 20 AND ended_at >= ?3 \
     AND (guests.kind = 'bot') = ?4 AND blocked_at IS NULL ORDER BY points DESC, guests.id LIMIT ?5";

async fn leaderboard(
    readers: &Readers,
    key: RatingKey,
    bots: bool,
    since: Millis,
    limit: u32,
) -> Result<Vec<LeaderboardRow>, StoreError> {
    let by = (key.game.id(), key.pace.name(), column(since), bots, limit);
    let found: Vec<BoardRow> = readers.read(move |connection| rows(connection, LEADERBOARD, by)).await?;
    let row = |row: BoardRow| {
        let (player, name, handle, version, number, matches, ended_at, better_sides, p, d, v) = row;
        let stored = stored_rating([version, number, matches, ended_at, better_sides], (p, d, v))?;
        Ok(LeaderboardRow { player: player_id(&player)?, name, handle, stored })
    };
    found.into_iter().map(row).collect()
}

async fn rated_matches(
    readers: &Readers,
    game: Game,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Vec<MatchId>, StoreError> {
    // What is packed tells SQL nothing.
    const SELECT: &str = "SELECT id, card FROM matches WHERE state = 'finished' AND game = ?1 AND id > ?2 \
         ORDER BY id LIMIT ?3";
    let mut found = Vec::new();
    let mut after = after.map_or_else(Vec::new, |id| id.0.into_bytes().to_vec());
    while found.len() < limit as usize {
        let by = (game.id(), after.clone(), CARDS_AT_ONCE);
        let page: Vec<([u8; 16], Vec<u8>)> =
            readers.read(move |connection| rows(connection, SELECT, by)).await?;
        let Some((last, _)) = page.last() else { break };
        after = last.to_vec();
        for (id, column) in page {
            if card(&column, None, 0)?.terms.rated {
                found.push(match_id(id));
            }
        }
    }
    found.truncate(limit as usize);
    Ok(found)
}

fn mark(connection: &Connection, key: RatingKey) -> rusqlite::Result<RatingMark> {
    const MARK: &str =
        "SELECT COUNT(*), COUNT(taken_back_at) FROM rating_changes WHERE game = ?1 AND pace = ?2";
    let (changes, taken_back) = one(connection, MARK, (key.game.id(), key.pace.name()))?;
    Ok(RatingMark { changes, taken_back })
}

fn tables(connection: &Connection, key: RatingKey) -> rusqlite::Result<RatingTables> {
    const RATINGS: &str = "SELECT guest_id, game, pace, version, number, matches, ended_at, better_sides, points, \
         deviation, volatility FROM ratings WHERE game = ?1 AND pace = ?2";
    let changes = format!(
        "SELECT {CHANGE} FROM rating_changes JOIN matches ON matches.number = match \
         WHERE rating_changes.game = ?1 AND pace = ?2 ORDER BY matches.id, seat"
    );
    let by = (key.game.id(), key.pace.name());
    let snapshot = connection.unchecked_transaction()?;
    let found: Vec<RatingRow> = rows(&snapshot, RATINGS, by)?;
    let changes: Vec<ChangeColumns> = rows(&snapshot, &changes, by)?;
    let player_and_rating = |row| rating_of(row).map(|(player, _, stored)| (player, stored));
    Ok(RatingTables {
        ratings: found.into_iter().map(player_and_rating).collect::<Result<_, _>>().map_err(undecodable)?,
        changes: changes.into_iter().map(change_of).collect::<Result<_, _>>().map_err(undecodable)?,
    })
}

async fn replace(
    writer: &Writer,
    key: RatingKey,
    seen: RatingMark,
    new: RatingTables,
) -> Result<bool, StoreError> {
    let replace = writer.write(move |connection| {
        if mark(connection, key)? != seen {
            return Ok(false);
        }
        let of_key = (key.game.id(), key.pace.name());
        let versions: Vec<(String, i64)> =
            rows(connection, "SELECT guest_id, version FROM ratings WHERE game = ?1 AND pace = ?2", of_key)?;
        let versions: BTreeMap<String, i64> = versions.into_iter().collect();
        execute(connection, "DELETE FROM rating_changes WHERE game = ?1 AND pace = ?2", of_key)?;
        for change in &new.changes {
            // A match that was deleted meanwhile has none any more.
            if let Some(number) = number_of(connection, change.id)? {
                ChangeRow::of(key, change).insert(connection, number)?;
            }
        }
        for (player, version) in &versions {
            let player = player_id(player).map_err(undecodable)?;
            let version = seq(*version).map_err(undecodable)?;
            let stored = new.ratings.get(&player).copied();
            let stored = stored.unwrap_or_else(|| StoredRating::none_of(key.game));
            rating_rows::write(connection, player, key, &StoredRating { version: version + 1, ..stored })?;
        }
        for (player, stored) in &new.ratings {
            if !versions.contains_key(&player.0.to_string()) {
                rating_rows::write(connection, *player, key, &StoredRating { version: 1, ..*stored })?;
            }
        }
        execute(connection, "DELETE FROM ratings_stale WHERE game = ?1 AND pace = ?2", of_key)?;
        Ok(true)
    });
    Ok(replace.await?)
}

async fn stale(readers: &Readers) -> Result<Vec<RatingKey>, StoreError> {
    let select = "SELECT game, pace FROM ratings_stale";
    let found: Vec<(String, String)> = readers.read(move |connection| rows(connection, select, [])).await?;
    let mut keys: Vec<_> =
        found.into_iter().map(|(game, pace)| rating_key(&game, &pace)).collect::<Result<_, _>>()?;
    keys.sort();
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteOptions, open::open, sql};

    /// So a file that is moved to PostgreSQL ([`crate::move_to_postgres`]) keeps all bits.
    #[test]
    fn numbers_written_as_json_have_the_same_bits() {
        let connection = Connection::open_in_memory().expect("a database");
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for n in 0..20_000 {
            // A linear congruential generator is enough to try many mantissas.
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = f64::from_bits(bits >> 12 | 0x3ff0_0000_0000_0000) * f64::from(n % 4_000);
            let (json,): (String,) =
                one(&connection, "SELECT json_object('n', json(printf('%!.17g', ?1)))", [number])
                    .expect("written");
            let text = json.strip_prefix("{\"n\":").and_then(|rest| rest.strip_suffix('}')).expect("JSON");
            let read: f64 = text.parse().expect("a number");
            assert_eq!(read.to_bits(), number.to_bits(), "{number:?} as {json}");
        }
    }

    /// A leaderboard reads its first places, not all ratings.
    #[test]
    fn a_leaderboard_is_read_from_its_index() {
        let folder = tempfile::tempdir().expect("a folder");
        let opened = open(&folder.path().join("test.db"), &SqliteOptions::default()).expect("opened");
        let plan = sql::plan(&opened.writer, LEADERBOARD);
        assert!(plan[0].contains("ratings USING INDEX ratings_board"), "{plan:?}");
    }
}
