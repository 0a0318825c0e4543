//! `lusoria restore`: replaces a database by a backup.

use std::{io::Write, path::PathBuf};

use clap::Args;

use super::{
    Failure, Verdict,
    backup::ContentsLine,
    database::{Database, run_with_low_priority},
    say,
};
use lusoria_store::sqlite::restore;

/// The backup and the database.
#[derive(Debug, Args)]
pub(super) struct Restore {
    /// A copy that `lusoria backup` made
    #[arg(value_name = "FILE")]
    backup: PathBuf,
    #[command(flatten)]
    database: Database,
}

impl Restore {
    /// Good if the database is now the backup.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let database = self.database.file()?;
        let restored = run_with_low_priority(restore(&self.backup, database))?;
        let restored = restored.map_err(|why| Failure::Usage(why.to_string()))?;
        say(out, format_args!("{}: restored, {}", database.display(), ContentsLine(restored.contents)))?;
        if let Some(replaced) = restored.replaced {
            say(out, format_args!("the previous database is now {}", replaced.display()))?;
        }
        Ok(Verdict::Good)
    }
}
