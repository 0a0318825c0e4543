//! Reports, sanctions, the moderators' log, and matches that were left.

use lusoria_play::{MatchId, Millis, PlayerId, ReportId, ReportReason, SanctionId};
use sqlx::Error;

use super::{Store, guests};
use crate::{
    LogRow, Moderated, Moderating, ModeratorAct, NewReport, REPORTS_A_DAY_MAX, Report, ReportAdding,
    Sanction, SanctionKind, StoreFuture, WARNINGS_PER_GUEST_MAX,
    moderation::DAY_MS,
    sql::{
        Tx, Undo, args,
        value::{AnyRow, Row, undecodable},
    },
};

macro_rules! reports {
    ($which:literal) => {
        concat!(
            "SELECT reports.id, match, reporter, reporters.name, reporters.kind, reported, those.name, \
             those.kind, reason, words, made_at, closed_at FROM reports \
             JOIN guests AS reporters ON reporters.id = reporter JOIN guests AS those ON those.id = reported ",
            $which
        )
    };
}

impl Row for Report {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: row.get(0)?,
            of: row.get(1)?,
            reporter: guests::player(row, 2)?,
            reported: guests::player(row, 5)?,
            reason: ReportReason::named(&row.get::<String>(8)?).unwrap_or(ReportReason::Other),
            words: row.get(9)?,
            made_at: row.get(10)?,
            closed_at: row.get(11)?,
        })
    }
}

/// `id`, `kind`, `imposed_at`, `until`, `words`, `read_at`.
impl Row for Sanction {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        let kind = row.get::<String>(1)?;
        Ok(Self {
            id: row.get(0)?,
            kind: SanctionKind::of_column(&kind)
                .ok_or_else(|| undecodable(format!("there is no sanction {kind:?}")))?,
            imposed_at: row.get(2)?,
            until: row.get(3)?,
            words: row.get(4)?,
            read_at: row.get(5)?,
        })
    }
}

/// `id`, `done_at`, `act`, `guest`, `match`, `tournament`, `report`, `until`, `note`.
impl Row for LogRow {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        let act = row.get::<String>(2)?;
        Ok(Self {
            id: row.get(0)?,
            done_at: row.get(1)?,
            act: ModeratorAct::of_column(&act)
                .ok_or_else(|| undecodable(format!("there is no act {act:?}")))?,
            guest: row.get(3)?,
            of: row.get(4)?,
            tournament: row.get(5)?,
            report: row.get(6)?,
            until: row.get(7)?,
            note: row.get(8)?,
        })
    }
}

/// Reads the mute or the ban that holds a guest at `now`.
pub(super) async fn held(
    tx: &mut Tx,
    guest: PlayerId,
    kind: SanctionKind,
    now: Millis,
) -> Result<Option<Sanction>, Error> {
    let select = "SELECT id, kind, imposed_at, until, words, read_at FROM sanctions \
         WHERE guest = $1 AND kind = $2 AND (until IS NULL OR until > $3)";
    tx.first(select, args![guest, kind.column(), now]).await
}

async fn lift(tx: &mut Tx, guest: PlayerId, kind: SanctionKind) -> Result<(), Error> {
    let delete = "DELETE FROM sanctions WHERE guest = $1 AND kind = $2";
    tx.queue(delete, args![guest, kind.column()]).await
}

async fn impose(tx: &mut Tx, guest: PlayerId, new: &Sanction) -> Result<(), Error> {
    match new.kind {
        SanctionKind::Mute | SanctionKind::Ban => lift(tx, guest, new.kind).await?,
        SanctionKind::Warning => {
            let delete = "DELETE FROM sanctions WHERE guest = $1 AND kind = 'warning' AND id NOT IN \
                 (SELECT id FROM sanctions WHERE guest = $1 AND kind = 'warning' ORDER BY id DESC LIMIT $2)";
            tx.queue(delete, args![guest, WARNINGS_PER_GUEST_MAX - 1]).await?;
        }
    }
    let insert =
        "INSERT INTO sanctions (id, guest, kind, imposed_at, until, words) VALUES ($1, $2, $3, $4, $5, $6)";
    let row = args![new.id, guest, new.kind.column(), new.imposed_at, new.until, new.words.as_deref()];
    tx.queue(insert, row).await
}

