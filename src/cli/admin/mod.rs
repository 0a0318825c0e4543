//! `lusoria admin`: how an operator manages guests and matches.
//!
//! A running server carries out the request. Without one the command opens the database itself,
//! read-only for queries.

mod call;
mod outcome_lines;
#[cfg(unix)]
mod socket;

use std::{io::Write, path::PathBuf, time::Duration};

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::{Failure, Verdict, database::Database, moment::span, printable, say};
use crate::{
    app::admin::{AdminAction, AdminQuery},
    config::DatabasePlace,
    server::{Upgrade, socket_path},
};

/// Manage guests and matches
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
    /// Count guests and matches, in all and of the last day and week
    Statistics,
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
            Self::Prune { older_than, dry_run } => {
                let older_than_ms = older_than.as_millis().try_into().unwrap_or(u64::MAX);
                if dry_run {
                    AdminAction::Query(AdminQuery::Prunable { older_than_ms })
                } else {
                    AdminAction::Prune { older_than_ms }
                }
            }
            Self::Statistics => AdminAction::Query(AdminQuery::Statistics),
            Self::Guest { guest } => AdminAction::Query(AdminQuery::Guest { guest }),
            Self::Nodes => AdminAction::Query(AdminQuery::Nodes),
            Self::Match { id } => AdminAction::Query(AdminQuery::Match { id }),
        }
    }
}
