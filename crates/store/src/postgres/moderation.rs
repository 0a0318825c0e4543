//! Reports, what was imposed on guests, the moderators' log, and who left which match.

use std::sync::Arc;

use lusoria_play::{MatchId, Millis, Player, PlayerId, ReportId, ReportReason, SanctionId};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{PostgresStore, guests::lock, readers::Readers, writer::Writer};
use crate::{
    LogRow, Moderated, Moderating, Moderation, ModeratorAct, NewReport, REPORTS_A_DAY_MAX, Report,
    ReportAdding, Sanction, SanctionKind, StoreError, StoreFuture, WARNINGS_PER_GUEST_MAX,
    moderation::DAY_MS,
    text::{column, corrupt, millis, player_kind},
};

impl Moderation for PostgresStore {
    fn add_report(&self, new: NewReport) -> StoreFuture<'_, ReportAdding> {
        Box::pin(add_report(&self.writer, new))
    }

    fn reports(&self, only_open: bool, limit: u32) -> StoreFuture<'_, Vec<Report>> {
        Box::pin(reports(&self.readers, only_open, limit))
    }

    fn report(&self, id: ReportId) -> StoreFuture<'_, Option<Report>> {
        Box::pin(one_report(&self.readers, id))
    }

    fn reports_by(&self, guest: PlayerId, limit: u32) -> StoreFuture<'_, Vec<Report>> {
        Box::pin(reports_by(&self.readers, guest, limit))
    }

    fn moderate(&self, moderated: Moderated) -> StoreFuture<'_, Moderating> {
        Box::pin(moderate(&self.writer, moderated))
    }

    fn moderation_log(&self, guest: Option<PlayerId>, limit: u32) -> StoreFuture<'_, Vec<LogRow>> {
        Box::pin(log(&self.readers, guest, limit))
    }

    fn sanctions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Sanction>> {
        Box::pin(sanctions(&self.readers, guest))
    }

    fn note_warnings_read(&self, guest: PlayerId, upto: SanctionId, at: Millis) -> StoreFuture<'_, u64> {
        Box::pin(note_warnings_read(&self.writer, guest, upto, at))
    }

    fn note_leaving(&self, of: MatchId, guest: PlayerId, at: Millis) -> StoreFuture<'_, ()> {
        Box::pin(note_leaving(&self.writer, of, guest, at))
    }

    fn leavings(&self, guest: PlayerId, since: Millis) -> StoreFuture<'_, Vec<(MatchId, Millis)>> {
        Box::pin(leavings(&self.readers, guest, since))
    }
}

async fn add_report(writer: &Writer, new: NewReport) -> Result<ReportAdding, StoreError> {
    let new = Arc::new(new);
    let add = writer.write(new.reporter.0, {
        move |connection| {
            let new = Arc::clone(&new);
            Box::pin(async move {
                // Locked, so that of two reports at once the second sees the first.
                if !matches!(lock(connection, new.reporter).await?, Some((.., None))) {
                    return Ok(Ok(ReportAdding::GuestGone));
                }
                let has_guest = "SELECT id FROM guests WHERE id = $1 FOR KEY SHARE";
                let has_match = "SELECT id FROM matches WHERE id = $1 FOR KEY SHARE";
                for (select, id, missing) in [
                    (has_guest, new.reported.0, ReportAdding::NoSuchGuest),
                    (has_match, new.of.0, ReportAdding::NoSuchMatch),
                ] {
                    let found = query_scalar::<Postgres, Uuid>(select).bind(id);
                    if found.fetch_optional(&mut *connection).await?.is_none() {
                        return Ok(Ok(missing));
                    }
                }
                let open = "SELECT id, made_at FROM reports \
                     WHERE match = $1 AND reporter = $2 AND reported = $3 AND closed_at IS NULL";
                let open = query_as::<Postgres, (Uuid, i64)>(open).bind(new.of.0).bind(new.reporter.0);
                if let Some(found) = open.bind(new.reported.0).fetch_optional(&mut *connection).await? {
                    return Ok(Err(found));
                }
                let count = "SELECT count(*) FROM reports WHERE reporter = $1 AND made_at > $2";
                let since = column(new.made_at.saturating_sub(DAY_MS));
                let count = query_scalar::<Postgres, i64>(count).bind(new.reporter.0).bind(since);
                if count.fetch_one(&mut *connection).await? >= i64::from(REPORTS_A_DAY_MAX) {
                    return Ok(Ok(ReportAdding::TooMany));
                }
                let replace = "INSERT INTO reports (id, match, reporter, reported, reason, words, made_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (match, reporter, reported) DO UPDATE \
                     SET id = excluded.id, reason = excluded.reason, words = excluded.words, \
                     made_at = excluded.made_at, closed_at = NULL";
                let replace = query::<Postgres>(replace).bind(new.id.0).bind(new.of.0).bind(new.reporter.0);
                let replace = replace.bind(new.reported.0).bind(new.reason.as_str());
                let replace = replace.bind(new.words.as_deref()).bind(column(new.made_at));
                replace.execute(connection).await?;
                Ok(Ok(ReportAdding::Made { id: new.id, made_at: new.made_at }))
            })
        }
    });
    match add.await? {
        Ok(adding) => Ok(adding),
        Err((id, made_at)) => Ok(ReportAdding::Made { id: ReportId(id), made_at: millis(made_at)? }),
    }
}

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT reports.id, match, reporter, reporters.name, reporters.kind, reported, those.name, \
             those.kind, reason, words, made_at, closed_at FROM reports \
             JOIN guests AS reporters ON reporters.id = reporter JOIN guests AS those ON those.id = reported ",
            $which
        )
    };
}

