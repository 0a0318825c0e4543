//! Reports, what was imposed on guests, the moderators' log, and who left which match.

use lusoria_play::{MatchId, Millis, PlayerId, ReportId, SanctionId};

use super::{MemoryStore, tables::Tables};
use crate::{
    Ban, LogRow, Moderated, Moderating, Moderation, NewReport, REPORTS_A_DAY_MAX, Report, ReportAdding,
    Sanction, SanctionKind, StoreFuture, WARNINGS_PER_GUEST_MAX, moderation::DAY_MS,
};

impl Moderation for MemoryStore {
    fn add_report(&self, new: NewReport) -> StoreFuture<'_, ReportAdding> {
        self.at_once(move |tables| Ok(tables.add_report(new)))
    }

    fn reports(&self, only_open: bool, limit: u32) -> StoreFuture<'_, Vec<Report>> {
        self.at_once(move |tables| {
            let told =
                tables.reports.values().rev().filter(|(_, closed_at)| !only_open || closed_at.is_none());
            Ok(told.take(limit as usize).filter_map(|of| tables.told_report(of)).collect())
        })
    }

    fn report(&self, id: ReportId) -> StoreFuture<'_, Option<Report>> {
        self.at_once(move |tables| Ok(tables.reports.get(&id).and_then(|of| tables.told_report(of))))
    }

    fn reports_by(&self, guest: PlayerId, limit: u32) -> StoreFuture<'_, Vec<Report>> {
        self.at_once(move |tables| {
            let theirs = tables.reports.values().rev().filter(|(of, _)| of.reporter == guest);
            Ok(theirs.take(limit as usize).filter_map(|of| tables.told_report(of)).collect())
        })
    }

    fn moderate(&self, moderated: Moderated) -> StoreFuture<'_, Moderating> {
        self.at_once(move |tables| Ok(tables.moderate(moderated)))
    }

    fn moderation_log(&self, guest: Option<PlayerId>, limit: u32) -> StoreFuture<'_, Vec<LogRow>> {
        self.at_once(move |tables| {
            let about = |row: &&LogRow| guest.is_none_or(|guest| row.guest == Some(guest.0));
            Ok(tables.moderation_log.values().rev().filter(about).take(limit as usize).cloned().collect())
        })
    }

    fn sanctions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Sanction>> {
        self.at_once(move |tables| {
            let theirs = tables.sanctions.values().rev().filter(|(of, _)| *of == guest);
            Ok(theirs.map(|(_, sanction)| sanction.clone()).collect())
        })
    }

    fn note_warnings_read(&self, guest: PlayerId, upto: SanctionId, at: Millis) -> StoreFuture<'_, u64> {
        self.at_once(move |tables| {
            let read = tables.sanctions.values_mut().filter(|(of, sanction)| {
                let is_unread = sanction.kind == SanctionKind::Warning && sanction.read_at.is_none();
                *of == guest && is_unread && sanction.id <= upto
            });
            Ok(read.map(|(_, sanction)| sanction.read_at = Some(at)).count() as u64)
        })
    }

    fn note_leaving(&self, of: MatchId, guest: PlayerId, at: Millis) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            if tables.matches.contains_key(&of) && tables.guests.contains_key(&guest) {
                tables.leavings.entry(of).or_insert((guest, at));
            }
            Ok(())
        })
    }

    fn leavings(&self, guest: PlayerId, since: Millis) -> StoreFuture<'_, Vec<(MatchId, Millis)>> {
        self.at_once(move |tables| {
            let theirs = tables.leavings.iter().filter(|(_, (of, at))| *of == guest && *at >= since);
            let mut theirs: Vec<_> = theirs.map(|(of, (_, at))| (*of, *at)).collect();
            theirs.sort_unstable_by_key(|(of, at)| (*at, *of));
            Ok(theirs)
        })
    }
}

