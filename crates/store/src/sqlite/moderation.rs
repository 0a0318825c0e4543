//! Reports, what was imposed on guests, the moderators' log, and who left which match.

use lusoria_play::{MatchId, Millis, Player, PlayerId, ReportId, ReportReason, SanctionId};
use rusqlite::Connection;
use uuid::Uuid;

use super::{
    SqliteStore,
    creation::number_of,
    readers::Readers,
    sql::{execute, exists, first, one, rows},
    text::{
        column, corrupt, match_id, millis, player_id, player_kind, report_id, sanction_id, uuid_of_column,
    },
    writer::Writer,
};
use crate::{
    LogRow, Moderated, Moderating, Moderation, ModeratorAct, NewReport, REPORTS_A_DAY_MAX, Report,
    ReportAdding, Sanction, SanctionKind, StoreError, StoreFuture, WARNINGS_PER_GUEST_MAX,
    moderation::DAY_MS,
};

impl Moderation for SqliteStore {
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
    let (by, whom) = (new.reporter.0.to_string(), new.reported.0.to_string());
    let add = writer.write(move |connection| {
        if !exists(connection, "SELECT 1 FROM guests WHERE id = ?1 AND blocked_at IS NULL", [&by])? {
            return Ok(Ok(ReportAdding::GuestGone));
        }
        if !exists(connection, "SELECT 1 FROM guests WHERE id = ?1", [&whom])? {
            return Ok(Ok(ReportAdding::NoSuchGuest));
        }
        let Some(number) = number_of(connection, new.of)? else { return Ok(Ok(ReportAdding::NoSuchMatch)) };
        let open = "SELECT id, made_at FROM reports \
             WHERE match = ?1 AND reporter_id = ?2 AND reported_id = ?3 AND closed_at IS NULL";
        if let Some(found) = first(connection, open, (number, &by, &whom))? {
            return Ok(Err(found));
        }
        let count = "SELECT COUNT(*) FROM reports WHERE reporter_id = ?1 AND made_at > ?2";
        let since = column(new.made_at.saturating_sub(DAY_MS));
        let (count,): (u32,) = one(connection, count, (&by, since))?;
        if count >= REPORTS_A_DAY_MAX {
            return Ok(Ok(ReportAdding::TooMany));
        }
        let replace = "INSERT OR REPLACE INTO reports (id, match, reporter_id, reported_id, reason, words, made_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let (id, at) = (new.id.0.into_bytes(), column(new.made_at));
        let made = (id, number, &by, &whom, new.reason.as_str(), new.words.as_deref(), at);
        execute(connection, replace, made)?;
        Ok(Ok(ReportAdding::Made { id: new.id, made_at: new.made_at }))
    });
    match add.await? {
        Ok(adding) => Ok(adding),
        Err((id, made_at)) => {
            let made_at: i64 = made_at;
            Ok(ReportAdding::Made { id: report_id(id), made_at: millis(made_at)? })
        }
    }
}

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT reports.id, matches.id, reporter_id, reporters.name, reporters.kind, reported_id, \
             those.name, those.kind, reason, words, made_at, closed_at FROM reports \
             JOIN matches ON matches.number = reports.match JOIN guests AS reporters ON reporters.id = reporter_id \
             JOIN guests AS those ON those.id = reported_id ",
            $which
        )
    };
}

const ALL: &str = select!("ORDER BY reports.id DESC LIMIT ?1");
const OPEN: &str = select!("WHERE closed_at IS NULL ORDER BY reports.id DESC LIMIT ?1");
const ONE: &str = select!("WHERE reports.id = ?1");
const BY: &str = select!("WHERE reporter_id = ?1 ORDER BY reports.id DESC LIMIT ?2");

type ReportRow = (
    [u8; 16],
    [u8; 16],
    String,
    String,
    String,
    String,
    String,
    String,
    String,
    Option<String>,
    i64,
    Option<i64>,
);

fn report(row: ReportRow) -> Result<Report, StoreError> {
    let (id, of, by, by_name, by_kind, whom, name, kind, reason, words, made_at, closed_at) = row;
    let player = |id: &str, name, kind: &str| {
        let id = player_id(id)?;
        Ok::<_, StoreError>(Player { id, name, kind: player_kind(id, kind)? })
    };
    Ok(Report {
        id: report_id(id),
        of: match_id(of),
        reporter: player(&by, by_name, &by_kind)?,
        reported: player(&whom, name, &kind)?,
        reason: ReportReason::named(&reason).unwrap_or(ReportReason::Other),
        words,
        made_at: millis(made_at)?,
        closed_at: closed_at.map(millis).transpose()?,
    })
}

