//! `lusoria backup`: a copy of a database that may be in use.

use std::{fmt, io::Write, path::PathBuf, time::Duration};

use clap::{Args, value_parser};

use super::{
    Failure, Verdict,
    database::{Database, run_with_low_priority},
    say,
};
use lusoria_store::sqlite::{BackupOptions, Contents, back_up};

/// The database to copy, and the target.
#[derive(Debug, Args)]
pub(super) struct Backup {
    /// The file to write
    #[arg(value_name = "FILE")]
    to: PathBuf,
    #[command(flatten)]
    database: Database,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Give up after this many seconds; until the copy is made, the server's WAL only grows
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = value_parser!(u64).range(1..=86_400))]
    within: u64,
}

impl Backup {
    /// Good if the copy was made and is intact.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let (from, to) = (self.database.file()?, &self.to);
        let options = BackupOptions { replace: self.force, within: Duration::from_secs(self.within) };
        let copied = run_with_low_priority(back_up(from, to, options))?;
        let contents = copied.map_err(|why| Failure::Usage(why.to_string()))?;
        say(out, format_args!("{}: sound, {}", to.display(), ContentsLine(contents)))?;
        Ok(Verdict::Good)
    }
}

/// Prints the contents of a database.
pub(super) struct ContentsLine(pub(super) Contents);

impl fmt::Display for ContentsLine {
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