const ALL: &str = select!("ORDER BY reports.id DESC LIMIT $1");
const OPEN: &str = select!("WHERE closed_at IS NULL ORDER BY reports.id DESC LIMIT $1");
const ONE: &str = select!("WHERE reports.id = $1");
const BY: &str = select!("WHERE reporter = $1 ORDER BY reports.id DESC LIMIT $2");

type ReportRow =
    (Uuid, Uuid, Uuid, String, String, Uuid, String, String, String, Option<String>, i64, Option<i64>);

fn report(row: ReportRow) -> Result<Report, StoreError> {
    let (id, of, by, by_name, by_kind, whom, name, kind, reason, words, made_at, closed_at) = row;
    let player = |id: Uuid, name, kind: &str| {
        let id = PlayerId(id);
        Ok::<_, StoreError>(Player { id, name, kind: player_kind(id, kind)? })
    };
    Ok(Report {
        id: ReportId(id),
        of: MatchId(of),
        reporter: player(by, by_name, &by_kind)?,
        reported: player(whom, name, &kind)?,
        reason: ReportReason::named(&reason).unwrap_or(ReportReason::Other),
        words,
        made_at: millis(made_at)?,
        closed_at: closed_at.map(millis).transpose()?,
    })
}

async fn reports(readers: &Readers, only_open: bool, limit: u32) -> Result<Vec<Report>, StoreError> {
    let select = if only_open { OPEN } else { ALL };
    let found: Vec<ReportRow> = readers
        .read(|connection| {
            Box::pin(query_as::<Postgres, _>(select).bind(i64::from(limit)).fetch_all(connection))
        })
        .await?;
    found.into_iter().map(report).collect()
}

async fn one_report(readers: &Readers, id: ReportId) -> Result<Option<Report>, StoreError> {
    let found: Option<ReportRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(ONE).bind(id.0).fetch_optional(connection)))
        .await?;
    found.map(report).transpose()
}

async fn reports_by(readers: &Readers, guest: PlayerId, limit: u32) -> Result<Vec<Report>, StoreError> {
    let found: Vec<ReportRow> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(BY).bind(guest.0).bind(i64::from(limit));
            Box::pin(select.fetch_all(connection))
        })
        .await?;
    found.into_iter().map(report).collect()
}

