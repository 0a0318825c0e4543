//! The operator's actions. The same code runs inside a running server and, offline, on its database.

mod accounts;
mod actions;
mod details;
mod flags;
pub(super) mod matches;
mod moderation;
mod queries;
mod tournament_check;
mod tournaments;

pub use details::{
    AccountDetails, GuestDetails, MatchDetails, NodeDetails, NodeState, NodesDetails, StatisticsDetails,
};
pub use flags::{FlagDetails, LossDetails};
pub use moderation::{Grounds, RemarkDetails, ReportDetails, TOLD_CHARS_MAX};
pub use queries::{AdminQuery, run as run_query};
pub use tournament_check::TournamentDifferences;

use std::collections::BTreeMap;

use lusoria_play::{Millis, PlayerId, UnratedReason};
use lusoria_protocol::{OneTimeCode, TournamentCard};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    app::ratings::{RatingsDetails, RebuildError},
    live::{CommandError, TournamentError},
};
use lusoria_store::{LogRow, RECOVERY_CODES_MAX, SignUpPolicy, SignUps, StoreError};

/// How many sign-up codes an operator can make at once.
pub const SIGN_UP_CODES_MAX: u32 = 1_000;

/// An operator's request. A guest is named by id, or by name if no other guest has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum AdminAction {
    /// End a match without a result.
    End {
        /// The match's id.
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
    /// Add a recovery code to an account whose own codes are lost.
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
        /// The new policy.
        policy: SignUpPolicy,
    },
    /// Make codes to open accounts with.
    MakeSignUpCodes {
        /// How many, at most [`SIGN_UP_CODES_MAX`].
        count: u32,
        /// How long they are valid, in milliseconds.
        valid_ms: Millis,
    },
    /// End matches that have not changed for long, and delete those without a turn.
    Prune {
        /// How long they have been unchanged, in milliseconds.
        older_than_ms: Millis,
    },
    /// Send a guest a warning, shown once.
    Warn {
        /// The guest, by id or name.
        guest: String,
        /// Why.
        grounds: Grounds,
    },
    /// Keep a guest from talking.
    Mute {
        /// The guest, by id or name.
        guest: String,
        /// For how long, in milliseconds; permanently without it.
        for_ms: Option<Millis>,
        /// Why.
        grounds: Grounds,
    },
    /// Let a muted guest talk again.
    Unmute {
        /// The guest, by id or name.
        guest: String,
        /// Why.
        grounds: Grounds,
    },
    /// Keep a guest from playing and talking. Their seeks, challenges and open matches end.
    Ban {
        /// The guest, by id or name.
        guest: String,
        /// For how long, in milliseconds; permanently without it.
        for_ms: Option<Millis>,
        /// Why.
        grounds: Grounds,
    },
    /// Let a banned guest play and talk again.
    Unban {
        /// The guest, by id or name.
        guest: String,
        /// Why.
        grounds: Grounds,
    },
    /// Close a report.
    CloseReport {
        /// The report's id.
        id: Uuid,
        /// A note for the log.
        note: Option<String>,
    },
    /// Close a flag for engine help.
    CloseFlag {
        /// The flag's id.
        id: Uuid,
        /// A note for the log.
        note: Option<String>,
    },
    /// Count all finished matches again for the statistics of the games.
    CountAgain,
    /// Take back the rating changes of a match.
    Unrate {
        /// The match's id.
        id: Uuid,
        /// The reason that its players are shown.
        reason: UnratedReason,
    },
    /// Compute all ratings again from the journals, and store those that differ.
    RebuildRatings,
    /// End a tournament.
    EndTournament {
        /// The tournament's id.
        id: Uuid,
        /// The reason, for all to read.
        reason: String,
    },
    /// Replace the name or the description of a tournament, also in what was shown before.
    RenameTournament {
        /// The tournament's id.
        id: Uuid,
        /// The new name.
        name: Option<String>,
        /// The new description; empty for none.
        description: Option<String>,
        /// The reason, for the moderators' log alone.
        reason: String,
    },
    /// Exclude a guest from a tournament.
    Exclude {
        /// The tournament's id.
        id: Uuid,
        /// The guest, by id or name.
        guest: String,
        /// The reason, for all to read.
        reason: String,
    },
    /// A query, which changes nothing.
    #[serde(untagged)]
    Query(AdminQuery),
}

