//! `lusoria backup`: a copy of a database that may be in use.

use std::{fmt, io::Write, path::PathBuf, time::Duration};

use clap::{Args, value_parser};

use super::{
    Failure, Verdict,
    database::{Database, run_aside},
    say,
};
use lusoria_store::sqlite::{BackupOptions, Contents, back_up};

/// What to copy, and where to.
#[derive(Debug, Args)]
pub(super) struct Backup {
    /// Where the copy goes
    #[arg(value_name = "FILE")]
    to: PathBuf,
    #[command(flatten)]
    database: Database,
    /// Replace the file if there is one
    #[arg(long)]
    force: bool,
    /// Give up after so many seconds; while the copy is made, the log of the server only grows
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = value_parser!(u64).range(1..=86_400))]
    within: u64,
}

impl Backup {
    /// Good if there is a copy and it is sound.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let (from, to) = (&self.database.path, &self.to);
        let options = BackupOptions { replace: self.force, within: Duration::from_secs(self.within) };
        let copied = run_aside(back_up(from, to, options))?;
        let contents = copied.map_err(|why| Failure::Usage(why.to_string()))?;
        say(out, format_args!("{}: sound, {}", to.display(), Told(contents)))?;
        Ok(Verdict::Good)
    }
}

/// What a database holds, for people.
pub(super) struct Told(pub(super) Contents);

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contents { version, bytes, guests, unfinished, finished, events } = self.0;
        let matches = unfinished + finished;
        write!(
            f,
            "version {version}, {bytes} bytes, {guests} guests, {matches} matches ({unfinished} unfinished), \
             {events} events"
        )
    }
}
