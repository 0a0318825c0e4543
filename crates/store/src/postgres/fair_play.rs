//! What the turns of rated matches lost, and who is flagged for it.

use std::{ops::RangeInclusive, sync::Arc};

use lusoria_play::{FlagId, MatchId, Millis, Player, PlayerId};
use sqlx_core::{query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::Postgres;
use uuid::Uuid;

use super::{PostgresStore, readers::Readers, writer::Writer};
use crate::{
    EngineFlag, FairPlay, FlagGrounds, LossSum, NearLosses, NewFlag, RatingKey, StoreError, StoreFuture,
    TurnLosses,
    text::{column, millis, player_kind, rating_key, seat, seq},
};

impl FairPlay for PostgresStore {
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

async fn to_check(readers: &Readers, since: Millis, limit: u32) -> Result<Vec<MatchId>, StoreError> {
    let select = "SELECT match FROM rating_changes WHERE at >= $1 AND seat = 1 AND taken_back_at IS NULL \
         AND NOT EXISTS (SELECT FROM turn_losses WHERE turn_losses.match = rating_changes.match) \
         ORDER BY at DESC LIMIT $2";
    let found: Vec<Uuid> = readers
        .read(|connection| {
            let select = query_scalar::<Postgres, _>(select).bind(column(since)).bind(i64::from(limit));
            Box::pin(select.fetch_all(connection))
        })
        .await?;
    Ok(found.into_iter().map(MatchId).collect())
}

async fn keep(writer: &Writer, losses: Vec<TurnLosses>) -> Result<(), StoreError> {
    let of = losses.first().map_or_else(Uuid::nil, |one| one.of.0);
    let losses = Arc::new(losses);
    let keep = writer.write(of, move |connection| {
        let losses = Arc::clone(&losses);
        Box::pin(async move {
            for one in &*losses {
                let insert = "INSERT INTO turn_losses \
                     (match, seat, guest, game, pace, ended_at, points, turns, lost, judge) \
                     SELECT matches.id, $2, guests.id, $4, $5, $6, $7, $8, $9, $10 FROM matches, guests \
                     WHERE matches.id = $1 AND guests.id = $3 ON CONFLICT DO NOTHING";
                let insert = query::<Postgres>(insert)
                    .bind(one.of.0)
                    .bind(i64::from(one.seat.number()))
                    .bind(one.player.0)
                    .bind(one.key.game.id())
                    .bind(one.key.pace.name())
                    .bind(column(one.ended_at))
                    .bind(one.points)
                    .bind(i64::from(one.turns))
                    .bind(one.lost)
                    .bind(&*one.judge);
                insert.execute(&mut *connection).await?;
            }
            Ok(())
        })
    });
    Ok(keep.await?)
}

/// The match, the seat, when it ended, the rating, and what was lost.
type LossRow = (Uuid, i64, i64, f64, i64, f64, String);

async fn losses_of(
    readers: &Readers,
    player: PlayerId,
    key: RatingKey,
    ended: RangeInclusive<Millis>,
    limit: u32,
) -> Result<Vec<TurnLosses>, StoreError> {
    let select = "SELECT match, seat, ended_at, points, turns, lost, judge FROM turn_losses \
         WHERE guest = $1 AND game = $2 AND pace = $3 AND ended_at BETWEEN $4 AND $5 \
         ORDER BY ended_at DESC, match DESC LIMIT $6";
    let found: Vec<LossRow> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(select)
                .bind(player.0)
                .bind(key.game.id())
                .bind(key.pace.name())
                .bind(column(*ended.start()))
                .bind(column(*ended.end()))
                .bind(i64::from(limit));
            Box::pin(select.fetch_all(connection))
        })
        .await?;
    let losses = |(of, at_seat, ended_at, points, turns, lost, judge): LossRow| {
        let (of, seat, ended_at) = (MatchId(of), seat(at_seat)?, millis(ended_at)?);
        Ok(TurnLosses { of, seat, player, key, ended_at, points, turns: seq(turns)?, lost, judge })
    };
    found.into_iter().map(losses).collect()
}

