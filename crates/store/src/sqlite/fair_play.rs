//! What the turns of rated matches lost, and who is flagged for it.

use std::ops::RangeInclusive;

use lusoria_play::{FlagId, MatchId, Millis, Player, PlayerId};

use super::{
    SqliteStore,
    creation::number_of,
    readers::Readers,
    sql::{execute, exists, first, one, rows},
    text::{column, flag_id, match_id, millis, player_id, player_kind, rating_key, seat, seq},
    writer::Writer,
};
use crate::{
    EngineFlag, FairPlay, FlagGrounds, LossSum, NearLosses, NewFlag, RatingKey, StoreError, StoreFuture,
    TurnLosses,
};

impl FairPlay for SqliteStore {
    fn matches_to_check(&self, since: Millis, limit: u32) -> StoreFuture<'_, Vec<MatchId>> {
        Box::pin(to_check(&self.readers, since, limit))
    }

    fn keep_turn_losses(&self, losses: Vec<TurnLosses>) -> StoreFuture<'_, ()> {
        Box::pin(keep(&self.writer, losses))
    }

    fn turn_losses(
        &self,
        player: PlayerId,
        key: RatingKey,
        ended: RangeInclusive<Millis>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<TurnLosses>> {
        Box::pin(losses_of(&self.readers, player, key, ended, limit))
    }

    fn losses_near(&self, near: NearLosses) -> StoreFuture<'_, LossSum> {
        Box::pin(losses_near(&self.readers, near))
    }

    fn flagged_at(&self, player: PlayerId, key: RatingKey) -> StoreFuture<'_, Option<Millis>> {
        Box::pin(flagged_at(&self.readers, player, key))
    }

    fn raise_flag(&self, new: NewFlag) -> StoreFuture<'_, bool> {
        Box::pin(raise(&self.writer, new))
    }

    fn flags(&self, only_open: bool, limit: u32) -> StoreFuture<'_, Vec<EngineFlag>> {
        Box::pin(flags(&self.readers, only_open, limit))
    }

    fn flag(&self, id: FlagId) -> StoreFuture<'_, Option<EngineFlag>> {
        Box::pin(one_flag(&self.readers, id))
    }
}

/// The condition of the index, in its words.
const TO_CHECK: &str = "SELECT matches.id FROM rating_changes JOIN matches ON matches.number = rating_changes.match \
     WHERE at >= ?1 AND seat = 1 AND taken_back_at IS NULL AND NOT EXISTS \
     (SELECT 1 FROM turn_losses WHERE turn_losses.match = rating_changes.match) ORDER BY at DESC LIMIT ?2";

async fn to_check(readers: &Readers, since: Millis, limit: u32) -> Result<Vec<MatchId>, StoreError> {
    let by = (column(since), limit);
    let found: Vec<([u8; 16],)> = readers.read(move |connection| rows(connection, TO_CHECK, by)).await?;
    Ok(found.into_iter().map(|(id,)| match_id(id)).collect())
}

async fn keep(writer: &Writer, losses: Vec<TurnLosses>) -> Result<(), StoreError> {
    let keep = writer.write_unacknowledged(move |connection| {
        let insert = "INSERT OR IGNORE INTO turn_losses \
             (match, seat, guest_id, game, pace, ended_at, points, turns, lost, judge) \
             SELECT ?1, ?2, id, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM guests WHERE id = ?3";
        for one in &losses {
            let Some(number) = number_of(connection, one.of)? else { continue };
            let (game, pace) = (one.key.game.id(), one.key.pace.name());
            let (player, at) = (one.player.0.to_string(), column(one.ended_at));
            let (seat, judge) = (one.seat.number(), &*one.judge);
            let row = (number, seat, player, game, pace, at, one.points, one.turns, one.lost, judge);
            execute(connection, insert, row)?;
        }
        Ok(())
    });
    Ok(keep.await?)
}

/// The match, the seat, when it ended, the rating, and what was lost.
type LossRow = ([u8; 16], i64, i64, f64, i64, f64, String);

async fn losses_of(
    readers: &Readers,
    player: PlayerId,
    key: RatingKey,
    ended: RangeInclusive<Millis>,
    limit: u32,
) -> Result<Vec<TurnLosses>, StoreError> {
    let select = "SELECT matches.id, seat, ended_at, points, turns, lost, judge FROM turn_losses \
         JOIN matches ON matches.number = turn_losses.match \
         WHERE guest_id = ?1 AND turn_losses.game = ?2 AND pace = ?3 AND ended_at BETWEEN ?4 AND ?5 \
         ORDER BY ended_at DESC, matches.id DESC LIMIT ?6";
    let (from, to) = (column(*ended.start()), column(*ended.end()));
    let by = (player.0.to_string(), key.game.id(), key.pace.name(), from, to, limit);
    let found: Vec<LossRow> = readers.read(move |connection| rows(connection, select, by)).await?;
    let losses = |(of, at_seat, ended_at, points, turns, lost, judge): LossRow| {
        let (of, seat, ended_at) = (match_id(of), seat(at_seat)?, millis(ended_at)?);
        Ok(TurnLosses { of, seat, player, key, ended_at, points, turns: seq(turns)?, lost, judge })
    };
    found.into_iter().map(losses).collect()
}

