//! What the person who runs the server does, on a server that runs and, through the same
//! code, on one that does not.

mod accounts;
mod actions;
mod details;
mod flags;
pub(super) mod matches;
mod moderation;
mod queries;

pub use details::{
    AccountDetails, GuestDetails, MatchDetails, NodeDetails, NodeState, NodesDetails, StatisticsDetails,
};
pub use flags::{FlagDetails, LossDetails};
pub use moderation::{Grounds, RemarkDetails, ReportDetails, TOLD_CHARS_MAX};
pub use queries::{AdminQuery, run as run_query};

use std::collections::BTreeMap;

use lusoria_play::{Millis, PlayerId, UnratedReason};
use lusoria_protocol::OneTimeCode;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ratings::{RatingsDetails, RebuildError};
use crate::live::CommandError;
use lusoria_store::{LogRow, RECOVERY_CODES_MAX, SignUpPolicy, SignUps, StoreError};

/// How many codes an operator can make at once.
pub const SIGN_UP_CODES_MAX: u32 = 1_000;

/// An operator's request. A guest is named by id, or by name if no other guest has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum AdminAction {
    /// End a match without a result.
    End {
        /// Which.
        id: Uuid,
        /// Why, for the log.
        reason: Option<String>,
    },
    /// Rename a guest.
    Rename {
        /// The guest, by id or name.
        guest: String,
        /// The new name.
        name: String,
        /// Whether to replace the name in all their matches too.
        everywhere: bool,
    },
    /// Block a guest and end their matches.
    Block {
        /// The guest, by id or name.
        guest: String,
    },
    /// Unblock a guest.
    Unblock {
        /// The guest, by id or name.
        guest: String,
    },
    /// Erase a person's data; their matches stay, without the name.
    Erase {
        /// The guest, by id or name.
        guest: String,
    },
    /// Add a recovery code to an account, for somebody who has lost theirs.
    Recover {
        /// Its handle.
        handle: String,
    },
    /// Take the account away from a guest, who stays.
    RemoveAccount {
        /// Its handle, or the guest's id.
        account: String,
    },
    /// Set who may open an account.
    SetSignUps {
        /// Who.
        policy: SignUpPolicy,
    },
    /// Make codes to open accounts with.
    MakeSignUpCodes {
        /// How many, at most [`SIGN_UP_CODES_MAX`].
        count: u32,
        /// For how long they are good, in milliseconds.
        valid_ms: Millis,
    },
    /// End matches that have not changed for long, and delete those without a turn.
    Prune {
        /// For how long, in milliseconds.
        older_than_ms: Millis,
    },
    /// Tell somebody something, once.
    Warn {
        /// The guest, by id or name.
        guest: String,
        /// Why.
        grounds: Grounds,
    },
    /// Keep somebody from talking.
    Mute {
        /// The guest, by id or name.
        guest: String,
        /// For how long, in milliseconds; for good without it.
        for_ms: Option<Millis>,
        /// Why.
        grounds: Grounds,
    },
    /// Let somebody talk again.
    Unmute {
        /// The guest, by id or name.
        guest: String,
        /// Why.
        grounds: Grounds,
    },
    /// Keep somebody from playing and talking. Their seeks, challenges and open matches end.
    Ban {
        /// The guest, by id or name.
        guest: String,
        /// For how long, in milliseconds; for good without it.
        for_ms: Option<Millis>,
        /// Why.
        grounds: Grounds,
    },
    /// Let somebody play and talk again.
    Unban {
        /// The guest, by id or name.
        guest: String,
        /// Why.
        grounds: Grounds,
    },
    /// Close a report.
    CloseReport {
        /// Which.
        id: Uuid,
        /// What the log notes.
        note: Option<String>,
    },
    /// Close a flag for help from an engine.
    CloseFlag {
        /// Which.
        id: Uuid,
        /// What the log notes.
        note: Option<String>,
    },
    /// Count all finished matches again for the statistics of the games.
    CountAgain,
    /// Take back what a match changed of ratings.
    Unrate {
        /// Which.
        id: Uuid,
        /// Why, as its players read it.
        reason: UnratedReason,
    },
    /// Compute all ratings again from the journals, and store what differs.
    RebuildRatings,
    /// A query, which changes nothing.
    #[serde(untagged)]
    Query(AdminQuery),
}

