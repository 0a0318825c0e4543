//! `lusoria admin`: how an operator manages guests, accounts and matches.
//!
//! A running server carries out the request. Without one the command opens the database itself,
//! read-only for queries.

mod call;
mod outcome_lines;
#[cfg(unix)]
mod socket;

use std::{io::Write, path::PathBuf, time::Duration};

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use lusoria_play::UnratedReason;
use lusoria_store::SignUpPolicy;
use uuid::Uuid;

use super::{Failure, Verdict, database::Database, moment::span, printable, say};
use crate::{
    app::admin::{AdminAction, AdminQuery, Grounds, SIGN_UP_CODES_MAX},
    config::DatabasePlace,
    server::{Upgrade, socket_path},
};

/// Manage guests, accounts and matches
#[derive(Debug, Args)]
pub(super) struct Admin {
    #[command(flatten)]
    database: Database,
    /// The admin socket of the server; beside the database file by default. For PostgreSQL without a socket,
    /// the command works on the database itself
    #[arg(long = "admin-socket", env = "LUSORIA_ADMIN_SOCKET", value_name = "FILE", global = true)]
    socket: Option<PathBuf>,
    /// Upgrade a database of an earlier version if no server runs and the command changes it;
    /// queries need a database of this version
    #[arg(long, global = true)]
    upgrade: bool,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum AdminCommand {
    /// End a match without a result; its players are notified at once
    End {
        /// Its id, as in its address
        #[arg(value_name = "MATCH")]
        id: Uuid,
        /// Why, for the server's log
        #[arg(long)]
        reason: Option<String>,
    },
    /// Rename a guest
    Rename {
        /// Their id, or their name if no other guest has it
        guest: String,
        /// The new name
        name: String,
        /// Replace the name in all their matches too
        #[arg(long)]
        everywhere: bool,
    },
    /// Block a guest: refuse their tokens, close their sockets, end their unfinished matches
    Block {
        /// Their id, or their name if no other guest has it
        guest: String,
    },
    /// Unblock a guest; their ended matches stay ended
    Unblock {
        /// Their id, or their name if no other guest has it
        guest: String,
    },
    /// Erase a person's data: name, tokens, codes, keys. Their matches stay, without the name. Can
    /// be repeated by id
    Erase {
        /// Their id, or their name if no other guest has it
        guest: String,
    },
    /// End matches that have not changed for long; delete those without a turn
    Prune {
        /// For how long: 90d, 12h
        #[arg(long, value_name = "TIME", value_parser = span)]
        older_than: Duration,
        /// Only count them; change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// List accounts, the newest first
    Accounts {
        /// Only the one with this handle
        #[arg(long, conflicts_with = "since")]
        handle: Option<String>,
        /// Only those opened within this time: 7d, 12h
        #[arg(long, value_name = "TIME", value_parser = span)]
        since: Option<Duration>,
    },
    /// Make a recovery code for a person who has lost their password and their codes. It is shown only once;
    /// nothing else changes until they use it
    Recover {
        /// The handle of their account
        handle: String,
    },
    /// Remove the account of a guest, for example one that somebody else opened with a stolen token. Its
    /// sessions end; the guest, their matches and their other tokens stay
    RemoveAccount {
        /// The handle, or the guest's id
        #[arg(value_name = "HANDLE|ID")]
        account: String,
    },
    /// Print or set who may open an account. Existing accounts stay, and guests may still play
    SignUps {
        /// The new policy; without it, prints the present one and the number of valid codes
        #[arg(value_enum)]
        policy: Option<SignUpsFlag>,
    },
    /// Make codes for a server on which accounts need an invitation. They are shown only once
    SignUpCodes {
        /// How many; each opens one account
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(SIGN_UP_CODES_MAX)))]
        count: u32,
        /// How long they are valid: 30d, 12h
        #[arg(long, value_name = "TIME", value_parser = span, default_value = "30d")]
        valid: Duration,
    },
    /// List what people have reported, the newest first
    Reports {
        /// Include closed ones
        #[arg(long)]
        all: bool,
    },
    /// Show a report, with the talk of its match
    Report {
        /// Its id
        id: Uuid,
    },
    /// Close a report without a sanction
    CloseReport {
        /// Its id
        id: Uuid,
        /// A note for the log
        #[arg(long)]
        note: Option<String>,
    },
    /// List players who lose so little by their turns that they may have help from an engine, the newest
    /// first
    Flags {
        /// Include closed ones
        #[arg(long)]
        all: bool,
    },
    /// Show a flag, with the losses of the matches before it
    Flag {
        /// Its id
        id: Uuid,
    },
    /// Close a flag. Only matches that end after it was raised count towards another one
    CloseFlag {
        /// Its id
        id: Uuid,
        /// A note for the log
        #[arg(long)]
        note: Option<String>,
    },
    /// Send a guest a warning: their page shows it until they have read it
    Warn {
        /// Their id, or their name if no other guest has it
        guest: String,
        #[command(flatten)]
        grounds: GroundsFlags,
    },
    /// Keep a guest from talking
    Mute {
        /// Their id, or their name if no other guest has it
        guest: String,
        /// For how long: 7d, 12h; permanently without it
        #[arg(long = "for", value_name = "TIME", value_parser = span)]
        span: Option<Duration>,
        #[command(flatten)]
        grounds: GroundsFlags,
    },
    /// Let a muted guest talk again
    Unmute {
        /// Their id, or their name if no other guest has it
        guest: String,
        #[command(flatten)]
        grounds: GroundsFlags,
    },
    /// Keep a guest from playing and talking. They can still sign in, resign and see why; their seeks,
    /// challenges and open matches end
    Ban {
        /// Their id, or their name if no other guest has it
        guest: String,
        /// For how long: 7d, 12h; permanently without it
        #[arg(long = "for", value_name = "TIME", value_parser = span)]
        span: Option<Duration>,
        #[command(flatten)]
        grounds: GroundsFlags,
    },
    /// Let a banned guest play and talk again
    Unban {
        /// Their id, or their name if no other guest has it
        guest: String,
        #[command(flatten)]
        grounds: GroundsFlags,
    },
    /// Show what operators have done about reports and guests, the newest first
    Log {
        /// Only rows about this guest: their id, or their name if no other guest has it
        guest: Option<String>,
    },
    /// Take back the rating changes of a match: all later ratings become what they would be without it
    Unrate {
        /// Its id, as in its address
        #[arg(value_name = "MATCH")]
        id: Uuid,
        /// The reason that its players are shown
        #[arg(long, value_name = "REASON", value_parser = unrated_reason)]
        reason: UnratedReason,
    },
    /// Compute all ratings again from the journals, and compare them bit for bit with the stored ones
    Ratings {
        /// Store the differences; otherwise nothing is changed, and the command fails if there are any
        #[arg(long)]
        rebuild: bool,
    },
    /// List tournaments, unlisted ones too, those that begin last first; or show, check, rename or end one
    #[command(group = ArgGroup::new("act").args(["check", "end", "exclude", "rename", "describe"]))]
    Tournaments {
        /// Its id, as in its address
        #[arg(value_name = "TOURNAMENT")]
        id: Option<Uuid>,
        /// With --exclude: the guest, by id, or by name if no other guest has it
        #[arg(requires = "exclude")]
        guest: Option<String>,
        /// Build it, or every tournament, again from its events, and compare it with the journals of its matches
        /// and with what lists show; fails if anything differs
        #[arg(long)]
        check: bool,
        /// End it. Its name, its description and its results stay
        #[arg(long, requires_all = ["id", "reason"])]
        end: bool,
        /// Exclude a guest from it; a match that they play is resigned
        #[arg(long, requires_all = ["guest", "reason"])]
        exclude: bool,
        /// Replace its name, also in what was shown before
        #[arg(long, value_name = "NAME", requires_all = ["id", "reason"])]
        rename: Option<String>,
        /// Replace its description, also in what was shown before; with "" it has none
        #[arg(long, value_name = "TEXT", requires_all = ["id", "reason"])]
        describe: Option<String>,
        /// The reason, at most 200 characters. Everybody can read why it ended or somebody was excluded; of --rename
        /// and --describe only the log has it
        #[arg(long, value_name = "TEXT", conflicts_with = "check", requires = "act")]
        reason: Option<String>,
    },
    /// Count guests and matches, in total and of the last day and week
    Statistics {
        /// Instead, count all finished matches again for the statistics of the games
        #[arg(long)]
        rebuild: bool,
    },
    /// Find a guest by id, or guests by name
    Guest {
        /// The id or the name
        #[arg(value_name = "NAME|ID")]
        guest: String,
    },
    /// Show a match
    Match {
        /// Its id, as in its address
        #[arg(value_name = "MATCH")]
        id: Uuid,
    },
    /// List the servers on a PostgreSQL database: running ones, and those lost within a day
    Nodes,
}