async fn moderate(writer: &Writer, moderated: Moderated) -> Result<Moderating, StoreError> {
    let of = moderated.row.guest.unwrap_or(moderated.row.id);
    let moderated = Arc::new(moderated);
    let moderate = writer.write(of, move |connection| {
        let moderated = Arc::clone(&moderated);
        Box::pin(async move {
            let Moderated { row, imposes, lifts, closes_report, closes_flag } = &*moderated;
            // What refuses comes first: a refusal changes nothing.
            if let Some(guest) = row.guest.filter(|_| imposes.is_some() || lifts.is_some())
                && lock(connection, PlayerId(guest)).await?.is_none()
            {
                return Ok(Moderating::NoSuchGuest);
            }
            if let (Some(guest), Some(kind)) = (row.guest, lifts)
                && held(connection, guest, *kind, row.done_at).await?.is_none()
            {
                return Ok(Moderating::NothingToLift);
            }
            if *closes_report {
                let close = "UPDATE reports SET closed_at = $2 WHERE id = $1 AND closed_at IS NULL";
                let close = query::<Postgres>(close).bind(row.report).bind(column(row.done_at));
                if close.execute(&mut *connection).await?.rows_affected() == 0 {
                    return Ok(Moderating::NoSuchReport);
                }
            }
            if let Some(flag) = closes_flag {
                let close = "UPDATE engine_flags SET closed_at = $2 WHERE id = $1 AND closed_at IS NULL";
                let close = query::<Postgres>(close).bind(flag.0).bind(column(row.done_at));
                if close.execute(&mut *connection).await?.rows_affected() == 0 {
                    return Ok(Moderating::NoSuchFlag);
                }
            }
            if let (Some(guest), Some(kind)) = (row.guest, lifts) {
                lift(connection, guest, *kind).await?;
            }
            if let (Some(guest), Some(sanction)) = (row.guest, imposes) {
                impose(connection, guest, sanction).await?;
            }
            add_row(connection, row).await?;
            Ok(Moderating::Done)
        })
    });
    Ok(moderate.await?)
}

async fn lift(connection: &mut PgConnection, guest: Uuid, kind: SanctionKind) -> Result<(), Error> {
    let delete = query::<Postgres>("DELETE FROM sanctions WHERE guest = $1 AND kind = $2");
    delete.bind(guest).bind(kind.column()).execute(connection).await.map(drop)
}

async fn impose(connection: &mut PgConnection, guest: Uuid, new: &Sanction) -> Result<(), Error> {
    match new.kind {
        SanctionKind::Mute | SanctionKind::Ban => lift(connection, guest, new.kind).await?,
        SanctionKind::Warning => {
            let oldest = "DELETE FROM sanctions WHERE id IN (SELECT id FROM sanctions \
                 WHERE guest = $1 AND kind = 'warning' ORDER BY id DESC OFFSET $2)";
            let oldest = query::<Postgres>(oldest).bind(guest).bind(i64::from(WARNINGS_PER_GUEST_MAX - 1));
            oldest.execute(&mut *connection).await?;
        }
    }
    let insert =
        "INSERT INTO sanctions (id, guest, kind, imposed_at, until, words) VALUES ($1, $2, $3, $4, $5, $6)";
    let insert = query::<Postgres>(insert).bind(new.id.0).bind(guest).bind(new.kind.column());
    let insert = insert.bind(column(new.imposed_at)).bind(new.until.map(column)).bind(new.words.as_deref());
    insert.execute(connection).await.map(drop)
}

async fn add_row(connection: &mut PgConnection, row: &LogRow) -> Result<(), Error> {
    let insert = "INSERT INTO moderation_log (id, done_at, act, guest, match, report, until, note) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let insert = query::<Postgres>(insert).bind(row.id).bind(column(row.done_at)).bind(row.act.column());
    let insert = insert.bind(row.guest).bind(row.of).bind(row.report);
    let insert = insert.bind(row.until.map(column)).bind(row.note.as_deref());
    insert.execute(connection).await.map(drop)
}

type LogColumns = (Uuid, i64, String, Option<Uuid>, Option<Uuid>, Option<Uuid>, Option<i64>, Option<String>);