/// What was done or found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "done", rename_all = "snake_case")]
pub enum AdminOutcome {
    /// The match has ended.
    Ended(MatchDetails),
    /// The guest is renamed.
    Renamed {
        /// The guest now.
        guest: GuestDetails,
        /// Matches in which the name was replaced.
        matches: u64,
        /// Matches in which it was not.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// The guest is blocked.
    Blocked {
        /// The guest now.
        guest: GuestDetails,
        /// Their matches that were ended.
        ended: u64,
        /// Those that were not.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// The guest is unblocked.
    Unblocked {
        /// The guest now.
        guest: GuestDetails,
    },
    /// The person's data is erased.
    Erased {
        /// Who it was.
        id: Uuid,
        /// Their matches that were ended.
        ended: u64,
        /// Matches in which the name was replaced.
        matches: u64,
        /// Whether the WAL may still hold deleted data because a reader holds it back; it goes when
        /// the WAL is reset.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_left_in_log: bool,
        /// Matches that were not ended or still show the name. The action can be repeated by id.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// There was nothing to erase; perhaps it was done before.
    NothingLeft {
        /// The unknown id.
        id: Uuid,
        /// Whether the WAL may still hold what was deleted before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_left_in_log: bool,
    },
    /// Old matches were pruned.
    Pruned {
        /// How many were ended, deleted ones included.
        ended: u64,
        /// How many were deleted.
        forgotten: u64,
        /// Whether this was a dry run: nothing was changed.
        dry_run: bool,
        /// Those that could not be changed.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// All finished matches were counted again.
    CountedAgain {
        /// How many this program counted; other servers on the database may have counted others.
        matches: u64,
        /// Those that could not be read and are left out.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// A recovery code was added.
    RecoveryCode {
        /// To which account.
        account: AccountDetails,
        /// The code. It is shown this once.
        code: OneTimeCode,
    },
    /// The account is gone.
    AccountRemoved {
        /// What it was.
        account: AccountDetails,
        /// How many sessions ended that were signed in to it.
        sessions: u64,
    },
    /// Who may open an account.
    SignUps(SignUps),
    /// Codes to open accounts with.
    SignUpCodes {
        /// Each opens one account. They are shown this once.
        codes: Vec<OneTimeCode>,
        /// When they are no longer good, in milliseconds since the epoch.
        expires_at: Millis,
    },
    /// Accounts that were asked for.
    Accounts {
        /// The newest first.
        accounts: Vec<AccountDetails>,
        /// Whether there are more.
        more: bool,
    },
    /// Counts of everything.
    Statistics(StatisticsDetails),
    /// The guests that were asked for.
    Guests {
        /// The newest first.
        guests: Vec<GuestDetails>,
    },
    /// Something was imposed or lifted, or a report was closed.
    Moderated {
        /// The row of the log.
        row: LogRow,
        /// Whom it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        guest: Option<GuestDetails>,
        /// Open matches of somebody banned that were not ended.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// The reports that were asked for.
    Reports {
        /// The newest first.
        reports: Vec<ReportDetails>,
    },
    /// The flags that were asked for.
    Flags {
        /// The newest first.
        flags: Vec<FlagDetails>,
    },
    /// The flag that was asked for.
    Flag {
        /// The flag.
        flag: FlagDetails,
        /// What the turns of the matches before it lost, those that ended last first.
        matches: Vec<LossDetails>,
    },
    /// The report that was asked for.
    Report {
        /// The report.
        report: ReportDetails,
        /// What was said in its match, the earliest first.
        talk: Vec<RemarkDetails>,
    },
    /// The moderators' log.
    Log {
        /// Its rows, the newest first.
        rows: Vec<LogRow>,
    },
    /// The match that was asked for.
    Match(MatchDetails),
    /// The servers on the database.
    Nodes(NodesDetails),
    /// What a match changed of ratings was taken back.
    Unrated {
        /// The match.
        told: MatchDetails,
        /// The ratings of its game and pace, which were computed again.
        ratings: RatingsDetails,
    },
    /// Ratings were computed again.
    Ratings {
        /// Of each game and pace.
        ratings: Vec<RatingsDetails>,
        /// Whether what differed was stored; otherwise nothing was changed.
        stored: bool,
    },
}

/// Matches that could not be changed, and why.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Failed(BTreeMap<Uuid, String>);

impl Failed {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a match, and why it could not be changed or read.
    pub(super) fn add(&mut self, id: lusoria_play::MatchId, why: String) {
        self.0.insert(id.0, why);
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Which, with the reason, in the order of their ids.
    pub fn told(&self) -> impl Iterator<Item = (Uuid, &str)> {
        self.0.iter().map(|(id, why)| (*id, why.as_str()))
    }

    fn list(&self) -> String {
        let told: Vec<String> = self.told().map(|(id, why)| format!("{id} ({why})")).collect();
        told.join(", ")
    }
}

impl AdminOutcome {
    /// The matches that could not be changed.
    pub fn failed(&self) -> Option<&Failed> {
        match self {
            Self::Renamed { failed, .. }
            | Self::Blocked { failed, .. }
            | Self::Erased { failed, .. }
            | Self::Moderated { failed, .. }
            | Self::Pruned { failed, .. }
            | Self::CountedAgain { failed, .. } => Some(failed).filter(|failed| !failed.is_empty()),
            Self::Ended(_)
            | Self::Unblocked { .. }
            | Self::NothingLeft { .. }
            | Self::Statistics(_)
            | Self::Guests { .. }
            | Self::RecoveryCode { .. }
            | Self::AccountRemoved { .. }
            | Self::SignUps(_)
            | Self::SignUpCodes { .. }
            | Self::Accounts { .. }
            | Self::Reports { .. }
            | Self::Report { .. }
            | Self::Flags { .. }
            | Self::Flag { .. }
            | Self::Log { .. }
            | Self::Match(_)
            | Self::Unrated { .. }
            | Self::Ratings { .. }
            | Self::Nodes(_) => None,
        }
    }

    /// Whether nothing needs to be repeated, or mended.
    pub fn is_whole(&self) -> bool {
        if let Self::Ratings { ratings, stored: false } = self {
            return ratings.iter().all(|of| of.differences == 0);
        }
        let is_left_in_log = match self {
            Self::Erased { is_left_in_log, .. } | Self::NothingLeft { is_left_in_log, .. } => *is_left_in_log,
            Self::Ended(_)
            | Self::Renamed { .. }
            | Self::Blocked { .. }
            | Self::Unblocked { .. }
            | Self::Pruned { .. }
            | Self::CountedAgain { .. }
            | Self::Statistics(_)
            | Self::Guests { .. }
            | Self::RecoveryCode { .. }
            | Self::AccountRemoved { .. }
            | Self::SignUps(_)
            | Self::SignUpCodes { .. }
            | Self::Accounts { .. }
            | Self::Moderated { .. }
            | Self::Reports { .. }
            | Self::Report { .. }
            | Self::Flags { .. }
            | Self::Flag { .. }
            | Self::Log { .. }
            | Self::Match(_)
            | Self::Unrated { .. }
            | Self::Ratings { .. }
            | Self::Nodes(_) => false,
        };
        self.failed().is_none() && !is_left_in_log
    }
}

/// Why a request failed. Nothing has been changed unless the variant says so.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// No guest has that id or name.
    #[error("there is no guest \"{0}\"")]
    NoSuchGuest(String),
    /// What they leave is being finished.
    #[error("guest {0} is being erased, or adopted by an account")]
    Leaving(Uuid),
    /// Several guests have that name.
    #[error("{} guests are called \"{name}\"; name one by id: {}", ids.len(), list(ids))]
    Several {
        /// Their name.
        name: String,
        /// Who they are, the newest first.
        ids: Vec<PlayerId>,
    },
    /// No account has that handle, and no guest with that id has one.
    #[error("there is no account \"{0}\"")]
    NoSuchAccount(String),
    /// An account has as many recovery codes as it may have.
    #[error(
        "{0} has {RECOVERY_CODES_MAX} recovery codes that are not spent: they can use one of those that you have made"
    )]
    TooManyCodes(String),
    /// So many codes are not made at once.
    #[error("between 1 and {SIGN_UP_CODES_MAX} codes can be made at once")]
    CodeCount,
    /// The computer is no guest.
    #[error("\"{0}\" is the computer")]
    Computer(String),
    /// The name cannot be a guest's.
    #[error("\"{name}\" cannot be a name: {why}")]
    Name {
        /// The name.
        name: String,
        /// Why not.
        why: String,
    },
    /// There is no such flag, or it was closed.
    #[error("there is no open flag {0}")]
    NoSuchFlag(Uuid),
    /// There is no such report, or it was closed.
    #[error("there is no open report {0}")]
    NoSuchReport(Uuid),
    /// They are neither muted nor banned.
    #[error("there is nothing to lift")]
    NothingToLift,
    /// What is to be told or noted is too long.
    #[error("a text has at most {TOLD_CHARS_MAX} characters")]
    TextTooLong,
    /// There is no such match.
    #[error("there is no match {0}")]
    NoSuchMatch(Uuid),
    /// Another release counts.
    #[error(
        "a later release counts the matches on this database, by definitions that this one does not know: use its command"
    )]
    CountedByLater,
    /// Nodes are only of a PostgreSQL database.
    #[error("a database file has no nodes: one server alone uses it")]
    NoNodes,
    /// The match has ended.
    #[error("match {0} is over")]
    Over(Uuid),
    /// The match has changed no rating.
    #[error("match {0} has changed no rating")]
    NotRated(Uuid),
    /// What the match changed was taken back before.
    #[error("what match {0} changed of ratings was taken back before")]
    TakenBack(Uuid),
    /// Ratings could not be computed again.
    #[error("the ratings could not be computed again: {0}")]
    Ratings(#[from] RebuildError),
    /// A match could not be changed; what was done to others before it stays done.
    #[error("match {id}: {error}; earlier changes stay; repeat the command for the rest")]
    Match {
        /// Which.
        id: Uuid,
        /// Why not.
        error: CommandError,
    },
    /// It was interrupted after some matches could not be changed.
    #[error("{why}; these matches could not be changed either: {}", .failed.list())]
    Interrupted {
        /// By what.
        why: Box<AdminError>,
        /// Which matches, and why.
        failed: Failed,
    },
    /// The store failed; part of it may have been done.
    #[error("{0}; part of it may have been done: repeat the command")]
    Store(#[from] StoreError),
}

fn list(ids: &[PlayerId]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| id.0.to_string()).collect();
    ids.join(", ")
}
