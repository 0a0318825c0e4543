//! Moderation: reports, warnings, mutes and bans. Each action adds a row to the moderators' log.

use lusoria_play::{MatchId, MatchStage, Millis, PlayerId, ReportId, SanctionId, UnratedReason};
use lusoria_protocol::word;
use lusoria_store::{
    ChallengeEnd, LogRow, MatchFilter, Moderated, Moderating, ModeratorAct, Remark, Report, Said, Sanction,
    SanctionKind, SeekWithdrawal, Store,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{AdminError, AdminOutcome, Failed, GuestDetails, details::PlayerDetails};
use crate::app::App;

/// How many reports or rows of the log are listed at most.
const TOLD_MAX: u32 = 200;

/// How many remarks of each room are shown with a report.
const REMARKS_MAX: u32 = 200;

/// How many open matches of a banned guest are ended.
const OPEN_MAX: u32 = 1_000;

/// The longest text for a guest, and the longest note, in characters.
pub const TOLD_CHARS_MAX: usize = 500;

/// Why an operator acts: for the log, and for the guest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Grounds {
    /// The text that the guest is shown, at most [`TOLD_CHARS_MAX`] characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
    /// A note for the log, at most [`TOLD_CHARS_MAX`] characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The report that this answers and closes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Uuid>,
}

/// A report as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportDetails {
    /// Its id.
    pub id: Uuid,
    /// The match it is about.
    #[serde(rename = "match")]
    pub of: Uuid,
    /// The guest who made it.
    pub reporter: PlayerDetails,
    /// The guest it is about.
    pub reported: PlayerDetails,
    /// The reason given.
    pub reason: String,
    /// In the reporter's words.
    pub text: Option<String>,
    /// When it was made, in milliseconds since the epoch.
    pub made_at: Millis,
    /// When it was closed.
    pub closed_at: Option<Millis>,
}

impl From<Report> for ReportDetails {
    fn from(report: Report) -> Self {
        let Report { id, of, reporter, reported, reason, words, made_at, closed_at } = report;
        Self {
            id: id.0,
            of: of.0,
            reporter: PlayerDetails { id: reporter.id.0, name: reporter.name },
            reported: PlayerDetails { id: reported.id.0, name: reported.name },
            reason: reason.as_str().to_owned(),
            text: words,
            made_at,
            closed_at,
        }
    }
}

/// Something said in a match, as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemarkDetails {
    /// The room it was said in.
    pub room: String,
    /// The guest who said it.
    pub by: PlayerDetails,
    /// When, in milliseconds since the epoch.
    pub said_at: Millis,
    /// The name of the phrase in square brackets, or the words.
    pub said: String,
}

impl From<Remark> for RemarkDetails {
    fn from(Remark { room, by, said_at, said, .. }: Remark) -> Self {
        let said = match said {
            Said::Phrase(phrase) => format!("[{}]", phrase.as_str()),
            Said::Words(words) => words,
        };
        Self {
            room: room.as_str().to_owned(),
            by: PlayerDetails { id: by.id.0, name: by.name },
            said_at,
            said,
        }
    }
}

/// Lists reports, the newest first.
pub(super) async fn reports(store: &Store, all: bool) -> Result<AdminOutcome, AdminError> {
    let found = store.reports(!all, TOLD_MAX).await?;
    Ok(AdminOutcome::Reports { reports: found.into_iter().map(ReportDetails::from).collect() })
}

/// Returns a report, with the talk of its match.
pub(super) async fn report(store: &Store, id: Uuid) -> Result<AdminOutcome, AdminError> {
    let report = store.report(ReportId(id)).await?.ok_or(AdminError::NoSuchReport(id))?;
    let mut talk = Vec::new();
    for &room in lusoria_play::TalkRoom::ALL {
        let said = store.remarks(report.of, room, REMARKS_MAX).await?;
        talk.extend(said.into_iter().map(RemarkDetails::from));
    }
    talk.sort_by_key(|remark| remark.said_at);
    Ok(AdminOutcome::Report { report: report.into(), talk })
}

/// Lists rows of the log, the newest first.
pub(super) async fn log(store: &Store, guest: Option<Uuid>) -> Result<AdminOutcome, AdminError> {
    let rows = store.moderation_log(guest.map(PlayerId), TOLD_MAX).await?;
    Ok(AdminOutcome::Log { rows })
}

impl App {
    /// Imposes a sanction on a guest.
    pub(super) async fn impose(
        &self,
        kind: SanctionKind,
        guest: &str,
        for_ms: Option<Millis>,
        grounds: Grounds,
    ) -> Result<AdminOutcome, AdminError> {
        let guest = self.one_guest(guest).await?;
        let now = self.live.now();
        let until = for_ms.map(|for_ms| now.saturating_add(for_ms));
        let act = match kind {
            SanctionKind::Warning => ModeratorAct::Warn,
            SanctionKind::Mute => ModeratorAct::Mute,
            SanctionKind::Ban => ModeratorAct::Ban,
        };
        let imposes = Sanction {
            id: SanctionId(self.new_id(now)),
            kind,
            imposed_at: now,
            until,
            words: grounds.say.clone(),
            read_at: None,
        };
        let row = self.moderate(act, Some(guest.id), until, grounds, |moderated| Moderated {
            imposes: Some(imposes),
            ..moderated
        });
        let row = row.await?;
        let mut failed = Failed::default();
        if kind == SanctionKind::Ban {
            // From here on new requests are refused. What waits for other players ends.
            self.live.doubt(guest.id);
            self.end_what_waits(guest.id, &mut failed).await?;
        }
        Ok(AdminOutcome::Moderated { row, guest: Some(GuestDetails::from(guest)), failed })
    }

