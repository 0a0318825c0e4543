//! `lusoria database`: what is done to a PostgreSQL database as a whole.

use std::io::Write;

use clap::{Args, Subcommand};
use lusoria_store::postgres::PostgresStore;

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
    /// Begin a new history, after a backup of the database has been restored: clients discard what they
    /// know, and servers that run read all matches anew
    NewHistory,
}

impl DatabaseCommand {
    /// Good if it is done.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let Action::NewHistory = self.action;
        let DatabasePlace::Postgres(url) = &self.database.place else {
            let why = "\"lusoria restore\" begins a new history of a database file itself";
            return Err(Failure::Usage(why.to_owned()));
        };
        let begun = runtime()?.block_on(PostgresStore::begin_new_history(url));
        begun.map_err(|why| Failure::Usage(why.to_string()))?;
        say(out, "a new history has begun")?;
        Ok(Verdict::Good)
    }
}