impl Tables {
    fn add_report(&mut self, new: NewReport) -> ReportAdding {
        if self.guests.get(&new.reporter).is_none_or(|guest| guest.blocked_at.is_some()) {
            return ReportAdding::GuestGone;
        }
        if !self.guests.contains_key(&new.reported) {
            return ReportAdding::NoSuchGuest;
        }
        if !self.matches.contains_key(&new.of) {
            return ReportAdding::NoSuchMatch;
        }
        let is_same = |(of, _): &&(NewReport, Option<Millis>)| {
            (of.of, of.reporter, of.reported) == (new.of, new.reporter, new.reported)
        };
        let same = self.reports.values().find(is_same).map(|(of, closed_at)| (of.id, of.made_at, *closed_at));
        if let Some((id, made_at, None)) = same {
            return ReportAdding::Made { id, made_at };
        }
        let since = new.made_at.saturating_sub(DAY_MS);
        let lately =
            self.reports.values().filter(|(of, _)| of.reporter == new.reporter && of.made_at > since);
        if lately.count() >= REPORTS_A_DAY_MAX as usize {
            return ReportAdding::TooMany;
        }
        if let Some((closed, ..)) = same {
            self.reports.remove(&closed);
        }
        let made = ReportAdding::Made { id: new.id, made_at: new.made_at };
        self.reports.insert(new.id, (new, None));
        made
    }

    fn told_report(&self, (of, closed_at): &(NewReport, Option<Millis>)) -> Option<Report> {
        let NewReport { id, of, reporter, reported, reason, words, made_at } = of.clone();
        let (by, whom) = (self.player(reporter)?, self.player(reported)?);
        Some(Report { id, of, reporter: by, reported: whom, reason, words, made_at, closed_at: *closed_at })
    }

    fn moderate(&mut self, moderated: Moderated) -> Moderating {
        let Moderated { row, imposes, lifts, closes_report, closes_flag } = moderated;
        let guest = row.guest.map(PlayerId);
        let is_there = guest.is_some_and(|guest| self.guests.contains_key(&guest));
        if (imposes.is_some() || lifts.is_some()) && !is_there {
            return Moderating::NoSuchGuest;
        }
        if let (Some(guest), Some(kind)) = (guest, lifts)
            && self.held(guest, kind, row.done_at).is_none()
        {
            return Moderating::NothingToLift;
        }
        if closes_report {
            let open = row.report.and_then(|id| self.reports.get_mut(&ReportId(id)));
            let Some((_, closed_at @ None)) = open else { return Moderating::NoSuchReport };
            *closed_at = Some(row.done_at);
        }
        if let Some(flag) = closes_flag {
            let open = self.flags.get_mut(&flag);
            let Some((_, closed_at @ None)) = open else { return Moderating::NoSuchFlag };
            *closed_at = Some(row.done_at);
        }
        if let (Some(guest), Some(kind)) = (guest, lifts) {
            self.lift(guest, kind);
        }
        if let (Some(guest), Some(sanction)) = (guest, imposes) {
            self.impose(guest, sanction);
        }
        self.moderation_log.insert(row.id, row);
        Moderating::Done
    }

    fn lift(&mut self, guest: PlayerId, kind: SanctionKind) {
        self.sanctions.retain(|_, (of, sanction)| *of != guest || sanction.kind != kind);
    }

    fn impose(&mut self, guest: PlayerId, new: Sanction) {
        match new.kind {
            SanctionKind::Mute | SanctionKind::Ban => self.lift(guest, new.kind),
            SanctionKind::Warning => {
                let warns = |(of, sanction): &(PlayerId, Sanction)| {
                    *of == guest && sanction.kind == SanctionKind::Warning
                };
                let theirs = self.sanctions.values().rev().filter(|of| warns(of));
                let oldest: Vec<_> =
                    theirs.skip(WARNINGS_PER_GUEST_MAX as usize - 1).map(|(_, of)| of.id).collect();
                self.sanctions.retain(|id, _| !oldest.contains(id));
            }
        }
        self.sanctions.insert(new.id, (guest, new));
    }

    /// The ban of a guest, which may have expired.
    pub(super) fn ban(&self, guest: PlayerId) -> Option<Ban> {
        let bans = |sanction: &&Sanction| sanction.kind == SanctionKind::Ban;
        let theirs = self.sanctions.values().filter(|(of, _)| *of == guest).map(|(_, sanction)| sanction);
        theirs.into_iter().find(bans).map(|ban| Ban { until: ban.until, words: ban.words.clone() })
    }

    /// The mute or the ban that holds a guest at `now`.
    pub(super) fn held(&self, guest: PlayerId, kind: SanctionKind, now: Millis) -> Option<&Sanction> {
        let theirs = self.sanctions.values().filter(|(of, _)| *of == guest).map(|(_, sanction)| sanction);
        theirs.into_iter().find(|sanction| sanction.kind == kind && sanction.holds(now))
    }
}
