//! `lusoria move`: moves a database file to PostgreSQL.

use std::io::Write;

use clap::Args;
use lusoria_store::{MoveStage, Moved, Progress, Totals, move_to_postgres};

use super::{Failure, Verdict, runtime, say};
use crate::config::DatabasePlace;

/// The source and the target.
#[derive(Debug, Args)]
pub(super) struct Move {
    /// The database file
    #[arg(value_name = "FILE")]
    file: DatabasePlace,
    /// The URL of an empty PostgreSQL database
    #[arg(value_name = "URL", env = "LUSORIA_DATABASE", hide_env_values = true)]
    to: DatabasePlace,
}

impl Move {
    /// Good if everything in the file is in the database.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        // The URL may have a password, so neither is shown.
        let (DatabasePlace::File(file), DatabasePlace::Postgres(url)) = (&self.file, &self.to) else {
            let why =
                "a file is moved to a URL: lusoria move FILE postgres://USER:PASSWORD@HOST:PORT/DATABASE";
            return Err(Failure::Usage(why.to_owned()));
        };
        let mut report = |Progress { stage, matches, of }: Progress| {
            let done = match stage {
                MoveStage::Copying => "copied",
                MoveStage::Comparing => "compared",
            };
            eprintln!("{done} {matches} of {of} matches");
        };
        let moved = runtime()?.block_on(move_to_postgres(file, url, &mut report));
        let Moved { place, totals } = match moved {
            Ok(moved) => moved,
            Err(why) if why.leaves_mark() => {
                eprintln!("lusoria: {why}");
                return Ok(Verdict::Bad);
            }
            Err(why) => return Err(Failure::Usage(why.to_string())),
        };
        let file = file.display();
        let Some(Totals { guests, matches, events }) = totals else {
            say(out, format_args!("{file} was moved to {place} earlier"))?;
            return Ok(Verdict::Good);
        };
        let all = format_args!("{guests} guests, {matches} matches, {events} events");
        say(out, format_args!("{file}: moved to {place} and compared, {all}"))?;
        say(out, "the file stays unchanged, and servers refuse to use it")?;
        Ok(Verdict::Good)
    }
}
