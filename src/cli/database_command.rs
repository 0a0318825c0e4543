//! `lusoria database`: actions on a whole database.

use std::io::Write;

use clap::{Args, Subcommand};
use lusoria_store::{Store, use_again};

use super::{Failure, Verdict, database::Database, runtime, say};
use crate::config::DatabasePlace;

/// Which database, and what to do.
#[derive(Debug, Args)]
pub(super) struct DatabaseCommand {
    #[command(flatten)]
    database: Database,
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Begin a new history, after a backup of the database has been restored: clients discard their state,
    /// and running servers reload all matches
    NewHistory,
    /// Let servers use a file again that was moved to PostgreSQL. Begins a new history: clients discard their
    /// state
    UseAgain,
}

impl DatabaseCommand {
    /// Good if it succeeded.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        match (&self.action, &self.database.place) {
            (Action::NewHistory, DatabasePlace::Postgres(url)) => {
                let begun = runtime()?.block_on(Store::begin_new_history(url));
                begun.map_err(|why| Failure::Usage(why.to_string()))?;
                say(out, "a new history has begun")?;
            }
            (Action::UseAgain, DatabasePlace::File(path)) => {
                runtime()?.block_on(use_again(path)).map_err(|why| Failure::Usage(why.to_string()))?;
                say(out, format_args!("servers can use {} again; a new history has begun", path.display()))?;
            }
            (Action::NewHistory, DatabasePlace::File(_)) => {
                let why = "for a database file \"lusoria restore\" begins a new history";
                return Err(Failure::Usage(why.to_owned()));
            }
            (Action::UseAgain, DatabasePlace::Postgres(_)) => {
                let why = "it is a file that was moved: lusoria database use-again --database FILE";
                return Err(Failure::Usage(why.to_owned()));
            }
        }
        Ok(Verdict::Good)
    }
}
