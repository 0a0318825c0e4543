//! What the turns of rated matches lost, and flags for help from an engine.

use std::ops::RangeInclusive;

use lusoria_play::{FlagId, MatchId, Millis, PlayerId};
use sqlx::Error;
use uuid::Uuid;

use super::{Store, guests, ratings};
use crate::{
    EngineFlag, FlagGrounds, LossSum, NearLosses, NewFlag, RatingKey, StoreFuture, TurnLosses,
    sql::{
        args,
        value::{AnyRow, Row},
    },
};

macro_rules! flags {
    ($which:literal) => {
        concat!(
            "SELECT engine_flags.id, guest, name, kind, game, pace, raised_at, points, matches, turns, lost, \
             expected, closed_at FROM engine_flags JOIN guests ON guests.id = guest ",
            $which
        )
    };
}

/// `match`, `seat`, `guest`, `game`, `pace`, `ended_at`, `points`, `turns`, `lost`, `judge`.
impl Row for TurnLosses {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            of: row.get(0)?,
            seat: row.get(1)?,
            player: row.get(2)?,
            key: ratings::key(row, 3)?,
            ended_at: row.get(5)?,
            points: row.get(6)?,
            turns: row.get(7)?,
            lost: row.get(8)?,
            judge: row.get(9)?,
        })
    }
}

impl Row for LossSum {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { turns: row.get(0)?, lost: row.get(1)? })
    }
}

impl Row for EngineFlag {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: row.get(0)?,
            player: guests::player(row, 1)?,
            key: ratings::key(row, 4)?,
            raised_at: row.get(6)?,
            grounds: FlagGrounds {
                points: row.get(7)?,
                matches: row.get(8)?,
                turns: row.get(9)?,
                lost: row.get(10)?,
                expected: row.get(11)?,
            },
            closed_at: row.get(12)?,
        })
    }
}

impl Store {
    /// Lists rated matches that ended at or after `since` and of whose turns nothing is kept, those that ended last
    /// first; none that was taken back.
    pub fn matches_to_check(&self, since: Millis, limit: u32) -> StoreFuture<'_, Vec<MatchId>> {
        // The condition of the index, in its words.
        let select = "SELECT match FROM rating_changes WHERE at >= $1 AND seat = 1 AND taken_back_at IS NULL \
         AND NOT EXISTS (SELECT 1 FROM turn_losses WHERE turn_losses.match = rating_changes.match) \
         ORDER BY at DESC LIMIT $2";
        self.all(select, args![since, limit])
    }

    /// Keeps what the turns of a match lost; what is kept already stays. Of a player or a match that is gone nothing
    /// is.
    pub fn keep_turn_losses(&self, losses: Vec<TurnLosses>) -> StoreFuture<'_, ()> {
        let of = losses.first().map_or_else(Uuid::nil, |one| one.of.0);
        self.write_unacknowledged(of, losses, |tx, losses| {
            Box::pin(async move {
                let insert = "INSERT INTO turn_losses \
                     (match, seat, guest, game, pace, ended_at, points, turns, lost, judge) \
                     SELECT matches.id, $2, guests.id, $4, $5, $6, $7, $8, $9, $10 FROM matches, guests \
                     WHERE matches.id = $1 AND guests.id = $3 ON CONFLICT DO NOTHING";
                for one in losses {
                    let TurnLosses { of, seat, player, key, ended_at, points, turns, lost, ref judge } = *one;
                    let (game, pace) = (key.game, key.pace);
                    let row = args![of, seat, player, game, pace, ended_at, points, turns, lost, judge];
                    tx.queue(insert, row).await?;
                }
                Ok(())
            })
        })
    }

    /// Lists what a player's turns lost in the matches that ended then, those that ended last first.
    pub fn turn_losses(
        &self,
        player: PlayerId,
        key: RatingKey,
        ended: RangeInclusive<Millis>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<TurnLosses>> {
        let select = "SELECT match, seat, guest, game, pace, ended_at, points, turns, lost, judge FROM turn_losses \
         WHERE guest = $1 AND game = $2 AND pace = $3 AND ended_at BETWEEN $4 AND $5 \
         ORDER BY ended_at DESC, match DESC LIMIT $6";
        self.all(select, args![player, key.game, key.pace, *ended.start(), *ended.end(), limit])
    }

    /// Adds up what the turns of other people of about the same rating lost, without those who are flagged or banned.
    pub fn losses_near(&self, near: NearLosses) -> StoreFuture<'_, LossSum> {
        let select = "SELECT CAST(COALESCE(SUM(turns), 0) AS bigint), COALESCE(SUM(lost), 0.0) FROM turn_losses \
             JOIN guests ON guests.id = turn_losses.guest \
             WHERE game = $1 AND pace = $2 AND judge = $3 AND points BETWEEN $4 AND $5 AND guest <> $6 \
             AND kind = 'person' AND NOT EXISTS (SELECT 1 FROM engine_flags AS flags \
             WHERE flags.guest = turn_losses.guest AND flags.closed_at IS NULL) AND NOT EXISTS \
             (SELECT 1 FROM sanctions WHERE sanctions.guest = turn_losses.guest AND sanctions.kind = 'ban')";
        let NearLosses { except, key, judge, points } = near;
        self.one(select, args![key.game, key.pace, judge, *points.start(), *points.end(), except])
    }

    /// When a player was flagged last for a game and pace.
    pub fn flagged_at(&self, player: PlayerId, key: RatingKey) -> StoreFuture<'_, Option<Millis>> {
        let select = "SELECT max(raised_at) FROM engine_flags WHERE guest = $1 AND game = $2 AND pace = $3";
        self.one(select, args![player, key.game, key.pace])
    }

    /// Raises a flag. False if one is raised already, or the player is gone.
    pub fn raise_flag(&self, new: NewFlag) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let insert = "INSERT INTO engine_flags \
             (id, guest, game, pace, raised_at, points, matches, turns, lost, expected) \
             SELECT $1, id, $3, $4, $5, $6, $7, $8, $9, $10 FROM guests WHERE id = $2 ON CONFLICT DO NOTHING";
            let NewFlag { id, player, key, raised_at, grounds } = new;
            let FlagGrounds { points, matches, turns, lost, expected } = grounds;
            let row =
                args![id, player, key.game, key.pace, raised_at, points, matches, turns, lost, expected];
            Ok(self.execute(player.0, insert, row).await? == 1)
        })
    }

    /// Lists at most `limit` flags, the newest first; only those that are open if `only_open`.
    pub fn flags(&self, only_open: bool, limit: u32) -> StoreFuture<'_, Vec<EngineFlag>> {
        let select = if only_open {
            flags!("WHERE closed_at IS NULL ORDER BY engine_flags.id DESC LIMIT $1")
        } else {
            flags!("ORDER BY engine_flags.id DESC LIMIT $1")
        };
        self.all(select, args![limit])
    }

    /// Reads a flag.
    pub fn flag(&self, id: FlagId) -> StoreFuture<'_, Option<EngineFlag>> {
        self.first(flags!("WHERE engine_flags.id = $1"), args![id])
    }
}