async fn reports(readers: &Readers, only_open: bool, limit: u32) -> Result<Vec<Report>, StoreError> {
    let select = if only_open { OPEN } else { ALL };
    let found: Vec<ReportRow> = readers.read(move |connection| rows(connection, select, [limit])).await?;
    found.into_iter().map(report).collect()
}

async fn one_report(readers: &Readers, id: ReportId) -> Result<Option<Report>, StoreError> {
    let id = id.0.into_bytes();
    let found: Option<ReportRow> = readers.read(move |connection| first(connection, ONE, [id])).await?;
    found.map(report).transpose()
}

async fn reports_by(readers: &Readers, guest: PlayerId, limit: u32) -> Result<Vec<Report>, StoreError> {
    let by = (guest.0.to_string(), limit);
    let found: Vec<ReportRow> = readers.read(move |connection| rows(connection, BY, by)).await?;
    found.into_iter().map(report).collect()
}

async fn moderate(writer: &Writer, moderated: Moderated) -> Result<Moderating, StoreError> {
    let moderate = writer.write(move |connection| {
        let Moderated { row, imposes, lifts, closes_report, closes_flag } = &moderated;
        let guest = row.guest.map(|guest| guest.to_string());
        // What refuses comes first: a refusal changes nothing.
        if let Some(guest) = guest.as_ref().filter(|_| imposes.is_some() || lifts.is_some())
            && !exists(connection, "SELECT 1 FROM guests WHERE id = ?1", [guest])?
        {
            return Ok(Moderating::NoSuchGuest);
        }
        if let (Some(guest), Some(kind)) = (&guest, lifts)
            && held(connection, guest, *kind, row.done_at)?.is_none()
        {
            return Ok(Moderating::NothingToLift);
        }
        if *closes_report {
            let close = "UPDATE reports SET closed_at = ?2 WHERE id = ?1 AND closed_at IS NULL";
            let id = row.report.map(Uuid::into_bytes);
            if execute(connection, close, (id, column(row.done_at)))? == 0 {
                return Ok(Moderating::NoSuchReport);
            }
        }
        if let Some(flag) = closes_flag {
            let close = "UPDATE engine_flags SET closed_at = ?2 WHERE id = ?1 AND closed_at IS NULL";
            if execute(connection, close, (flag.0.into_bytes(), column(row.done_at)))? == 0 {
                return Ok(Moderating::NoSuchFlag);
            }
        }
        if let (Some(guest), Some(kind)) = (&guest, lifts) {
            lift(connection, guest, *kind)?;
        }
        if let (Some(guest), Some(sanction)) = (&guest, imposes) {
            impose(connection, guest, sanction)?;
        }
        add_row(connection, row)?;
        Ok(Moderating::Done)
    });
    Ok(moderate.await?)
}

fn lift(connection: &Connection, guest: &str, kind: SanctionKind) -> rusqlite::Result<()> {
    let delete = "DELETE FROM sanctions WHERE guest_id = ?1 AND kind = ?2";
    execute(connection, delete, (guest, kind.column())).map(drop)
}

fn impose(connection: &Connection, guest: &str, new: &Sanction) -> rusqlite::Result<()> {
    match new.kind {
        SanctionKind::Mute | SanctionKind::Ban => lift(connection, guest, new.kind)?,
        SanctionKind::Warning => {
            let oldest = "DELETE FROM sanctions WHERE id IN (SELECT id FROM sanctions \
                 WHERE guest_id = ?1 AND kind = 'warning' ORDER BY id DESC LIMIT -1 OFFSET ?2)";
            execute(connection, oldest, (guest, WARNINGS_PER_GUEST_MAX - 1))?;
        }
    }
    let insert = "INSERT INTO sanctions (id, guest_id, kind, imposed_at, until, words) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let (at, until) = (column(new.imposed_at), new.until.map(column));
    let row = (new.id.0.into_bytes(), guest, new.kind.column(), at, until, new.words.as_deref());
    execute(connection, insert, row).map(drop)
}

fn add_row(connection: &Connection, row: &LogRow) -> rusqlite::Result<()> {
    let insert = "INSERT INTO moderation_log (id, done_at, act, guest_id, match_id, report, until, note) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let text = |id: Option<Uuid>| id.map(|id| id.to_string());
    let (guest, of, report) = (text(row.guest), text(row.of), text(row.report));
    let (at, until) = (column(row.done_at), row.until.map(column));
    let values = (row.id.into_bytes(), at, row.act.column(), guest, of, report, until, row.note.as_deref());
    execute(connection, insert, values).map(drop)
}

type LogColumns =
    ([u8; 16], i64, String, Option<String>, Option<String>, Option<String>, Option<i64>, Option<String>);

