//! The part of the store for reports, and for what follows from them.

use lusoria_play::{FlagId, MatchId, Millis, Player, PlayerId, ReportId, ReportReason, SanctionId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How many reports somebody makes in a day at most.
pub const REPORTS_A_DAY_MAX: u32 = 5;

/// How many warnings of one person are kept; beyond that the oldest go.
pub const WARNINGS_PER_GUEST_MAX: u32 = 20;

/// For how long reports are kept once they are closed, in milliseconds: 180 days.
pub const CLOSED_REPORTS_KEPT_MS: Millis = 180 * 86_400_000;

/// For how long mutes and bans are kept once they have expired, and warnings once they were read, in milliseconds: 180
/// days.
pub const PAST_SANCTIONS_KEPT_MS: Millis = 180 * 86_400_000;

/// A day, in milliseconds.
pub(crate) const DAY_MS: Millis = 86_400_000;

/// A report that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReport {
    /// Its id, which is unique.
    pub id: ReportId,
    /// In which match.
    pub of: MatchId,
    /// By whom.
    pub reporter: PlayerId,
    /// Of whom.
    pub reported: PlayerId,
    /// What for.
    pub reason: ReportReason,
    /// In their own words.
    pub words: Option<String>,
    /// When.
    pub made_at: Millis,
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Its id.
    pub id: ReportId,
    /// In which match.
    pub of: MatchId,
    /// By whom, as they are called now.
    pub reporter: Player,
    /// Of whom, as they are called now.
    pub reported: Player,
    /// What for.
    pub reason: ReportReason,
    /// In the reporter's words.
    pub words: Option<String>,
    /// When.
    pub made_at: Millis,
    /// When the operator was done with it.
    pub closed_at: Option<Millis>,
}

/// What became of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportAdding {
    /// It is stored, or was before.
    Made {
        /// Its id.
        id: ReportId,
        /// When it was made.
        made_at: Millis,
    },
    /// The reporter has made [`REPORTS_A_DAY_MAX`] in a day.
    TooMany,
    /// The reporter is gone or blocked.
    GuestGone,
    /// Whom they report is not there.
    NoSuchGuest,
    /// There is no such match.
    NoSuchMatch,
}

/// What can be imposed on somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SanctionKind {
    /// They are told something, once.
    Warning,
    /// They do not talk.
    Mute,
    /// They neither play nor talk.
    Ban,
}

impl SanctionKind {
    /// As it stands in a column.
    pub(crate) const fn column(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Mute => "mute",
            Self::Ban => "ban",
        }
    }

    /// The reverse.
    pub(crate) fn of_column(column: &str) -> Option<Self> {
        [Self::Warning, Self::Mute, Self::Ban].into_iter().find(|kind| kind.column() == column)
    }
}

/// What was imposed on somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sanction {
    /// Its id.
    pub id: SanctionId,
    /// What it is.
    pub kind: SanctionKind,
    /// When it was imposed.
    pub imposed_at: Millis,
    /// Until when it holds; none if for good, or of a warning.
    pub until: Option<Millis>,
    /// What they are told.
    pub words: Option<String>,
    /// When they read it; only of warnings.
    pub read_at: Option<Millis>,
}

impl Sanction {
    /// Whether it holds at that time.
    pub fn holds(&self, now: Millis) -> bool {
        self.until.is_none_or(|until| until > now)
    }
}

/// What the operator does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moderated {
    /// What of it the log has.
    pub row: LogRow,
    /// What is imposed on the guest of the row; a mute takes the place of another, a ban that of another.
    pub imposes: Option<Sanction>,
    /// What of the guest of the row is lifted.
    pub lifts: Option<SanctionKind>,
    /// Whether the report of the row is closed.
    pub closes_report: bool,
    /// The flag that is closed.
    pub closes_flag: Option<FlagId>,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moderating {
    /// It is done.
    Done,
    /// The guest is gone. Nothing has changed.
    NoSuchGuest,
    /// There is no such report, or it was closed. Nothing has changed.
    NoSuchReport,
    /// There is no such flag, or it was closed. Nothing has changed.
    NoSuchFlag,
    /// There is nothing to lift. Nothing has changed.
    NothingToLift,
}

/// A row of the moderators' log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogRow {
    /// Its id, of version 7, so that rows sort by time.
    pub id: Uuid,
    /// When.
    pub done_at: Millis,
    /// What was done.
    pub act: ModeratorAct,
    /// To whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest: Option<Uuid>,
    /// In which match.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub of: Option<Uuid>,
    /// In which tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<Uuid>,
    /// Because of which report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Uuid>,
    /// Until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Millis>,
    /// What the operator noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What an operator does to keep the peace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModeratorAct {
    /// Somebody was warned.
    Warn,
    /// Somebody was muted.
    Mute,
    /// A mute was lifted.
    Unmute,
    /// Somebody was banned.
    Ban,
    /// A ban was lifted.
    Unban,
    /// A match was annulled: it counts for no rating.
    Annul,
    /// A report was closed.
    Close,
    /// A flag for help from an engine was closed.
    CloseFlag,
    /// A tournament was ended.
    EndTournament,
    /// Somebody was excluded from a tournament.
    Exclude,
    /// The name or the description of a tournament was replaced.
    RenameTournament,
}

impl ModeratorAct {
    const ALL: [Self; 11] = [
        Self::Warn,
        Self::Mute,
        Self::Unmute,
        Self::Ban,
        Self::Unban,
        Self::Annul,
        Self::Close,
        Self::CloseFlag,
        Self::EndTournament,
        Self::Exclude,
        Self::RenameTournament,
    ];

    /// As it stands in a column.
    pub const fn column(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Mute => "mute",
            Self::Unmute => "unmute",
            Self::Ban => "ban",
            Self::Unban => "unban",
            Self::Annul => "annul",
            Self::Close => "close",
            Self::CloseFlag => "close_flag",
            Self::EndTournament => "end_tournament",
            Self::Exclude => "exclude",
            Self::RenameTournament => "rename_tournament",
        }
    }

    /// The reverse.
    pub(crate) fn of_column(column: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.column() == column)
    }
}