/// Why an operator acts.
#[derive(Debug, Clone, Args)]
struct GroundsFlags {
    /// The text that the guest is shown, at most 500 characters
    #[arg(long, value_name = "TEXT")]
    say: Option<String>,
    /// A note for the log, at most 500 characters
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// The report that this answers, and closes
    #[arg(long, value_name = "ID")]
    report: Option<Uuid>,
}

impl From<GroundsFlags> for Grounds {
    fn from(GroundsFlags { say, note, report }: GroundsFlags) -> Self {
        Self { say, note, report }
    }
}

/// Who may open an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SignUpsFlag {
    /// Everybody
    Open,
    /// People with a code ("lusoria admin sign-up-codes")
    InviteOnly,
    /// Nobody
    Closed,
}

impl From<SignUpsFlag> for SignUpPolicy {
    fn from(flag: SignUpsFlag) -> Self {
        match flag {
            SignUpsFlag::Open => Self::Open,
            SignUpsFlag::InviteOnly => Self::InviteOnly,
            SignUpsFlag::Closed => Self::Closed,
        }
    }
}

impl Admin {
    /// Good if everything succeeded, bad if something must be repeated.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let database = &self.database.place;
        let beside = match database {
            DatabasePlace::File(path) => Some(socket_path(path)),
            DatabasePlace::Postgres(_) => None,
        };
        let socket = self.socket.clone().or(beside);
        let upgrade = if self.upgrade { Upgrade::Allowed } else { Upgrade::Refused };
        let done = call::carry_out(database, socket.as_deref(), self.command.act(), upgrade)
            .map_err(|why| Failure::Usage(printable(&why)))?;
        if self.json {
            say(out, serde_json::to_string_pretty(&done).expect("plain data"))?;
        } else {
            // Names are untrusted text.
            for line in outcome_lines::lines(&done) {
                say(out, printable(&line))?;
            }
        }
        Ok(if done.is_whole() { Verdict::Good } else { Verdict::Bad })
    }
}