async fn add_row(tx: &mut Tx, row: &LogRow) -> Result<(), Error> {
    let insert = "INSERT INTO moderation_log (id, done_at, act, guest, match, tournament, report, until, note) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let LogRow { id, done_at, act, guest, of, tournament, report, until, note } = row;
    let row = args![*id, *done_at, act.column(), *guest, *of, *tournament, *report, *until, note.as_deref()];
    tx.queue(insert, row).await
}

impl Store {
    /// Stores a report. One that is open already stays as it is; one that was closed is replaced.
    pub fn add_report(&self, new: NewReport) -> StoreFuture<'_, ReportAdding> {
        self.write(new.reporter.0, new, |tx, new| {
            Box::pin(async move {
                // In the order of appends: the match, then guests.
                let hold = "SELECT id FROM matches WHERE id = $1";
                let is_there = !tx.hold_all::<MatchId>(hold, args![new.of]).await?.is_empty();
                // Locked, so that of two reports at once the second sees the first, and what they refer to stays.
                let lock = "SELECT id, blocked_at FROM guests WHERE id IN ($1, $2) ORDER BY id";
                let guests = tx.lock_all(lock, args![new.reporter, new.reported]).await?;
                if !guests.contains(&(new.reporter, None::<Millis>)) {
                    return Ok(ReportAdding::GuestGone);
                }
                if !guests.iter().any(|(id, _)| *id == new.reported) {
                    return Ok(ReportAdding::NoSuchGuest);
                }
                if !is_there {
                    return Ok(ReportAdding::NoSuchMatch);
                }
                let open = "SELECT id, made_at FROM reports \
                     WHERE match = $1 AND reporter = $2 AND reported = $3 AND closed_at IS NULL";
                let found = tx.first(open, args![new.of, new.reporter, new.reported]).await?;
                if let Some((id, made_at)) = found {
                    return Ok(ReportAdding::Made { id, made_at });
                }
                let count = "SELECT count(*) FROM reports WHERE reporter = $1 AND made_at > $2";
                let since = new.made_at.saturating_sub(DAY_MS);
                if tx.one::<u32>(count, args![new.reporter, since]).await? >= REPORTS_A_DAY_MAX {
                    return Ok(ReportAdding::TooMany);
                }
                let NewReport { id, of, reporter, reported, reason, words, made_at } = new;
                let upsert = "INSERT INTO reports (id, match, reporter, reported, reason, words, made_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (match, reporter, reported) DO UPDATE \
                     SET id = excluded.id, reason = excluded.reason, words = excluded.words, \
                     made_at = excluded.made_at, closed_at = NULL";
                let row = args![*id, *of, *reporter, *reported, reason.as_str(), words.as_deref(), *made_at];
                tx.queue(upsert, row).await?;
                Ok(ReportAdding::Made { id: *id, made_at: *made_at })
            })
        })
    }

    /// Lists at most `limit` reports, the newest first; only those that are open if `only_open`.
    pub fn reports(&self, only_open: bool, limit: u32) -> StoreFuture<'_, Vec<Report>> {
        let select = if only_open {
            reports!("WHERE closed_at IS NULL ORDER BY reports.id DESC LIMIT $1")
        } else {
            reports!("ORDER BY reports.id DESC LIMIT $1")
        };
        self.all(select, args![limit])
    }

    /// Reads a report.
    pub fn report(&self, id: ReportId) -> StoreFuture<'_, Option<Report>> {
        self.first(reports!("WHERE reports.id = $1"), args![id])
    }

    /// Lists the reports that a guest made, the newest first, at most `limit`.
    pub fn reports_by(&self, guest: PlayerId, limit: u32) -> StoreFuture<'_, Vec<Report>> {
        let select = reports!("WHERE reporter = $1 ORDER BY reports.id DESC LIMIT $2");
        self.all(select, args![guest, limit])
    }

    /// Imposes or lifts a sanction, closes a report, and adds a row to the log, all in one transaction.
    pub fn moderate(&self, moderated: Moderated) -> StoreFuture<'_, Moderating> {
        let of = moderated.row.guest.unwrap_or(moderated.row.id);
        self.write(of, moderated, |tx, moderated| {
            Box::pin(async move {
                let Moderated { row, imposes, lifts, closes_report, closes_flag } = moderated;
                let guest = row.guest.map(PlayerId);
                if let Some(guest) = guest
                    && (imposes.is_some() || lifts.is_some())
                    && guests::lock(tx, guest).await?.is_none()
                {
                    return Ok(Moderating::NoSuchGuest);
                }
                if let (Some(guest), Some(kind)) = (guest, *lifts)
                    && held(tx, guest, kind, row.done_at).await?.is_none()
                {
                    return Ok(Moderating::NothingToLift);
                }
                if *closes_report {
                    let close = "UPDATE reports SET closed_at = $2 WHERE id = $1 AND closed_at IS NULL";
                    if tx.execute(close, args![row.report, row.done_at]).await? == 0 {
                        return Ok(Moderating::NoSuchReport);
                    }
                }
                if let Some(flag) = *closes_flag {
                    let close = "UPDATE engine_flags SET closed_at = $2 WHERE id = $1 AND closed_at IS NULL";
                    if tx.execute(close, args![flag, row.done_at]).await? == 0 {
                        // A report that was closed with it stays open.
                        return Err(Undo::With(Moderating::NoSuchFlag));
                    }
                }
                if let (Some(guest), Some(kind)) = (guest, *lifts) {
                    lift(tx, guest, kind).await?;
                }
                if let (Some(guest), Some(sanction)) = (guest, imposes) {
                    impose(tx, guest, sanction).await?;
                }
                add_row(tx, row).await?;
                Ok(Moderating::Done)
            })
        })
    }

    /// Lists at most `limit` rows of the log, the newest first; only those about a guest if one is named.
    pub fn moderation_log(&self, guest: Option<PlayerId>, limit: u32) -> StoreFuture<'_, Vec<LogRow>> {
        let select = "SELECT id, done_at, act, guest, match, tournament, report, until, note FROM moderation_log \
         WHERE $1 IS NULL OR guest = $1 ORDER BY id DESC LIMIT $2";
        self.all(select, args![guest, limit])
    }

    /// Lists what was imposed on a guest, the newest first; a mute or a ban that has expired, too.
    pub fn sanctions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Sanction>> {
        let select = "SELECT id, kind, imposed_at, until, words, read_at FROM sanctions \
             WHERE guest = $1 ORDER BY id DESC";
        self.all(select, args![guest])
    }

    /// Notes that a guest has read their warnings up to that one. Returns how many.
    pub fn note_warnings_read(&self, guest: PlayerId, upto: SanctionId, at: Millis) -> StoreFuture<'_, u64> {
        let update = "UPDATE sanctions SET read_at = $3 \
             WHERE guest = $1 AND id <= $2 AND kind = 'warning' AND read_at IS NULL";
        self.execute(guest.0, update, args![guest, upto, at])
    }

    /// Notes that a guest left a match; once for a match. What is not there is passed over.
    pub fn note_leaving(&self, of: MatchId, guest: PlayerId, at: Millis) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let insert = "INSERT INTO leavings (match, guest, left_at) SELECT matches.id, guests.id, $3 \
             FROM matches, guests WHERE matches.id = $1 AND guests.id = $2 ON CONFLICT DO NOTHING";
            self.execute(guest.0, insert, args![of, guest, at]).await.map(drop)
        })
    }

    /// Lists when a guest left matches at or after `since`, the earliest first.
    pub fn leavings(&self, guest: PlayerId, since: Millis) -> StoreFuture<'_, Vec<(MatchId, Millis)>> {
        let select = "SELECT match, left_at FROM leavings \
             WHERE guest = $1 AND left_at >= $2 ORDER BY left_at, match";
        self.all(select, args![guest, since])
    }
}
