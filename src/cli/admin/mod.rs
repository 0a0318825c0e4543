//! `lusoria admin`: what the person who runs a server does about guests and matches.
//!
//! If the server runs, it does it; else the command opens the database itself, and only reads it
//! for what only asks.

mod call;
#[cfg(unix)]
mod socket;
mod tell;

use std::{io::Write, path::PathBuf, time::Duration};

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::{Failure, Verdict, database::Database, moment::span, printable::printable, say};
use crate::{
    app::admin::{Act, Question},
    server::{Upgrade, socket_path},
};

/// What to do, and on which server.
#[derive(Debug, Args)]
pub(super) struct Admin {
    #[command(flatten)]
    database: Database,
    /// The socket of the server, if it is not beside the database
    #[arg(long = "admin-socket", env = "LUSORIA_ADMIN_SOCKET", value_name = "FILE", global = true)]
    socket: Option<PathBuf>,
    /// If no server runs: bring a database of an earlier version up to date for an act that
    /// changes it; what only asks needs one of this version
    #[arg(long, global = true)]
    upgrade: bool,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// End a match without a result; those who play are told at once
    End {
        /// Its id, as in its address
        #[arg(value_name = "MATCH")]
        id: Uuid,
        /// Why, for the server's log
        #[arg(long)]
        reason: Option<String>,
    },
    /// Call a guest otherwise
    Rename {
        /// His id, or his name if nobody else has it
        guest: String,
        /// What he is called from now on
        name: String,
        /// In the matches that he has played too, as if he had never been called otherwise
        #[arg(long)]
        everywhere: bool,
    },
    /// Let a guest do nothing any more: his tokens are refused, his sockets closed, his
    /// unfinished matches ended
    Block {
        /// His id, or his name if nobody else has it
        guest: String,
    },
    /// Let him again; what was ended stays ended
    Unblock {
        /// His id, or his name if nobody else has it
        guest: String,
    },
    /// Forget a person: name, tokens, codes, keys. His matches stay, without his name. It can be
    /// done again by his id
    Erase {
        /// His id, or his name if nobody else has it
        guest: String,
    },
    /// End matches that nobody has touched for long; those without a turn are deleted
    Prune {
        /// For how long: 90d, 12h
        #[arg(long, value_name = "TIME", value_parser = span)]
        older_than: Duration,
        /// Only say how many there are; changes nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// How much there is of everything, and what is new since a day and a week
    Statistics,
    /// Find a guest by his id, or guests by their name
    Guest {
        /// The id or the name
        #[arg(value_name = "NAME|ID")]
        guest: String,
    },
    /// A match at a glance
    Match {
        /// Its id, as in its address
        #[arg(value_name = "MATCH")]
        id: Uuid,
    },
}

impl Admin {
    /// Good if it is done, bad if some of it must be done again.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let database = &self.database.path;
        let socket = self.socket.clone().unwrap_or_else(|| socket_path(database));
        let upgrade = if self.upgrade { Upgrade::Allowed } else { Upgrade::Refused };
        let done = call::carry_out(database, &socket, self.what.act(), upgrade)
            .map_err(|why| Failure::Usage(printable(&why)))?;
        if self.json {
            say(out, serde_json::to_string_pretty(&done).expect("plain data"))?;
        } else {
            // Names are anybody's text.
            for line in tell::lines(&done) {
                say(out, printable(&line))?;
            }
        }
        Ok(if done.is_whole() { Verdict::Good } else { Verdict::Bad })
    }
}

impl What {
    fn act(&self) -> Act {
        match self.clone() {
            Self::End { id, reason } => Act::End { id, reason },
            Self::Rename { guest, name, everywhere } => Act::Rename { guest, name, everywhere },
            Self::Block { guest } => Act::Block { guest },
            Self::Unblock { guest } => Act::Unblock { guest },
            Self::Erase { guest } => Act::Erase { guest },
            Self::Prune { older_than, dry_run } => {
                let older_than_ms = older_than.as_millis().try_into().unwrap_or(u64::MAX);
                if dry_run {
                    Act::Ask(Question::Prunable { older_than_ms })
                } else {
                    Act::Prune { older_than_ms }
                }
            }
            Self::Statistics => Act::Ask(Question::Statistics),
            Self::Guest { guest } => Act::Ask(Question::Guest { guest }),
            Self::Match { id } => Act::Ask(Question::Match { id }),
        }
    }
}