impl AdminCommand {
    fn act(&self) -> AdminAction {
        match self.clone() {
            Self::End { id, reason } => AdminAction::End { id, reason },
            Self::Rename { guest, name, everywhere } => AdminAction::Rename { guest, name, everywhere },
            Self::Block { guest } => AdminAction::Block { guest },
            Self::Unblock { guest } => AdminAction::Unblock { guest },
            Self::Erase { guest } => AdminAction::Erase { guest },
            Self::Accounts { handle, since } => {
                AdminAction::Query(AdminQuery::Accounts { handle, newer_than_ms: since.map(millis) })
            }
            Self::Recover { handle } => AdminAction::Recover { handle },
            Self::RemoveAccount { account } => AdminAction::RemoveAccount { account },
            Self::SignUps { policy: None } => AdminAction::Query(AdminQuery::SignUps),
            Self::SignUps { policy: Some(policy) } => AdminAction::SetSignUps { policy: policy.into() },
            Self::SignUpCodes { count, valid } => {
                AdminAction::MakeSignUpCodes { count, valid_ms: millis(valid) }
            }
            Self::Prune { older_than, dry_run } => {
                let older_than_ms = millis(older_than);
                if dry_run {
                    AdminAction::Query(AdminQuery::Prunable { older_than_ms })
                } else {
                    AdminAction::Prune { older_than_ms }
                }
            }
            Self::Reports { all } => AdminAction::Query(AdminQuery::Reports { all }),
            Self::Report { id } => AdminAction::Query(AdminQuery::Report { id }),
            Self::Flags { all } => AdminAction::Query(AdminQuery::Flags { all }),
            Self::Flag { id } => AdminAction::Query(AdminQuery::Flag { id }),
            Self::CloseFlag { id, note } => AdminAction::CloseFlag { id, note },
            Self::CloseReport { id, note } => AdminAction::CloseReport { id, note },
            Self::Warn { guest, grounds } => AdminAction::Warn { guest, grounds: grounds.into() },
            Self::Mute { guest, span, grounds } => {
                AdminAction::Mute { guest, for_ms: span.map(millis), grounds: grounds.into() }
            }
            Self::Unmute { guest, grounds } => AdminAction::Unmute { guest, grounds: grounds.into() },
            Self::Ban { guest, span, grounds } => {
                AdminAction::Ban { guest, for_ms: span.map(millis), grounds: grounds.into() }
            }
            Self::Unban { guest, grounds } => AdminAction::Unban { guest, grounds: grounds.into() },
            Self::Log { guest } => AdminAction::Query(AdminQuery::Log { guest }),
            Self::Statistics { rebuild: true } => AdminAction::CountAgain,
            Self::Statistics { rebuild: false } => AdminAction::Query(AdminQuery::Statistics),
            Self::Unrate { id, reason } => AdminAction::Unrate { id, reason },
            Self::Ratings { rebuild: true } => AdminAction::RebuildRatings,
            Self::Ratings { rebuild: false } => AdminAction::Query(AdminQuery::CheckRatings),
            Self::Guest { guest } => AdminAction::Query(AdminQuery::Guest { guest }),
            Self::Nodes => AdminAction::Query(AdminQuery::Nodes),
            Self::Tournaments {
                id: Some(id),
                guest: Some(guest),
                exclude: true,
                reason: Some(reason),
                ..
            } => AdminAction::Exclude { id, guest, reason },
            Self::Tournaments { id: Some(id), end: true, reason: Some(reason), .. } => {
                AdminAction::EndTournament { id, reason }
            }
            Self::Tournaments { id: Some(id), rename: name @ Some(_), reason: Some(reason), .. } => {
                AdminAction::RenameTournament { id, name, description: None, reason }
            }
            Self::Tournaments {
                id: Some(id), describe: description @ Some(_), reason: Some(reason), ..
            } => AdminAction::RenameTournament { id, name: None, description, reason },
            Self::Tournaments { id, check: true, .. } => {
                AdminAction::Query(AdminQuery::CheckTournaments { id })
            }
            Self::Tournaments { id, .. } => AdminAction::Query(AdminQuery::Tournaments { id }),
            Self::Match { id } => AdminAction::Query(AdminQuery::Match { id }),
        }
    }
}

fn unrated_reason(name: &str) -> Result<UnratedReason, String> {
    let found = UnratedReason::ALL.into_iter().find(|reason| reason.name() == name);
    found.ok_or_else(|| format!("it is one of {}", UnratedReason::ALL.map(UnratedReason::name).join(", ")))
}

fn millis(span: Duration) -> u64 {
    span.as_millis().try_into().unwrap_or(u64::MAX)
}