async fn losses_near(readers: &Readers, near: NearLosses) -> Result<LossSum, StoreError> {
    // A sum of whole numbers is a number without end.
    let select = "SELECT coalesce(sum(turns), 0)::bigint, coalesce(sum(lost), 0) FROM turn_losses \
         JOIN guests ON guests.id = turn_losses.guest \
         WHERE game = $1 AND pace = $2 AND judge = $3 AND points BETWEEN $4 AND $5 AND guest <> $6 \
         AND kind = 'person' AND NOT EXISTS (SELECT FROM engine_flags AS flags \
         WHERE flags.guest = turn_losses.guest AND flags.closed_at IS NULL) AND NOT EXISTS \
         (SELECT FROM sanctions WHERE sanctions.guest = turn_losses.guest AND sanctions.kind = 'ban')";
    let (turns, lost): (i64, f64) = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(select)
                .bind(near.key.game.id())
                .bind(near.key.pace.name())
                .bind(near.judge.clone())
                .bind(*near.points.start())
                .bind(*near.points.end())
                .bind(near.except.0);
            Box::pin(select.fetch_one(connection))
        })
        .await?;
    Ok(LossSum { turns: turns.unsigned_abs(), lost })
}

async fn flagged_at(
    readers: &Readers,
    player: PlayerId,
    key: RatingKey,
) -> Result<Option<Millis>, StoreError> {
    let select = "SELECT max(raised_at) FROM engine_flags WHERE guest = $1 AND game = $2 AND pace = $3";
    let at: Option<i64> = readers
        .read(|connection| {
            let select = query_scalar::<Postgres, _>(select).bind(player.0).bind(key.game.id());
            Box::pin(select.bind(key.pace.name()).fetch_one(connection))
        })
        .await?;
    at.map(millis).transpose()
}

async fn raise(writer: &Writer, new: NewFlag) -> Result<bool, StoreError> {
    let raise = writer.write(new.player.0, move |connection| {
        let new = new.clone();
        Box::pin(async move {
            let insert = "INSERT INTO engine_flags \
                 (id, guest, game, pace, raised_at, points, matches, turns, lost, expected) \
                 SELECT $1, id, $3, $4, $5, $6, $7, $8, $9, $10 FROM guests WHERE id = $2 ON CONFLICT DO NOTHING";
            let FlagGrounds { points, matches, turns, lost, expected } = new.grounds;
            let insert = query::<Postgres>(insert)
                .bind(new.id.0)
                .bind(new.player.0)
                .bind(new.key.game.id())
                .bind(new.key.pace.name())
                .bind(column(new.raised_at))
                .bind(points)
                .bind(i64::from(matches))
                .bind(i64::from(turns))
                .bind(lost)
                .bind(expected);
            Ok(insert.execute(connection).await?.rows_affected() == 1)
        })
    });
    Ok(raise.await?)
}

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT engine_flags.id, guest, name, kind, game, pace, raised_at, points, matches, turns, lost, \
             expected, closed_at FROM engine_flags JOIN guests ON guests.id = guest ",
            $which
        )
    };
}

const ALL: &str = select!("ORDER BY engine_flags.id DESC LIMIT $1");
const OPEN: &str = select!("WHERE closed_at IS NULL ORDER BY engine_flags.id DESC LIMIT $1");
const ONE: &str = select!("WHERE engine_flags.id = $1");

type FlagRow = (Uuid, Uuid, String, String, String, String, i64, f64, i64, i64, f64, f64, Option<i64>);

fn flag_of(row: FlagRow) -> Result<EngineFlag, StoreError> {
    let (id, player, name, kind, game, pace, raised_at, points, matches, turns, lost, expected, closed_at) =
        row;
    let player = PlayerId(player);
    Ok(EngineFlag {
        id: FlagId(id),
        player: Player { id: player, name, kind: player_kind(player, &kind)? },
        key: rating_key(&game, &pace)?,
        raised_at: millis(raised_at)?,
        grounds: FlagGrounds { points, matches: seq(matches)?, turns: seq(turns)?, lost, expected },
        closed_at: closed_at.map(millis).transpose()?,
    })
}

async fn flags(readers: &Readers, only_open: bool, limit: u32) -> Result<Vec<EngineFlag>, StoreError> {
    let select = if only_open { OPEN } else { ALL };
    let found: Vec<FlagRow> = readers
        .read(|connection| {
            Box::pin(query_as::<Postgres, _>(select).bind(i64::from(limit)).fetch_all(connection))
        })
        .await?;
    found.into_iter().map(flag_of).collect()
}

async fn one_flag(readers: &Readers, id: FlagId) -> Result<Option<EngineFlag>, StoreError> {
    let found: Option<FlagRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(ONE).bind(id.0).fetch_optional(connection)))
        .await?;
    found.map(flag_of).transpose()
}