async fn log(readers: &Readers, guest: Option<PlayerId>, limit: u32) -> Result<Vec<LogRow>, StoreError> {
    let select = "SELECT id, done_at, act, guest, match, report, until, note FROM moderation_log \
         WHERE $1::uuid IS NULL OR guest = $1 ORDER BY id DESC LIMIT $2";
    let found: Vec<LogColumns> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(select).bind(guest.map(|guest| guest.0));
            Box::pin(select.bind(i64::from(limit)).fetch_all(connection))
        })
        .await?;
    let row = |(id, done_at, act, guest, of, report, until, note): LogColumns| {
        Ok(LogRow {
            id,
            done_at: millis(done_at)?,
            act: ModeratorAct::of_column(&act)
                .ok_or_else(|| corrupt(format!("there is no act \"{act}\"")))?,
            guest,
            of,
            report,
            until: until.map(millis).transpose()?,
            note,
        })
    };
    found.into_iter().map(row).collect()
}

/// A row of `sanctions`.
pub(super) type SanctionRow = (Uuid, String, i64, Option<i64>, Option<String>, Option<i64>);

/// The sanction of a row.
pub(super) fn sanction(
    (id, kind, imposed_at, until, words, read_at): SanctionRow,
) -> Result<Sanction, StoreError> {
    Ok(Sanction {
        id: SanctionId(id),
        kind: SanctionKind::of_column(&kind)
            .ok_or_else(|| corrupt(format!("there is no sanction \"{kind}\"")))?,
        imposed_at: millis(imposed_at)?,
        until: until.map(millis).transpose()?,
        words,
        read_at: read_at.map(millis).transpose()?,
    })
}

/// The mute or the ban that holds a guest at `now`.
pub(super) async fn held(
    connection: &mut PgConnection,
    guest: Uuid,
    kind: SanctionKind,
    now: Millis,
) -> Result<Option<SanctionRow>, Error> {
    let select = "SELECT id, kind, imposed_at, until, words, read_at FROM sanctions \
         WHERE guest = $1 AND kind = $2 AND (until IS NULL OR until > $3)";
    let select = query_as::<Postgres, _>(select).bind(guest).bind(kind.column()).bind(column(now));
    select.fetch_optional(connection).await
}

async fn sanctions(readers: &Readers, guest: PlayerId) -> Result<Vec<Sanction>, StoreError> {
    let select = "SELECT id, kind, imposed_at, until, words, read_at FROM sanctions \
         WHERE guest = $1 ORDER BY id DESC";
    let found: Vec<SanctionRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(select).bind(guest.0).fetch_all(connection)))
        .await?;
    found.into_iter().map(sanction).collect()
}

async fn note_warnings_read(
    writer: &Writer,
    guest: PlayerId,
    upto: SanctionId,
    at: Millis,
) -> Result<u64, StoreError> {
    let note = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            let read = "UPDATE sanctions SET read_at = $3 \
                 WHERE guest = $1 AND id <= $2 AND kind = 'warning' AND read_at IS NULL";
            let read = query::<Postgres>(read).bind(guest.0).bind(upto.0).bind(column(at));
            Ok(read.execute(connection).await?.rows_affected())
        })
    });
    Ok(note.await?)
}

async fn note_leaving(writer: &Writer, of: MatchId, guest: PlayerId, at: Millis) -> Result<(), StoreError> {
    let note = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            let insert = "INSERT INTO leavings (match, guest, left_at) SELECT matches.id, guests.id, $3 \
                 FROM matches, guests WHERE matches.id = $1 AND guests.id = $2 ON CONFLICT DO NOTHING";
            let insert = query::<Postgres>(insert).bind(of.0).bind(guest.0).bind(column(at));
            insert.execute(connection).await?;
            Ok(())
        })
    });
    Ok(note.await?)
}

async fn leavings(
    readers: &Readers,
    guest: PlayerId,
    since: Millis,
) -> Result<Vec<(MatchId, Millis)>, StoreError> {
    let select =
        "SELECT match, left_at FROM leavings WHERE guest = $1 AND left_at >= $2 ORDER BY left_at, match";
    let found: Vec<(Uuid, i64)> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(select).bind(guest.0).bind(column(since));
            Box::pin(select.fetch_all(connection))
        })
        .await?;
    found.into_iter().map(|(of, at)| Ok((MatchId(of), millis(at)?))).collect()
}