const NEAR: &str = "SELECT COALESCE(SUM(turns), 0), COALESCE(SUM(lost), 0.0) FROM turn_losses \
     JOIN guests ON guests.id = turn_losses.guest_id \
     WHERE game = ?1 AND pace = ?2 AND judge = ?3 AND points BETWEEN ?4 AND ?5 AND guest_id <> ?6 \
     AND kind = 'person' AND NOT EXISTS (SELECT 1 FROM engine_flags AS flags \
     WHERE flags.guest_id = turn_losses.guest_id AND flags.closed_at IS NULL) AND NOT EXISTS \
     (SELECT 1 FROM sanctions WHERE sanctions.guest_id = turn_losses.guest_id AND sanctions.kind = 'ban')";

async fn losses_near(readers: &Readers, near: NearLosses) -> Result<LossSum, StoreError> {
    let NearLosses { except, key, judge, points } = near;
    let (from, to) = points.into_inner();
    let by = (key.game.id(), key.pace.name(), judge, from, to, except.0.to_string());
    let (turns, lost) = readers.read(move |connection| one(connection, NEAR, by)).await?;
    Ok(LossSum { turns, lost })
}

async fn flagged_at(
    readers: &Readers,
    player: PlayerId,
    key: RatingKey,
) -> Result<Option<Millis>, StoreError> {
    let select = "SELECT MAX(raised_at) FROM engine_flags WHERE guest_id = ?1 AND game = ?2 AND pace = ?3";
    let by = (player.0.to_string(), key.game.id(), key.pace.name());
    let (at,): (Option<i64>,) = readers.read(move |connection| one(connection, select, by)).await?;
    at.map(millis).transpose()
}

async fn raise(writer: &Writer, new: NewFlag) -> Result<bool, StoreError> {
    let raise = writer.write(move |connection| {
        let player = new.player.0.to_string();
        if !exists(connection, "SELECT 1 FROM guests WHERE id = ?1", [&player])? {
            return Ok(false);
        }
        let insert = "INSERT INTO engine_flags \
             (id, guest_id, game, pace, raised_at, points, matches, turns, lost, expected) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING";
        let (game, pace, at) = (new.key.game.id(), new.key.pace.name(), column(new.raised_at));
        let FlagGrounds { points, matches, turns, lost, expected } = new.grounds;
        let id = new.id.0.into_bytes();
        let row = (id, player, game, pace, at, points, matches, turns, lost, expected);
        Ok(execute(connection, insert, row)? == 1)
    });
    Ok(raise.await?)
}

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT engine_flags.id, guest_id, name, kind, game, pace, raised_at, points, matches, turns, lost, \
             expected, closed_at FROM engine_flags JOIN guests ON guests.id = guest_id ",
            $which
        )
    };
}

const ALL: &str = select!("ORDER BY engine_flags.id DESC LIMIT ?1");
const OPEN: &str = select!("WHERE closed_at IS NULL ORDER BY engine_flags.id DESC LIMIT ?1");
const ONE: &str = select!("WHERE engine_flags.id = ?1");

type FlagRow = ([u8; 16], String, String, String, String, String, i64, f64, i64, i64, f64, f64, Option<i64>);

fn flag_of(row: FlagRow) -> Result<EngineFlag, StoreError> {
    let (id, player, name, kind, game, pace, raised_at, points, matches, turns, lost, expected, closed_at) =
        row;
    let player = player_id(&player)?;
    Ok(EngineFlag {
        id: flag_id(id),
        player: Player { id: player, name, kind: player_kind(player, &kind)? },
        key: rating_key(&game, &pace)?,
        raised_at: millis(raised_at)?,
        grounds: FlagGrounds { points, matches: seq(matches)?, turns: seq(turns)?, lost, expected },
        closed_at: closed_at.map(millis).transpose()?,
    })
}

async fn flags(readers: &Readers, only_open: bool, limit: u32) -> Result<Vec<EngineFlag>, StoreError> {
    let select = if only_open { OPEN } else { ALL };
    let found: Vec<FlagRow> = readers.read(move |connection| rows(connection, select, [limit])).await?;
    found.into_iter().map(flag_of).collect()
}

async fn one_flag(readers: &Readers, id: FlagId) -> Result<Option<EngineFlag>, StoreError> {
    let id = id.0.into_bytes();
    let found: Option<FlagRow> = readers.read(move |connection| first(connection, ONE, [id])).await?;
    found.map(flag_of).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteOptions, open::open, sql};

    /// What is asked for every few seconds, and for each match, reads no more rows than it must.
    #[test]
    fn indexes_are_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let opened = open(&folder.path().join("test.db"), &SqliteOptions::default()).expect("opened");
        for (sql, index) in [(TO_CHECK, "rating_changes_at"), (NEAR, "turn_losses_points")] {
            let plan = sql::plan(&opened.writer, sql);
            assert!(plan[0].contains(index), "{plan:?}");
        }
    }
}
