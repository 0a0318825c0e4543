//! The rows of ratings and of their changes, as the transaction that ends a match writes them.

use lusoria_play::{MatchId, PlayerId, Seat};
use rusqlite::{Connection, params};

use super::{
    failure::undecodable,
    sql::{execute, first},
    text::{column, rating_columns, stored_rating},
};
use crate::{RatingChange, RatingKey, StoredChange, StoredRating};

const STORED: &str = "SELECT version, number, matches, ended_at, better_sides, points, deviation, volatility \
     FROM ratings WHERE guest_id = ?1 AND game = ?2 AND pace = ?3";

/// A player's rating.
pub(super) fn stored(
    connection: &Connection,
    player: PlayerId,
    key: RatingKey,
) -> rusqlite::Result<Option<StoredRating>> {
    type Columns = (i64, i64, i64, i64, i64, f64, f64, f64);
    let by = (player.0.to_string(), key.game.id(), key.pace.name());
    let found: Option<Columns> = first(connection, STORED, by)?;
    let stored = found.map(|(version, number, matches, ended_at, better_sides, p, d, v)| {
        stored_rating([version, number, matches, ended_at, better_sides], (p, d, v)).map_err(undecodable)
    });
    stored.transpose()
}

const WRITE: &str = "INSERT INTO ratings (guest_id, game, pace, version, number, matches, ended_at, better_sides, \
     points, deviation, volatility) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
     ON CONFLICT (guest_id, game, pace) DO UPDATE SET version = excluded.version, number = excluded.number, \
     matches = excluded.matches, ended_at = excluded.ended_at, better_sides = excluded.better_sides, \
     points = excluded.points, deviation = excluded.deviation, volatility = excluded.volatility";

/// Writes a player's rating in the place of what was there.
pub(super) fn write(
    connection: &Connection,
    player: PlayerId,
    key: RatingKey,
    stored: &StoredRating,
) -> rusqlite::Result<()> {
    let [version, number, matches, ended_at, better_sides] = rating_columns(stored);
    let rating = stored.rating;
    let columns = params![
        player.0.to_string(),
        key.game.id(),
        key.pace.name(),
        version,
        number,
        matches,
        ended_at,
        better_sides,
        rating.points(),
        rating.deviation(),
        rating.volatility(),
    ];
    execute(connection, WRITE, columns).map(drop)
}

/// A change, as columns.
pub(super) struct ChangeRow<'c> {
    key: RatingKey,
    change: &'c StoredChange,
}

const INSERT: &str = "INSERT INTO rating_changes (match, seat, guest_id, opponent_id, game, pace, number, at, \
     constants, points_before, deviation_before, volatility_before, points, deviation, volatility, taken_back_at) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";

impl<'c> ChangeRow<'c> {
    pub(super) const fn of(key: RatingKey, change: &'c StoredChange) -> Self {
        Self { key, change }
    }

    /// Writes it for the match with this number.
    pub(super) fn insert(&self, connection: &Connection, number: i64) -> rusqlite::Result<()> {
        let StoredChange { seat, player, opponent, at, constants, before, after, taken_back_at, .. } =
            *self.change;
        let columns = params![
            number,
            seat.number(),
            player.0.to_string(),
            opponent.0.to_string(),
            self.key.game.id(),
            self.key.pace.name(),
            self.change.number,
            column(at),
            constants,
            before.points(),
            before.deviation(),
            before.volatility(),
            after.points(),
            after.deviation(),
            after.volatility(),
            taken_back_at.map(column),
        ];
        execute(connection, INSERT, columns).map(drop)
    }
}

/// Whether the ratings are still those from which a change was computed.
pub(super) fn are_as_read(connection: &Connection, change: &RatingChange) -> rusqlite::Result<bool> {
    for seat in Seat::BOTH {
        let of = change.seats.get(seat);
        let found = stored(connection, of.player, change.key)?;
        if found.map_or(0, |stored| stored.version) != of.expected {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes what the match with this number changes.
pub(super) fn rate(
    connection: &Connection,
    number: i64,
    id: MatchId,
    rates: &RatingChange,
) -> rusqlite::Result<()> {
    let changes = rates.stored(id);
    for seat in Seat::BOTH {
        let of = rates.seats.get(seat);
        write(connection, of.player, rates.key, &of.after)?;
        ChangeRow::of(rates.key, changes.get(seat)).insert(connection, number)?;
    }
    Ok(())
}

/// Marks what the match with this number has changed as taken back.
pub(super) fn take_back(connection: &Connection, number: i64, at: i64) -> rusqlite::Result<()> {
    const STALE: &str = "INSERT OR IGNORE INTO ratings_stale (game, pace) \
         SELECT DISTINCT game, pace FROM rating_changes WHERE match = ?1";
    execute(connection, STALE, [number])?;
    let mark = "UPDATE rating_changes SET taken_back_at = ?2 WHERE match = ?1";
    execute(connection, mark, (number, at)).map(drop)
}
