//! Reports, a guest's standing, and who is not paired because they leave matches.

use lusoria_play::{
    LEAVINGS_COUNT_FOR_MS, MatchId, Millis, PlayerId, ReportId, Sits, TalkRoom, barred_until,
};
use lusoria_protocol::{
    Code, CreateReport, LeftMatch, OwnConduct, OwnReport, Problem, ReadWarnings, Report,
    Sanction as WireSanction, Standing, Warning,
};
use lusoria_store::{NewReport, REPORTS_A_DAY_MAX, ReportAdding, Sanction, SanctionKind};

use crate::app::{App, Caller, problem, wire};

/// How many remarks of a room are searched for one by the reported guest.
const SEARCHED_MAX: u32 = 1_000;

/// How many of their own reports an export of a guest's data has at most: as many as can be open or kept.
const OWN_REPORTS_MAX: u32 = 1_000;

const DAY_MS: Millis = 24 * 60 * 60 * 1_000;

impl App {
    /// Reports a guest in a match to the operator.
    ///
    /// # Errors
    /// `yourself`; `no_such_match`; `not_in_match`; `no_such_guest`; `too_many_reports`; `unknown_token` or
    /// `blocked` if the caller lost access meanwhile; `unavailable`.
    pub async fn report(
        &self,
        caller: &Caller,
        id: MatchId,
        request: &CreateReport,
    ) -> Result<Report, Problem> {
        if request.player == caller.id() {
            return Err(Code::Yourself.into());
        }
        let state = self.state(id).await?;
        if state.sits(request.player) == Sits::Nowhere && !self.has_talked(id, request.player).await? {
            return Err(Code::NotInMatch.into());
        }
        let now = self.live.now();
        let new = NewReport {
            id: ReportId(self.new_id(now)),
            of: id,
            reporter: caller.id(),
            reported: request.player,
            reason: request.reason,
            words: request.text.as_ref().map(|text| text.trimmed().to_owned()),
            made_at: now,
        };
        match self.store().add_report(new).await.map_err(problem::store)? {
            ReportAdding::Made { id: report, made_at } => {
                Ok(Report { id: report, of: id, player: request.player, made_at })
            }
            ReportAdding::TooMany => Err(self.too_many_reports(caller.id(), now).await?),
            ReportAdding::GuestGone => Err(self.gone(caller, caller.id()).await),
            ReportAdding::NoSuchGuest => Err(Code::NoSuchGuest.into()),
            ReportAdding::NoSuchMatch => Err(Code::NoSuchMatch.into()),
        }
    }

    /// The problem for a guest who has used up their reports for a day. They may report again when the oldest
    /// is a day old.
    async fn too_many_reports(&self, guest: PlayerId, now: Millis) -> Result<Problem, Problem> {
        let made = self.store().reports_by(guest, REPORTS_A_DAY_MAX).await.map_err(problem::store)?;
        let until = made.last().map_or(now, |oldest| oldest.made_at + DAY_MS);
        let refused = Problem::from(Code::TooManyReports).with_limit(REPORTS_A_DAY_MAX.into());
        Ok(refused.with_retry_after_s(until.saturating_sub(now).div_ceil(1_000).max(1)))
    }

    async fn has_talked(&self, id: MatchId, guest: PlayerId) -> Result<bool, Problem> {
        for &room in TalkRoom::ALL {
            let said = self.store().remarks(id, room, SEARCHED_MAX).await.map_err(problem::store)?;
            if said.iter().any(|remark| remark.by.id == guest) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The caller's sanctions, and until when they are not paired.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn standing(&self, caller: &Caller) -> Result<Standing, Problem> {
        let (guest, now) = (caller.id(), self.live.now());
        let sanctions = self.store().sanctions(guest).await.map_err(problem::store)?;
        let held = |kind| {
            let of_kind = sanctions.iter().find(|of| of.kind == kind && of.holds(now));
            of_kind.map(|of| WireSanction { since: of.imposed_at, until: of.until, text: of.words.clone() })
        };
        let unread = |of: &&Sanction| of.kind == SanctionKind::Warning && of.read_at.is_none();
        let warning = |of: &Sanction| Warning { id: of.id, warned_at: of.imposed_at, text: of.words.clone() };
        Ok(Standing {
            warnings: sanctions.iter().filter(unread).map(warning).collect(),
            muted: held(SanctionKind::Mute),
            banned: held(SanctionKind::Ban),
            unpaired_until: self.unpaired_until(guest).await?,
        })
    }

    /// Notes that a guest has read their warnings.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn read_warnings(&self, caller: &Caller, request: &ReadWarnings) -> Result<Standing, Problem> {
        let noted = self.store().note_warnings_read(caller.id(), request.upto, self.live.now()).await;
        noted.map_err(problem::store)?;
        self.standing(caller).await
    }

    /// Until when a guest is not paired in live matches; none if they are.
    async fn unpaired_until(&self, guest: PlayerId) -> Result<Option<Millis>, Problem> {
        let now = self.live.now();
        let since = now.saturating_sub(LEAVINGS_COUNT_FOR_MS);
        let left = self.store().leavings(guest, since).await.map_err(problem::store)?;
        let left: Vec<Millis> = left.into_iter().map(|(_, at)| at).collect();
        Ok(barred_until(&left).filter(|until| *until > now))
    }

    /// Checks that a guest does not leave live matches again and again.
    ///
    /// # Errors
    /// `left_too_often`; `unavailable`.
    pub(in crate::app) async fn admit_to_live_play(&self, caller: &Caller) -> Result<(), Problem> {
        match self.unpaired_until(caller.id()).await? {
            None => Ok(()),
            Some(until) => {
                let wait_s = until.saturating_sub(self.live.now()).div_ceil(1_000);
                Err(Problem::from(Code::LeftTooOften).with_until(Some(until)).with_retry_after_s(wait_s))
            }
        }
    }

    /// A guest's reports, how they stand, and what they have left, for their own data.
    pub(in crate::app) async fn own_conduct(&self, caller: &Caller) -> Result<OwnConduct, Problem> {
        let reports = self.store().reports_by(caller.id(), OWN_REPORTS_MAX).await.map_err(problem::store)?;
        let left = self.store().leavings(caller.id(), 0).await.map_err(problem::store)?;
        let own = |report: lusoria_store::Report| OwnReport {
            id: report.id,
            of: report.of,
            player: wire::other(&report.reported),
            reason: report.reason,
            text: report.words,
            made_at: report.made_at,
        };
        Ok(OwnConduct {
            standing: self.standing(caller).await?,
            reports: reports.into_iter().map(own).collect(),
            left: left.into_iter().map(|(of, left_at)| LeftMatch { of, left_at }).collect(),
        })
    }
}
