//! `lusoria admin`: how an operator manages guests, accounts and matches.
//!
//! A running server carries out the request. Without one the command opens the database itself,
//! read-only for queries.

mod call;
mod outcome_lines;
#[cfg(unix)]
mod socket;

use std::{io::Write, path::PathBuf, time::Duration};

use clap::{Args, Subcommand, ValueEnum};
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
    /// The admin socket of the server; beside the database file by default. For PostgreSQL without one, the
    /// command works on the database itself
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
    /// Make a recovery code for somebody who has lost their password and their codes. It is shown this once; all
    /// else stays until they spend it
    Recover {
        /// The handle of their account
        handle: String,
    },
    /// Take the account away from a guest, such as one that somebody else has opened with a stolen token. Sessions
    /// that were signed in to it end; the guest, their matches and their other tokens stay
    RemoveAccount {
        /// The handle, or the guest's id
        #[arg(value_name = "HANDLE|ID")]
        account: String,
    },
    /// Print or set who may open an account. Accounts that are there stay, and guests may still come and play
    SignUps {
        /// Who; without it, prints who may now, and how many codes are good
        #[arg(value_enum)]
        policy: Option<SignUpsFlag>,
    },
    /// Make codes for a server that opens accounts by invitation only. They are shown this once
    SignUpCodes {
        /// How many; each opens one account
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(SIGN_UP_CODES_MAX)))]
        count: u32,
        /// For how long they are good: 30d, 12h
        #[arg(long, value_name = "TIME", value_parser = span, default_value = "30d")]
        valid: Duration,
    },
    /// List what people have reported, the newest first
    Reports {
        /// Those that are closed, too
        #[arg(long)]
        all: bool,
    },
    /// Show a report, with what was said in its match
    Report {
        /// Its id
        id: Uuid,
    },
    /// Close a report without anything else
    CloseReport {
        /// Its id
        id: Uuid,
        /// What the log notes
        #[arg(long)]
        note: Option<String>,
    },
    /// List who loses so little by their turns that they may have help from an engine, the newest first
    Flags {
        /// Those that are closed, too
        #[arg(long)]
        all: bool,
    },
    /// Show a flag, with what the turns of the matches before it lost
    Flag {
        /// Its id
        id: Uuid,
    },
    /// Close a flag: from now on only matches that end after it was raised count for another
    CloseFlag {
        /// Its id
        id: Uuid,
        /// What the log notes
        #[arg(long)]
        note: Option<String>,
    },
    /// Tell somebody something: their page shows it until they have read it
    Warn {
        /// Their id, or their name if no other guest has it
        guest: String,
        #[command(flatten)]
        grounds: GroundsFlags,
    },
    /// Keep somebody from talking
    Mute {
        /// Their id, or their name if no other guest has it
        guest: String,
        /// For how long: 7d, 12h; for good without it
        #[arg(long = "for", value_name = "TIME", value_parser = span)]
        span: Option<Duration>,
        #[command(flatten)]
        grounds: GroundsFlags,
    },
    /// Let somebody talk again
    Unmute {
        /// Their id, or their name if no other guest has it
        guest: String,
        #[command(flatten)]
        grounds: GroundsFlags,
    },
    /// Keep somebody from playing and talking. They can still sign in, give up and see why; their seeks, challenges and
    /// open matches end
    Ban {
        /// Their id, or their name if no other guest has it
        guest: String,
        /// For how long: 7d, 12h; for good without it
        #[arg(long = "for", value_name = "TIME", value_parser = span)]
        span: Option<Duration>,
        #[command(flatten)]
        grounds: GroundsFlags,
    },
    /// Let somebody play and talk again
    Unban {
        /// Their id, or their name if no other guest has it
        guest: String,
        #[command(flatten)]
        grounds: GroundsFlags,
    },
    /// Show what operators have done about reports and people, the newest first
    Log {
        /// Only what is about this guest: their id, or their name if no other guest has it
        guest: Option<String>,
    },
    /// Take back what a match changed of ratings: all later ones become what they would be without it
    Unrate {
        /// Its id, as in its address
        #[arg(value_name = "MATCH")]
        id: Uuid,
        /// Why, as its players read it
        #[arg(long, value_name = "REASON", value_parser = unrated_reason)]
        reason: UnratedReason,
    },
    /// Compute all ratings again from the journals and compare them, bit for bit, with what is stored
    Ratings {
        /// Store what differs; otherwise nothing is changed, and the command fails if something differs
        #[arg(long)]
        rebuild: bool,
    },
    /// Count guests and matches, in all and of the last day and week
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
    /// List the servers on a PostgreSQL database: those that run, and those that were lost within a day
    Nodes,
}

/// Why an operator acts.
#[derive(Debug, Clone, Args)]
struct GroundsFlags {
    /// What the person is told, at most 500 characters
    #[arg(long, value_name = "TEXT")]
    say: Option<String>,
    /// What the log notes, at most 500 characters
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
    /// Who has a code ("lusoria admin sign-up-codes")
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
    /// Good if all is done, bad if some of it must be repeated.
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