/// The result of an action or a query.
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
        /// Matches in which it could not be replaced.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// The guest is blocked.
    Blocked {
        /// The guest now.
        guest: GuestDetails,
        /// Their matches that were ended.
        ended: u64,
        /// Those that could not be ended.
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
        /// The erased guest's id.
        id: Uuid,
        /// Their matches that were ended.
        ended: u64,
        /// Matches in which the name was replaced.
        matches: u64,
        /// Whether the WAL may still hold deleted data because a reader keeps it from being reset.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_left_in_log: bool,
        /// Matches that could not be ended or still show the name. The action can be repeated by id.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// There was nothing to erase; perhaps it was erased before.
    NothingLeft {
        /// The unknown id.
        id: Uuid,
        /// Whether the WAL may still hold data that was deleted earlier.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_left_in_log: bool,
    },
    /// Old matches were pruned.
    Pruned {
        /// Number of ended matches, including the deleted ones.
        ended: u64,
        /// Number of deleted matches.
        forgotten: u64,
        /// Whether this was a dry run, which changes nothing.
        dry_run: bool,
        /// Matches that could not be changed.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// All finished matches were counted again.
    CountedAgain {
        /// Number of matches this program counted; other nodes may have counted the rest.
        matches: u64,
        /// Matches that could not be read and are left out.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// A recovery code was added.
    RecoveryCode {
        /// The account it belongs to.
        account: AccountDetails,
        /// The code. It is shown only once.
        code: OneTimeCode,
    },
    /// The account was removed.
    AccountRemoved {
        /// The removed account.
        account: AccountDetails,
        /// Number of its sessions that ended.
        sessions: u64,
    },
    /// Who may open an account.
    SignUps(SignUps),
    /// Codes to open accounts with.
    SignUpCodes {
        /// The codes. Each opens one account. They are shown only once.
        codes: Vec<OneTimeCode>,
        /// When they expire, in milliseconds since the epoch.
        expires_at: Millis,
    },
    /// The requested accounts.
    Accounts {
        /// The newest first.
        accounts: Vec<AccountDetails>,
        /// Whether there are more.
        more: bool,
    },
    /// Counts of everything.
    Statistics(StatisticsDetails),
    /// The requested guests.
    Guests {
        /// The newest first.
        guests: Vec<GuestDetails>,
    },
    /// A sanction was imposed or lifted, or a report was closed.
    Moderated {
        /// The row of the log.
        row: LogRow,
        /// The guest concerned.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        guest: Option<GuestDetails>,
        /// Open matches of a banned guest that could not be ended.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// The requested reports.
    Reports {
        /// The newest first.
        reports: Vec<ReportDetails>,
    },
    /// The requested flags.
    Flags {
        /// The newest first.
        flags: Vec<FlagDetails>,
    },
    /// The requested flag.
    Flag {
        /// The flag.
        flag: FlagDetails,
        /// The loss of the matches before it, those that ended last first.
        matches: Vec<LossDetails>,
    },
    /// The requested report.
    Report {
        /// The report.
        report: ReportDetails,
        /// The talk of its match, the earliest first.
        talk: Vec<RemarkDetails>,
    },
    /// The moderators' log.
    Log {
        /// Its rows, the newest first.
        rows: Vec<LogRow>,
    },
    /// The requested match.
    Match(MatchDetails),
    /// The servers on the database.
    Nodes(NodesDetails),
    /// The rating changes of a match were taken back.
    Unrated {
        /// The match.
        told: MatchDetails,
        /// The ratings of its game and pace, computed again.
        ratings: RatingsDetails,
    },
    /// Ratings were computed again.
    Ratings {
        /// The result for each game and pace.
        ratings: Vec<RatingsDetails>,
        /// Whether differences were stored; otherwise nothing was changed.
        stored: bool,
    },
    /// The requested tournaments.
    Tournaments {
        /// Those that begin or ended last first.
        tournaments: Vec<TournamentCard>,
        /// Whether there are more.
        more: bool,
    },
    /// Tournaments were compared with the journals of their matches and with what lists show.
    TournamentsChecked {
        /// How many.
        tournaments: u64,
        /// How many matches they have.
        matches: u64,
        /// Those that differ.
        differing: Vec<TournamentDifferences>,
    },
}

/// Matches that could not be changed, and why.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Failed(BTreeMap<Uuid, String>);

impl Failed {
    /// Whether no match failed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a match, with the reason for its failure.
    pub(super) fn add(&mut self, id: lusoria_play::MatchId, why: String) {
        self.0.insert(id.0, why);
    }

    /// Number of matches.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The matches with the reasons, ordered by id.
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
            | Self::Tournaments { .. }
            | Self::TournamentsChecked { .. }
            | Self::Nodes(_) => None,
        }
    }

    /// Whether everything succeeded, so that nothing needs repeating or repairing.
    pub fn is_whole(&self) -> bool {
        if let Self::Ratings { ratings, stored: false } = self {
            return ratings.iter().all(|of| of.differences == 0);
        }
        if let Self::TournamentsChecked { differing, .. } = self {
            return differing.is_empty();
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
            | Self::Tournaments { .. }
            | Self::TournamentsChecked { .. }
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
    /// The guest's erasure or adoption is not finished yet.
    #[error("guest {0} is being erased, or adopted by an account")]
    Leaving(Uuid),
    /// Several guests have that name.
    #[error("{} guests are called \"{name}\"; name one by id: {}", ids.len(), list(ids))]
    Several {
        /// Their name.
        name: String,
        /// Their ids, the newest first.
        ids: Vec<PlayerId>,
    },
    /// No account has that handle, and no guest with that id has one.
    #[error("there is no account \"{0}\"")]
    NoSuchAccount(String),
    /// An account has as many recovery codes as it may have.
    #[error(
        "{0} has {RECOVERY_CODES_MAX} recovery codes that are not spent: they can use one that you made earlier"
    )]
    TooManyCodes(String),
    /// The number of codes is out of range.
    #[error("between 1 and {SIGN_UP_CODES_MAX} codes can be made at once")]
    CodeCount,
    /// The name or id is the computer's, which is not a guest.
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
    /// The guest is neither muted nor banned.
    #[error("there is nothing to lift")]
    NothingToLift,
    /// A text or note is too long.
    #[error("a text has at most {TOLD_CHARS_MAX} characters")]
    TextTooLong,
    /// There is no such match.
    #[error("there is no match {0}")]
    NoSuchMatch(Uuid),
    /// A later release counts the matches.
    #[error(
        "a later release counts the matches on this database, with definitions that this one does not know: use that release's command"
    )]
    CountedByLater,
    /// Only a PostgreSQL database has nodes.
    #[error("a database file has no nodes: one server alone uses it")]
    NoNodes,
    /// The match has ended.
    #[error("match {0} is over")]
    Over(Uuid),
    /// The match has changed no rating.
    #[error("match {0} has changed no rating")]
    NotRated(Uuid),
    /// The rating changes of the match were taken back before.
    #[error("the rating changes of match {0} were taken back before")]
    TakenBack(Uuid),
    /// There is no such tournament.
    #[error("there is no tournament {0}")]
    NoSuchTournament(Uuid),
    /// A tournament did not do what was asked.
    #[error("tournament {id}: {error}")]
    Tournament {
        /// Its id.
        id: Uuid,
        /// Why not.
        error: TournamentError,
    },
    /// Ratings could not be computed again.
    #[error("the ratings could not be computed again: {0}")]
    Ratings(#[from] RebuildError),
    /// A match could not be changed; changes to earlier ones stay.
    #[error("match {id}: {error}; earlier changes stay; repeat the command for the rest")]
    Match {
        /// Its id.
        id: Uuid,
        /// Why not.
        error: CommandError,
    },
    /// The action was interrupted after some matches had failed.
    #[error("{why}; these matches could not be changed either: {}", .failed.list())]
    Interrupted {
        /// The cause.
        why: Box<AdminError>,
        /// Which matches, and why.
        failed: Failed,
    },
    /// The store failed; some changes may have been made.
    #[error("{0}; some changes may have been made: repeat the command")]
    Store(#[from] StoreError),
}

fn list(ids: &[PlayerId]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| id.0.to_string()).collect();
    ids.join(", ")
}
