//! `lusoria move`: a database file to PostgreSQL.

use std::{io::Write, path::PathBuf};

use clap::Args;
use lusoria_store::{Moved, Progress, Totals, move_to_postgres};

use super::{Failure, Verdict, runtime, say};
use crate::config::DatabasePlace;

/// What to move where.
#[derive(Debug, Args)]
pub(super) struct Move {
    /// The database file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The URL of an empty PostgreSQL database
    #[arg(value_name = "URL", env = "LUSORIA_DATABASE", hide_env_values = true)]
    to: DatabasePlace,
}

impl Move {
    /// Good if all of the file is in the database.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let DatabasePlace::Postgres(url) = &self.to else {
            return Err(Failure::Usage(
                "a file is moved to postgres://USER:PASSWORD@HOST:PORT/DATABASE".into(),
            ));
        };
        let mut tell = |Progress { comparing, matches, of }: Progress| {
            let doing = if comparing { "compared" } else { "copied" };
            eprintln!("{doing} {matches} of {of} matches");
        };
        let moved = runtime()?.block_on(move_to_postgres(&self.file, url, &mut tell));
        let Moved { place, now } = moved.map_err(|why| Failure::Usage(why.to_string()))?;
        let file = self.file.display();
        let Some(Totals { guests, matches, events }) = now else {
            say(out, format_args!("{file} has been moved to {place} before"))?;
            return Ok(Verdict::Good);
        };
        say(
            out,
            format_args!(
                "moved {guests} guests, {matches} matches and {events} events to {place}, and compared all of them"
            ),
        )?;
        say(out, format_args!("{file} stays as it is, and no server uses it any more"))?;
        Ok(Verdict::Good)
    }
}