    /// Lifts a mute or a ban.
    pub(super) async fn lift(
        &self,
        kind: SanctionKind,
        guest: &str,
        grounds: Grounds,
    ) -> Result<AdminOutcome, AdminError> {
        let guest = self.one_guest(guest).await?;
        let act = if kind == SanctionKind::Ban { ModeratorAct::Unban } else { ModeratorAct::Unmute };
        let lifts = |moderated| Moderated { lifts: Some(kind), ..moderated };
        let row = self.moderate(act, Some(guest.id), None, grounds, lifts).await?;
        self.live.doubt(guest.id);
        Ok(AdminOutcome::Moderated { row, guest: Some(guest.into()), failed: Failed::default() })
    }

    /// Closes a report without a sanction.
    pub(super) async fn close_report(
        &self,
        id: Uuid,
        note: Option<String>,
    ) -> Result<AdminOutcome, AdminError> {
        let grounds = Grounds { report: Some(id), note, say: None };
        let row = self.moderate(ModeratorAct::Close, None, None, grounds, |moderated| moderated).await?;
        Ok(AdminOutcome::Moderated { row, guest: None, failed: Failed::default() })
    }

    /// Logs that a match was taken out of the ratings.
    pub(super) async fn note_annulment(&self, id: Uuid, why: UnratedReason) -> Result<(), AdminError> {
        let grounds = Grounds { note: Some(word(&why)), ..Grounds::default() };
        let of_match = |moderated: Moderated| {
            let row = LogRow { of: Some(id), ..moderated.row };
            Moderated { row, ..moderated }
        };
        self.moderate(ModeratorAct::Annul, None, None, grounds, of_match).await.map(drop)
    }

    /// Applies the action, closes the report that it answers, and writes the log.
    pub(in crate::app) async fn moderate(
        &self,
        act: ModeratorAct,
        guest: Option<PlayerId>,
        until: Option<Millis>,
        grounds: Grounds,
        with: impl FnOnce(Moderated) -> Moderated,
    ) -> Result<LogRow, AdminError> {
        let too_long =
            |text: &Option<String>| text.as_ref().is_some_and(|text| text.chars().count() > TOLD_CHARS_MAX);
        if too_long(&grounds.say) || too_long(&grounds.note) {
            return Err(AdminError::TextTooLong);
        }
        let of = match grounds.report {
            Some(id) => {
                let report = self.store().report(ReportId(id)).await?;
                Some(report.ok_or(AdminError::NoSuchReport(id))?.of.0)
            }
            None => None,
        };
        let now = self.live.now();
        let row = LogRow {
            id: self.new_id(now),
            done_at: now,
            act,
            guest: guest.map(|guest| guest.0),
            of,
            tournament: None,
            report: grounds.report,
            until,
            note: grounds.note,
        };
        let moderated = with(Moderated {
            row,
            imposes: None,
            lifts: None,
            closes_report: grounds.report.is_some(),
            closes_flag: None,
        });
        let row = moderated.row.clone();
        let closes_flag = moderated.closes_flag.map(|flag| flag.0);
        match self.store().moderate(moderated).await? {
            Moderating::Done => {
                tracing::info!(act = act.column(), guest = ?row.guest, tournament = ?row.tournament, "the operator has moderated");
                Ok(row)
            }
            Moderating::NoSuchGuest => {
                Err(AdminError::NoSuchGuest(guest.map_or_else(String::new, |guest| guest.0.to_string())))
            }
            Moderating::NoSuchFlag => Err(AdminError::NoSuchFlag(closes_flag.unwrap_or_default())),
            Moderating::NoSuchReport => Err(AdminError::NoSuchReport(grounds.report.unwrap_or_default())),
            Moderating::NothingToLift => Err(AdminError::NothingToLift),
        }
    }

    /// Ends a guest's seeks, challenges and open matches.
    async fn end_what_waits(&self, guest: PlayerId, failed: &mut Failed) -> Result<(), AdminError> {
        let now = self.live.now();
        for seek in self.store().seeks_of(guest, now).await? {
            // A seek that has been answered is a match already.
            let _: SeekWithdrawal = self.store().withdraw_seek(guest, seek.id, now).await?;
        }
        for of in self.store().challenges_of(guest, now).await? {
            if !of.challenge.waits(now) {
                continue;
            }
            let is_own = of.challenger.id == guest;
            let end = if is_own { ChallengeEnd::Withdrawn } else { ChallengeEnd::Declined(None) };
            self.store().end_challenge(of.challenge.id, guest, end, now).await?;
            if let Some(ended) = self.store().challenge(of.challenge.id, now).await? {
                self.live.tell_challenge(&ended);
            }
        }
        let open = MatchFilter::Of { player: guest, state: Some(MatchStage::Open) };
        let open: Vec<MatchId> =
            self.store().list(open, None, OPEN_MAX).await?.rows.into_iter().map(|row| row.id).collect();
        for id in open {
            let ended = self.end_unless_over(id).await;
            failed.note(id, ended)?;
        }
        Ok(())
    }
}