async fn log(readers: &Readers, guest: Option<PlayerId>, limit: u32) -> Result<Vec<LogRow>, StoreError> {
    let all = "SELECT id, done_at, act, guest_id, match_id, report, until, note FROM moderation_log \
         ORDER BY id DESC LIMIT ?1";
    let about = "SELECT id, done_at, act, guest_id, match_id, report, until, note FROM moderation_log \
         WHERE guest_id = ?2 ORDER BY id DESC LIMIT ?1";
    let found: Vec<LogColumns> = readers
        .read(move |connection| match guest {
            None => rows(connection, all, [limit]),
            Some(guest) => rows(connection, about, (limit, guest.0.to_string())),
        })
        .await?;
    let row = |(id, done_at, act, guest, of, report, until, note): LogColumns| {
        let uuid = |column: Option<String>| column.as_deref().map(uuid_of_column).transpose();
        Ok(LogRow {
            id: Uuid::from_bytes(id),
            done_at: millis(done_at)?,
            act: ModeratorAct::of_column(&act)
                .ok_or_else(|| corrupt(format!("there is no act \"{act}\"")))?,
            guest: uuid(guest)?,
            of: uuid(of)?,
            report: uuid(report)?,
            until: until.map(millis).transpose()?,
            note,
        })
    };
    found.into_iter().map(row).collect()
}

/// A row of `sanctions`.
pub(super) type SanctionRow = ([u8; 16], String, i64, Option<i64>, Option<String>, Option<i64>);

/// The sanction of a row.
pub(super) fn sanction(
    (id, kind, imposed_at, until, words, read_at): SanctionRow,
) -> Result<Sanction, StoreError> {
    Ok(Sanction {
        id: sanction_id(id),
        kind: SanctionKind::of_column(&kind)
            .ok_or_else(|| corrupt(format!("there is no sanction \"{kind}\"")))?,
        imposed_at: millis(imposed_at)?,
        until: until.map(millis).transpose()?,
        words,
        read_at: read_at.map(millis).transpose()?,
    })
}

/// The mute or the ban that holds a guest at `now`.
pub(super) fn held(
    connection: &Connection,
    guest: &str,
    kind: SanctionKind,
    now: Millis,
) -> rusqlite::Result<Option<SanctionRow>> {
    let select = "SELECT id, kind, imposed_at, until, words, read_at FROM sanctions \
         WHERE guest_id = ?1 AND kind = ?2 AND (until IS NULL OR until > ?3)";
    first(connection, select, (guest, kind.column(), column(now)))
}

async fn sanctions(readers: &Readers, guest: PlayerId) -> Result<Vec<Sanction>, StoreError> {
    let select = "SELECT id, kind, imposed_at, until, words, read_at FROM sanctions \
         WHERE guest_id = ?1 ORDER BY id DESC";
    let guest = guest.0.to_string();
    let found: Vec<SanctionRow> = readers.read(move |connection| rows(connection, select, [guest])).await?;
    found.into_iter().map(sanction).collect()
}

async fn note_warnings_read(
    writer: &Writer,
    guest: PlayerId,
    upto: SanctionId,
    at: Millis,
) -> Result<u64, StoreError> {
    let (guest, upto) = (guest.0.to_string(), upto.0.into_bytes());
    let note = writer.write(move |connection| {
        let read = "UPDATE sanctions SET read_at = ?3 \
             WHERE guest_id = ?1 AND id <= ?2 AND kind = 'warning' AND read_at IS NULL";
        execute(connection, read, (&guest, upto, column(at)))
    });
    Ok(note.await? as u64)
}

async fn note_leaving(writer: &Writer, of: MatchId, guest: PlayerId, at: Millis) -> Result<(), StoreError> {
    let guest = guest.0.to_string();
    let note = writer.write_unacknowledged(move |connection| {
        let insert = "INSERT OR IGNORE INTO leavings (match, guest_id, left_at) \
             SELECT number, ?2, ?3 FROM matches WHERE matches.id = ?1 AND EXISTS (SELECT 1 FROM guests WHERE guests.id = ?2)";
        execute(connection, insert, (of.0.into_bytes(), &guest, column(at)))
    });
    Ok(note.await.map(drop)?)
}

async fn leavings(
    readers: &Readers,
    guest: PlayerId,
    since: Millis,
) -> Result<Vec<(MatchId, Millis)>, StoreError> {
    let select = "SELECT matches.id, left_at FROM leavings JOIN matches ON matches.number = leavings.match \
         WHERE guest_id = ?1 AND left_at >= ?2 ORDER BY left_at, matches.id";
    let by = (guest.0.to_string(), column(since));
    let found: Vec<([u8; 16], i64)> = readers.read(move |connection| rows(connection, select, by)).await?;
    found.into_iter().map(|(of, at)| Ok((match_id(of), millis(at)?))).collect()
}
